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
