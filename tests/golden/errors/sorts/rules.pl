% Fluents used as events, events used as fluents, and fluents without a value.

initiatedAt(stopped(Vessel)=true, T) :-
    happensAt(stop_start(Vessel), T).

happensAt(alarm(Vessel), T) :-
    happensAt(stopped(Vessel), T).

happensAt(alarm(Vessel), T) :-
    happensAt(stopped(Vessel)=true, T).

initiatedAt(watched(Vessel)=true, T) :-
    happensAt(stop_start(Vessel), T),
    holdsAt(alarm(Vessel)=true, T).

initiatedAt(moored(Vessel)=true, T) :-
    happensAt(start(stopped(Vessel)), T),
    holdsAt(watched(Vessel), T).

% An event may have the name of the fluent that it initiates.

initiatedAt(gap(Vessel)=true, T) :-
    happensAt(gap(Vessel), T).
