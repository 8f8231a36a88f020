:- use_module(library(plunit)).
:- use_module(rtec(pairing)).

%   The drawings show initiations as i, terminations as t, and what holds as
%   [---). An initiation at T opens the interval at the time-point after T.

:- begin_tests(pairing).

%   10        20   25   30
%   i         i    t    t
%    [-------------)
test(first_of_each, Held == [held(f,true,[(11,26)])]) :-
    pair_points([p(f,10,i,true),p(f,20,i,true),p(f,25,t,true),p(f,30,t,true)], 1, Held).

%   3    7
%   i    i
%    [---------->
test(open, Held == [held(f,true,[(4,inf)])]) :-
    pair_points([p(f,3,i,true),p(f,7,i,true)], 1, Held).

%   3     7
%   t     i   t
%          [--)
test(termination_of_nothing, Held == [held(f,true,[(8,10)])]) :-
    pair_points([p(f,3,t,true),p(f,7,i,true),p(f,9,t,true)], 1, Held).

%   2     5     8
%   red   green red
%    [----)[----)[---->      another value breaks the one that holds
test(values, Held == [held(f,green,[(6,9)]),held(f,red,[(3,6),(9,inf)])]) :-
    pair_points([p(f,2,i,red),p(f,5,i,green),p(f,8,i,red)], 1, Held).

%   5
%   i t         at one time-point a break beats an initiation
test(at_once, Held == []) :-
    pair_points([p(f,5,i,true),p(f,5,t,true)], 1, Held).

%   2        5
%   i        i t
%    [-------)
test(broken_and_initiated_at_once, Held == [held(f,true,[(3,6)])]) :-
    pair_points([p(f,2,i,true),p(f,5,i,true),p(f,5,t,true)], 1, Held).

%   2        5
%   a        b c       of two values that are initiated at once neither holds
%    [-------)
test(two_values_at_once, Held == [held(f,a,[(3,6)])]) :-
    pair_points([p(f,2,i,a),p(f,5,i,b),p(f,5,i,c)], 1, Held).

%   2        5
%   a        b t(a)
%    [-------)[-->     the termination is of the other value
test(value_and_termination, Held == [held(f,a,[(3,6)]),held(f,b,[(6,inf)])]) :-
    pair_points([p(f,2,i,a),p(f,5,i,b),p(f,5,t,a)], 1, Held).

%   terminatedAt(f=_, T) ends every value
test(pattern, Held == [held(f,a,[(3,6)])]) :-
    pair_points([p(f,2,i,a),p(f,5,t,_)], 1, Held).
test(pattern_in_part, Held == [held(f,v(1,x),[(3,6)])]) :-
    pair_points([p(f,2,i,v(1,x)),p(f,4,t,v(2,_)),p(f,5,t,v(1,_))], 1, Held).

%   `x` breaks every value but one
test(others_are_broken, Held == [held(f,a,[(3,6)])]) :-
    pair_points([p(f,2,i,a),p(f,5,x,b)], 1, Held).
test(this_one_is_not, Held == [held(f,b,[(3,inf)])]) :-
    pair_points([p(f,2,i,b),p(f,5,x,b)], 1, Held).

%   -3        0    4
%    [--------|----)         what holds at the window's start keeps its start
test(carried, Held == [held(f,true,[(-3,5)])]) :-
    pair_points([p(f,0,c,-3-true),p(f,4,t,true)], 1, Held).
test(carried_and_broken_by_another,
     Held == [held(f,a,[(-3,5)]),held(f,b,[(5,inf)])]) :-
    pair_points([p(f,0,c,-3-a),p(f,4,i,b)], 1, Held).
test(carried_and_initiated_again, Held == [held(f,a,[(-3,inf)])]) :-
    pair_points([p(f,0,c,-3-a),p(f,4,i,a)], 1, Held).

test(ticks, Held == [held(f,true,[(50,90)])]) :-
    pair_points([p(f,10,i,true),p(f,50,t,true)], 40, Held).

%   fluents one after the other, each by itself
test(fluents, Held == [held(f(a),true,[(2,5)]),held(f(b),true,[(3,inf)]),held(g,0,[(2,3)])]) :-
    pair_points([ p(f(a),1,i,true), p(f(a),4,t,true),
                  p(f(b),2,i,true),
                  p(g,1,i,0), p(g,2,t,0)
                ], 1, Held).

test(nothing, Held == []) :- pair_points([], 1, Held).

:- end_tests(pairing).

:- begin_tests(pairing_law).
:- use_module(library(random)).

%   One sweep gives what the axioms say: F=V holds at T if it was initiated at
%   some Ts < T and not broken in [Ts,T); a break is a termination of V or an
%   initiation of another value.

:- set_random(seed(314159)).

test(axioms, [forall(between(1, 300, _)), true(Held == Expected)]) :-
    random_points(Ps),
    pair_points(Ps, 1, Held0),
    sort(Held0, Held),
    findall(held(f,V,Is),
            ( member(V, [a,b,c]),
              findall(T, ( between(0, 21, T), holds(Ps, V, T) ), Ts),
              from_time_points(Ts, 21, Is),
              Is \== []
            ),
            Expected).

:- use_module(random_intervals).

random_points(Ps) :-
    random_between(0, 12, N),
    findall(p(f,T,K,V),
            ( between(1, N, _),
              random_between(0, 20, T),
              random_member(K, [i,i,i,t]),
              random_member(V, [a,b,c])
            ),
            Ps0),
    sort(Ps0, Ps).

holds(Ps, V, T) :-
    member(p(_,Ts,i,V), Ps),
    Ts < T,
    \+ ( member(p(_,Tb,K,V1), Ps),
         Tb >= Ts,
         Tb < T,
         ( K == t -> V1 == V ; V1 \== V )
       ),
    !.

:- end_tests(pairing_law).

:- begin_tests(pairing_parts).

test(points_at_once, KVs-Rest == [i-a,t-b]-[p(f,6,i,c)]) :-
    points_at_once([p(f,5,i,a),p(f,5,t,b),p(f,6,i,c)], f, 5, KVs, Rest).
test(points_of_another_fluent, KVs-Rest == []-[p(g,5,i,a)]) :-
    points_at_once([p(g,5,i,a)], f, 5, KVs, Rest).

test(apply_initiation, Current-Spans == since(a,6)-[]) :-
    apply_at_once([i-a], 5, 1, none, Current, Spans, []).
test(apply_termination, Current-Spans == none-[span(a,2,6)]) :-
    apply_at_once([t-a], 5, 1, since(a,2), Current, Spans, []).
test(apply_other_value, Current-Spans == since(b,6)-[span(a,2,6)]) :-
    apply_at_once([i-b], 5, 1, since(a,2), Current, Spans, []).
test(apply_contradiction, Current-Spans == none-[]) :-
    apply_at_once([i-a,i-b], 5, 1, none, Current, Spans, []).

test(spans, Held == [held(f,a,[(1,3),(7,inf)]),held(f,b,[(3,7)])]) :-
    spans_held([span(a,1,3),span(b,3,7),span(a,7,inf)], f, Held, []).

:- end_tests(pairing_parts).
