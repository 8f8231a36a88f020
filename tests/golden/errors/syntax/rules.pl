% A bracket is missing, a full stop is missing, and a slip besides.

initiatedAt(open(D)=true, T) :-
    happensAt(opens(D, T).

terminatedAt(open(D)=true, T) :-
    happensAt(closes(D), T)

initiatedAt(lit(D)=true, T) :-
    happensAt(switch_on(D), T).

initiatedAt(warm(D)=true, T) :-
    happensAt(start(lt(D)=true), T),
    holdsAt(lti(D)=true, T).

initiatedAt(dark(D)=true, T) :-
    happensAt(end(light(D)=true), T).

initiatedAt(light(D)=true, T) :-
    happensAt(switch_on(D), T).

initiatedAt(bright(D)=true, T) :-
    happensAt(start(lihgt(D)=true), T).
