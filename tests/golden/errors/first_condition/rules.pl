initiatedAt(a(X)=true, T) :-
    holdsAt(b(X)=true, T).

initiatedAt(b(X)=true, T) :-
    not happensAt(stop(X), T),
    happensAt(go(X), T).

initiatedAt(c(X)=true, T) :-
    known(X),
    happensAt(go(X), T).

terminatedAt(c(X)=true, T) :-
    ( happensAt(stop(X), T) ; happensAt(halt(X), T) ).

happensAt(d(X), T2) :-
    happensAt(go(X), T),
    T2 is T + 5.

initiatedAt(e(X)=true, T1) :-
    happensAt(go(X), T).

initiatedAt(f=true, T).

happensAt(dawn, 6).

initiatedAt(g(X)=true, T) :-
    initiatedAt(c(X)=true, T).

initiatedAt(h(X)=true, T1, T, T2) :-
    happensAt(go(X), T),
    T1 =< T, T < T2.

known(a).
