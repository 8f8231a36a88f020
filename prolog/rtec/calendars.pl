:- module(rtec_calendars,
          [ keep_calendars/2            % +M, +Mode
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(native).
:- use_module(records, [number_of_records/4]).

/** <module> When something happened to whom

Delta rules ask for the records of an entity in a span of time. The program has a predicate for that, for
each kind of event concerned, rtec_timed(Pred, Arity, Times):

    times_e(X, Start, End, T) :- happens_e(T, X, ..), T >= Start, T < End.

It walks through all records of X in the window. With the library in C, while reasoning is by changes, it looks into
a _calendar_ instead, where the times of X stand in order:

    times_e(X, Start, End, T) :- !, calendar_times(Calendar, X, Start, End, Ts), member(T, Ts).

A calendar may know of records that are no more; delta rules ask for the record itself as well.
*/

%!  keep_calendars(+M, +Mode) is det.
%
%   Records have changed: bring the calendars up to date, if the query time is of a Mode that asks them.

keep_calendars(M, Mode) :-
    (   Mode = changes(_)
    ->  forall(M:rtec_timed(Pred, Arity, Times), keep_calendar(M, Pred, Arity, Times))
    ;   forall(M:rtec_timed(Pred, _, _), forget_calendar(M, Pred))
    ).

keep_calendar(M, Pred, Arity, Times) :-
    (   M:rtec_calendar(Pred, Calendar, _)
    ->  atom_concat(ins_, Pred, Came),
        (   fill(M, Came, Arity, Calendar),
            calendar_size(Calendar, Size),
            number_of_records(M, Pred, Arity, N),
            Size =< 2*N+1000
        ->  true
        ;   forget_calendar(M, Pred)
        )
    ;   calendar_new(Calendar),
        fill(M, Pred, Arity, Calendar)
    ->  Head =.. [Times,Key,Start,End,T],
        asserta(M:(Head :- !,
                       rtec_native:calendar_times(Calendar, Key, Start, End, Ts),
                       lists:member(T, Ts)),
                Ref),
        assertz(M:rtec_calendar(Pred, Calendar, Ref))
    ;   true
    ).

%   fill(+M, +Pred, +Arity, +Calendar): fails if a record does not fit.

fill(M, Pred, Arity, Calendar) :-
    functor(Fact, Pred, Arity),
    arg(1, Fact, T),
    arg(2, Fact, Key),
    forall(M:Fact, calendar_add(Calendar, Key, T)).

forget_calendar(M, Pred) :-
    forall(retract(M:rtec_calendar(Pred, _, Ref)), erase(Ref)).
