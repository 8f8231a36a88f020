% Immune response in vertebrates: a feedback loop that runs by itself.
%
% There are no input events. Each system starts with the levels that initial_level/3 gives, and
% every change follows from the levels and the delays.
%
%     e    antigens: 0 or 1
%     h    h-cells (helpers): 0, 1 or 2
%     s    s-cells (suppressors): 0, 1 or 2
%
%     e >= 1 raises h,   h >= 1 raises s,   s >= 2 lowers h
%
% A level is under the order to rise where something raises it and nothing lowers it, and under
% the order to fall otherwise. An order is carried out after its delay, one step at a time, unless
% it is revoked before (Generalised Kinetic Logic).
%
% Background knowledge: initial_level/3, delay/4, max_level/2, influences/2.


% ---- Levels --------------------------------------------------------------------------------

initially(level(S, X)=N) :-
    initial_level(S, X, N).

initiatedAt(level(S, X)=N1, T) :-
    initiatedAt(order(S, X)=raised, T),
    holdsAt(level(S, X)=N, T),
    max_level(X, Max),
    N < Max,
    N1 is N + 1.

initiatedAt(level(S, X)=N1, T) :-
    initiatedAt(order(S, X)=lowered, T),
    holdsAt(level(S, X)=N, T),
    N > 0,
    N1 is N - 1.


% ---- When orders are looked at again -------------------------------------------------------

% A new level of Y is a reason to look at every X that it influences, one time-point later, when
% the new level holds. In the beginning, everything is looked at.

initially(look(S, X, X)=due) :-
    initial_level(S, X, _).

initiatedAt(look(S, X, Y)=due, T) :-
    initiatedAt(level(S, Y)=_, T),
    influences(Y, X).

fi(look(S, X, Y)=due, look(S, X, Y)=done, 1).


% ---- Orders --------------------------------------------------------------------------------

% The time-point that looking takes belongs to the delay.

fi(order(S, X)=up, order(S, X)=raised, R) :-
    delay(S, X, up, D),
    R is D - 1.

fi(order(S, X)=down, order(S, X)=lowered, R) :-
    delay(S, X, down, D),
    R is D - 1.

initiatedAt(order(S, h)=up, T) :-
    initiatedAt(look(S, h, _)=done, T),
    holdsAt(level(S, e)=1, T),
    not holdsAt(level(S, s)=2, T),
    not holdsAt(order(S, h)=up, T).

initiatedAt(order(S, h)=down, T) :-
    initiatedAt(look(S, h, _)=done, T),
    not holdsAt(level(S, e)=1, T),
    not holdsAt(order(S, h)=down, T).

initiatedAt(order(S, h)=down, T) :-
    initiatedAt(look(S, h, _)=done, T),
    holdsAt(level(S, s)=2, T),
    not holdsAt(order(S, h)=down, T).

initiatedAt(order(S, s)=up, T) :-
    initiatedAt(look(S, s, _)=done, T),
    not holdsAt(level(S, h)=0, T),
    not holdsAt(order(S, s)=up, T).

initiatedAt(order(S, s)=down, T) :-
    initiatedAt(look(S, s, _)=done, T),
    holdsAt(level(S, h)=0, T),
    not holdsAt(order(S, s)=down, T).
