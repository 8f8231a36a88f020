% An output event, from the end of a fluent.

initiatedAt(ballot(M)=open, T) :-
    happensAt(opens(M), T).

terminatedAt(ballot(M)=open, T) :-
    happensAt(closes(M), T).

happensAt(counted(M, N), T) :-
    happensAt(end(ballot(M)=open), T),
    findall(V, happensAt(vote(V, M), T), Vs),
    length(Vs, N).
