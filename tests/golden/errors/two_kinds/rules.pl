initiatedAt(open(D)=true, T) :-
    happensAt(opens(D), T).

holdsFor(open(D)=true, I) :-
    holdsFor(ajar(D)=true, I).

holdsFor(open(D)=half, I) :-
    holdsFor(ajar(D)=true, I).
