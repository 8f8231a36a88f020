holdsAt(open(D)=true, T) :-
    happensAt(opens(D), T).

initiatedAt(open(D), T) :-
    happensAt(opens(D), T).

fi(open(D)=true, shut(D)=true, 5).

initiatedAt(lit=true, T) :-
    happensAt(switch, T).
