:- module(rtec_single_value,
          [ single_value/5,             % +M, +Points, +Ends, +F, -V
            pair_single/6               % +Carried, +Starts, +Ends, +V, +Tick, -Held
          ]).
:- set_prolog_flag(optimise, true).
:- autoload(library(lists), [member/2]).

/** <module> Fluents that have one value only

Most fluents are true or nothing. Where all rules of a fluent speak of one value,
initiations and terminations need not say of which: they are pairs Key-T, two
lists that are each nearly sorted as rules find them, and walked through side by
side. That is quicker to copy and to sort than points (see rtec(pairing)), and
comes to the same.
*/

%!  single_value(+M, +Points, +Ends, +F, -V) is semidet.
%
%   All clauses of Points in M initiate F=V, and those of Ends, which may be `none`,
%   terminate it, whatever their bodies say.

single_value(M, Points, Ends, F, V) :-
    Initiation =.. [Points,F,_,K,V0],
    findall(K-V0, clause(M:Initiation, _), [i-V|KVs]),
    atomic(V),
    all_of(KVs, i, V),
    (   Ends == none
    ->  true
    ;   Termination =.. [Ends,F,_,K1,V1],
        forall(clause(M:Termination, Body),
               ( K1 == t,
                 terminates(V1, V, Body)
               ))
    ).

all_of([], _, _).
all_of([K1-V1|KVs], K, V) :-
    K1 == K,
    V1 == V,
    all_of(KVs, K, V).

%   A termination of every value says so by a variable of its own.

terminates(V1, V, Body) :-
    (   var(V1)
    ->  term_variables(Body, Vs),
        \+ ( member(V2, Vs), V2 == V1 )
    ;   V1 == V
    ).

%!  pair_single(+Carried, +Starts, +Ends, +V, +Tick, -Held) is det.
%
%   Carried lists Key-S for what has held since S at the window's start, Starts and
%   Ends list Key-T; all are sorted. Held lists held(Key,V,Is), in order of Key.

pair_single([], Starts, Ends, V, Tick, Held) :-
    pair_started(Starts, Ends, V, Tick, Held).
pair_single([Key-S|Carried], Starts, Ends, V, Tick, Held) :-
    (   Starts = [Key1-_|_],
        Key1 @< Key
    ->  idle(Starts, Ends, Key1, Tick, Is, Starts1, Ends1),
        add_held(Is, Key1, V, Held, Held1),
        pair_single([Key-S|Carried], Starts1, Ends1, V, Tick, Held1)
    ;   ends_of(Ends, Key, Ends0),
        holding(Ends0, Key, S, Starts, Tick, Is, Starts1, Ends1),
        Held = [held(Key,V,Is)|Held1],
        pair_single(Carried, Starts1, Ends1, V, Tick, Held1)
    ).

pair_started([], _, _, _, []).
pair_started([Key-T|Starts], Ends, V, Tick, Held) :-
    idle([Key-T|Starts], Ends, Key, Tick, Is, Starts1, Ends1),
    add_held(Is, Key, V, Held, Held1),
    pair_started(Starts1, Ends1, V, Tick, Held1).

add_held(Is, Key, V, Held, Held1) :-
    (   Is == []
    ->  Held = Held1
    ;   Held = [held(Key,V,Is)|Held1]
    ).

%   idle(+Starts, +Ends, +Key, +Tick, -Is, -Starts1, -Ends1): nothing holds. A
%   termination at the time-point of an initiation beats it.

idle([], Ends, _, _, [], [], Ends).
idle([Start|Starts], Ends, Key, Tick, Is, Starts1, Ends1) :-
    Start = Key1-T,
    (   Key1 \== Key
    ->  Is = [],
        Starts1 = [Start|Starts],
        Ends1 = Ends
    ;   ends_from(Ends, Key, T, Ends0),
        (   Ends0 = [Key2-T2|Ends2],
            T2 == T,
            Key2 == Key
        ->  idle(Starts, Ends2, Key, Tick, Is, Starts1, Ends1)
        ;   S is T+Tick,
            holding(Ends0, Key, S, Starts, Tick, Is, Starts1, Ends1)
        )
    ).

%   holding(+Ends, +Key, +S, +Starts, +Tick, -Is, -Starts1, -Ends1): it holds since
%   S, and Ends has nothing before.

holding([], Key, S, Starts, _, [(S,inf)], Starts1, []) :-
    starts_after(Starts, Key, inf, Starts1).
holding([End|Ends], Key, S, Starts, Tick, Is, Starts1, Ends1) :-
    End = Key1-T,
    (   Key1 == Key
    ->  E is T+Tick,
        Is = [(S,E)|Is1],
        starts_after(Starts, Key, T, Starts2),
        idle(Starts2, Ends, Key, Tick, Is1, Starts1, Ends1)
    ;   Is = [(S,inf)],
        starts_after(Starts, Key, inf, Starts1),
        Ends1 = [End|Ends]
    ).

%   Initiations up to T, and terminations before T, change nothing.

starts_after([], _, _, []).
starts_after([Start|Starts], Key, T, Starts1) :-
    Start = Key1-T1,
    (   Key1 == Key,
        T1 =< T
    ->  starts_after(Starts, Key, T, Starts1)
    ;   Starts1 = [Start|Starts]
    ).

ends_from([], _, _, []).
ends_from([End|Ends], Key, T, Ends1) :-
    End = Key1-T1,
    (   Key1 == Key
    ->  (   T1 < T
        ->  ends_from(Ends, Key, T, Ends1)
        ;   Ends1 = [End|Ends]
        )
    ;   Key1 @< Key
    ->  ends_from(Ends, Key, T, Ends1)
    ;   Ends1 = [End|Ends]
    ).

ends_of([], _, []).
ends_of([End|Ends], Key, Ends1) :-
    End = Key1-_,
    (   Key1 @< Key
    ->  ends_of(Ends, Key, Ends1)
    ;   Ends1 = [End|Ends]
    ).
