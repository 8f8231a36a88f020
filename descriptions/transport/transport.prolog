% City transport management: the quality of service of buses and trams.
%
% Input events; Id and Type name the vehicle:
%     stop_enter(Id, Type, Stop, When)      stop_leave(Id, Type, Stop, When)
%         When is early, scheduled or late
%     abrupt_acceleration_start(Id, Type, Degree)   abrupt_acceleration_end(Id, Type)
%     abrupt_deceleration_start(Id, Type, Degree)   abrupt_deceleration_end(Id, Type)
%         Degree is abrupt or very_abrupt
%     sharp_turn_start(Id, Type, Degree)            sharp_turn_end(Id, Type)
%         Degree is sharp or very_sharp
%     passenger_density_change(Id, Type, Level)     noise_level_change(Id, Type, Level)
%         Level is low, normal or high
%     internal_temperature_change(Id, Type, Level)
%         Level is very_cold, cold, normal, warm or very_warm


% ---- Level 1: what the events say ----------------------------------------------------------

% On time means: in not later and out not earlier than the timetable says.

initiatedAt(punctuality(Id, Type)=punctual, T) :-
    happensAt(stop_enter(Id, Type, _Stop, scheduled), T).

initiatedAt(punctuality(Id, Type)=punctual, T) :-
    happensAt(stop_enter(Id, Type, _Stop, early), T).

initiatedAt(punctuality(Id, Type)=non_punctual, T) :-
    happensAt(stop_enter(Id, Type, _Stop, late), T).

initiatedAt(punctuality(Id, Type)=non_punctual, T) :-
    happensAt(stop_leave(Id, Type, _Stop, early), T).

initiatedAt(abrupt_acceleration(Id, Type)=Degree, T) :-
    happensAt(abrupt_acceleration_start(Id, Type, Degree), T).

terminatedAt(abrupt_acceleration(Id, Type)=_Degree, T) :-
    happensAt(abrupt_acceleration_end(Id, Type), T).

initiatedAt(abrupt_deceleration(Id, Type)=Degree, T) :-
    happensAt(abrupt_deceleration_start(Id, Type, Degree), T).

terminatedAt(abrupt_deceleration(Id, Type)=_Degree, T) :-
    happensAt(abrupt_deceleration_end(Id, Type), T).

initiatedAt(sharp_turn(Id, Type)=Degree, T) :-
    happensAt(sharp_turn_start(Id, Type, Degree), T).

terminatedAt(sharp_turn(Id, Type)=_Degree, T) :-
    happensAt(sharp_turn_end(Id, Type), T).

initiatedAt(passenger_density(Id, Type)=Level, T) :-
    happensAt(passenger_density_change(Id, Type, Level), T).

initiatedAt(noise_level(Id, Type)=Level, T) :-
    happensAt(noise_level_change(Id, Type, Level), T).

initiatedAt(internal_temperature(Id, Type)=Level, T) :-
    happensAt(internal_temperature_change(Id, Type, Level), T).


% ---- Level 2: punctuality changes, driving style -------------------------------------------

happensAt(punctuality_change(Id, Type, Value), T) :-
    happensAt(start(punctuality(Id, Type)=Value), T).

holdsFor(driving_style(Id, Type)=unsafe, I) :-
    holdsFor(sharp_turn(Id, Type)=very_sharp, I1),
    holdsFor(abrupt_acceleration(Id, Type)=very_abrupt, I2),
    holdsFor(abrupt_deceleration(Id, Type)=very_abrupt, I3),
    union_all([I1, I2, I3], I).

holdsFor(driving_style(Id, Type)=uncomfortable, I) :-
    holdsFor(sharp_turn(Id, Type)=sharp, I1),
    holdsFor(abrupt_acceleration(Id, Type)=abrupt, I2),
    holdsFor(abrupt_deceleration(Id, Type)=abrupt, I3),
    union_all([I1, I2, I3], I4),
    holdsFor(sharp_turn(Id, Type)=very_sharp, I5),
    holdsFor(abrupt_acceleration(Id, Type)=very_abrupt, I6),
    holdsFor(abrupt_deceleration(Id, Type)=very_abrupt, I7),
    relative_complement_all(I4, [I5, I6, I7], I).


% ---- Level 3: quality and comfort ----------------------------------------------------------

holdsFor(driving_quality(Id, Type)=high, I) :-
    holdsFor(punctuality(Id, Type)=punctual, I1),
    holdsFor(driving_style(Id, Type)=unsafe, I2),
    holdsFor(driving_style(Id, Type)=uncomfortable, I3),
    relative_complement_all(I1, [I2, I3], I).

holdsFor(driving_quality(Id, Type)=medium, I) :-
    holdsFor(punctuality(Id, Type)=punctual, I1),
    holdsFor(driving_style(Id, Type)=uncomfortable, I2),
    intersect_all([I1, I2], I).

holdsFor(driving_quality(Id, Type)=low, I) :-
    holdsFor(punctuality(Id, Type)=non_punctual, I1),
    holdsFor(driving_style(Id, Type)=unsafe, I2),
    union_all([I1, I2], I).

holdsFor(passenger_comfort(Id, Type)=reducing, I) :-
    holdsFor(driving_style(Id, Type)=uncomfortable, I1),
    holdsFor(driving_style(Id, Type)=unsafe, I2),
    holdsFor(passenger_density(Id, Type)=high, I3),
    holdsFor(noise_level(Id, Type)=high, I4),
    holdsFor(internal_temperature(Id, Type)=very_warm, I5),
    holdsFor(internal_temperature(Id, Type)=very_cold, I6),
    union_all([I1, I2, I3, I4, I5, I6], I).

holdsFor(driver_comfort(Id, Type)=reducing, I) :-
    holdsFor(driving_style(Id, Type)=uncomfortable, I1),
    holdsFor(driving_style(Id, Type)=unsafe, I2),
    holdsFor(noise_level(Id, Type)=high, I3),
    holdsFor(internal_temperature(Id, Type)=very_warm, I4),
    holdsFor(internal_temperature(Id, Type)=very_cold, I5),
    union_all([I1, I2, I3, I4, I5], I).


% ---- Level 4: satisfaction -----------------------------------------------------------------

holdsFor(passenger_satisfaction(Id, Type)=reducing, I) :-
    holdsFor(punctuality(Id, Type)=non_punctual, I1),
    holdsFor(passenger_comfort(Id, Type)=reducing, I2),
    union_all([I1, I2], I).
