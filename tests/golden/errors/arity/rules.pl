initiatedAt(stopped(Vessel)=true, T) :-
    happensAt(stop_start(Vessel), T).

initiatedAt(moving(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    Speed > 2.

terminatedAt(moving(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed, _, _), T),
    Speed =< 2.

initiatedAt(fast(Vessel)=true, T) :-
    happensAt(velocity(Vessel, Speed), T),
    Speed > 20.

initiatedAt(moored(Vessel)=true, T) :-
    happensAt(stop_start(Vessel), T),
    holdsAt(stopped(Vessel, port)=true, T).
