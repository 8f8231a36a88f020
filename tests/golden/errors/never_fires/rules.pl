initiatedAt(gap(Vessel)=nearPorts, T) :-
    happensAt(gap_start(Vessel, 1), T).

initiatedAt(gap(Vessel)=farFromPorts, T) :-
    happensAt(gap_start(Vessel, 2), T).

terminatedAt(gap(Vessel)=_, T) :-
    happensAt(gap_end(Vessel), T).

terminatedAt(gap(Vessel)=inPort, T) :-
    happensAt(gap_end(Vessel), T).

initiatedAt(suspicious(Vessel)=true, T) :-
    happensAt(turn(Vessel), T),
    holdsAt(gap(Vessel)=farFromPort, T).

initiatedAt(odd(Vessel)=true, T) :-
    happensAt(turn(Vessel), T),
    holdsAt(gap(Vessel)=nearPorts, T),
    holdsAt(gap(Vessel)=farFromPorts, T).

initiatedAt(fast(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed), T),
    Speed > 20,
    Speed < 10.

initiatedAt(slow(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed), T),
    Speed < 5,
    2 > 3.

initiatedAt(still(Vessel)=true, T) :-
    happensAt(velocity(Vessel, _), T),
    holdsAt(fast(Vessel)=true, T),
    not holdsAt(fast(Vessel)=true, T).

terminatedAt(asleep(Vessel)=true, T) :-
    happensAt(turn(Vessel), T).

initiatedAt(special(tug)=true, T) :-
    happensAt(turn(_), T).

holdsFor(lonely(Vessel)=true, I) :-
    holdsFor(special(ferry)=true, I1),
    holdsFor(gap(Vessel)=farFromPorts, I2),
    union_all([I1, I2], I).

initiatedAt(calm(Vessel)=true, T) :-
    initiatedAt(harbour(Vessel)=true, T),
    terminatedAt(lonely(Vessel)=true, T).
