% Infection of a bacterium by a phage: a feedback loop that runs by itself.
%
% There are no input events. Each cell starts with the levels that initial_level/3 gives, and
% every change follows from the levels and the delays.
%
%     cI   the repressor, which keeps the phage dormant: 0, 1 or 2
%     cro  its rival, which lets the phage multiply: 0 to 3
%     cII  which promotes cI: 0 or 1
%     n    which promotes cII: 0 or 1
%
%     cII >= 1 raises cI,  cro >= 1 lowers it (without cro, cI is made anyway)
%     cI >= 2 and cro >= 3 lower cro (otherwise it is made)
%     n >= 1 raises cII,  cI >= 2 and cro >= 3 lower it
%     cI >= 1 and cro >= 2 lower n (otherwise it is made)
%
% An order to rise or to fall is carried out after its delay, one step at a time, unless it is
% revoked before (Generalised Kinetic Logic).
%
% Background knowledge: initial_level/3, delay/4, max_level/2, influences/2.


% ---- Levels --------------------------------------------------------------------------------

initially(level(C, X)=N) :-
    initial_level(C, X, N).

initiatedAt(level(C, X)=N1, T) :-
    initiatedAt(order(C, X)=raised, T),
    holdsAt(level(C, X)=N, T),
    max_level(X, Max),
    N < Max,
    N1 is N + 1.

initiatedAt(level(C, X)=N1, T) :-
    initiatedAt(order(C, X)=lowered, T),
    holdsAt(level(C, X)=N, T),
    N > 0,
    N1 is N - 1.


% ---- When orders are looked at again -------------------------------------------------------

% A new level of Y is a reason to look at every X that it influences, one time-point later, when
% the new level holds. In the beginning, everything is looked at.

initially(look(C, X, X)=due) :-
    initial_level(C, X, _).

initiatedAt(look(C, X, Y)=due, T) :-
    initiatedAt(level(C, Y)=_, T),
    influences(Y, X).

fi(look(C, X, Y)=due, look(C, X, Y)=done, 1).


% ---- Orders --------------------------------------------------------------------------------

% The time-point that looking takes belongs to the delay.

fi(order(C, X)=up, order(C, X)=raised, R) :-
    delay(C, X, up, D),
    R is D - 1.

fi(order(C, X)=down, order(C, X)=lowered, R) :-
    delay(C, X, down, D),
    R is D - 1.

% cI rises with cII, or in the absence of cro.

initiatedAt(order(C, cI)=up, T) :-
    initiatedAt(look(C, cI, _)=done, T),
    holdsAt(level(C, cII)=1, T),
    not holdsAt(order(C, cI)=up, T).

initiatedAt(order(C, cI)=up, T) :-
    initiatedAt(look(C, cI, _)=done, T),
    holdsAt(level(C, cro)=0, T),
    not holdsAt(order(C, cI)=up, T).

initiatedAt(order(C, cI)=down, T) :-
    initiatedAt(look(C, cI, _)=done, T),
    not holdsAt(level(C, cII)=1, T),
    not holdsAt(level(C, cro)=0, T),
    not holdsAt(order(C, cI)=down, T).

% cro rises unless cI or cro itself is high.

initiatedAt(order(C, cro)=up, T) :-
    initiatedAt(look(C, cro, _)=done, T),
    not holdsAt(level(C, cI)=2, T),
    not holdsAt(level(C, cro)=3, T),
    not holdsAt(order(C, cro)=up, T).

initiatedAt(order(C, cro)=down, T) :-
    initiatedAt(look(C, cro, _)=done, T),
    holdsAt(level(C, cI)=2, T),
    not holdsAt(order(C, cro)=down, T).

initiatedAt(order(C, cro)=down, T) :-
    initiatedAt(look(C, cro, _)=done, T),
    holdsAt(level(C, cro)=3, T),
    not holdsAt(order(C, cro)=down, T).

% cII rises with n, unless cI or cro is high.

initiatedAt(order(C, cII)=up, T) :-
    initiatedAt(look(C, cII, _)=done, T),
    holdsAt(level(C, n)=1, T),
    not holdsAt(level(C, cI)=2, T),
    not holdsAt(level(C, cro)=3, T),
    not holdsAt(order(C, cII)=up, T).

initiatedAt(order(C, cII)=down, T) :-
    initiatedAt(look(C, cII, _)=done, T),
    holdsAt(level(C, n)=0, T),
    not holdsAt(order(C, cII)=down, T).

initiatedAt(order(C, cII)=down, T) :-
    initiatedAt(look(C, cII, _)=done, T),
    holdsAt(level(C, cI)=2, T),
    not holdsAt(order(C, cII)=down, T).

initiatedAt(order(C, cII)=down, T) :-
    initiatedAt(look(C, cII, _)=done, T),
    holdsAt(level(C, cro)=3, T),
    not holdsAt(order(C, cII)=down, T).

% n rises while there is no cI and little cro.

initiatedAt(order(C, n)=up, T) :-
    initiatedAt(look(C, n, _)=done, T),
    holdsAt(level(C, cI)=0, T),
    not holdsAt(level(C, cro)=2, T),
    not holdsAt(level(C, cro)=3, T),
    not holdsAt(order(C, n)=up, T).

initiatedAt(order(C, n)=down, T) :-
    initiatedAt(look(C, n, _)=done, T),
    not holdsAt(level(C, cI)=0, T),
    not holdsAt(order(C, n)=down, T).

initiatedAt(order(C, n)=down, T) :-
    initiatedAt(look(C, n, _)=done, T),
    holdsAt(level(C, cro)=2, T),
    not holdsAt(order(C, n)=down, T).

initiatedAt(order(C, n)=down, T) :-
    initiatedAt(look(C, n, _)=done, T),
    holdsAt(level(C, cro)=3, T),
    not holdsAt(order(C, n)=down, T).


% ---- The fate of a cell --------------------------------------------------------------------

% Dormant: the repressor alone is left. Multiplying: cro has won.

holdsFor(fate(C)=lysogeny, I) :-
    holdsFor(level(C, cI)=2, I1),
    holdsFor(level(C, cro)=0, I2),
    intersect_all([I1, I2], I).

holdsFor(fate(C)=lysis, I) :-
    holdsFor(level(C, cro)=2, I1),
    holdsFor(level(C, cro)=3, I2),
    union_all([I1, I2], I3),
    holdsFor(level(C, cI)=0, I4),
    intersect_all([I3, I4], I).
