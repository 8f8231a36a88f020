event(beep(_)).
inputEntity(beep(_)).

% What a refused head says is not read, but the rest of the file is checked all the same: beep/2.
holdsAt(noisy(Door)=true, T) :-
    happensAt(beep(Door), T),
    holdsAt(open(Door)=true, T).

initiatedAt(loud(Door), T) :-
    happensAt(beep(Door), T).

initiatedAt(open(Door)=true, T) :-
    happensAt(beep(Door, _), T).

terminatedAt(open(Door)=true, T) :-
    happensAt(beep(Door), T),
    holdsAt(open(Door)=ajar, T),
    holdsAt(noisy(Door)=true, T),
    holdsAt(loud(Door)=true, T).
