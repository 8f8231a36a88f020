initiatedAt(rich(X)=true, T) :-
    happensAt(win(X), T).

holdsFor(happy(X)=true, I) :-
    holdsFor(rich(X)=true, I).

holdsFor(rich(X)=true, I) :-
    holdsFor(happy(X)=true, I).

happensAt(party(X), T) :-
    happensAt(start(rich(X)=true), T).
