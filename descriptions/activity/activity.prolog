% Human activity recognition in surveillance video.
%
% One time-point is a video frame, 40 ms after the one before. Input of each frame, per tracked
% person or object, in the layout of the CAVIAR data:
%     walking(P)=true, running(P)=true, active(P)=true, inactive(P)=true, abrupt(P)=true
%         input fluents, as time-points: what P is doing in the frame
%     orientation(P)=Degrees
%         an input fluent: where P looks
%     coord(true, P, X, Y)
%         an event: P's position in pixels (the value column is its first argument)
%     appear(P), disappear(P)
%         events: P is tracked from this frame on, up to this frame
%
% Background knowledge: distance_band/5 and the thresholds behind it.

buildFromPoints(walking(_)=true).
buildFromPoints(running(_)=true).
buildFromPoints(active(_)=true).
buildFromPoints(inactive(_)=true).
buildFromPoints(abrupt(_)=true).
points(orientation(_)=_).


% ---- Who is near whom ----------------------------------------------------------------------

% The distance between two tracked entities, in bands; every frame with both of them says it
% anew. Each pair appears in one order.

initiatedAt(distance(P1, P2)=Band, T) :-
    happensAt(coord(true, P1, X1, Y1), T),
    happensAt(coord(true, P2, X2, Y2), T),
    P1 @< P2,
    distance_band(X1, Y1, X2, Y2, Band).

terminatedAt(distance(P, _)=_, T) :-
    happensAt(disappear(P), T).

terminatedAt(distance(_, P)=_, T) :-
    happensAt(disappear(P), T).

% A track that begins anew has nothing to do with an earlier one of the same name.

terminatedAt(distance(P, _)=_, T) :-
    happensAt(appear(P), T).

terminatedAt(distance(_, P)=_, T) :-
    happensAt(appear(P), T).

holdsFor(close(P1, P2, 24)=true, I) :-
    holdsFor(distance(P1, P2)=24, I).

holdsFor(close(P1, P2, 34)=true, I) :-
    holdsFor(distance(P1, P2)=24, I1),
    holdsFor(distance(P1, P2)=34, I2),
    union_all([I1, I2], I).


% ---- Persons -------------------------------------------------------------------------------

% Objects never move: what does is a person.

initiatedAt(person(P)=true, T) :-
    happensAt(start(walking(P)=true), T).

initiatedAt(person(P)=true, T) :-
    happensAt(start(running(P)=true), T).

initiatedAt(person(P)=true, T) :-
    happensAt(start(active(P)=true), T).

initiatedAt(person(P)=true, T) :-
    happensAt(start(abrupt(P)=true), T).

terminatedAt(person(P)=true, T) :-
    happensAt(disappear(P), T).


% ---- Moving together -----------------------------------------------------------------------

% As a static fluent (thesis, Example 2): both walk, close to each other.

holdsFor(moving(P1, P2)=true, I) :-
    holdsFor(close(P1, P2, 34)=true, I1),
    holdsFor(walking(P1)=true, I2),
    holdsFor(walking(P2)=true, I3),
    intersect_all([I1, I2, I3], I).

% As a simple fluent (thesis, Example 1): both also look the same way when it starts, and it
% lasts until they part or stop to do something.

initiatedAt(walking_together(P1, P2)=true, T) :-
    happensAt(coord(true, P1, _, _), T),
    holdsAt(walking(P1)=true, T),
    holdsAt(close(P1, P2, 34)=true, T),
    holdsAt(walking(P2)=true, T),
    holdsAt(orientation(P1)=O1, T),
    holdsAt(orientation(P2)=O2, T),
    similar_orientation(O1, O2).

terminatedAt(walking_together(P1, P2)=true, T) :-
    happensAt(end(close(P1, P2, 34)=true), T).

terminatedAt(walking_together(P1, P2)=true, T) :-
    happensAt(start(active(P1)=true), T),
    holdsAt(active(P2)=true, T).

terminatedAt(walking_together(P1, P2)=true, T) :-
    happensAt(start(active(P2)=true), T),
    holdsAt(active(P1)=true, T).

terminatedAt(walking_together(P1, P2)=true, T) :-
    happensAt(start(active(P1)=true), T),
    happensAt(start(active(P2)=true), T).


% ---- Meeting -------------------------------------------------------------------------------

% Somebody stands about: active, or an inactive person.

holdsFor(standing(P)=true, I) :-
    holdsFor(active(P)=true, I1),
    holdsFor(inactive(P)=true, I2),
    holdsFor(person(P)=true, I3),
    intersect_all([I2, I3], I4),
    union_all([I1, I4], I).

% Somebody is calm: a person that neither runs nor moves abruptly.

holdsFor(calm(P)=true, I) :-
    holdsFor(person(P)=true, I1),
    holdsFor(running(P)=true, I2),
    holdsFor(abrupt(P)=true, I3),
    relative_complement_all(I1, [I2, I3], I).

% One of two stands about while the other is calm, close to each other.

holdsFor(greeting(P1, P2)=true, I) :-
    holdsFor(close(P1, P2, 34)=true, I1),
    holdsFor(standing(P1)=true, I2),
    holdsFor(calm(P2)=true, I3),
    intersect_all([I2, I3], I4),
    holdsFor(standing(P2)=true, I5),
    holdsFor(calm(P1)=true, I6),
    intersect_all([I5, I6], I7),
    union_all([I4, I7], I8),
    intersect_all([I1, I8], I).

% A meeting starts with a greeting and lasts until somebody leaves, runs or moves abruptly.

initiatedAt(meeting(P1, P2)=true, T) :-
    happensAt(start(greeting(P1, P2)=true), T).

terminatedAt(meeting(P1, P2)=true, T) :-
    happensAt(end(close(P1, P2, 34)=true), T).

terminatedAt(meeting(P, _)=true, T) :-
    happensAt(start(running(P)=true), T).

terminatedAt(meeting(_, P)=true, T) :-
    happensAt(start(running(P)=true), T).

terminatedAt(meeting(P, _)=true, T) :-
    happensAt(start(abrupt(P)=true), T).

terminatedAt(meeting(_, P)=true, T) :-
    happensAt(start(abrupt(P)=true), T).


% ---- Fighting ------------------------------------------------------------------------------

% At least one moves abruptly, neither is inactive, and they are very close.

holdsFor(fighting(P1, P2)=true, I) :-
    holdsFor(close(P1, P2, 24)=true, I1),
    holdsFor(abrupt(P1)=true, I2),
    holdsFor(abrupt(P2)=true, I3),
    union_all([I2, I3], I4),
    intersect_all([I1, I4], I5),
    holdsFor(inactive(P1)=true, I6),
    holdsFor(inactive(P2)=true, I7),
    relative_complement_all(I5, [I6, I7], I).


% ---- Leaving an object ---------------------------------------------------------------------

% An object that somebody carries is not tracked: it appears when it is put down, inactive and
% next to a person, and disappears when it is picked up.

initiatedAt(leaving_object(P, Object)=true, T) :-
    happensAt(appear(Object), T),
    holdsAt(inactive(Object)=true, T),
    happensAt(coord(true, Object, X1, Y1), T),
    happensAt(coord(true, P, X2, Y2), T),
    P \== Object,
    within_reach(X1, Y1, X2, Y2),
    holdsAt(person(P)=true, T).

terminatedAt(leaving_object(_, Object)=true, T) :-
    happensAt(disappear(Object), T).
