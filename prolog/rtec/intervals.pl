:- module(rtec_intervals,
          [ is_interval_list/1,           % @Term
            intervals_union/3,            % +Is1, +Is2, -Union
            intervals_intersection/3,     % +Is1, +Is2, -Intersection
            intervals_subtract/3,         % +Is1, +Is2, -Difference
            union_all/2,                  % +Lists, -Union
            intersect_all/2,              % +Lists, -Intersection
            relative_complement_all/3,    % +Is0, +Lists, -Complement
            coalesce/2,                   % +Sorted, -Is
            holds_at/2,                   % +Is, +T
            from_point/3,                 % +T, +Is, -Suffix
            touches_span/2,               % +Is, +Span
            within_span/3,                % +Span, +Is, -Part
            ending_after/3,               % +Is0, +T, -Is
            starts_within/4,              % +Is, +After, +Tick, ?T
            ends_within/4                 % +Is, +After, +Tick, ?T
          ]).
:- set_prolog_flag(optimise, true).
:- autoload(library(lists), [append/2]).

/** <module> Interval lists

An _interval_ is a pair (Start,End) that holds Start and leaves End out. End
may be the atom `inf`, which is a number larger than all others where it is
compared with </2, so `inf` is no special case; compared so, time-points take a
third of the time that the standard order of terms takes.

An _interval list_ has its intervals in order, with a gap between each two.
Equal sets of time-points are therefore equal terms. Predicates here trust
their input; is_interval_list/1 is for the edges of the system.
*/

%!  is_interval_list(@Term) is semidet.
%
%   Term is an interval list: sorted, disjoint, not touching.

is_interval_list(Term) :-
    is_list(Term),
    gaps(Term).

gaps([]).
gaps([(S,E)|Is]) :-
    integer(S),
    ( integer(E) ; E == inf ),
    !,
    S < E,
    gaps(Is, E).

gaps([], _).
gaps([(S,E)|Is], E0) :-
    E0 < S,
    gaps([(S,E)|Is]).

%!  intervals_union(+Is1, +Is2, -Union) is det.
%
%       Is1    [---)       [---)
%       Is2       [----)
%       Union  [-------)   [---)

intervals_union([], Is, Is).
intervals_union([I|Is], Js, Union) :-
    union_with(Js, I, Is, Union).

%   union_with(+Js, +I, +Is, -Union): I comes before Is, with a gap between.

union_with([], I, Is, [I|Is]).
union_with([J|Js], I, Is, Union) :-
    I = (S1,E1),
    J = (S2,E2),
    (   E1 < S2
    ->  Union = [I|Union1],
        union_with(Is, J, Js, Union1)
    ;   E2 < S1
    ->  Union = [J|Union1],
        union_with(Js, I, Is, Union1)
    ;   S1 =< S2
    ->  (   E2 =< E1
        ->  union_with(Js, I, Is, Union)
        ;   union_with(Is, (S1,E2), Js, Union)
        )
    ;   E1 =< E2
    ->  union_with(Is, J, Js, Union)
    ;   union_with(Js, (S2,E1), Is, Union)
    ).

%!  coalesce(+Sorted, -Is) is det.
%
%   Is has the time-points of Sorted, intervals ordered by their start that
%   may overlap or touch.

coalesce([], []).
coalesce([(S,E)|Is], Union) :-
    coalesce(Is, S, E, Union).

coalesce([], S, E, [(S,E)]).
coalesce([(S,E)|Is], S0, E0, Union) :-
    (   E0 < S
    ->  Union = [(S0,E0)|Union1],
        coalesce(Is, S, E, Union1)
    ;   E0 < E
    ->  coalesce(Is, S0, E, Union)
    ;   coalesce(Is, S0, E0, Union)
    ).

%!  intervals_intersection(+Is1, +Is2, -Intersection) is det.

intervals_intersection([], _, []).
intervals_intersection([(S,E)|Is1], Is2, Intersection) :-
    intersect_from(Is2, S, E, Is1, Intersection).

intersect_from([], _, _, _, []).
intersect_from([(S2,E2)|Is2], S1, E1, Is1, Intersection) :-
    (   S1 < S2
    ->  S = S2
    ;   S = S1
    ),
    (   E1 < E2
    ->  (   S < E1
        ->  Intersection = [(S,E1)|Rest]
        ;   Intersection = Rest
        ),
        intervals_intersection(Is1, [(S2,E2)|Is2], Rest)
    ;   (   S < E2
        ->  Intersection = [(S,E2)|Rest]
        ;   Intersection = Rest
        ),
        intersect_from(Is2, S1, E1, Is1, Rest)
    ).

%!  intervals_subtract(+Is1, +Is2, -Difference) is det.
%
%       Is1         [-----------)
%       Is2            [---)
%       Difference  [--)   [----)

intervals_subtract([], _, []).
intervals_subtract([(S,E)|Is1], Is2, Difference) :-
    subtract_from(Is2, S, E, Is1, Difference).

subtract_from([], S, E, Is1, [(S,E)|Is1]).
subtract_from([(S2,E2)|Is2], S, E, Is1, Difference) :-
    (   S >= E2
    ->  subtract_from(Is2, S, E, Is1, Difference)
    ;   E =< S2
    ->  Difference = [(S,E)|Rest],
        intervals_subtract(Is1, [(S2,E2)|Is2], Rest)
    ;   (   S < S2
        ->  Difference = [(S,S2)|Rest]
        ;   Difference = Rest
        ),
        (   E2 < E
        ->  subtract_from(Is2, E2, E, Is1, Rest)
        ;   intervals_subtract(Is1, [(S2,E2)|Is2], Rest)
        )
    ).

%!  union_all(+Lists, -Union) is det.
%
%   The time-points of at least one of Lists.

union_all([], []).
union_all([Is|Lists], Union) :-
    (   Is == []
    ->  union_all(Lists, Union)
    ;   union_all(Lists, Is, Union)
    ).

union_all([], Union, Union).
union_all([Is|Lists], Is0, Union) :-
    (   Is == []
    ->  union_all(Lists, Is0, Union)
    ;   Lists = [_,_|_]
    ->  append([Is0,Is|Lists], All),
        sort(All, Sorted),
        coalesce(Sorted, Union)
    ;   intervals_union(Is0, Is, Is1),
        union_all(Lists, Is1, Union)
    ).

%!  intersect_all(+Lists, -Intersection) is det.
%
%   The time-points of all of Lists. There is nothing in no lists.

intersect_all([], []).
intersect_all([Is0|Lists], Intersection) :-
    intersect_all(Lists, Is0, Intersection).

intersect_all([], Intersection, Intersection).
intersect_all([Is|Lists], Is0, Intersection) :-
    intervals_intersection(Is0, Is, Is1),
    intersect_all(Lists, Is1, Intersection).

%!  relative_complement_all(+Is0, +Lists, -Complement) is det.
%
%   The time-points of Is0 that are in none of Lists.

relative_complement_all(Is0, Lists, Complement) :-
    union_all(Lists, Union),
    intervals_subtract(Is0, Union, Complement).

%!  holds_at(+Is, +T) is semidet.
%
%   T is in one of the intervals.

holds_at([(S,E)|Is], T) :-
    (   T < E
    ->  T >= S
    ;   holds_at(Is, T)
    ).

%!  from_point(+T, +Is, -Suffix) is det.
%
%   The time-points of Is from T on.

from_point(_, [], []).
from_point(T, [(S,E)|Is], Suffix) :-
    (   S >= T
    ->  Suffix = [(S,E)|Is]
    ;   E =< T
    ->  from_point(T, Is, Suffix)
    ;   Suffix = [(T,E)|Is]
    ).

%!  touches_span(+Is, +Span) is semidet.
%!  within_span(+Span, +Is, -Part) is det.
%
%   A span From-Till has the time-points from From on, before Till, which may be `inf`.
%   Some of the time-points of Is are among them; Part has those that are.

touches_span([(S,E)|Is], From-Till) :-
    (   E > From
    ->  S < Till
    ;   touches_span(Is, From-Till)
    ).

within_span(From-Till, Is, Part) :-
    from_point(From, Is, Suffix),
    (   Till == inf
    ->  Part = Suffix
    ;   up_to(Suffix, Till, Part)
    ).

up_to([], _, []).
up_to([(S,E)|Is], Till, Part) :-
    (   E =< Till
    ->  Part = [(S,E)|Part1],
        up_to(Is, Till, Part1)
    ;   S < Till
    ->  Part = [(S,Till)]
    ;   Part = []
    ).

%!  ending_after(+Is0, +T, -Is) is det.
%
%   Is are the intervals of Is0 that end after T.

ending_after([(_,E)|Is0], T, Is) :-
    E =< T,
    !,
    ending_after(Is0, T, Is).
ending_after(Is, _, Is).

%!  starts_within(+Is, +After, +Tick, ?T) is nondet.
%
%   T is a time-point later than After, one tick before the start of an
%   interval: where start(F=V) happens.

starts_within([(S,_)|Is], After, Tick, T) :-
    (   T0 is S-Tick,
        T0 > After,
        T = T0
    ;   Is \== [],
        starts_within(Is, After, Tick, T)
    ).

%!  ends_within(+Is, +After, +Tick, ?T) is nondet.
%
%   T is a time-point later than After, one tick before the end of an
%   interval: where end(F=V) happens. An open interval has no end.

ends_within([(_,E)|Is], After, Tick, T) :-
    (   E \== inf,
        T0 is E-Tick,
        T0 > After,
        T = T0
    ;   Is \== [],
        ends_within(Is, After, Tick, T)
    ).
