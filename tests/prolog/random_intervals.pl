:- module(random_intervals,
          [ random_intervals/2,         % +Last, -Is
            time_points/3,              % +Is, +Last, -Ts
            from_time_points/3          % +Ts, +Last, -Is
          ]).
:- use_module(library(random)).
:- use_module(library(apply)).

/** <module> Random interval lists, and the sets of time-points that they stand for

The time-points are 0 to Last; Last stands for everything later, so a set that
has it is an interval list with an open end. Same seed, same lists.
*/

:- set_random(seed(271828)).

random_intervals(Last, Is) :-
    numlist(0, Last, All),
    random_between(1, 9, Tenths),
    include(chosen(Tenths), All, Ts),
    from_time_points(Ts, Last, Is).

chosen(Tenths, _) :-
    random_between(1, 10, R),
    R =< Tenths.

%!  time_points(+Is, +Last, -Ts) is det.

time_points(Is, Last, Ts) :-
    findall(T,
            ( between(0, Last, T),
              member((S,E), Is),
              T >= S,
              T @< E
            ),
            Ts).

%!  from_time_points(+Ts, +Last, -Is) is det.

from_time_points([], _, []).
from_time_points([T|Ts], Last, [(T,E)|Is]) :-
    run(T, Ts, Last, E, Rest),
    from_time_points(Rest, Last, Is).

run(Last, [], Last, inf, []) :-
    !.
run(T, [T1|Ts], Last, E, Rest) :-
    T1 =:= T+1,
    !,
    run(T1, Ts, Last, E, Rest).
run(T, Ts, _, E, Ts) :-
    E is T+1.
