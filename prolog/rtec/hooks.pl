:- module(rtec_hooks,
          [ eval_domain/2,              % +Step, +M
            keep_inputs/2,              % +M, +Run
            run_preprocessing/2         % +M, +Run
          ]).
:- set_prolog_flag(optimise, true).
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

%!  keep_inputs(+M, +Run) is det.
%
%   Remember which input fluents held at the start of the window, and since
%   when: what preProcessing/1 publishes is joined to it.

keep_inputs(M, run(W,_,_,_,_)) :-
    (   current_predicate(M:preProcessing/1)
    ->  retractall(M:rtec_kept(_,_,_)),
        forall(( M:rtec_input_fluent(Name/Arity, Store),
                 fluent_fact(Store, Name, Arity, F, V, Is, Fact),
                 M:Fact,
                 member((S,E), Is),
                 S =< W,
                 E @> W
               ),
               assertz(M:rtec_kept(F,V,S)))
    ;   true
    ).

%!  run_preprocessing(+M, +Run) is det.

run_preprocessing(M, Run) :-
    (   current_predicate(M:preProcessing/1)
    ->  Run = run(_,Q,_,_,_),
        ignore(M:preProcessing(Q)),
        findall(F=V-Is, M:iePList(_, F=V, Is, _), Published),
        forall(member(F=V-Is, Published),
               publish(M, Run, F, V, Is))
    ;   true
    ).

publish(M, run(W,_,Start,Tick,_), F, V, Is0) :-
    functor(F, Name, Arity),
    M:rtec_input_fluent(Name/Arity, Store),
    !,
    fluent_fact(Store, Name, Arity, F, V, _, Fact),
    retractall(M:Fact),
    sort(Is0, Sorted),
    coalesce(Sorted, Is1),
    first_point(W, Start, Tick, First),
    (   Is1 = [(First,E)|Is2],
        M:rtec_kept(F, V, S)
    ->  Is = [(S,E)|Is2]
    ;   Is = Is1
    ),
    (   Is == []
    ->  true
    ;   store_held(M, Store, [held(F,V,Is)])
    ).
publish(_, _, _, _, _).
