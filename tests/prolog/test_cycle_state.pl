:- use_module(library(plunit)).
:- use_module(library(heaps)).
:- use_module(library(rbtrees)).
:- use_module(rtec(cycle_state)).

:- begin_tests(cycle_state, [cleanup(clear)]).

:- dynamic test_session:now_f/3, test_session:delay_f/4, test_session:attempts_f/3,
           test_session:postponed_f/2, test_session:rtec_base/3.

clear :-
    retractall(test_session:now_f(_,_,_)),
    retractall(test_session:delay_f(_,_,_,_)),
    retractall(test_session:attempts_f(_,_,_)),
    retractall(test_session:postponed_f(_,_)),
    retractall(test_session:rtec_base(_,_,_)).

test(now, [setup(clear), true(V-S == on-5)]) :-
    set_now(test_session, now_f, f(a), on, 5),
    now(test_session, now_f, f(a), V, S).
test(dropped, [setup(clear), fail]) :-
    set_now(test_session, now_f, f(a), on, 5),
    drop_now(test_session, now_f, f(a)),
    now(test_session, now_f, f(a), _, _).

%   The shortest delay makes the deadline.
test(plan, [setup(clear), true(D-V == 13-soon)]) :-
    assertz(test_session:delay_f(f(_), on, late, 9)),
    assertz(test_session:delay_f(f(_), on, soon, 3)),
    empty_heap(Empty),
    plan(test_session, delay_f, f(a), on, 10, now_f, Empty, Agenda),
    min_of_heap(Agenda, D, deadline(now_f, f(a), on, 10, V)).

%   A deadline is due as long as its value holds and counts from its base.
test(due, [setup(clear), true(Due == [f(a)-off])]) :-
    set_now(test_session, now_f, f(a), on, 11),
    set_base(test_session, now_f, f(a), 10),
    list_to_heap([13-deadline(now_f, f(a), on, 10, off)], Agenda),
    due(Agenda, 13, test_session, Due, _).
test(postponed, [setup(clear), true(Due == [])]) :-
    set_now(test_session, now_f, f(a), on, 11),
    set_base(test_session, now_f, f(a), 12),
    list_to_heap([13-deadline(now_f, f(a), on, 10, off)], Agenda),
    due(Agenda, 13, test_session, Due, _).
test(broken, [setup(clear), true(Due == [])]) :-
    list_to_heap([13-deadline(now_f, f(a), on, 10, off)], Agenda),
    due(Agenda, 13, test_session, Due, _).

%   A carried value counts from its beginning, or from its last attempt before
%   the window if it may be postponed.
test(base_of_the_beginning, [setup(clear), true(Base == 4)]) :-
    list_to_rbtree([(f(a)-on)-[4,7,12]], Before),
    first_base(test_session, Before, postponed_f, f(a), on, 5, 10, 1, Base).
test(base_of_the_last_attempt, [setup(clear), true(Base == 7)]) :-
    assertz(test_session:postponed_f(f(_), on)),
    list_to_rbtree([(f(a)-on)-[4,7,12]], Before),
    first_base(test_session, Before, postponed_f, f(a), on, 5, 10, 1, Base).

:- end_tests(cycle_state).
