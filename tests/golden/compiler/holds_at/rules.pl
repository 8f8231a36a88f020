% What holds at the time-point of an event: of one instance, and of those that it may be

initiatedAt(zone(X)=Z, T) :- happensAt(enter(X,Z), T).

initiatedAt(alarmed(X)=true, T) :-
    happensAt(alarm(X), T),
    holdsAt(zone(X)=harbour, T).
terminatedAt(alarmed(X)=true, T) :-
    happensAt(leave(X), T),
    not holdsAt(zone(X)=harbour, T).

happensAt(met(X,Y,Z), T) :-
    happensAt(alarm(X), T),
    holdsAt(zone(X)=Z, T),
    holdsAt(zone(Y)=Z, T),
    X \== Y.
