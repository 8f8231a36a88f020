:- use_module(library(plunit)).
:- use_module(rtec(simple_fluents)).
:- use_module(sessions).

%   A switch: on(X) initiates f(X)=true, off(X) terminates it, all_off ends all.

:- begin_tests(simple_fluents_windows).

program("
    :- dynamic happens_on/2, happens_off/2, holds_f/3.
    points_f(f(X), T, i, true) :- happens_on(T, X).
    points_f(f(X), T, t, true) :- happens_off(T, X).
    ").

%       0           10
%   a   |  i   t     |
%   b   |     i      |
test(first_window, Facts == [holds_f(a,true,[(4,7)]),holds_f(b,true,[(6,inf)])]) :-
    windows([w(0,10,true)-[happens_on(3,a),happens_off(6,a),happens_on(5,b)]], Facts).

%           |10      20
%   [-------|---)     |      the start is kept,
test(carried, Facts == [holds_f(a,true,[(4,16)])]) :-
    windows([ w(0,10,true)-[happens_on(3,a)],
              w(10,20,false)-[happens_off(15,a)] ], Facts).

%   [-------|---------->     also where nothing happens
test(idle, Facts == [holds_f(a,true,[(4,inf)])]) :-
    windows([ w(0,10,true)-[happens_on(3,a)], w(10,20,false)-[] ], Facts).

%   [---)   |                what ended before the window is no more
test(forgotten, Facts == []) :-
    windows([ w(0,10,true)-[happens_on(3,a),happens_off(6,a)], w(10,20,false)-[] ], Facts).

%   [------)|
%           |i               ended with the window, initiated with the next
test(ended_at_the_border, Facts == [holds_f(a,true,[(12,inf)])]) :-
    windows([ w(0,10,true)-[happens_on(3,a),happens_off(10,a)],
              w(10,20,false)-[happens_on(11,a)] ], Facts).

%   i at the last time-point holds from the first of the next window
test(initiated_at_the_border, Facts == [holds_f(a,true,[(11,inf)])]) :-
    windows([ w(0,10,true)-[happens_on(10,a)], w(10,20,false)-[] ], Facts).

%        |5      |10     |15
%   [----|--:    :       |   overlapping windows: off(8) came late
test(late, Facts == [holds_f(a,true,[(4,9)])]) :-
    windows([ w(0,10,true)-[happens_on(3,a)], w(5,15,false)-[happens_off(8,a)] ], Facts).

test(ticks, Facts == [holds_f(a,true,[(80,160)])]) :-
    program(Program),
    with_program(Program, [0,40,-1], M,
                 ( happened(M, [happens_on(40,a),happens_off(120,a)]),
                   eval_simple(simple(f/1,holds_f,points_f,[]), M, run(-1,200,0,40,true)),
                   stored(M, holds_f(_,_,_), Facts)
                 )).

windows(Windows, Facts) :-
    program(Program),
    with_program(Program, M,
                 ( maplist(window(M), Windows),
                   stored(M, holds_f(_,_,_), Facts)
                 )).

window(M, w(W,Q,First)-Events) :-
    retractall(M:happens_on(_,_)),
    retractall(M:happens_off(_,_)),
    happened(M, Events),
    eval_simple(simple(f/1,holds_f,points_f,[]), M, run(W,Q,0,1,First)).

:- end_tests(simple_fluents_windows).

:- begin_tests(simple_fluents_options).

%   initially: holds since the start of the run.
test(initially, Facts == [holds_f(a,true,[(0,7)]),holds_f(b,true,[(0,inf)])]) :-
    evaluated("
        :- dynamic happens_off/2, holds_f/3.
        points_f(f(X), T, t, true) :- happens_off(T, X).
        initially_f(f(a), true).
        initially_f(f(b), true).
        ", [initially(initially_f)], [happens_off(6,a)], holds_f(_,_,_), Facts).

%   grounded: only these instances are kept.
test(grounded, Facts == [holds_f(a,true,[(4,inf)])]) :-
    evaluated("
        :- dynamic happens_on/2, holds_f/3.
        points_f(f(X), T, i, true) :- happens_on(T, X).
        grounded_f(f(X), true) :- X == a.
        ", [admitted(grounded_f)], [happens_on(3,a),happens_on(3,b)], holds_f(_,_,_), Facts).

%   initiations: all that lie in the window, also those that change nothing.
test(initiations, Facts == [initiated_f(3,a,true),initiated_f(5,a,true)]) :-
    evaluated("
        :- dynamic happens_on/2, holds_f/3, initiated_f/3.
        points_f(f(X), T, i, true) :- happens_on(T, X).
        ", [initiations(initiated_f/3)], [happens_on(3,a),happens_on(5,a)],
        initiated_f(_,_,_), Facts).

%   breaks: every point, with its kind.
test(breaks, Facts == [breaks_f(3,a,i,true),breaks_f(6,a,t,true)]) :-
    evaluated("
        :- dynamic happens_on/2, happens_off/2, holds_f/3, breaks_f/4.
        points_f(f(X), T, i, true) :- happens_on(T, X).
        points_f(f(X), T, t, true) :- happens_off(T, X).
        ", [breaks(breaks_f/4)], [happens_on(3,a),happens_off(6,a)],
        breaks_f(_,_,_,_), Facts).

%   wild: a termination of a pattern ends every instance that matches it.
test(wild, Facts == [holds_f(a,true,[(4,9)]),holds_f(b,true,[(6,9)]),holds_f(c,true,[(10,inf)])]) :-
    evaluated("
        :- dynamic happens_on/2, happens_all_off/1, holds_f/3.
        points_f(f(X), T, i, true) :- happens_on(T, X).
        wild_f(f(_), T, t, true) :- happens_all_off(T).
        ", [wild(wild_f)],
        [happens_on(3,a),happens_on(5,b),happens_on(9,c),happens_all_off(8)],
        holds_f(_,_,_), Facts).

%   delays: see test_deadlines.pl.
test(delays, Facts == [holds_f(a,false,[(7,inf)]),holds_f(a,true,[(4,7)])]) :-
    evaluated("
        :- dynamic happens_on/2, holds_f/3, attempts_f/3, postponed_f/2.
        points_f(f(X), T, i, true) :- happens_on(T, X).
        delay_f(f(_), true, false, 3).
        ", [delays(delay_f,postponed_f,attempts_f)], [happens_on(3,a)], holds_f(_,_,_), Facts).

evaluated(Program, Options, Events, Template, Facts) :-
    with_program(Program, M,
                 ( happened(M, Events),
                   eval_simple(simple(f/1,holds_f,points_f,Options), M, run(-1,20,0,1,true)),
                   stored(M, Template, Facts)
                 )).

:- end_tests(simple_fluents_options).
