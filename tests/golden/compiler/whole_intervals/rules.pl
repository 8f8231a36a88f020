% A duration filter looks at whole intervals: its argument becomes an auxiliary.

holdsFor(rest(X)=true, I) :-
    holdsFor(still(X)=true, I1),
    holdsFor(quiet(X)=true, I2),
    intersect_all([I1, I2], I3),
    intDurGreater(I3, 600, I).
