% A simple fluent: what initiates it, what ends it.

initiatedAt(rich(X)=true, T) :-
    happensAt(win_lottery(X), T).

terminatedAt(rich(X)=true, T) :-
    happensAt(lose_wallet(X), T),
    not happensAt(find_wallet(X), T).
