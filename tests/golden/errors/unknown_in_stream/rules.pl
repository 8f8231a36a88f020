% With a stream there is evidence: `talking` is in it, `walkin` is not.

initiatedAt(busy(P)=true, T) :-
    happensAt(arrives(P), T).

terminatedAt(busy(P)=true, T) :-
    happensAt(leaves(P), T),
    holdsAt(walking(P)=true, T).

initiatedAt(chatty(P)=true, T) :-
    happensAt(arrives(P), T),
    holdsAt(talking(P)=true, T),
    holdsAt(walkin(P)=true, T).

initiatedAt(silent(P)=true, T) :-
    happensAt(leaves(P, _Door), T).
