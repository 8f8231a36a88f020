:- initialization(main).
:- dynamic seen/1.

initiatedAt(a(X)=true, T) :-
    happensAt(e(X), T),
    format("~w~n", [X]),
    assertz(seen(X)).

initiatedAt(b(X)=true, T) :-
    happensAt(e(X), T),
    not shell(X),
    log(X),
    tell_all(X).

initiatedAt(c(X)=true, T) :-
    happensAt(e(X), T),
    call(X),
    findall(Y, member(Y, [1, 2]), Ys),
    length(Ys, N),
    N > 1,
    format(atom(_), "~w", [X]).

log(X) :-
    open(X, read, _).
