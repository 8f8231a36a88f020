% Predicates that the rules of maritime.prolog call.

%   known_heading(+Heading): AIS sends 511 where there is no compass.

known_heading(Heading) :-
    Heading =\= 511.

%   angle_between(+A, +B, -Angle): the smaller angle between two directions, 0 to 180.

angle_between(A, B, Angle) :-
    D is abs(A - B),
    (   D > 180
    ->  Angle is 360 - D
    ;   Angle = D
    ).

%   one_is(+Type, +V1, +V2): exactly one of two vessels is of a type.

one_is(Type, V1, V2) :-
    vesselType(V1, Type),
    \+ vesselType(V2, Type).
one_is(Type, V1, V2) :-
    vesselType(V2, Type),
    \+ vesselType(V1, Type).

%   none_is(+Type, +V1, +V2): neither of two vessels is of a type.

none_is(Type, V1, V2) :-
    \+ vesselType(V1, Type),
    \+ vesselType(V2, Type).

%   longer_than(+Intervals, +Least, -Long): the intervals that last longer than Least.
%   One that has not ended counts as long as it has lasted so far.

longer_than([], _, []).
longer_than([(S,E)|Is], Least, Long) :-
    (   E == inf
    ->  queryTime(Q),
        Duration is Q + 1 - S
    ;   Duration is E - S
    ),
    (   Duration > Least
    ->  Long = [(S,E)|Rest]
    ;   Long = Rest
    ),
    longer_than(Is, Least, Rest).
