:- use_module(library(plunit)).
:- use_module(rtec(history)).

/** <module> What a session has ever known, window by window

A module stands in for a session; its facts are what the engine would store.
*/

s:rtec_output_fluent(on/1, holds_on).
s:rtec_output_fluent(far/1, holds_far).
s:rtec_input_fluent(power/1, holds_power).
s:rtec_records(event, press/1, happens_press, 2).
s:rtec_output_event(flash/1, happens_flash).

:- dynamic s:holds_on/3, s:holds_far/3, s:holds_power/3, s:happens_press/2, s:happens_flash/2.

clean :-
    put_recent([]),
    forall(member(Fact, [holds_on(_,_,_), holds_far(_,_,_), holds_power(_,_,_),
                         happens_press(_,_), happens_flash(_,_)]),
           retractall(s:Fact)),
    retractall(rtec_history:past_interval(_,_,_,_,_)),
    retractall(rtec_history:past_event(_,_)).

%   said(+W, +Facts): the window moves to (W,_], and Facts are what is stored then.

said(W, Facts) :-
    said(W, 1, Facts).

said(W, Tick, Facts) :-
    leave_window(s, W, Tick),
    forall(member(Name/Arity, [holds_on/3, holds_far/3, holds_power/3, happens_press/2,
                               happens_flash/2]),
           ( functor(Head, Name, Arity), retractall(s:Head) )),
    forall(member(Fact, Facts), assertz(s:Fact)),
    enter_window(s).

:- begin_tests(history, [setup(clean), cleanup(clean)]).

%   window 1   (--------]
%   said        [---)
%   window 2            (--------]
test(what_the_window_leaves_is_kept, [setup(clean), Is == [(2,5)]]) :-
    said(0, [holds_on(a, true, [(2,5)])]),
    said(10, []),
    known_intervals(s, on(a), true, Is).

%   said             [-------------
%   window 2            (--------]
%   said             [-----)           the real start is said again
test(an_interval_over_the_border_is_one, [setup(clean), Is == [(5,15)]]) :-
    said(0, [holds_on(a, true, [(5,inf)])]),
    said(10, [holds_on(a, true, [(5,15)])]),
    known_intervals(s, on(a), true, Is).

%   said          [----------------
%   window 2            (--------]     a late record: it was over before the window
%   known         [-----)
test(a_later_window_revises, [setup(clean), Is == [(5,11)]]) :-
    said(0, [holds_on(a, true, [(5,inf)])]),
    said(10, []),
    known_intervals(s, on(a), true, Is).

test(touching_parts_become_one, [setup(clean), Is == [(5,20)]]) :-
    said(0, [holds_on(a, true, [(5,11)])]),
    said(10, [holds_on(a, true, [(11,20)])]),
    known_intervals(s, on(a), true, Is).

test(of_several_windows, [setup(clean), Is == [(2,4),(6,25),(28,inf)]]) :-
    said(0, [holds_on(a, true, [(2,4),(6,inf)])]),
    said(10, [holds_on(a, true, [(6,inf)])]),
    said(20, [holds_on(a, true, [(6,25),(28,inf)])]),
    known_intervals(s, on(a), true, Is).

%   time-points 0, 10, 20 ...: up to 25 means up to 20, so the part ends at 30
test(cut_between_ticks, [setup(clean), Is == [(0,30)]]) :-
    said(-10, 10, [holds_on(a, true, [(0,inf)])]),
    said(25, 10, []),
    known_intervals(s, on(a), true, Is).

test(inside_overlapping_windows_only_the_last_counts, [setup(clean), Is == [(2,4)]]) :-
    said(0, [holds_on(a, true, [(2,4),(8,9)])]),
    said(5, []),
    known_intervals(s, on(a), true, Is).

test(fluents_in_the_order_of_the_program, [setup(clean), Rows == Expected]) :-
    said(0, [holds_power(z, true, [(1,2)]), holds_far(b, true, [(1,2)]),
             holds_on(b, no, [(3,4)]), holds_on(a, yes, [(1,2)])]),
    said(10, [holds_on(a, no, [(12,inf)])]),
    Expected = [on(a)-no-[(12,inf)], on(a)-yes-[(1,2)], on(b)-no-[(3,4)],
                far(b)-true-[(1,2)], power(z)-true-[(1,2)]],
    known_fluents(s, _, _, Rows).

test(some_fluents, [setup(clean), Rows == [on(b)-yes-[(1,2)]]]) :-
    said(0, [holds_on(b, yes, [(1,2)]), holds_on(a, yes, [(1,2)]), holds_far(b, yes, [(1,2)])]),
    said(10, []),
    known_fluents(s, on(b), _, Rows).

test(remembered_instances_without_a_value_are_not_seen, [setup(clean), Rows == []]) :-
    said(0, [holds_on(a, '$none', [(1,inf)])]),
    said(10, []),
    known_fluents(s, _, _, Rows).

test(events_in_order_of_time, [setup(clean), Rows == [1-press(b), 3-press(a), 12-flash(a)]]) :-
    said(0, [happens_press(3, a), happens_press(1, b)]),
    said(10, [happens_flash(12, a)]),
    known_events(s, _, _, Rows).

test(an_event_that_stays_is_known_once, [setup(clean), Rows == [8-press(a)]]) :-
    said(0, [happens_press(8, a)]),
    said(5, [happens_press(8, a)]),
    said(9, []),
    known_events(s, press(_), _, Rows).

test(a_retracted_event_inside_the_window_is_gone, [setup(clean), Rows == []]) :-
    said(0, [happens_press(8, a)]),
    said(5, []),
    known_events(s, _, _, Rows).

test(undo, [setup(clean), Is-Rows == []-[]]) :-
    said(0, [holds_on(a, true, [(2,5)]), happens_press(3, a)]),
    said(10, []),
    undo_window,
    known_intervals(s, on(a), true, Is),
    known_events(s, _, _, Rows).

test(undo_touches_the_last_window_only, [setup(clean), Is == [(2,5)]]) :-
    said(0, [holds_on(a, true, [(2,5)])]),
    said(10, [holds_on(a, true, [(12,14)])]),
    said(20, []),
    undo_window,
    known_intervals(s, on(a), true, Is).

test(recent_can_be_put_back, [setup(clean), Is == [(2,5)]]) :-
    said(0, [holds_on(a, true, [(2,5)])]),
    said(10, []),
    take_recent(Recent),
    said(20, [holds_on(a, true, [(22,25)])]),
    said(30, []),
    put_recent(Recent),
    take_recent(Again),
    Again == Recent,
    known_intervals(s, on(a), true, Is).

:- end_tests(history).
