% rules.pl, compiled by rtec. Loaded into a module of its own for every session.
:- set_prolog_flag(optimise, true).
:- dynamic holds_happy/3.
:- dynamic holds_location/3.
:- dynamic holds_rich/3.
:- dynamic interval_location/4.
:- dynamic interval_rich/4.
:- dynamic point_location/3.
:- dynamic point_rich/3.

% What survives a query time

rtec_state(holds_happy, 3).
rtec_state(holds_location, 3).
rtec_state(holds_rich, 3).
rtec_state(interval_location, 4).
rtec_state(interval_rich, 4).
rtec_state(point_location, 3).
rtec_state(point_rich, 3).

% Records of the stream

rtec_records(interval, location/1, interval_location, 4).
load_interval_location([], [], [], []).
load_interval_location([A1|A1s], [A2|A2s], [A3|A3s], [A4|A4s]) :-
    assertz(interval_location(A1, A2, A3, A4)),
    load_interval_location(A1s, A2s, A3s, A4s).
unload_interval_location([], [], [], []).
unload_interval_location([A1|A1s], [A2|A2s], [A3|A3s], [A4|A4s]) :-
    ignore(retract(interval_location(A1, A2, A3, A4))),
    unload_interval_location(A1s, A2s, A3s, A4s).
rtec_records(point, location/1, point_location, 3).
load_point_location([], [], []).
load_point_location([A1|A1s], [A2|A2s], [A3|A3s]) :-
    assertz(point_location(A1, A2, A3)),
    load_point_location(A1s, A2s, A3s).
unload_point_location([], [], []).
unload_point_location([A1|A1s], [A2|A2s], [A3|A3s]) :-
    ignore(retract(point_location(A1, A2, A3))),
    unload_point_location(A1s, A2s, A3s).
add_holds_location(location(A1), V, Is) :-
    assertz(holds_location(A1, V, Is)).
rtec_input_fluent(location/1, holds_location).
rtec_records(interval, rich/1, interval_rich, 4).
load_interval_rich([], [], [], []).
load_interval_rich([A1|A1s], [A2|A2s], [A3|A3s], [A4|A4s]) :-
    assertz(interval_rich(A1, A2, A3, A4)),
    load_interval_rich(A1s, A2s, A3s, A4s).
unload_interval_rich([], [], [], []).
unload_interval_rich([A1|A1s], [A2|A2s], [A3|A3s], [A4|A4s]) :-
    ignore(retract(interval_rich(A1, A2, A3, A4))),
    unload_interval_rich(A1s, A2s, A3s, A4s).
rtec_records(point, rich/1, point_rich, 3).
load_point_rich([], [], []).
load_point_rich([A1|A1s], [A2|A2s], [A3|A3s]) :-
    assertz(point_rich(A1, A2, A3)),
    load_point_rich(A1s, A2s, A3s).
unload_point_rich([], [], []).
unload_point_rich([A1|A1s], [A2|A2s], [A3|A3s]) :-
    ignore(retract(point_rich(A1, A2, A3))),
    unload_point_rich(A1s, A2s, A3s).
add_holds_rich(rich(A1), V, Is) :-
    assertz(holds_rich(A1, V, Is)).
rtec_input_fluent(rich/1, holds_rich).

% Static fluent happy/1=true

add_holds_happy(happy(A1), V, Is) :-
    assertz(holds_happy(A1, V, Is)).
rtec_output_fluent(happy/1, holds_happy).
% line 3:
%   holdsFor(happy(X)=true, I) :-
%       holdsFor(rich(X)=true, I1),
%       holdsFor(location(X)=pub, I2),
%       union_all([I1, I2], I)
candidates_happy(happy(X), true) :-
    holds_rich(X, true, _).
candidates_happy(happy(X), true) :-
    holds_location(X, pub, _).
intervals_happy(happy(X), true, I) :-
    (holds_rich(X, true, I1) *-> true ; I1 = []),
    (holds_location(X, pub, I2) *-> true ; I2 = []),
    union_all([I1, I2], I).

% What is stored, by the names of the language

holdsFor(happy(A1) = V, Is) :-
    holds_happy(A1, V, Is).
holdsFor(location(A1) = V, Is) :-
    holds_location(A1, V, Is).
holdsFor(rich(A1) = V, Is) :-
    holds_rich(A1, V, Is).
holdsAtIE(location(A1) = V, T) :-
    point_location(T, V, A1).
holdsAtIE(rich(A1) = V, T) :-
    point_rich(T, V, A1).
holdsAt(F = V, T) :-
    holdsFor(F = V, Is),
    holds_at(Is, T).

% The steps of a query time, in order

rtec_step(1, input(location/1, fluent, both(interval_location, point_location), holds_location)).
rtec_step(2, input(rich/1, fluent, both(interval_rich, point_rich), holds_rich)).
rtec_step(3, static(happy/1, true, holds_happy, candidates_happy, intervals_happy, [])).

% Where each clause came from

rtec_origin(candidates_happy, 1, 'rules.pl:3').
rtec_origin(candidates_happy, 2, 'rules.pl:3').
rtec_origin(intervals_happy, 1, 'rules.pl:3').
