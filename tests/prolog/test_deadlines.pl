:- use_module(library(plunit)).
:- use_module(rtec(deadlines)).
:- use_module(sessions).

%   fi(f=on, f=off, 5). The drawings show initiations of `on` as i, of `off` as
%   o, terminations as t, and the deadline that took effect as D.

:- begin_tests(deadlines).

plain("
    :- dynamic attempts/3.
    delay(f, on, off, 5).
    postponed(_, _) :- fail.
    ").
postponable("
    :- dynamic attempts/3.
    delay(f, on, off, 5).
    postponed(f, on).
    ").

%   2    4       7
%   i    i       D
%    [-----------)       the first initiation counts
test(first_counts, Held == [held(f,off,[(8,inf)]),held(f,on,[(3,8)])]) :-
    plain(P),
    paired(P, [p(f,2,i,on),p(f,4,i,on)], Held).

%   2    4       7  9
%   i    i          D
%    [--------------)    the last one counts, if it may be postponed
test(last_counts, Held == [held(f,off,[(10,inf)]),held(f,on,[(3,10)])]) :-
    postponable(P),
    paired(P, [p(f,2,i,on),p(f,4,i,on)], Held).

%   2         7
%   i         i,D       a re-initiation at the deadline comes too late: two
%    [--------)         values at once, and neither holds
test(at_the_deadline, Held == [held(f,on,[(3,8)])]) :-
    postponable(P),
    paired(P, [p(f,2,i,on),p(f,7,i,on)], Held).

%   2    5    7
%   i    t              broken: nothing happens at 7
test(broken, Held == [held(f,on,[(3,6)])]) :-
    plain(P),
    paired(P, [p(f,2,i,on),p(f,5,t,on)], Held).

%   2    5    7    10
%   i    o         D      another value is no matter of this deadline
test(other_value, Held == [held(f,idle,[(6,inf)]),held(f,on,[(3,6)])]) :-
    plain(P),
    paired(P, [p(f,2,i,on),p(f,5,i,idle)], Held).

%   2         7
%   i         t,D      broken at the deadline itself: too late to cancel it
test(broken_at_the_deadline, Held == [held(f,off,[(8,inf)]),held(f,on,[(3,8)])]) :-
    plain(P),
    paired(P, [p(f,2,i,on),p(f,7,t,on)], Held).

%   2                Q=6
%   i                :    D is at 7
%    [--------------->
test(later_than_the_query_time, Held == [held(f,on,[(3,inf)])]) :-
    plain(P),
    paired(P, run(-1,6,0,1,true), [p(f,2,i,on)], Held).

%   initially, with start 0: counted from the time-point before
%  -1              4
%   c              D
%    [-------------)
test(initially, Held == [held(f,off,[(5,inf)]),held(f,on,[(0,5)])]) :-
    plain(P),
    paired(P, [p(f,-1,c,0-on)], Held).

%   Of several the shortest wins; values in a chain follow each other.
test(shortest, Held == [held(f,b,[(6,inf)]),held(f,a,[(3,6)])]) :-
    paired("
        :- dynamic attempts/3.
        delay(f, a, c, 9).
        delay(f, a, b, 3).
        postponed(_, _) :- fail.
        ", [p(f,2,i,a)], Held0),
    reverse(Held0, Held).

%   2       5            9
%   true    expiring     false
test(chain, Held == [held(q,expiring,[(6,10)]),held(q,false,[(10,inf)]),held(q,true,[(3,6)])]) :-
    paired("
        :- dynamic attempts/3.
        delay(q, true, expiring, 3).
        delay(q, expiring, false, 4).
        postponed(_, _) :- fail.
        ", [p(q,2,i,true)], Held).

%   What delays brought about is among the points, for rules that ask for it.
test(points, Points == [p(f,2,i,on),p(f,7,i,off)]) :-
    plain(P),
    with_program(P, M,
                 pair_with_delays([p(f,2,i,on)], M, [], delays(delay,postponed,attempts),
                                  run(-1,20,0,1,true), Points, _)).

%   What groundings leave out ends what it would have followed.

test(left_out, Points-Held == [p(f,2,i,on),p(f,7,x,off)]-[held(f,on,[(3,8)])]) :-
    plain(P),
    string_concat(P, "admitted(_, on).\n", Program),
    with_program(Program, M,
                 pair_with_delays([p(f,2,i,on)], M, [admitted(admitted)],
                                  delays(delay,postponed,attempts),
                                  run(-1,20,0,1,true), Points, Held)).

:- end_tests(deadlines).

:- begin_tests(deadlines_between_windows).

%   Attempts survive: the initiation lies in one window, the deadline in the
%   next.
%
%   2    4  |    9       fi, without p: 2+5 = 7
%   i    i  :
test(plain, Held == [held(f,off,[(8,inf)]),held(f,on,[(3,8)])]) :-
    program(false, P),
    two_windows(P, [p(f,2,i,on),p(f,4,i,on)], [p(f,5,c,3-on)], Held).

%   the same with p: 4+5 = 9
test(postponed, Held == [held(f,off,[(10,inf)]),held(f,on,[(3,10)])]) :-
    program(true, P),
    two_windows(P, [p(f,2,i,on),p(f,4,i,on)], [p(f,5,c,3-on)], Held).

%   A re-initiation in the second window moves it once more.
test(postponed_again, Held == [held(f,off,[(13,inf)]),held(f,on,[(3,13)])]) :-
    program(true, P),
    two_windows(P, [p(f,2,i,on),p(f,4,i,on)], [p(f,5,c,3-on),p(f,7,i,on)], Held).

%   A break in the second window cancels it.
test(broken, Held == [held(f,on,[(3,7)])]) :-
    program(true, P),
    two_windows(P, [p(f,2,i,on)], [p(f,5,c,3-on),p(f,6,t,on)], Held).

%   Overlapping windows: the second starts at 3, between the initiations, and
%   the one at 4 has turned out not to have happened.
test(revised, Held == [held(f,off,[(8,inf)]),held(f,on,[(3,8)])]) :-
    program(true, P),
    with_program(P, M,
                 ( window(M, run(-1,5,0,1,true), [p(f,2,i,on),p(f,4,i,on)], _),
                   window(M, run(3,12,0,1,false), [p(f,3,c,3-on)], Held)
                 )).

program(Postponable, Program) :-
    format(string(Program),
           ":- dynamic attempts/3.\ndelay(f, on, off, 5).\npostponed(f, on) :- ~w.\n",
           [Postponable]).

two_windows(P, Ps1, Ps2, Held) :-
    with_program(P, M,
                 ( window(M, run(-1,5,0,1,true), Ps1, _),
                   window(M, run(5,20,0,1,false), Ps2, Held)
                 )).

:- end_tests(deadlines_between_windows).

paired(Program, Ps, Held) :-
    paired(Program, run(-1,20,0,1,true), Ps, Held).

paired(Program, Run, Ps, Held) :-
    with_program(Program, M, window(M, Run, Ps, Held)).

window(M, Run, Ps, Held) :-
    pair_with_delays(Ps, M, [], delays(delay,postponed,attempts), Run, _, Held).
