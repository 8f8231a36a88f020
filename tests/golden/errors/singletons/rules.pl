initiatedAt(moored(Vessel)=true, T) :-
    happensAt(stops(Vessel, Port), T),
    quiet(Vesel).

initiatedAt(loud(Vessel)=true, T) :-
    happensAt(horn(Vessel, _Level), T),
    happensAt(bell(Vessel, _), T).

p(loud(V)=true).
fi(loud(Vessel)=true, loud(Vesel)=false, 10).

quiet(_).
