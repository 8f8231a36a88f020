% rules.pl, compiled by rtec. Loaded into a module of its own for every session.
:- set_prolog_flag(optimise, true).
:- dynamic holds_quiet/3.
:- dynamic holds_rest/3.
:- dynamic holds_rtec_aux_1/3.
:- dynamic holds_still/3.
:- dynamic interval_quiet/4.
:- dynamic interval_still/4.
:- dynamic point_quiet/3.
:- dynamic point_still/3.

% What survives a query time

rtec_state(holds_quiet, 3).
rtec_state(holds_rest, 3).
rtec_state(holds_rtec_aux_1, 3).
rtec_state(holds_still, 3).
rtec_state(interval_quiet, 4).
rtec_state(interval_still, 4).
rtec_state(point_quiet, 3).
rtec_state(point_still, 3).

% Records of the stream

rtec_records(interval, quiet/1, interval_quiet, 4).
load_interval_quiet([], [], [], []).
load_interval_quiet([A1|A1s], [A2|A2s], [A3|A3s], [A4|A4s]) :-
    assertz(interval_quiet(A1, A2, A3, A4)),
    load_interval_quiet(A1s, A2s, A3s, A4s).
unload_interval_quiet([], [], [], []).
unload_interval_quiet([A1|A1s], [A2|A2s], [A3|A3s], [A4|A4s]) :-
    ignore(retract(interval_quiet(A1, A2, A3, A4))),
    unload_interval_quiet(A1s, A2s, A3s, A4s).
rtec_records(point, quiet/1, point_quiet, 3).
load_point_quiet([], [], []).
load_point_quiet([A1|A1s], [A2|A2s], [A3|A3s]) :-
    assertz(point_quiet(A1, A2, A3)),
    load_point_quiet(A1s, A2s, A3s).
unload_point_quiet([], [], []).
unload_point_quiet([A1|A1s], [A2|A2s], [A3|A3s]) :-
    ignore(retract(point_quiet(A1, A2, A3))),
    unload_point_quiet(A1s, A2s, A3s).
add_holds_quiet(quiet(A1), V, Is) :-
    assertz(holds_quiet(A1, V, Is)).
rtec_input_fluent(quiet/1, holds_quiet).
rtec_records(interval, still/1, interval_still, 4).
load_interval_still([], [], [], []).
load_interval_still([A1|A1s], [A2|A2s], [A3|A3s], [A4|A4s]) :-
    assertz(interval_still(A1, A2, A3, A4)),
    load_interval_still(A1s, A2s, A3s, A4s).
unload_interval_still([], [], [], []).
unload_interval_still([A1|A1s], [A2|A2s], [A3|A3s], [A4|A4s]) :-
    ignore(retract(interval_still(A1, A2, A3, A4))),
    unload_interval_still(A1s, A2s, A3s, A4s).
rtec_records(point, still/1, point_still, 3).
load_point_still([], [], []).
load_point_still([A1|A1s], [A2|A2s], [A3|A3s]) :-
    assertz(point_still(A1, A2, A3)),
    load_point_still(A1s, A2s, A3s).
unload_point_still([], [], []).
unload_point_still([A1|A1s], [A2|A2s], [A3|A3s]) :-
    ignore(retract(point_still(A1, A2, A3))),
    unload_point_still(A1s, A2s, A3s).
add_holds_still(still(A1), V, Is) :-
    assertz(holds_still(A1, V, Is)).
rtec_input_fluent(still/1, holds_still).

% Auxiliary rtec_aux_1/1=true

add_holds_rtec_aux_1(rtec_aux_1(A1), V, Is) :-
    assertz(holds_rtec_aux_1(A1, V, Is)).
% line 3:
%   holdsFor(rest(X)=true, I) :-
%       holdsFor(still(X)=true, I1),
%       holdsFor(quiet(X)=true, I2),
%       intersect_all([I1, I2], I3),
%       intDurGreater(I3, 600, I)
candidates_rtec_aux_1(rtec_aux_1(X), true) :-
    holds_still(X, true, _),
    holds_quiet(X, true, _).
intervals_rtec_aux_1(rtec_aux_1(X), true, I3) :-
    (holds_still(X, true, I1) *-> true ; I1 = []),
    (holds_quiet(X, true, I2) *-> true ; I2 = []),
    intersect_all([I1, I2], I3).

% Static fluent rest/1=true

add_holds_rest(rest(A1), V, Is) :-
    assertz(holds_rest(A1, V, Is)).
rtec_output_fluent(rest/1, holds_rest).
% line 3:
%   holdsFor(rest(X)=true, I) :-
%       holdsFor(still(X)=true, I1),
%       holdsFor(quiet(X)=true, I2),
%       intersect_all([I1, I2], I3),
%       intDurGreater(I3, 600, I)
candidates_rest(rest(X), true) :-
    holds_rtec_aux_1(X, true, _).
intervals_rest(rest(X), true, I) :-
    (holds_rtec_aux_1(X, true, I3) *-> true ; I3 = []),
    intDurGreater(I3, 600, I).

% What is stored, by the names of the language

holdsFor(quiet(A1) = V, Is) :-
    holds_quiet(A1, V, Is).
holdsFor(rest(A1) = V, Is) :-
    holds_rest(A1, V, Is).
holdsFor(still(A1) = V, Is) :-
    holds_still(A1, V, Is).
holdsAtIE(quiet(A1) = V, T) :-
    point_quiet(T, V, A1).
holdsAtIE(still(A1) = V, T) :-
    point_still(T, V, A1).
holdsAt(F = V, T) :-
    holdsFor(F = V, Is),
    holds_at(Is, T).

% The steps of a query time, in order

rtec_step(1, input(quiet/1, fluent, both(interval_quiet, point_quiet), holds_quiet)).
rtec_step(2, input(still/1, fluent, both(interval_still, point_still), holds_still)).
rtec_step(3, static(rtec_aux_1/1, true, holds_rtec_aux_1, candidates_rtec_aux_1, intervals_rtec_aux_1, [])).
rtec_step(4, static(rest/1, true, holds_rest, candidates_rest, intervals_rest, [whole(true)])).

% Where each clause came from

rtec_origin(candidates_rtec_aux_1, 1, 'rules.pl:3').
rtec_origin(intervals_rtec_aux_1, 1, 'rules.pl:3').
rtec_origin(candidates_rest, 1, 'rules.pl:3').
rtec_origin(intervals_rest, 1, 'rules.pl:3').
