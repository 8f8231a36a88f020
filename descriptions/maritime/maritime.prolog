% Maritime situational awareness over critical events of vessels.
%
% Time-points are seconds, speeds knots, angles degrees.
%
% Input events, from a synopsis of AIS positions:
%     velocity(Vessel, Speed, CourseOverGround, TrueHeading)
%     stop_start(Vessel)             stop_end(Vessel)
%     slow_motion_start(Vessel)      slow_motion_end(Vessel)
%     change_in_speed_start(Vessel)  change_in_speed_end(Vessel)
%     change_in_heading(Vessel)
%     gap_start(Vessel)              gap_end(Vessel)
%     entersArea(Vessel, Area)       leavesArea(Vessel, Area)
% Input fluent, from a spatial index:
%     proximity(Vessel1, Vessel2)=true, as intervals, each pair in one order
%
% Background knowledge: vesselType/2, areaType/2, typeSpeed/4, thresholds/2, and the
% predicates of helpers.prolog.

collectIntervals(proximity(_, _)=true).


% ---- Where a vessel is, and whether it can be seen -----------------------------------------

% A vessel is in an area of a type from the moment it enters one until it leaves it. While it
% does not transmit, nobody knows where it is.

initiatedAt(withinArea(Vessel, AreaType)=true, T) :-
    happensAt(entersArea(Vessel, Area), T),
    areaType(Area, AreaType).

terminatedAt(withinArea(Vessel, AreaType)=true, T) :-
    happensAt(leavesArea(Vessel, Area), T),
    areaType(Area, AreaType).

terminatedAt(withinArea(Vessel, _AreaType)=true, T) :-
    happensAt(gap_start(Vessel), T).

% Communication gap: in port it means little, elsewhere it may be on purpose.

initiatedAt(gap(Vessel)=nearPorts, T) :-
    happensAt(gap_start(Vessel), T),
    holdsAt(withinArea(Vessel, nearPorts)=true, T).

initiatedAt(gap(Vessel)=farFromPorts, T) :-
    happensAt(gap_start(Vessel), T),
    not holdsAt(withinArea(Vessel, nearPorts)=true, T).

terminatedAt(gap(Vessel)=_Where, T) :-
    happensAt(gap_end(Vessel), T).


% ---- How it moves --------------------------------------------------------------------------

initiatedAt(stopped(Vessel)=nearPorts, T) :-
    happensAt(stop_start(Vessel), T),
    holdsAt(withinArea(Vessel, nearPorts)=true, T).

initiatedAt(stopped(Vessel)=farFromPorts, T) :-
    happensAt(stop_start(Vessel), T),
    not holdsAt(withinArea(Vessel, nearPorts)=true, T).

terminatedAt(stopped(Vessel)=_Where, T) :-
    happensAt(stop_end(Vessel), T).

terminatedAt(stopped(Vessel)=_Where, T) :-
    happensAt(start(gap(Vessel)=_), T).

initiatedAt(lowSpeed(Vessel)=true, T) :-
    happensAt(slow_motion_start(Vessel), T).

terminatedAt(lowSpeed(Vessel)=true, T) :-
    happensAt(slow_motion_end(Vessel), T).

terminatedAt(lowSpeed(Vessel)=true, T) :-
    happensAt(start(gap(Vessel)=_), T).

initiatedAt(changingSpeed(Vessel)=true, T) :-
    happensAt(change_in_speed_start(Vessel), T).

terminatedAt(changingSpeed(Vessel)=true, T) :-
    happensAt(change_in_speed_end(Vessel), T).

terminatedAt(changingSpeed(Vessel)=true, T) :-
    happensAt(start(gap(Vessel)=_), T).

% Speed against the service speed of the vessel's type.

initiatedAt(movingSpeed(Vessel)=below, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    vesselType(Vessel, Type),
    typeSpeed(Type, Min, _Max, _Average),
    thresholds(movingMin, MovingMin),
    Speed >= MovingMin,
    Speed < Min.

initiatedAt(movingSpeed(Vessel)=normal, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    vesselType(Vessel, Type),
    typeSpeed(Type, Min, Max, _Average),
    thresholds(movingMin, MovingMin),
    Speed >= MovingMin,
    Speed >= Min,
    Speed =< Max.

initiatedAt(movingSpeed(Vessel)=above, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    vesselType(Vessel, Type),
    typeSpeed(Type, _Min, Max, _Average),
    Speed > Max.

terminatedAt(movingSpeed(Vessel)=_Speed, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    thresholds(movingMin, MovingMin),
    Speed < MovingMin.

terminatedAt(movingSpeed(Vessel)=_Speed, T) :-
    happensAt(start(gap(Vessel)=_), T).

holdsFor(underWay(Vessel)=true, I) :-
    holdsFor(movingSpeed(Vessel)=below, I1),
    holdsFor(movingSpeed(Vessel)=normal, I2),
    holdsFor(movingSpeed(Vessel)=above, I3),
    union_all([I1, I2, I3], I).

initiatedAt(highSpeedNearCoast(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    thresholds(nearCoastMax, Max),
    Speed > Max,
    holdsAt(withinArea(Vessel, nearCoast)=true, T).

terminatedAt(highSpeedNearCoast(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    thresholds(nearCoastMax, Max),
    Speed =< Max.

terminatedAt(highSpeedNearCoast(Vessel)=true, T) :-
    happensAt(end(withinArea(Vessel, nearCoast)=true), T).

% Drifting: the bow points elsewhere than the vessel goes, as wind and current have their way.

initiatedAt(drifting(Vessel)=true, T) :-
    happensAt(velocity(Vessel, _Speed, Course, Heading), T),
    known_heading(Heading),
    angle_between(Course, Heading, Angle),
    thresholds(driftAngle, Max),
    Angle > Max,
    holdsAt(underWay(Vessel)=true, T).

terminatedAt(drifting(Vessel)=true, T) :-
    happensAt(velocity(Vessel, _Speed, Course, Heading), T),
    known_heading(Heading),
    angle_between(Course, Heading, Angle),
    thresholds(driftAngle, Max),
    Angle =< Max.

terminatedAt(drifting(Vessel)=true, T) :-
    happensAt(end(underWay(Vessel)=true), T).


% ---- At rest -------------------------------------------------------------------------------

% At the quay, or stopped in an anchorage.

holdsFor(atRest(Vessel)=true, I) :-
    holdsFor(stopped(Vessel)=nearPorts, I1),
    holdsFor(stopped(Vessel)=farFromPorts, I2),
    holdsFor(withinArea(Vessel, anchorage)=true, I3),
    intersect_all([I2, I3], I4),
    union_all([I1, I4], I).

holdsFor(anchoredOrMoored(Vessel)=true, I) :-
    holdsFor(atRest(Vessel)=true, I1),
    thresholds(anchoredTime, Least),
    longer_than(I1, Least, I).

% Slow or stopped at sea, with nothing that would explain it: not at rest, not fishing, not
% searching. What counts is atRest, not anchoredOrMoored, and the like: the latter are known only
% when they have lasted for a while.

holdsFor(loitering(Vessel)=true, I) :-
    holdsFor(lowSpeed(Vessel)=true, I1),
    holdsFor(stopped(Vessel)=farFromPorts, I2),
    union_all([I1, I2], I3),
    holdsFor(withinArea(Vessel, nearPorts)=true, I4),
    holdsFor(withinArea(Vessel, nearCoast)=true, I5),
    holdsFor(atRest(Vessel)=true, I6),
    holdsFor(trawlSpeed(Vessel)=true, I7),
    holdsFor(sarMovement(Vessel)=true, I8),
    relative_complement_all(I3, [I4, I5, I6, I7, I8], I9),
    thresholds(loiteringTime, Least),
    longer_than(I9, Least, I).


% ---- Fishing -------------------------------------------------------------------------------

initiatedAt(trawlSpeed(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    vesselType(Vessel, fishing),
    thresholds(trawlSpeedMin, Min),
    thresholds(trawlSpeedMax, Max),
    Speed >= Min,
    Speed =< Max,
    holdsAt(withinArea(Vessel, fishing)=true, T).

terminatedAt(trawlSpeed(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    thresholds(trawlSpeedMin, Min),
    thresholds(trawlSpeedMax, Max),
    ( Speed < Min ; Speed > Max ).

terminatedAt(trawlSpeed(Vessel)=true, T) :-
    happensAt(end(withinArea(Vessel, fishing)=true), T).

terminatedAt(trawlSpeed(Vessel)=true, T) :-
    happensAt(start(gap(Vessel)=_), T).

% Trawlers turn again and again. Ten minutes after the last turn it is no longer trawling.

initiatedAt(trawlingMovement(Vessel)=true, T) :-
    happensAt(change_in_heading(Vessel), T),
    vesselType(Vessel, fishing),
    holdsAt(withinArea(Vessel, fishing)=true, T).

terminatedAt(trawlingMovement(Vessel)=true, T) :-
    happensAt(end(withinArea(Vessel, fishing)=true), T).

fi(trawlingMovement(Vessel)=true, trawlingMovement(Vessel)=false, 600).
p(trawlingMovement(_Vessel)=true).

holdsFor(trawling(Vessel)=true, I) :-
    holdsFor(trawlSpeed(Vessel)=true, I1),
    holdsFor(trawlingMovement(Vessel)=true, I2),
    intersect_all([I1, I2], I3),
    thresholds(trawlingTime, Least),
    longer_than(I3, Least, I).


% ---- Search and rescue ---------------------------------------------------------------------

initiatedAt(sarSpeed(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    vesselType(Vessel, sar),
    thresholds(sarSpeedMin, Min),
    Speed >= Min.

terminatedAt(sarSpeed(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    vesselType(Vessel, sar),
    thresholds(sarSpeedMin, Min),
    Speed < Min.

terminatedAt(sarSpeed(Vessel)=true, T) :-
    happensAt(start(gap(Vessel)=_), T).

% Searching means frequent changes of heading and speed.

initiatedAt(sarMovement(Vessel)=true, T) :-
    happensAt(change_in_heading(Vessel), T),
    vesselType(Vessel, sar).

initiatedAt(sarMovement(Vessel)=true, T) :-
    happensAt(change_in_speed_start(Vessel), T),
    vesselType(Vessel, sar).

terminatedAt(sarMovement(Vessel)=true, T) :-
    happensAt(start(gap(Vessel)=_), T).

fi(sarMovement(Vessel)=true, sarMovement(Vessel)=false, 1800).
p(sarMovement(_Vessel)=true).

holdsFor(searchAndRescue(Vessel)=true, I) :-
    holdsFor(sarSpeed(Vessel)=true, I1),
    holdsFor(sarMovement(Vessel)=true, I2),
    intersect_all([I1, I2], I3),
    thresholds(sarTime, Least),
    longer_than(I3, Least, I).


% ---- Two vessels ---------------------------------------------------------------------------

initiatedAt(towingSpeed(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    thresholds(towingMin, Min),
    thresholds(towingMax, Max),
    Speed >= Min,
    Speed =< Max.

terminatedAt(towingSpeed(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    thresholds(towingMin, Min),
    thresholds(towingMax, Max),
    ( Speed < Min ; Speed > Max ).

terminatedAt(towingSpeed(Vessel)=true, T) :-
    happensAt(start(gap(Vessel)=_), T).

holdsFor(tugging(Vessel1, Vessel2)=true, I) :-
    holdsFor(proximity(Vessel1, Vessel2)=true, I1),
    one_is(tug, Vessel1, Vessel2),
    holdsFor(towingSpeed(Vessel1)=true, I2),
    holdsFor(towingSpeed(Vessel2)=true, I3),
    intersect_all([I1, I2, I3], I4),
    thresholds(tuggingTime, Least),
    longer_than(I4, Least, I).

% Slow or stopped outside ports.

holdsFor(slowOrStopped(Vessel)=true, I) :-
    holdsFor(lowSpeed(Vessel)=true, I1),
    holdsFor(stopped(Vessel)=farFromPorts, I2),
    union_all([I1, I2], I).

holdsFor(pilotBoarding(Vessel1, Vessel2)=true, I) :-
    holdsFor(proximity(Vessel1, Vessel2)=true, I1),
    one_is(pilotVessel, Vessel1, Vessel2),
    holdsFor(slowOrStopped(Vessel1)=true, I2),
    holdsFor(slowOrStopped(Vessel2)=true, I3),
    intersect_all([I1, I2, I3], I4),
    holdsFor(withinArea(Vessel1, nearCoast)=true, I5),
    holdsFor(withinArea(Vessel2, nearCoast)=true, I6),
    relative_complement_all(I4, [I5, I6], I7),
    thresholds(boardingTime, Least),
    longer_than(I7, Least, I).

% Two vessels that are neither tugs nor pilots lie close together in the open sea.

holdsFor(rendezVous(Vessel1, Vessel2)=true, I) :-
    holdsFor(proximity(Vessel1, Vessel2)=true, I1),
    none_is(tug, Vessel1, Vessel2),
    none_is(pilotVessel, Vessel1, Vessel2),
    holdsFor(slowOrStopped(Vessel1)=true, I2),
    holdsFor(slowOrStopped(Vessel2)=true, I3),
    intersect_all([I1, I2, I3], I4),
    holdsFor(withinArea(Vessel1, nearPorts)=true, I5),
    holdsFor(withinArea(Vessel2, nearPorts)=true, I6),
    holdsFor(withinArea(Vessel1, nearCoast)=true, I7),
    holdsFor(withinArea(Vessel2, nearCoast)=true, I8),
    holdsFor(withinArea(Vessel1, anchorage)=true, I9),
    holdsFor(withinArea(Vessel2, anchorage)=true, I10),
    relative_complement_all(I4, [I5, I6, I7, I8, I9, I10], I11),
    thresholds(rendezVousTime, Least),
    longer_than(I11, Least, I).


% ---- What silence hides --------------------------------------------------------------------

% A vessel vanishes in an area: the gap begins when its stay in the area ends (thesis, 3.19).

holdsFor(disappearedInArea(Vessel, AreaType)=true, I) :-
    holdsFor(withinArea(Vessel, AreaType)=true, S),
    holdsFor(gap(Vessel)=farFromPorts, T),
    allen(meets, S, T, target, I).

% While two vessels are close to each other, one of them is silent for a while (thesis, 3.20).

holdsFor(suspiciousRendezVous(Vessel1, Vessel2)=true, I) :-
    holdsFor(proximity(Vessel1, Vessel2)=true, T),
    holdsFor(gap(Vessel1)=farFromPorts, G1),
    holdsFor(gap(Vessel2)=farFromPorts, G2),
    union_all([G1, G2], S),
    allen(during, S, T, target, I).
