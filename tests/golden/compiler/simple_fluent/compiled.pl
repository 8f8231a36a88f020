% rules.pl, compiled by rtec. Loaded into a module of its own for every session.
:- set_prolog_flag(optimise, true).
:- dynamic happens_find_wallet/2.
:- dynamic happens_lose_wallet/2.
:- dynamic happens_win_lottery/2.
:- dynamic holds_rich/3.

% What survives a query time

rtec_state(happens_find_wallet, 2).
rtec_state(happens_lose_wallet, 2).
rtec_state(happens_win_lottery, 2).
rtec_state(holds_rich, 3).

% Records of the stream

rtec_records(event, find_wallet/1, happens_find_wallet, 2).
load_happens_find_wallet([], []).
load_happens_find_wallet([A1|A1s], [A2|A2s]) :-
    assertz(happens_find_wallet(A1, A2)),
    load_happens_find_wallet(A1s, A2s).
unload_happens_find_wallet([], []).
unload_happens_find_wallet([A1|A1s], [A2|A2s]) :-
    ignore(retract(happens_find_wallet(A1, A2))),
    unload_happens_find_wallet(A1s, A2s).
rtec_records(event, lose_wallet/1, happens_lose_wallet, 2).
load_happens_lose_wallet([], []).
load_happens_lose_wallet([A1|A1s], [A2|A2s]) :-
    assertz(happens_lose_wallet(A1, A2)),
    load_happens_lose_wallet(A1s, A2s).
unload_happens_lose_wallet([], []).
unload_happens_lose_wallet([A1|A1s], [A2|A2s]) :-
    ignore(retract(happens_lose_wallet(A1, A2))),
    unload_happens_lose_wallet(A1s, A2s).
rtec_records(event, win_lottery/1, happens_win_lottery, 2).
load_happens_win_lottery([], []).
load_happens_win_lottery([A1|A1s], [A2|A2s]) :-
    assertz(happens_win_lottery(A1, A2)),
    load_happens_win_lottery(A1s, A2s).
unload_happens_win_lottery([], []).
unload_happens_win_lottery([A1|A1s], [A2|A2s]) :-
    ignore(retract(happens_win_lottery(A1, A2))),
    unload_happens_win_lottery(A1s, A2s).

% Simple fluent rich/1

add_holds_rich(rich(A1), V, Is) :-
    assertz(holds_rich(A1, V, Is)).
rtec_output_fluent(rich/1, holds_rich).
% line 3:
%   initiatedAt(rich(X)=true, T) :-
%       happensAt(win_lottery(X), T)
points_rich(rich(X), T, i, true) :-
    happens_win_lottery(T, X).
% line 6:
%   terminatedAt(rich(X)=true, T) :-
%       happensAt(lose_wallet(X), T),
%       not happensAt(find_wallet(X), T)
ends_rich(rich(X), T, t, true) :-
    happens_lose_wallet(T, X),
    \+ happens_find_wallet(T, X).

% What is stored, by the names of the language

holdsFor(rich(A1) = V, Is) :-
    holds_rich(A1, V, Is).
happensAt(find_wallet(A1), T) :-
    happens_find_wallet(T, A1).
happensAt(lose_wallet(A1), T) :-
    happens_lose_wallet(T, A1).
happensAt(win_lottery(A1), T) :-
    happens_win_lottery(T, A1).
holdsAt(F = V, T) :-
    holdsFor(F = V, Is),
    holds_at(Is, T).

% The steps of a query time, in order

rtec_step(1, simple(rich/1, holds_rich, points_rich, [ends(ends_rich)])).

% Where each clause came from

rtec_origin(points_rich, 1, 'rules.pl:3').
rtec_origin(ends_rich, 1, 'rules.pl:6').
