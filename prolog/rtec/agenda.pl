:- module(rtec_agenda,
          [ next_time/3,                % +Items, +Agenda, -T
            items_at/4                  % +Items, +T, -AtT, -Rest
          ]).
:- set_prolog_flag(optimise, true).
:- autoload(library(heaps), [min_of_heap/3]).

/** <module> What is to be done, in order of time

A sweep over time meets what is known beforehand, a sorted list of T-Item, and
what comes up on the way, which waits in a heap, the agenda.
*/

%!  next_time(+Items, +Agenda, -T) is semidet.
%
%   T is the first time-point of either.

next_time([T0-_|_], Agenda, T) :-
    !,
    (   min_of_heap(Agenda, T1, _),
        T1 < T0
    ->  T = T1
    ;   T = T0
    ).
next_time([], Agenda, T) :-
    min_of_heap(Agenda, T, _).

%!  items_at(+Items, +T, -AtT, -Rest) is det.
%
%   AtT are the items at T, with which Items begins.

items_at([T0-Item|Items], T, [Item|AtT], Rest) :-
    T0 =:= T,
    !,
    items_at(Items, T, AtT, Rest).
items_at(Rest, _, [], Rest).
