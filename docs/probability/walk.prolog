% Two people move together: both walk, close to each other (thesis, rules 5.1 and 5.2).

initiatedAt(moving(P, Q)=true, T) :-
    happensAt(walking(P), T),
    happensAt(walking(Q), T),
    happensAt(close(P, Q), T).

terminatedAt(moving(P, Q)=true, T) :-
    happensAt(walking(P), T),
    happensAt(far(P, Q), T).
