% Fluents that change by themselves: after their first initiation, or after their last one.

initiatedAt(f(X)=on, T) :- happensAt(up(X), T).
terminatedAt(f(X)=on, T) :- happensAt(down(X), T).
fi(f(X)=on, f(X)=off, 10).

initiatedAt(postponable(X)=on, T) :- happensAt(raise(X), T).
terminatedAt(postponable(X)=on, T) :- happensAt(lower(X), T).
fi(postponable(X)=on, postponable(X)=off, 10).
p(postponable(_)=on).
