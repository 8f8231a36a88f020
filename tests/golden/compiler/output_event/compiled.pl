% rules.pl, compiled by rtec. Loaded into a module of its own for every session.
:- set_prolog_flag(optimise, true).
:- dynamic happens_closes/2.
:- dynamic happens_counted/3.
:- dynamic happens_opens/2.
:- dynamic happens_vote/3.
:- dynamic holds_ballot/3.

% What survives a query time

rtec_state(happens_closes, 2).
rtec_state(happens_opens, 2).
rtec_state(happens_vote, 3).
rtec_state(holds_ballot, 3).

% Records of the stream

rtec_records(event, closes/1, happens_closes, 2).
load_happens_closes([], []).
load_happens_closes([A1|A1s], [A2|A2s]) :-
    assertz(happens_closes(A1, A2)),
    load_happens_closes(A1s, A2s).
unload_happens_closes([], []).
unload_happens_closes([A1|A1s], [A2|A2s]) :-
    ignore(retract(happens_closes(A1, A2))),
    unload_happens_closes(A1s, A2s).
rtec_records(event, opens/1, happens_opens, 2).
load_happens_opens([], []).
load_happens_opens([A1|A1s], [A2|A2s]) :-
    assertz(happens_opens(A1, A2)),
    load_happens_opens(A1s, A2s).
unload_happens_opens([], []).
unload_happens_opens([A1|A1s], [A2|A2s]) :-
    ignore(retract(happens_opens(A1, A2))),
    unload_happens_opens(A1s, A2s).
rtec_records(event, vote/2, happens_vote, 3).
load_happens_vote([], [], []).
load_happens_vote([A1|A1s], [A2|A2s], [A3|A3s]) :-
    assertz(happens_vote(A1, A2, A3)),
    load_happens_vote(A1s, A2s, A3s).
unload_happens_vote([], [], []).
unload_happens_vote([A1|A1s], [A2|A2s], [A3|A3s]) :-
    ignore(retract(happens_vote(A1, A2, A3))),
    unload_happens_vote(A1s, A2s, A3s).

% Simple fluent ballot/1

add_holds_ballot(ballot(A1), V, Is) :-
    assertz(holds_ballot(A1, V, Is)).
rtec_output_fluent(ballot/1, holds_ballot).
% line 3:
%   initiatedAt(ballot(M)=open, T) :-
%       happensAt(opens(M), T)
points_ballot(ballot(M), T, i, open) :-
    happens_opens(T, M).
% line 6:
%   terminatedAt(ballot(M)=open, T) :-
%       happensAt(closes(M), T)
ends_ballot(ballot(M), T, t, open) :-
    happens_closes(T, M).

% Output event counted/2

rtec_output_event(counted/2, happens_counted).
% line 9:
%   happensAt(counted(M, N), T) :-
%       happensAt(end(ballot(M)=open), T),
%       findall(V, happensAt(vote(V, M), T), Vs),
%       length(Vs, N)
rules_counted(counted(M, N), T) :-
    holds_ballot(M, open, Is209),
    rtec_scope(Is209W, Is209Tick),
    ends_within(Is209, Is209W, Is209Tick, T),
    findall(V, distinct(happens_vote(T, V, M)), Vs),
    length(Vs, N).

% What is stored, by the names of the language

holdsFor(ballot(A1) = V, Is) :-
    holds_ballot(A1, V, Is).
happensAt(closes(A1), T) :-
    happens_closes(T, A1).
happensAt(counted(A1, A2), T) :-
    happens_counted(T, A1, A2).
happensAt(opens(A1), T) :-
    happens_opens(T, A1).
happensAt(vote(A1, A2), T) :-
    happens_vote(T, A1, A2).
holdsAt(F = V, T) :-
    holdsFor(F = V, Is),
    holds_at(Is, T).

% The steps of a query time, in order

rtec_step(1, simple(ballot/1, holds_ballot, points_ballot, [ends(ends_ballot)])).
rtec_step(2, event(counted/2, happens_counted, rules_counted)).

% Where each clause came from

rtec_origin(points_ballot, 1, 'rules.pl:3').
rtec_origin(ends_ballot, 1, 'rules.pl:6').
rtec_origin(rules_counted, 1, 'rules.pl:9').
