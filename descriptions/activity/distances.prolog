% Distances in pixels and angles in degrees.

%   distance_band(+X1, +Y1, +X2, +Y2, -Band): 24 and 34 stand for distances up to that, `far`
%   for all others.

distance_band(X1, Y1, X2, Y2, Band) :-
    Square is (X1 - X2)**2 + (Y1 - Y2)**2,
    (   Square =< 24**2
    ->  Band = 24
    ;   Square =< 34**2
    ->  Band = 34
    ;   Band = far
    ).

%   within_reach(+X1, +Y1, +X2, +Y2): near enough to have put something down.

within_reach(X1, Y1, X2, Y2) :-
    (X1 - X2)**2 + (Y1 - Y2)**2 =< 30**2.

%   similar_orientation(+O1, +O2): at most 45 degrees apart.

similar_orientation(O1, O2) :-
    D is abs(O1 - O2) mod 360,
    min(D, 360 - D) =< 45.
