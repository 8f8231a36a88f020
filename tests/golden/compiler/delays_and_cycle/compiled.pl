% rules.pl, compiled by rtec. Loaded into a module of its own for every session.
:- set_prolog_flag(optimise, true).
:- dynamic attempts_suspended/3.
:- dynamic fire_contract/6.
:- dynamic fire_suspended/6.
:- dynamic happens_accept/2.
:- dynamic happens_breach/2.
:- dynamic holds_contract/3.
:- dynamic holds_suspended/3.
:- dynamic local_contract/4.
:- dynamic local_suspended/4.
:- dynamic now_contract/3.
:- dynamic now_suspended/3.
:- dynamic past_contract/4.
:- dynamic past_suspended/4.
:- dynamic postponed_suspended/2.
:- dynamic trigger_contract/3.
:- dynamic trigger_suspended/3.

% What survives a query time

rtec_state(attempts_suspended, 3).
rtec_state(happens_accept, 2).
rtec_state(happens_breach, 2).
rtec_state(holds_contract, 3).
rtec_state(holds_suspended, 3).

% Records of the stream

rtec_records(event, accept/1, happens_accept, 2).
load_happens_accept([], []).
load_happens_accept([A1|A1s], [A2|A2s]) :-
    assertz(happens_accept(A1, A2)),
    load_happens_accept(A1s, A2s).
unload_happens_accept([], []).
unload_happens_accept([A1|A1s], [A2|A2s]) :-
    ignore(retract(happens_accept(A1, A2))),
    unload_happens_accept(A1s, A2s).
rtec_records(event, breach/1, happens_breach, 2).
load_happens_breach([], []).
load_happens_breach([A1|A1s], [A2|A2s]) :-
    assertz(happens_breach(A1, A2)),
    load_happens_breach(A1s, A2s).
unload_happens_breach([], []).
unload_happens_breach([A1|A1s], [A2|A2s]) :-
    ignore(retract(happens_breach(A1, A2))),
    unload_happens_breach(A1s, A2s).

% Cycle of contract/1, suspended/1

% line 3:
%   initiatedAt(contract(M)=true, T) :-
%       happensAt(accept(M), T),
%       not holdsAt(suspended(M)=true, T)
trigger_contract(T, 1, v(M)) :-
    happens_accept(T, M).
fire_contract(1, v(M), T, contract(M), i, true) :-
    \+ current_suspended(M, true).
add_holds_contract(contract(A1), V, Is) :-
    assertz(holds_contract(A1, V, Is)).
rtec_output_fluent(contract/1, holds_contract).
current_contract(A1, V) :-
    now_contract(A1, V, S),
    V \== '$none'.
was_contract(A1, V, T) :-
    now_contract(A1, V, S),
    V \== '$none',
    T >= S.
was_contract(A1, V, T) :-
    past_contract(A1, V, S, E),
    V \== '$none',
    T >= S,
    T < E.
% line 7:
%   initiatedAt(suspended(M)=true, T) :-
%       happensAt(breach(M), T),
%       holdsAt(contract(M)=true, T)
trigger_suspended(T, 1, v(M)) :-
    happens_breach(T, M).
fire_suspended(1, v(M), T, suspended(M), i, true) :-
    current_contract(M, true).
add_holds_suspended(suspended(A1), V, Is) :-
    assertz(holds_suspended(A1, V, Is)).
rtec_output_fluent(suspended/1, holds_suspended).
% line 11:
%   fi(suspended(M)=true, suspended(M)=false, 10)
delay_suspended(suspended(M), true, false, 10).
% line 12:
%   p(suspended(_)=true)
postponed_suspended(suspended(_1), true).
current_suspended(A1, V) :-
    now_suspended(A1, V, S),
    V \== '$none'.
was_suspended(A1, V, T) :-
    now_suspended(A1, V, S),
    V \== '$none',
    T >= S.
was_suspended(A1, V, T) :-
    past_suspended(A1, V, S, E),
    V \== '$none',
    T >= S,
    T < E.

% What is stored, by the names of the language

holdsFor(contract(A1) = V, Is) :-
    holds_contract(A1, V, Is).
holdsFor(suspended(A1) = V, Is) :-
    holds_suspended(A1, V, Is).
happensAt(accept(A1), T) :-
    happens_accept(T, A1).
happensAt(breach(A1), T) :-
    happens_breach(T, A1).
holdsAt(F = V, T) :-
    holdsFor(F = V, Is),
    holds_at(Is, T).

% The steps of a query time, in order

rtec_step(1, cycle([fluent(contract/1, holds_contract, now_contract, past_contract, trigger_contract, fire_contract, local_contract, []), fluent(suspended/1, holds_suspended, now_suspended, past_suspended, trigger_suspended, fire_suspended, local_suspended, [delays(delay_suspended, postponed_suspended, attempts_suspended)])])).

% Where each clause came from

rtec_origin(trigger_contract, 1, 'rules.pl:3').
rtec_origin(fire_contract, 1, 'rules.pl:3').
rtec_origin(trigger_suspended, 1, 'rules.pl:7').
rtec_origin(fire_suspended, 1, 'rules.pl:7').
