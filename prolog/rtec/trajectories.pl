:- module(rtec_trajectories,
          [ value_before/4,             % +Old, +T, +Tick, -Current
            value_after/4,              % +Old, +T, +Tick, -Current
            held_before/2,              % +Is, +T1
            open_value/3,               % +InStore, +F, -Current
            own_times/5,                % +Times0, +T, +Old, +Tick, -Ts
            times_after/3,              % +Ts0, +T, -Ts
            changed_trajectory/3        % +Old, +Parts, -New
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(intervals).
:- autoload(library(lists), [append/3, member/2, last/2]).

/** <module> What an instance held when, as known before

A trajectory is a list of V-Is, the values of an instance with their intervals.
At most one value holds at a time. What holds is since(V,S), or `none`, as in
rtec(pairing): points of T take effect after it, so that before T means up to
and including T.
*/

%!  value_before(+Old, +T, +Tick, -Current) is det.
%!  value_after(+Old, +T, +Tick, -Current) is det.
%
%   What holds before and after the points of T take effect.

value_before(Old, T, Tick, Current) :-
    T1 is T+Tick,
    (   member(V-Is, Old),
        before(Is, T1, S)
    ->  Current = since(V,S)
    ;   Current = none
    ).

before([(S0,E)|Is], T1, S) :-
    S0 < T1,
    (   T1 =< E
    ->  S = S0
    ;   before(Is, T1, S)
    ).

%!  held_before(+Is, +T1) is semidet.
%
%   Is holds before the points of T take effect, T1 being a tick after T.

held_before(Is, T1) :-
    before(Is, T1, _).

value_after(Old, T, Tick, Current) :-
    T1 is T+Tick,
    (   member(V-Is, Old),
        after(Is, T1, S)
    ->  Current = since(V,S)
    ;   Current = none
    ).

after([(S0,E)|Is], T1, S) :-
    S0 =< T1,
    (   T1 < E
    ->  S = S0
    ;   after(Is, T1, S)
    ).

%!  open_value(+InStore, +F, -Current) is semidet.
%
%   What F holds at the end, as stored.

open_value(InStore, F, since(V,S)) :-
    get_fact(InStore, F, V, Is),
    last(Is, (S,inf)),
    !.

%!  own_times(+Ts0, +T, +Old, +Tick, -Ts) is det.
%
%   The time-points after T among Ts0, and those at which the old trajectory changes.

own_times(Ts0, T, Old, Tick, Ts) :-
    findall(T1,
            ( (   member(T1, Ts0)
              ;   member(_-Is, Old),
                  border(Is, Tick, T1)
              ),
              T1 > T
            ),
            Ts1),
    sort(Ts1, Ts).

border(Is, Tick, T) :-
    member((S,E), Is),
    (   T is S-Tick
    ;   E \== inf,
        T is E-Tick
    ).

times_after([T0|Ts0], T, Ts) :-
    T0 =< T,
    !,
    times_after(Ts0, T, Ts).
times_after(Ts, _, Ts).

%!  changed_trajectory(+Old, +Parts, -New) is det.
%
%   Parts lists part(_,_,_,Regions,Spans): inside Regions, which is one interval or none, the
%   trajectory is what Spans say, outside what it was.

changed_trajectory(Old, Parts, New) :-
    findall(Regions, member(part(_,_,_,Regions,_), Parts), RegionLists),
    union_all(RegionLists, Regions),
    findall(V-I,
            ( member(part(_,_,_,[Region],Spans0), Parts),
              member(span(V,S,E), Spans0),
              intervals_intersection([(S,E)], [Region], [I])
            ),
            Spans1),
    sort(Spans1, Spans),
    findall(V, ( member(V-_, Old) ; member(V-_, Spans) ), Vs0),
    sort(Vs0, Vs),
    new_values(Vs, Old, Spans, Regions, New).

new_values([], _, _, _, []).
new_values([V|Vs], Old, Spans, Regions, New) :-
    (   member(V0-Is0, Old),
        V0 == V
    ->  intervals_subtract(Is0, Regions, Is1)
    ;   Is1 = []
    ),
    of_value(Spans, V, Js0),
    coalesce(Js0, Js),
    intervals_union(Is1, Js, Is),
    (   Is == []
    ->  New = New1
    ;   New = [V-Is|New1]
    ),
    new_values(Vs, Old, Spans, Regions, New1).

of_value([], _, []).
of_value([V0-I|Spans], V, Is) :-
    (   V0 == V
    ->  Is = [I|Is1]
    ;   Is = Is1
    ),
    of_value(Spans, V, Is1).
