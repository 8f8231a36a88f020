% Three levels over the stream of rtec.bench.fleet: what vessels do, what that means, what is
% made of it.

% ---- Level 1 -------------------------------------------------------------------------------

initiatedAt(zone(X)=Z, T) :- happensAt(enter(X,Z), T).
terminatedAt(zone(X)=Z, T) :- happensAt(leave(X,Z), T).

initiatedAt(fast(X)=true, T) :- happensAt(speed(X,S), T), S > 20.
terminatedAt(fast(X)=true, T) :- happensAt(speed(X,S), T), S =< 20.

initiatedAt(silent(X)=true, T) :- happensAt(gap_start(X), T).
terminatedAt(silent(X)=true, T) :- happensAt(gap_end(X), T).

% ---- Level 2 -------------------------------------------------------------------------------

initiatedAt(alarmed(X)=true, T) :-
    happensAt(alarm(X), T),
    holdsAt(zone(X)=harbour, T).
terminatedAt(alarmed(X)=true, T) :- happensAt(reset(X), T).

holdsFor(racing(X)=true, I) :-
    holdsFor(fast(X)=true, I1),
    holdsFor(zone(X)=harbour, I2),
    intersect_all([I1,I2], I).

% ---- Level 3 -------------------------------------------------------------------------------

holdsFor(danger(X)=true, I) :-
    holdsFor(racing(X)=true, I1),
    holdsFor(alarmed(X)=true, I2),
    holdsFor(silent(X)=true, I3),
    union_all([I1,I2], I12),
    relative_complement_all(I12, [I3], I).
