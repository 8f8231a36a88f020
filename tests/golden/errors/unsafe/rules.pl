% The head says more than the conditions: warnings, since nothing would be reported.

initiatedAt(voted(_V, M)=null, T) :-
    happensAt(opened(M), T).

initiatedAt(chosen(M)=Who, T) :-
    happensAt(opened(M), T).

terminatedAt(chosen(M)=_, T) :-
    happensAt(closed(M), T).

initially(chosen(_)=nobody).

holdsFor(present(P, M)=true, I) :-
    holdsFor(chosen(M)=nobody, I).

holdsFor(allowed(P, M)=true, I) :-
    holdsFor(chosen(M)=nobody, I).

grounding(allowed(P, _)=true) :- person(P).

happensAt(announced(M, Text), T) :-
    happensAt(opened(M), T).

person(chris).
