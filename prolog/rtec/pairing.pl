:- module(rtec_pairing,
          [ pair_points/3,                % +Points, +Tick, -Held
            points_at_once/5,             % +Points, +F, +T, -KVs, -Rest
            breaks/3,                     % +K, +V, +V0
            apply_at_once/7,              % +KVs, +T, +Tick, +Current0, -Current, -Spans, ?Tail
            spans_held/4                  % +Spans, +F, -Held, ?Tail
          ]).
:- set_prolog_flag(optimise, true).

/** <module> From initiations and terminations to maximal intervals

A simple fluent is swept once over its points, which stand sorted by fluent,
then time. A _point_ is

    p(Fluent, T, c, S-Value)    at T, the window's start, Value has held since S
    p(Fluent, T, i, Value)      an initiation
    p(Fluent, T, t, Value)      a termination; Value may be a pattern
    p(Fluent, T, x, Value)      a break of every value but Value

F=V is broken by a termination of F=V and by an initiation of any other value
of F. At one time-point a break beats an initiation, so of two values that are
initiated at once neither holds, and at most one value holds at any time. That
is why one sweep with one current value does for all values of a fluent.
*/

%!  pair_points(+Points, +Tick, -Held) is det.
%
%   Held has a term held(Fluent, Value, Is) for every value of every fluent
%   that holds somewhere, in the order of Points.

pair_points([], _, []).
pair_points([P|Ps], Tick, Held) :-
    P = p(F,_,K,_),
    (   K == t
    ->  pair_points(Ps, Tick, Held)
    ;   idle([P|Ps], F, Tick, Spans, Rest),
        spans_held(Spans, F, Held, Held1),
        pair_points(Rest, Tick, Held1)
    ).

%   idle(+Points, +F, +Tick, -Spans, -Rest): nothing holds.
%   holding(+Points, +F, +V0, +S0, +Tick, -Spans, -Rest): V0 holds since S0.
%
%   Spans lists span(V,S,E) in order of time, Rest are the points of the fluents
%   after F. This is the innermost loop of the engine. Initiations stand before
%   the breaks of their time-point, so only they have to look at what comes at
%   the same time; and what cannot break anything is passed over unseen, also
%   where it is of another fluent.

idle([], _, _, [], []).
idle([P|Ps], F, Tick, Spans, Rest) :-
    P = p(F1,T,K,V),
    (   K == t
    ->  idle(Ps, F, Tick, Spans, Rest)
    ;   F1 \== F
    ->  Spans = [],
        Rest = [P|Ps]
    ;   K == i
    ->  (   Ps = [p(F2,T2,_,_)|_],
            T2 == T,
            F2 == F
        ->  several(P, Ps, none, Tick, Spans, Rest)
        ;   S is T+Tick,
            holding(Ps, F, V, S, Tick, Spans, Rest)
        )
    ;   K == c
    ->  V = S-V1,
        holding(Ps, F, V1, S, Tick, Spans, Rest)
    ;   idle(Ps, F, Tick, Spans, Rest)
    ).

holding([], _, V0, S0, _, [span(V0,S0,inf)], []).
holding([P|Ps], F, V0, S0, Tick, Spans, Rest) :-
    P = p(F1,T,K,V),
    (   F1 \== F
    ->  Spans = [span(V0,S0,inf)],
        Rest = [P|Ps]
    ;   K == t
    ->  (   breaks(t, V, V0)
        ->  E is T+Tick,
            Spans = [span(V0,S0,E)|Spans1],
            idle(Ps, F, Tick, Spans1, Rest)
        ;   holding(Ps, F, V0, S0, Tick, Spans, Rest)
        )
    ;   K == i
    ->  (   Ps = [p(F2,T2,_,_)|_],
            T2 == T,
            F2 == F
        ->  several(P, Ps, since(V0,S0), Tick, Spans, Rest)
        ;   V0 == V
        ->  holding(Ps, F, V0, S0, Tick, Spans, Rest)
        ;   S is T+Tick,
            Spans = [span(V0,S0,S)|Spans1],
            holding(Ps, F, V, S, Tick, Spans1, Rest)
        )
    ;   K == c
    ->  V = S1-V1,
        holding(Ps, F, V1, S1, Tick, Spans, Rest)
    ;   breaks(K, V, V0)
    ->  E is T+Tick,
        Spans = [span(V0,S0,E)|Spans1],
        idle(Ps, F, Tick, Spans1, Rest)
    ;   holding(Ps, F, V0, S0, Tick, Spans, Rest)
    ).

several(p(F,T,K,V), Ps, Current0, Tick, Spans, Rest) :-
    points_at_once(Ps, F, T, KVs, Ps1),
    apply_at_once([K-V|KVs], T, Tick, Current0, Current, Spans, Spans1),
    (   Current = since(V1,S1)
    ->  holding(Ps1, F, V1, S1, Tick, Spans1, Rest)
    ;   idle(Ps1, F, Tick, Spans1, Rest)
    ).

%!  breaks(+K, +V, +V0) is semidet.
%
%   A point of kind K, `t` or `x`, with value V breaks V0.

breaks(t, V, V0) :-
    (   V == V0
    ->  true
    ;   \+ V0 \= V
    ).
breaks(x, V, V0) :-
    V \== V0.

%!  points_at_once(+Points, +F, +T, -KVs, -Rest) is det.
%
%   KVs has Kind-Value for the first of Points, as far as they are of F and T.

points_at_once([p(F1,T1,K,V)|Ps], F, T, KVs, Rest) :-
    T1 == T,
    F1 == F,
    !,
    KVs = [K-V|KVs1],
    points_at_once(Ps, F, T, KVs1, Rest).
points_at_once(Ps, _, _, [], Ps).

%!  apply_at_once(+KVs, +T, +Tick, +Current0, -Current, -Spans, ?Tail) is det.
%
%   Several points of one fluent at one time. A carried value stands alone at its time, but
%   two carried values (both stated initially) may meet; the last is kept.

apply_at_once([c-(S-V)|KVs], T, Tick, _, Current, Spans, Spans1) :-
    !,
    apply_at_once(KVs, T, Tick, since(V,S), Current, Spans, Spans1).
apply_at_once([], _, _, Current, Current, Spans, Spans) :-
    !.
apply_at_once(KVs, T, Tick, Current, Current1, Spans, Spans1) :-
    (   Current = since(V0,S),
        broken(KVs, V0)
    ->  E is T+Tick,
        Spans = [span(V0,S,E)|Spans1],
        Current0 = none
    ;   Current0 = Current,
        Spans = Spans1
    ),
    (   Current0 == none,
        initiated(KVs, V),
        \+ broken(KVs, V)
    ->  S1 is T+Tick,
        Current1 = since(V,S1)
    ;   Current1 = Current0
    ).

initiated([K-V0|KVs], V) :-
    (   K == i
    ->  V = V0
    ;   initiated(KVs, V)
    ).

broken([K-V|_], V0) :-
    (   K == t
    ->  breaks(t, V, V0)
    ;   V \== V0
    ),
    !.
broken([_|KVs], V0) :-
    broken(KVs, V0).

%!  spans_held(+Spans, +F, -Held, ?Tail) is det.
%
%   The spans of each value, in order of time, become its interval list.

spans_held([], _, Held, Held).
spans_held([span(V,S,E)|Spans], F, Held, Tail) :-
    split(Spans, V, Is, Others),
    (   Others == []
    ->  Held = [held(F,V,[(S,E)|Is])|Tail]
    ;   few_values(Others, 3, Pairs)
    ->  keysort([V-[(S,E)|Is]|Pairs], Sorted),
        held_values(Sorted, F, Held, Tail)
    ;   keyed([span(V,S,E)|Spans], Keyed),
        keysort(Keyed, Sorted),
        by_value(Sorted, F, Held, Tail)
    ).

%   Few values are taken out one by one, which is quicker than sorting all spans.

few_values([], _, []).
few_values([span(V,S,E)|Spans], N, [V-[(S,E)|Is]|Pairs]) :-
    N > 0,
    N1 is N-1,
    split(Spans, V, Is, Others),
    few_values(Others, N1, Pairs).

held_values([], _, Held, Held).
held_values([V-Is|Pairs], F, [held(F,V,Is)|Held], Tail) :-
    held_values(Pairs, F, Held, Tail).

split([], _, [], []).
split([Span|Spans], V, Is, Others) :-
    Span = span(V1,S,E),
    (   V1 == V
    ->  Is = [(S,E)|Is1],
        split(Spans, V, Is1, Others)
    ;   Others = [Span|Others1],
        split(Spans, V, Is, Others1)
    ).

keyed([], []).
keyed([span(V,S,E)|Spans], [V-(S,E)|Keyed]) :-
    keyed(Spans, Keyed).

by_value([], _, Held, Held).
by_value([V-I|Keyed], F, [held(F,V,[I|Is])|Held], Tail) :-
    of_value(Keyed, V, Is, Rest),
    by_value(Rest, F, Held, Tail).

of_value([V1-I|Keyed], V, Is, Rest) :-
    V1 == V,
    !,
    Is = [I|Is1],
    of_value(Keyed, V, Is1, Rest).
of_value(Rest, _, [], Rest).
