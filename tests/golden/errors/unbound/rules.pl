initiatedAt(fast(V)=true, T) :-
    happensAt(velocity(V, Speed), T),
    Speed > Max,
    limit(V, Max).

initiatedAt(slow(V)=true, T) :-
    happensAt(velocity(V, Speed), T),
    limit(V, Limit),
    Speed < Limits.

initiatedAt(late(V)=true, T) :-
    happensAt(arrives(V), T),
    holdsAt(slow(V)=true, T0).

initiatedAt(early(V)=true, T) :-
    happensAt(arrives(V), T),
    Before is T - 60,
    holdsAt(fast(V)=true, Before).

initiatedAt(alone(V)=true, T) :-
    happensAt(arrives(V), T),
    not near(V, W),
    ship(W),
    W \= V.

initiatedAt(first(V)=true, T) :-
    happensAt(arrives(V), T),
    W \= V,
    ship(W).

initiatedAt(free(V)=true, T) :-
    happensAt(arrives(V), T),
    not near(V, _).

limit(_, 10).
near(a, b).
ship(a).
