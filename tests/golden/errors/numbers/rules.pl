initiatedAt(blind(Vessel)=true, T) :-
    happensAt(velocity(Vessel, _, 511.0), T).

terminatedAt(blind(Vessel)=true, T) :-
    happensAt(velocity(Vessel, _, Heading), T),
    Heading \= 511.0,
    Heading =\= 512.0,
    Max = 10.0,
    Heading < Max.
