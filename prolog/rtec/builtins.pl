:- module(rtec_builtins,
          [ union_all/2,
            intersect_all/2,
            relative_complement_all/3,
            holds_at/2,
            held_before/2,              % +Is, +T1
            rtec_later/3,               % +Is, +T, +Ask
            starts_within/4,
            ends_within/4,
            intervals_subtract/3,
            touches_span/2,             % +Is, +Span
            within_span/3,              % +Span, +Is, -Part
            allen/5,
            allen_in_window/7,
            default_intervals/4,        % +Ts, +Start, +Tick, -Is
            breaks_value/4,             % +K, +V0, +Known, ?V
            makeIntervalsFromAllPoints/5, % +Points, +Tick, +Q, +Is0, -Is
            intDurGreater/3             % +Is0, +D, -Is
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(intervals).
:- use_module(pieces, [rtec_later/3]).
:- use_module(allen).
:- use_module(trajectories, [held_before/2]).
:- autoload(library(lists), [append/3, member/2, min_list/2]).

/** <module> What rule bodies may call

Every session's module inherits from this one, so a description or background
file that defines a predicate of the same name has its own way.
*/

%!  intDurGreater(+Is0, +D, -Is) is det.
%
%   The intervals of Is0 that last longer than D.

intDurGreater([], _, []).
intDurGreater([(S,E)|Is0], D, Is) :-
    (   ( E == inf ; E-S > D )
    ->  Is = [(S,E)|Is1]
    ;   Is = Is1
    ),
    intDurGreater(Is0, D, Is1).

%!  breaks_value(+K, +V0, +Known, ?V) is nondet.
%
%   A point of kind K with value V0 breaks V. Known are the values that the
%   fluent has had, among which V is looked for if it is not given.

breaks_value(t, V0, Known, V) :-
    (   nonvar(V0)
    ->  V = V0
    ;   nonvar(V)
    ->  true
    ;   member(V, Known)
    ).
breaks_value(i, V0, Known, V) :-
    other_value(V, V0, Known).
breaks_value(x, V0, Known, V) :-
    other_value(V, V0, Known).

other_value(V, V0, Known) :-
    (   nonvar(V)
    ->  true
    ;   member(V, Known)
    ),
    V \== V0.

%!  default_intervals(+Ts, +Start, +Tick, -Is) is det.
%
%   Where an instance that nobody has met holds its default: since Start, up to
%   the first of the time-points Ts at which a pattern broke it.

default_intervals(Ts, Start, Tick, Is) :-
    (   Ts == []
    ->  Is = [(Start,inf)]
    ;   min_list(Ts, T),
        E is T+Tick,
        Is = [(Start,E)]
    ).

%!  makeIntervalsFromAllPoints(+Points, +Tick, +Q, +Is0, -Is) is det.
%
%   Points at most a tick apart form one interval, from the first to a tick
%   after the last; it is open if the last is the query time Q. For background
%   files that make their own input fluents.

makeIntervalsFromAllPoints(Points, Tick, Q, Is0, Is) :-
    sort(Points, Sorted),
    point_spans(Sorted, Tick, Q, Spans),
    append(Is0, Spans, All),
    sort(All, Sorted1),
    coalesce(Sorted1, Is).

point_spans([], _, _, []).
point_spans([T|Ts], Tick, Q, [(T,E)|Spans]) :-
    (   T =:= Q
    ->  E = inf
    ;   E is T+Tick
    ),
    point_spans(Ts, Tick, Q, Spans).
