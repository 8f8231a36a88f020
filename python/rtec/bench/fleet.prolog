% A dozen fluents and an output event over the stream of rtec.bench.fleet.

initiatedAt(moving(X)=true, T) :- happensAt(start_move(X), T).
terminatedAt(moving(X)=true, T) :- happensAt(stop_move(X), T).

initiatedAt(zone(X)=Z, T) :- happensAt(enter(X,Z), T).
terminatedAt(zone(X)=Z, T) :- happensAt(leave(X,Z), T).

initiatedAt(fast(X)=true, T) :- happensAt(speed(X,S), T), S > 20.
terminatedAt(fast(X)=true, T) :- happensAt(speed(X,S), T), S =< 20.

initiatedAt(slow(X)=true, T) :- happensAt(speed(X,S), T), S < 5.
terminatedAt(slow(X)=true, T) :- happensAt(speed(X,S), T), S >= 5.

initiatedAt(alarmed(X)=true, T) :- happensAt(alarm(X), T), holdsAt(moving(X)=true, T).
terminatedAt(alarmed(X)=true, T) :- happensAt(reset(X), T).

initiatedAt(silent(X)=true, T) :- happensAt(gap_start(X), T), \+ holdsAt(zone(X)=harbour, T).
terminatedAt(silent(X)=true, T) :- happensAt(gap_end(X), T).

initiatedAt(speeding(X)=true, T) :-
    happensAt(speed(X,S), T), S > 25, holdsAt(zone(X)=harbour, T).
terminatedAt(speeding(X)=true, T) :- happensAt(end(zone(X)=harbour), T).
terminatedAt(speeding(X)=true, T) :- happensAt(end(fast(X)=true), T).

initiatedAt(lost(X)=true, T) :- happensAt(start(silent(X)=true), T), holdsAt(fast(X)=true, T).
terminatedAt(lost(X)=true, T) :- happensAt(end(silent(X)=true), T).

holdsFor(cruising(X)=true, I) :-
    holdsFor(moving(X)=true, I1),
    holdsFor(fast(X)=true, I2),
    holdsFor(slow(X)=true, I3),
    relative_complement_all(I1, [I2,I3], I).

holdsFor(busy(X)=true, I) :-
    holdsFor(fast(X)=true, I1),
    holdsFor(alarmed(X)=true, I2),
    union_all([I1,I2], I).

holdsFor(danger(X)=true, I) :-
    holdsFor(busy(X)=true, I1),
    holdsFor(zone(X)=harbour, I2),
    intersect_all([I1,I2], I).

holdsFor(drifting(X)=true, I) :-
    holdsFor(silent(X)=true, I1),
    holdsFor(moving(X)=true, I2),
    relative_complement_all(I1, [I2], I).

happensAt(incident(X), T) :-
    happensAt(alarm(X), T),
    holdsAt(danger(X)=true, T).
