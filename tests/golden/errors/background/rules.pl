initiatedAt(a(X)=true, T) :-
    happensAt(e(X), T),
    known(X).
