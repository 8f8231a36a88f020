holdsFor(a(X)=true, I) :-
    holdsFor(p(X)=true, I1),
    holdsFor(q(X)=true, I2),
    union_all([I1, I3], I).

holdsFor(b(X)=true, I) :-
    holdsFor(p(X)=true, Ip),
    union_all([Ip, Iq], I),
    holdsFor(q(X)=true, Iq).

holdsFor(c(X)=true, I) :-
    holdsFor(p(X)=true, I1),
    holdsFor(q(X)=true, I2),
    intersect_all([I1, I2], I3).

holdsFor(d(X)=true, I) :-
    holdsFor(p(X)=true, I1),
    union_all(I1, I).

holdsFor(e(X)=true, I) :-
    holdsFor(p(X)=true, I1),
    holdsFor(q(X)=true, I2),
    relative_complement_all([I1], [I2], I).

holdsFor(f(_)=true, I).

holdsFor(g(X)=true, Intervals) :-
    holdsFor(p(X)=true, I1),
    long(I1, 60, Intervls).

long(Is, _, Is).
