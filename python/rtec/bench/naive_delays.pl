:- module(naive_delays,
          [ naive_intervals/5           % +Ups, +Downs, +Last, +Postponable, -Row
          ]).
:- use_module(rtec(pairing)).

/** <module> Delayed effects by the rules alone

Rules (3.16) to (3.18) of the thesis as they stand, evaluated by Prolog without
remembering anything, to be compared with the engine on small streams:

    initiatedAt(F=V', T+R) :- fi(F=V, F=V', R), initiatedAt(F=V, T),
                              not cancelled(F=V, T, T+R).
    cancelled(F=V, T, T+R) :- brokenBetween(F=V, T, T+R).
    cancelled(F=V, T, T+R) :- p(F=V), initiatedBetween(F=V, T, T+R).

The fluents are those of delays.prolog: `up` initiates f=on, `down` terminates
it, and f=on becomes f=off after 10 time-points.
*/

:- dynamic up/1, down/1, p/1.

fi(on, off, 10).

%!  naive_intervals(+Ups, +Downs, +Last, +Postponable, -Row) is det.
%
%   Row is [Seconds, Flat]: CPU time of finding all initiations up to Last, and
%   [Value, [S1,E1,S2...]...] for what holds. Postponable is 0 or 1.

naive_intervals(Ups, Downs, Last, Postponable, [Seconds,Flat]) :-
    retractall(up(_)),
    retractall(down(_)),
    retractall(p(_)),
    ( Postponable =:= 1 -> assertz(p(on)) ; true ),
    forall(member(T, Ups), assertz(up(T))),
    forall(member(T, Downs), assertz(down(T))),
    End is Last+1,
    statistics(cputime, T0),
    findall(p(f,T,i,V), initiated(V, 0, T, End), Ps0, Ps1),
    statistics(cputime, T1),
    findall(p(f,T,t,on), down(T), Ps1),
    sort(Ps0, Ps),
    pair_points(Ps, 1, Held),
    Seconds is T1-T0,
    findall([V,Is1], ( member(held(_,V,Is), Held), flat(Is, Is1) ), Flat).

flat([], []).
flat([(S,E)|Is], [S,E|Flat]) :-
    flat(Is, Flat).

%   initiated(?V, +T1, -T, +T2): at some T1 =< T < T2, at once or with delay.

initiated(on, T1, T, T2) :-
    up(T),
    T >= T1,
    T < T2.
initiated(V, T1, T, T2) :-
    fi(V0, V, R),
    Last is T2-R,
    initiated(V0, 0, T0, Last),
    T is T0+R,
    T >= T1,
    \+ cancelled(V0, T0, T).

cancelled(V, T0, T) :-
    broken_between(V, T0, T).
cancelled(V, T0, T) :-
    p(V),
    After is T0+1,
    initiated(V, After, _, T).

broken_between(on, T0, T) :-
    down(Tb),
    Tb >= T0,
    Tb < T.
broken_between(V, T0, T) :-
    initiated(V1, T0, _, T),
    V1 \== V.
