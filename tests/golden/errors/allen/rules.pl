holdsFor(a(X)=true, I) :-
    holdsFor(p(X)=true, S),
    holdsFor(q(X)=true, T),
    allen(overlapps, S, T, target, I).

holdsFor(b(X)=true, I) :-
    holdsFor(p(X)=true, S),
    holdsFor(q(X)=true, T),
    allen(meets, S, T, both, I).

holdsFor(c(X)=true, I) :-
    holdsFor(p(X)=true, S),
    holdsFor(q(X)=true, T),
    during(S, T, targt, I).

holdsFor(d(X)=true, I) :-
    holdsFor(p(X)=true, S),
    holdsFor(q(X)=true, T),
    met_by(S, T, relative_complement_inverse, I).

holdsFor(either(Vessel)=true, I) :-
    holdsFor(gap(Vessel)=true, I1),
    holdsFor(inside(Vessel)=true, I2),
    allen(Relation, I1, I2, Mode, I).

holdsFor(bound(Vessel)=true, I) :-
    holdsFor(gap(Vessel)=true, I1),
    holdsFor(inside(Vessel)=true, I2),
    member(Relation, [meets, before]),
    Mode = union,
    allen(Relation, I1, I2, Mode, I).
