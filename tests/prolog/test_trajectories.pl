:- use_module(library(plunit)).
:- use_module(rtec(trajectories)).

:- begin_tests(trajectories).

%   low  [2---5)      [9---
%   high      [5---8)
old([low-[(2,5),(9,inf)],high-[(5,8)]]).

test(before, Current == since(low,2)) :-
    old(Old), value_before(Old, 4, 1, Current).
test(after, Current == since(high,5)) :-
    old(Old), value_after(Old, 4, 1, Current).
test(before_gap, Current == since(high,5)) :-
    old(Old), value_before(Old, 7, 1, Current).
test(after_gap, Current == none) :-
    old(Old), value_after(Old, 7, 1, Current).
test(in_gap, Current == none) :-
    old(Old), value_before(Old, 8, 1, Current).

%   A tick of 5: points of 10 take effect at 15.
test(tick, Current == since(v,10)) :-
    value_before([v-[(10,15)]], 10, 5, Current).
test(after_tick, Current == none) :-
    value_after([v-[(10,15)]], 10, 5, Current).

test(held, [true]) :-
    held_before([(2,5)], 5).
test(not_held, [fail]) :-
    held_before([(2,5)], 2).

test(times, Ts == [5,6]) :-
    times_after([1,3,5,6], 3, Ts).

%   low   [2---5)      [9---        inside [4,10): high [4,7), then low [7,...
%   high       [5---8)
test(changed, New == [high-[(4,7)],low-[(2,4),(7,inf)]]) :-
    old(Old),
    changed_trajectory(Old, [part(1,f,Old,[(4,10)],[span(high,4,7),span(low,7,inf)])], New).

%   Spans that reach beyond their region say nothing there.
test(beyond, New == [v-[(1,3),(5,8)]]) :-
    changed_trajectory([v-[(1,8)]],
                       [part(1,f,x,[(3,5)],[]),part(1,f,x,[(6,7)],[span(v,1,7)])], New).

:- end_tests(trajectories).
