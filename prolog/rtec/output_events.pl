:- module(rtec_output_events,
          [ eval_event/3                 % +Step, +M, +Run
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(store).
:- autoload(library(lists), [member/2]).

/** <module> Output events in a window

Step is event(Name/Arity, Store, Rules): every solution of Rules(E,T) becomes
a fact, once, in order of the event and then of time.
*/

eval_event(event(Name/Arity, Store, Rules), M, _Run) :-
    event_fact(Store, Name, Arity, E, T, Fact),
    retractall(M:Fact),
    Goal =.. [Rules,E,T],
    findall(E-T, M:Goal, ETs0),
    sort(ETs0, ETs),
    forall(member(E-T, ETs), assertz(M:Fact)).
