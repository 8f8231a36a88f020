:- use_module(library(plunit)).
:- use_module(rtec(modes)).
:- use_module(sessions).

%   A program with delta rules for everything, and N records in the window.

program("
    :- dynamic happens_go/2.
    rtec_records(event, go/1, happens_go, 2).
    rtec_delta(event(come/1), delta(none,none)).
    rtec_from_scratch(0.0).
").

with_records(N, Policy, M, Goal) :-
    program(Program),
    with_program(Program, M,
                 ( assertz(M:rtec_policy(Policy)),
                   forall(between(1, N, T), assertz(M:happens_go(T, a))),
                   Goal
                 )).

%   Records at time-points 1 to N are known at the query time N; then New come
%   after it and Late before.

later(N, New, Late, Policy, Mode) :-
    later(N, New, Late, Policy, 0.0, Mode).

later(N, New, Late, Policy, Followed, Mode) :-
    with_records(N, Policy, M,
                 ( assertz(M:rtec_followed(Followed)),
                   assertz(M:rtec_window(0, N)),
                   assertz(M:rtec_kept_at(N)),
                   assertz(M:rtec_pane_width(10)),
                   First is N+1,
                   Q is N+New,
                   numlist(First, Q, News),
                   findall(1, between(1, Late, _), Lates),
                   append(News, Lates, Times),
                   findall(a, member(_, Times), As),
                   choose_mode(M, 0, Q, [-(load_happens_go,[Times,As],[])], Mode)
                 )).

:- begin_tests(modes).

test(no_policy, Mode == scratch) :-
    program(Program),
    with_program(Program, M, choose_mode(M, 0, 10, [], Mode)).

test(first_auto, Mode == scratch) :-
    with_records(0, auto, M, choose_mode(M, 0, 10, [], Mode)).

test(first_always, Mode == keep) :-
    with_records(0, always, M, choose_mode(M, 0, 10, [], Mode)).

%   Few of many records are new: by changes.
test(few_new, Mode == changes(1000)) :-
    later(1000, 50, 0, auto, Mode).

%   New records cost more where rules are of cycles.
test(some_new, Mode == changes(1000)) :-
    later(1000, 200, 0, auto, Mode).
test(some_new_in_cycles, Mode == scratch) :-
    later(1000, 200, 0, auto, 1.0, Mode).

%   Most of what is in the window is new, or at time-points that were known.
test(mostly_new, Mode == scratch) :-
    later(100, 200, 0, auto, Mode).
test(mostly_late, Mode == scratch) :-
    later(1000, 10, 500, auto, Mode).

test(always, Mode == changes(100)) :-
    later(100, 100, 0, always, Mode).

%   Points are kept first; without them there is nothing to go by.
test(not_kept, Mode == keep) :-
    with_records(1000, auto, M,
                 ( assertz(M:rtec_window(0, 1000)),
                   choose_mode(M, 0, 1050, [-(load_happens_go,[[1001],[a]],[])], Mode)
                 )).

%   Windows that do not overlap have nothing in common.
test(no_overlap, Mode == scratch) :-
    with_records(1000, auto, M,
                 ( assertz(M:rtec_window(0, 1000)),
                   assertz(M:rtec_kept_at(1000)),
                   choose_mode(M, 1000, 2000, [], Mode)
                 )).

:- end_tests(modes).
