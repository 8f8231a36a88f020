% rules.pl, compiled by rtec. Loaded into a module of its own for every session.
:- set_prolog_flag(optimise, true).
:- dynamic ask_holds_zone/3.
:- dynamic happens_alarm/2.
:- dynamic happens_enter/3.
:- dynamic happens_leave/2.
:- dynamic happens_met/4.
:- dynamic holds_alarmed/3.
:- dynamic holds_zone/3.

% What survives a query time

rtec_state(happens_alarm, 2).
rtec_state(happens_enter, 3).
rtec_state(happens_leave, 2).
rtec_state(holds_alarmed, 3).
rtec_state(holds_zone, 3).

% Records of the stream

rtec_records(event, alarm/1, happens_alarm, 2).
load_happens_alarm([], []).
load_happens_alarm([A1|A1s], [A2|A2s]) :-
    assertz(happens_alarm(A1, A2)),
    load_happens_alarm(A1s, A2s).
unload_happens_alarm([], []).
unload_happens_alarm([A1|A1s], [A2|A2s]) :-
    ignore(retract(happens_alarm(A1, A2))),
    unload_happens_alarm(A1s, A2s).
rtec_records(event, enter/2, happens_enter, 3).
load_happens_enter([], [], []).
load_happens_enter([A1|A1s], [A2|A2s], [A3|A3s]) :-
    assertz(happens_enter(A1, A2, A3)),
    load_happens_enter(A1s, A2s, A3s).
unload_happens_enter([], [], []).
unload_happens_enter([A1|A1s], [A2|A2s], [A3|A3s]) :-
    ignore(retract(happens_enter(A1, A2, A3))),
    unload_happens_enter(A1s, A2s, A3s).
rtec_records(event, leave/1, happens_leave, 2).
load_happens_leave([], []).
load_happens_leave([A1|A1s], [A2|A2s]) :-
    assertz(happens_leave(A1, A2)),
    load_happens_leave(A1s, A2s).
unload_happens_leave([], []).
unload_happens_leave([A1|A1s], [A2|A2s]) :-
    ignore(retract(happens_leave(A1, A2))),
    unload_happens_leave(A1s, A2s).

% Simple fluent zone/1

add_holds_zone(zone(A1), V, Is) :-
    assertz(holds_zone(A1, V, Is)).
rtec_output_fluent(zone/1, holds_zone).
% line 3:
%   initiatedAt(zone(X)=Z, T) :- happensAt(enter(X,Z), T)
points_zone(zone(X), T, i, Z) :-
    happens_enter(T, X, Z).

% Output event met/3

rtec_output_event(met/3, happens_met).
% line 12:
%   happensAt(met(X,Y,Z), T) :-
%       happensAt(alarm(X), T),
%       holdsAt(zone(X)=Z, T),
%       holdsAt(zone(Y)=Z, T),
%       X \== Y
rules_met(met(X, Y, Z), T) :-
    happens_alarm(T, X),
    ask_holds_zone(X, Z, T),
    ask_holds_zone(Y, Z, T),
    X \== Y.

% Simple fluent alarmed/1

add_holds_alarmed(alarmed(A1), V, Is) :-
    assertz(holds_alarmed(A1, V, Is)).
rtec_output_fluent(alarmed/1, holds_alarmed).
% line 5:
%   initiatedAt(alarmed(X)=true, T) :-
%       happensAt(alarm(X), T),
%       holdsAt(zone(X)=harbour, T)
points_alarmed(alarmed(X), T, i, true) :-
    happens_alarm(T, X),
    ask_holds_zone(X, harbour, T).
% line 8:
%   terminatedAt(alarmed(X)=true, T) :-
%       happensAt(leave(X), T),
%       not holdsAt(zone(X)=harbour, T)
ends_alarmed(alarmed(X), T, t, true) :-
    happens_leave(T, X),
    \+ ask_holds_zone(X, harbour, T).

% What is stored, by the names of the language

holdsFor(alarmed(A1) = V, Is) :-
    holds_alarmed(A1, V, Is).
holdsFor(zone(A1) = V, Is) :-
    holds_zone(A1, V, Is).
happensAt(alarm(A1), T) :-
    happens_alarm(T, A1).
happensAt(enter(A1, A2), T) :-
    happens_enter(T, A1, A2).
happensAt(leave(A1), T) :-
    happens_leave(T, A1).
happensAt(met(A1, A2, A3), T) :-
    happens_met(T, A1, A2, A3).
holdsAt(F = V, T) :-
    holdsFor(F = V, Is),
    holds_at(Is, T).

% Whether something holds at a time-point

ask_holds_zone(A1, V, T) :-
    holds_zone(A1, V, [(S, E)|Is]),
    (T < E -> T >= S ; rtec_later(Is, T, ask_holds_zone)).

% The steps of a query time, in order

rtec_step(1, simple(zone/1, holds_zone, points_zone, [])).
rtec_step(2, event(met/3, happens_met, rules_met)).
rtec_step(3, simple(alarmed/1, holds_alarmed, points_alarmed, [ends(ends_alarmed)])).

% Where each clause came from

rtec_origin(points_zone, 1, 'rules.pl:3').
rtec_origin(rules_met, 1, 'rules.pl:12').
rtec_origin(points_alarmed, 1, 'rules.pl:5').
rtec_origin(ends_alarmed, 1, 'rules.pl:8').
