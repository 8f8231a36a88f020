:- module(rtec_hoisting,
          [ hoisted/3                   % +M, +Clause0, -Clause
          ]).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(solution_sequences), [limit/2]).

/** <module> Conditions that do not depend on the trigger

    points_fast(fast(X), T, i, true) :-      points_fast(fast(X), T, i, true) :-
        happens_speed(T, X, S),                  thresholds(fast, Max),
        thresholds(fast, Max),          ==>      happens_speed(T, X, S),
        S > Max.                                 S > Max.

A rule is run over all events of a window. What it looks up for each of them,
although it is the same for all, is looked up once. That changes neither the
answers of a rule nor its errors as long as what is moved is a look-up: of a
static predicate made of facts, with one solution at most.
*/

%!  hoisted(+M, +Clause0, -Clause) is semidet.
%
%   Clause is Clause0, a rule of points, terminations or output events, with
%   look-ups in the session's module M before the trigger; fails if there are none.

hoisted(M, (Head :- Body0), (Head :- Body)) :-
    callable(Head),
    functor(Head, Name, _),
    rule_prefix(Prefix),
    sub_atom(Name, 0, _, _, Prefix),
    Body0 = (Trigger,Goals0),
    \+ has_cut(Goals0),
    \+ lookup(Trigger, M, []),
    term_variables(Trigger, Bound),
    split(Goals0, M, Bound, Lookups, Goals),
    Lookups \== [],
    append(Lookups, [Trigger|Goals], All),
    conjunction(All, Body).

rule_prefix(points_).
rule_prefix(ends_).
rule_prefix(rules_).
rule_prefix(begin_gains_).
rule_prefix(end_gains_).
rule_prefix(event_gains_).

has_cut((A,B)) :- ( has_cut(A) ; has_cut(B) ), !.
has_cut(!).

%   split(+Goals, +M, +Bound, -Lookups, -Others): Bound are the variables of the
%   goals that stay where they are.

split((G,Gs), M, Bound, Lookups, Others) :-
    nonvar(G),
    !,
    split_goal(G, M, Bound, Bound1, Lookups, Lookups1, Others, Others1),
    split(Gs, M, Bound1, Lookups1, Others1).
split(G, M, Bound, Lookups, Others) :-
    split_goal(G, M, Bound, _, Lookups, [], Others, []).

split_goal(G, M, Bound, Bound, [G|Lookups], Lookups, Others, Others) :-
    lookup(G, M, Bound),
    !.
split_goal(G, _, Bound0, Bound, Lookups, Lookups, [G|Others], Others) :-
    term_variables(Bound0-G, Bound).

lookup(G, M, Bound) :-
    callable(G),
    term_variables(G, Vs),
    \+ ( member(V, Vs), member(B, Bound), V == B ),
    predicate_property(M:G, number_of_rules(0)),
    \+ predicate_property(M:G, dynamic),
    \+ predicate_property(M:G, foreign),
    findall(x, limit(2, M:G), [_]).

conjunction([G], G) :-
    !.
conjunction([G|Gs], (G,Body)) :-
    conjunction(Gs, Body).
