:- use_module(library(plunit)).
:- use_module(library(heaps)).
:- use_module(rtec(agenda)).

:- begin_tests(agenda).

test(list_first, T == 3) :-
    list_to_heap([5-x], Agenda),
    next_time([3-a], Agenda, T).
test(agenda_first, T == 2) :-
    list_to_heap([5-x,2-y], Agenda),
    next_time([3-a], Agenda, T).
test(agenda_alone, T == 5) :-
    list_to_heap([5-x], Agenda),
    next_time([], Agenda, T).
test(nothing, [fail]) :-
    empty_heap(Agenda),
    next_time([], Agenda, _).

test(items, AtT-Rest == [a,b]-[4-c]) :-
    items_at([3-a,3-b,4-c], 3, AtT, Rest).
test(none_yet, AtT-Rest == []-[4-c]) :-
    items_at([4-c], 3, AtT, Rest).

:- end_tests(agenda).
