% Activities of two people as simple fluents, for `rtec bench prob`.
%
% Input is in CAVIAR's layout, every record an event of one video frame; the value column of a
% record is the first argument of its event. What people do may be uncertain, and so may be where
% they are and where they look.

% ---- Moving together (thesis, rules 5.1 to 5.3) --------------------------------------------

initiatedAt(moving(P1, P2)=true, T) :-
    happensAt(walking(true, P1), T),
    happensAt(walking(true, P2), T),
    P1 @< P2,
    happensAt(coord(true, P1, X1, Y1), T),
    happensAt(coord(true, P2, X2, Y2), T),
    near(X1, Y1, X2, Y2, 34),
    happensAt(orientation(O1, P1), T),
    happensAt(orientation(O2, P2), T),
    similar(O1, O2).

terminatedAt(moving(P1, P2)=true, T) :-
    happensAt(walking(true, P), T),
    happensAt(coord(true, P, X1, Y1), T),
    happensAt(coord(true, Q, X2, Y2), T),
    P \== Q,
    \+ near(X1, Y1, X2, Y2, 34),
    msort([P, Q], [P1, P2]).

terminatedAt(moving(P1, P2)=true, T) :-
    happensAt(active(true, P1), T),
    happensAt(active(true, P2), T),
    P1 @< P2.

terminatedAt(moving(P, _)=true, T) :-
    happensAt(running(true, P), T).

terminatedAt(moving(_, P)=true, T) :-
    happensAt(running(true, P), T).

terminatedAt(moving(P, _)=true, T) :-
    happensAt(abrupt(true, P), T).

terminatedAt(moving(_, P)=true, T) :-
    happensAt(abrupt(true, P), T).

terminatedAt(moving(P, _)=true, T) :-
    happensAt(disappear(P), T).

terminatedAt(moving(_, P)=true, T) :-
    happensAt(disappear(P), T).


% ---- Meeting: one is active, the other neither runs nor moves abruptly ---------------------

initiatedAt(meeting(P1, P2)=true, T) :-
    happensAt(active(true, P), T),
    happensAt(coord(true, P, X1, Y1), T),
    happensAt(coord(true, Q, X2, Y2), T),
    P \== Q,
    near(X1, Y1, X2, Y2, 25),
    \+ happensAt(running(true, Q), T),
    \+ happensAt(abrupt(true, Q), T),
    msort([P, Q], [P1, P2]).

terminatedAt(meeting(P1, P2)=true, T) :-
    happensAt(walking(true, P), T),
    happensAt(coord(true, P, X1, Y1), T),
    happensAt(coord(true, Q, X2, Y2), T),
    P \== Q,
    \+ near(X1, Y1, X2, Y2, 34),
    msort([P, Q], [P1, P2]).

terminatedAt(meeting(P, _)=true, T) :-
    happensAt(running(true, P), T).

terminatedAt(meeting(_, P)=true, T) :-
    happensAt(running(true, P), T).

terminatedAt(meeting(P, _)=true, T) :-
    happensAt(abrupt(true, P), T).

terminatedAt(meeting(_, P)=true, T) :-
    happensAt(abrupt(true, P), T).

terminatedAt(meeting(P, _)=true, T) :-
    happensAt(disappear(P), T).

terminatedAt(meeting(_, P)=true, T) :-
    happensAt(disappear(P), T).


% ---- Fighting: one moves abruptly, the other is not inactive -------------------------------

initiatedAt(fighting(P1, P2)=true, T) :-
    happensAt(abrupt(true, P), T),
    happensAt(coord(true, P, X1, Y1), T),
    happensAt(coord(true, Q, X2, Y2), T),
    P \== Q,
    near(X1, Y1, X2, Y2, 24),
    \+ happensAt(inactive(true, Q), T),
    msort([P, Q], [P1, P2]).

terminatedAt(fighting(P1, P2)=true, T) :-
    happensAt(walking(true, P), T),
    happensAt(coord(true, P, X1, Y1), T),
    happensAt(coord(true, Q, X2, Y2), T),
    P \== Q,
    \+ near(X1, Y1, X2, Y2, 24),
    msort([P, Q], [P1, P2]).

terminatedAt(fighting(P, _)=true, T) :-
    happensAt(running(true, P), T).

terminatedAt(fighting(_, P)=true, T) :-
    happensAt(running(true, P), T).

terminatedAt(fighting(P, _)=true, T) :-
    happensAt(disappear(P), T).

terminatedAt(fighting(_, P)=true, T) :-
    happensAt(disappear(P), T).


% ---- Pixels and degrees --------------------------------------------------------------------

near(X1, Y1, X2, Y2, Most) :-
    (X1 - X2) ** 2 + (Y1 - Y2) ** 2 =< Most ** 2.

similar(O1, O2) :-
    Turn is abs(O1 - O2) mod 360,
    min(Turn, 360 - Turn) =< 45.
