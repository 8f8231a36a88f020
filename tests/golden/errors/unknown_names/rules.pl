% Nothing is declared, so unknown names are inputs unless they look like slips.

initiatedAt(withinArea(Vessel, Type)=true, T) :-
    happensAt(entersArea(Vessel, Area), T),
    areaType(Area, Type).

terminatedAt(withinArea(Vessel, Type)=true, T) :-
    happensAt(leavesArea(Vessel, Area), T),
    areaTyp(Area, Type).

terminatedAt(withinArea(Vessel, _Type)=true, T) :-
    happensAt(gap_start(Vessel), T).

initiatedAt(gap(Vessel)=true, T) :-
    happensAt(gap_start(Vessel), T),
    not holdsAt(withinAera(Vessel, nearPorts)=true, T).

terminatedAt(gap(Vessel)=true, T) :-
    happensAt(gap_end(Vessel), T).

initiatedAt(lost(Vessel)=true, T) :-
    happensAt(gap_strat(Vessel), T),
    holdsAt(withinareas(Vessel, far)=true, T).

initiatedAt(calm(Vessel)=true, T) :-
    happensAt(gap_end(Vessel), T),
    holdsAt(weather(Vessel)=good, T),
    distance_to(Vessel, 10).
