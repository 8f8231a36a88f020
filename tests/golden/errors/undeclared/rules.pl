initiatedAt(stopped(Vessel)=true, T) :-
    happensAt(stop_start(Vessel), T).

terminatedAt(stopped(Vessel)=true, T) :-
    happensAt(stop_end(Vessel), T).

initiatedAt(moored(Vessel)=true, T) :-
    happensAt(enters_port(Vessel), T),
    holdsAt(stoped(Vessel)=true, T).

holdsFor(quiet(Vessel)=true, I) :-
    holdsFor(stopped(Vessel)=true, I1),
    holdsFor(radio(Vessel)=off, I2),
    intersect_all([I1, I2], I).
