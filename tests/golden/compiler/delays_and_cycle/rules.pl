% A cycle of two simple fluents, one of which ends by itself.

initiatedAt(contract(M)=true, T) :-
    happensAt(accept(M), T),
    not holdsAt(suspended(M)=true, T).

initiatedAt(suspended(M)=true, T) :-
    happensAt(breach(M), T),
    holdsAt(contract(M)=true, T).

fi(suspended(M)=true, suspended(M)=false, 10).
p(suspended(_)=true).
