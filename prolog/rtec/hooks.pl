:- module(rtec_hooks,
          [ eval_domain/2,              % +Step, +M
            run_preprocessing/2         % +M, +Run
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(static_fluents).
:- use_module(store).
:- use_module(intervals).
:- autoload(library(lists), [member/2]).

/** <module> Domains that come from the stream, and hooks of existing background files

A dynamic domain d/n has as its solutions what the records of the window and
the fluents that hold at its start say, besides its facts in the background.

preProcessing(Q) is offered to trusted background files only. It may publish
intervals of input fluents as facts iePList(Index, F=V, Intervals, []), which
then replace what the records say.
*/

%!  eval_domain(+Step, +M) is det.
%
%   Step is domain(Name/Arity, Store, Rules): solutions of Rules(D) are kept
%   as facts for the window.

eval_domain(domain(Name/Arity, Store, Rules), M) :-
    functor(D, Name, Arity),
    Goal =.. [Rules,D],
    findall(D, M:Goal, Ds0),
    sort(Ds0, Ds),
    D =.. [_|Args],
    Fact =.. [Store|Args],
    retractall(M:Fact),
    forall(member(D, Ds), assertz(M:Fact)).

%!  run_preprocessing(+M, +Run) is det.

run_preprocessing(M, run(_,Q,_,_,_)) :-
    M:preProcessing(Q),
    !,
    findall(F=V-Is, M:iePList(_, F=V, Is, _), Published),
    forall(member(F=V-Is, Published),
           publish(M, F, V, Is)).
run_preprocessing(_, _).

publish(M, F, V, Is0) :-
    functor(F, Name, Arity),
    M:rtec_input_fluent(Name/Arity, Store),
    !,
    F =.. [_|Args],
    fluent_fact(Store, Name, Arity, F, V, _, Fact),
    F =.. [_|Args],
    retractall(M:Fact),
    sort(Is0, Sorted),
    coalesce(Sorted, Is),
    (   Is == []
    ->  true
    ;   store_held(M, Store, [held(F,V,Is)])
    ).
publish(_, _, _, _).
