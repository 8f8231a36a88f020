:- module(rtec_history,
          [ leave_window/3,             % +M, +W, +Tick
            enter_window/1,             % +M
            undo_window/0,
            take_recent/1,              % -Facts
            put_recent/1,               % +Facts
            known_fluents/4,            % +M, ?F, ?V, -Rows
            known_intervals/4,          % +M, +F, +V, -Is
            known_events/4,             % +M, ?E, ?T, -Rows
            fluent_name/2,              % +M, ?Name/Arity
            event_name/2                % +M, ?Name/Arity
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(intervals, [coalesce/2]).
:- use_module(store, [fluent_fact/7, event_fact/6]).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(pairs), [pairs_values/2]).

/** <module> What a session has ever known

The engine holds the window; this file holds what has left it. The two
together are the history of a run, in which each window revises what earlier
ones said of its time-points:

    said        [-----------------)       at an earlier query time
    window              (-----------]
    kept here   [-------)                 the part up to the window
    said now    [-----------)
    history     [-----------)

Before the window moves, leave_window/3 keeps what it will leave; afterwards
enter_window/1 drops of that what the engine says itself. The facts are of one
session: there is one to a process that asks for its history.
*/

:- dynamic
    past_interval/5,                    % Key, F, V, S, E
    past_event/2,                       % E, T
    cut_interval/5,                     % Key, F, V, S, E
    added/1.                            % Ref: since the last leave_window/3

%!  leave_window(+M, +W, +Tick) is det.
%
%   The window is about to move to (W,_]: keep what is known up to W.

leave_window(M, W, Tick) :-
    retractall(added(_)),
    retractall(cut_interval(_,_,_,_,_)),
    forall(( stored_fluent(M, F, V, Is),
             member((S,E), Is),
             S =< W
           ),
           leave_interval(F, V, S, E, W, Tick)),
    forall(( stored_event(M, E, T),
             T =< W,
             \+ past_event(E, T)
           ),
           add(past_event(E, T))).

leave_interval(F, V, S, E, W, Tick) :-
    key(F, V, Key),
    Last is S+(W-S)//Tick*Tick+Tick,
    (   E \== inf,
        E =< Last
    ->  add_interval(Key, F, V, S, E)
    ;   assertz(cut_interval(Key, F, V, S, Last))
    ).

%!  enter_window(+M) is det.
%
%   The window has moved: what its start cuts in two is known to the engine,
%   with its real start, unless it is no more.

enter_window(M) :-
    forall(retract(cut_interval(Key, F, V, S, E)),
           (   stored_fluent(M, F, V, Is),
               member((S1,E1), Is),
               S1 =< S,
               E1 @>= E
           ->  true
           ;   add_interval(Key, F, V, S, E)
           )).

add_interval(Key, F, V, S, E) :-
    (   past_interval(Key, F, V, S, E)
    ->  true
    ;   add(past_interval(Key, F, V, S, E))
    ).

add(Fact) :-
    assertz(Fact, Ref),
    assertz(added(Ref)).

%!  undo_window is det.
%
%   Forget what was added since the last leave_window/3.

undo_window :-
    retractall(cut_interval(_,_,_,_,_)),
    forall(retract(added(Ref)), erase(Ref)).

%!  take_recent(-Facts) is det.
%!  put_recent(+Facts) is det.
%
%   What was added since the last leave_window/3, and making it that again.

take_recent(Facts) :-
    findall(Fact, ( added(Ref), clause(Fact, true, Ref) ), Facts).

put_recent(Facts) :-
    undo_window,
    forall(member(Fact, Facts),
           (   clause(Fact, true, Ref)
           ->  assertz(added(Ref))
           ;   add(Fact)
           )).

key(F, V, Key) :-
    term_hash(F=V, Key).

%!  known_intervals(+M, +F, +V, -Is) is det.
%
%   When F=V holds, over the whole run.

known_intervals(M, F, V, Is) :-
    key(F, V, Key),
    findall((S,E), past_interval(Key, F, V, S, E), Is0, Is1),
    findall(I, ( stored_fluent(M, F, V, Is2), member(I, Is2) ), Is1),
    sort(Is0, Sorted),
    coalesce(Sorted, Is).

%!  known_fluents(+M, ?F, ?V, -Rows) is det.
%
%   Rows are the F-V-Is that match, in the order of the program's fluents,
%   then of arguments and values.

known_fluents(M, F, V, Rows) :-
    findall(Place-(F-V),
            ( known_fluent(M, F, V),
              functor(F, Name, Arity),
              once(fluent_place(M, Name/Arity, Place))
            ),
            Found0),
    sort(Found0, Found),
    pairs_values(Found, Fvps),
    findall(F1-V1-Is,
            ( member(F1-V1, Fvps),
              known_intervals(M, F1, V1, Is),
              Is \== []
            ),
            Rows).

known_fluent(M, F, V) :-
    stored_fluent(M, F, V, _).
known_fluent(_, F, V) :-
    (   ground(F=V)
    ->  key(F, V, Key)
    ;   true
    ),
    past_interval(Key, F, V, _, _).

fluent_place(M, Name/Arity, Place) :-
    findall(NA, fluent_store(M, NA, _), NAs),
    nth_place(NAs, 1, Name/Arity, Place).

nth_place([NA|NAs], N, Wanted, Place) :-
    (   NA == Wanted
    ->  Place = N
    ;   N1 is N+1,
        nth_place(NAs, N1, Wanted, Place)
    ).

%!  known_events(+M, ?E, ?T, -Rows) is det.
%
%   Rows are the T-E that match, in order of time.

known_events(M, E, T, Rows) :-
    findall(T-E, ( past_event(E, T) ; stored_event(M, E, T) ), Rows0),
    sort(Rows0, Rows).

%!  fluent_name(+M, ?Indicator) is nondet.
%!  event_name(+M, ?Indicator) is nondet.
%
%   What the program recognises or reads.

fluent_name(M, Indicator) :-
    fluent_store(M, Indicator, _).

event_name(M, Indicator) :-
    event_store(M, Indicator, _).

fluent_store(M, Indicator, Store) :-
    M:rtec_output_fluent(Indicator, Store).
fluent_store(M, Indicator, Store) :-
    M:rtec_input_fluent(Indicator, Store).

event_store(M, Indicator, Store) :-
    M:rtec_records(event, Indicator, Store, _).
event_store(M, Indicator, Store) :-
    M:rtec_output_event(Indicator, Store).

stored_fluent(M, F, V, Is) :-
    (   nonvar(F)
    ->  functor(F, Name, Arity)
    ;   true
    ),
    fluent_store(M, Name/Arity, Store),
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    M:Fact,
    V \== '$none'.

stored_event(M, E, T) :-
    (   nonvar(E)
    ->  functor(E, Name, Arity)
    ;   true
    ),
    event_store(M, Name/Arity, Store),
    event_fact(Store, Name, Arity, E, T, Fact),
    M:Fact.
