holdsFor(a(X)=true, I) :-
    holdsFor(b(X)=true, I1),
    holdsFor(p(X)=true, I2),
    union_all([I1, I2], I).

initiatedAt(b(X)=true, T) :-
    happensAt(go(X), T),
    holdsAt(c(X)=true, T).

holdsFor(c(X)=true, I) :-
    holdsFor(a(X)=true, I).

% No cycle: the arguments tell these apart.

holdsFor(close(A, B, 24)=true, I) :-
    holdsFor(distance(A, B, 24)=true, I).

holdsFor(close(A, B, 25)=true, I) :-
    holdsFor(close(A, B, 24)=true, I1),
    holdsFor(distance(A, B, 25)=true, I2),
    union_all([I1, I2], I).

holdsFor(close(A, B, 25)=false, I) :-
    holdsFor(close(A, B, 25)=true, I1),
    complement_all([I1], I).
