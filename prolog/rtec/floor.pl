:- module(rtec_floor,
          [ floor_of/2                  % +M, -Row
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(store).
:- autoload(library(lists), [sum_list/2]).

/** <module> The least that reasoning over a window can cost

Whatever an engine does, it has to look at every record of the window once and
to make the answers. The floor is just that: one pass of Prolog over the
records, which does nothing with them, and a list of the answers, copied once
from facts. Benchmarks divide the time of recognition by it, which leaves the speed of
the machine out.
*/

:- dynamic stands/1.

%!  floor_of(+M, -Row) is det.
%
%   Row is [Seconds, Records, Answers] for the session M as its last query time
%   left it: the CPU time of the floor, and how many records and answers that is.

floor_of(M, [Seconds,Records,Answers]) :-
    forall(answer(M, Answer), assertz(stands(Answer))),
    statistics(cputime, T0),
    forall(( M:rtec_records(_, _, Pred, Arity), functor(Fact, Pred, Arity) ),
           pass(M, Fact)),
    findall(Answer, stands(Answer), List),
    statistics(cputime, T1),
    retractall(stands(_)),
    Seconds is T1-T0,
    length(List, Answers),
    count_records(M, Records).

pass(M, Fact) :-
    M:Fact,
    fail.
pass(_, _).

answer(M, held(F,V,Is)) :-
    M:rtec_output_fluent(Name/Arity, Store),
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    M:Fact,
    V \== '$none'.
answer(M, happens(E,T)) :-
    M:rtec_output_event(Name/Arity, Store),
    event_fact(Store, Name, Arity, E, T, Fact),
    M:Fact.

count_records(M, Records) :-
    findall(N,
            ( M:rtec_records(_, _, Pred, Arity),
              functor(Fact, Pred, Arity),
              predicate_property(M:Fact, number_of_clauses(N))
            ),
            Ns),
    sum_list(Ns, Records).
