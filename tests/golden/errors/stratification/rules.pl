% Fine: holdsAt looks at what happened before.

initiatedAt(contract(X)=true, T) :-
    happensAt(accept(X), T),
    not holdsAt(suspended(X)=true, T).

initiatedAt(suspended(X)=true, T) :-
    happensAt(end(contract(X)=true), T).

terminatedAt(contract(X)=true, T) :-
    happensAt(deliver(X), T).

% A fluent that ends because it begins.

initiatedAt(lamp=on, T) :-
    happensAt(switch, T).

terminatedAt(lamp=on, T) :-
    happensAt(start(lamp=on), T).

% An event that happens because it does not.

happensAt(liar, T) :-
    happensAt(says, T),
    not happensAt(truth, T).

happensAt(truth, T) :-
    happensAt(says, T),
    happensAt(liar, T).

% Each begins when the other does: there is no order to evaluate them in.

initiatedAt(ping(X)=true, T) :-
    initiatedAt(pong(X)=true, T).

initiatedAt(pong(X)=true, T) :-
    happensAt(accept(X), T).

initiatedAt(pong(X)=true, T) :-
    happensAt(start(ping(X)=true), T).

% A look into the future of its own cycle.

initiatedAt(hope(X)=true, T) :-
    happensAt(accept(X), T),
    happensAt(deliver(X), T2),
    holdsAt(hope(X)=true, T2).

initiatedAt(memory(X)=true, T) :-
    happensAt(accept(X), T),
    T0 is T - 10,
    not holdsAt(memory(X)=true, T0).
