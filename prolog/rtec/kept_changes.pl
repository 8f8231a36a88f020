:- module(rtec_kept_changes,
          [ keep_natively/3,            % +M, +Name/Arity, +Points
            forget_kept/1,              % +M
            change_natively/5           % +Kept, +Step, +Delta, +M, +Run
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(links, [own_link/3]).
:- use_module(native).
:- use_module(store).
:- autoload(library(lists), [member/2]).

/** <module> Simple fluents by what has changed, with their points kept in C

What rtec(simple_changes) does with panes, the library in C does with arrays: it
keeps the points of every instance, sweeps those again that are concerned, and
puts what they hold into the fluent's store (rtec(links)). Rules are run as there, and
their points handed over one by one. Where points do not fit (see rtec(native)), nothing is kept.
*/

%!  keep_natively(+M, +Name/Arity, +Points) is semidet.
%
%   Keep the points p(F,T,K,V) of a fluent that has just been evaluated from scratch.
%   Fluents whose values change by themselves are swept in Prolog.

keep_natively(M, Name/Arity, Points) :-
    M:rtec_step(_, simple(Name/Arity,_,_,Options)),
    \+ memberchk(delays(_,_,_), Options),
    \+ M:rtec_kept_unfit(Name/Arity),
    kept_new(Kept),
    M:rtec_window(W, _),
    M:rtec_scope(_, Tick),
    kept_begin(Kept, W, Tick),
    functor(F, Name, Arity),
    fluent_key(F, Key),
    keep_each(( member(p(F,T,K,V), Points), ( K == i ; K == c ) ), Kept, Key, T, K, V),
    keep_each(( member(p(F,T,K,V), Points), K \== i, K \== c ), Kept, Key, T, K, V),
    kept_changes(Kept, none),
    assertz(M:rtec_kept_points(Name/Arity, Kept)).

%!  forget_kept(+M) is det.

forget_kept(M) :-
    retractall(M:rtec_kept_points(_, _)).

keep_each(Goal, Kept, Key, T, K, V) :-
    call(Goal),
    kept_point(Kept, Key, T, K, V),
    fail.
keep_each(_, _, _, _, _, _).

%!  change_natively(+Kept, +Step, +Delta, +M, +Run) is semidet.
%
%   As change_simple/5. Fails, and has changed nothing, if points do not fit.

change_natively(Kept, Step, Delta, M, run(W,_,_,Tick,_)) :-
    Step = simple(Name/Arity, Store, Points, Options),
    Delta = delta(_,_,Begins,Ends,Wild,Touches),
    fluent_fact(Store, Name, Arity, F, _, _, Fact),
    own_link(M, Fact, Held),
    fluent_key(F, Key),
    findall(Pred,
            ( member(Option, Options),
              ( Option = ends(Pred) ; Option = wild(Pred) )
            ),
            Others),
    Kept1 = kept(Kept,F,Key,M,[Points|Others]),
    kept_begin(Kept, W, Tick),
    Begin =.. [Begins,F,T,K,V],
    keep_each(M:Begin, Kept, Key, T, K, V),
    Touch =.. [Touches,F,T1],
    findall(F-T1, M:Touch, Touched0),
    sort(Touched0, Touched),
    forall(member(F1-T2, Touched), redo(F1, T2, Kept1)),
    keep_ends(Ends, Kept1),
    keep_wild(Wild, Kept1),
    kept_fluents(Kept, fresh, Fresh),
    keep_each(( member(Key, Fresh), derived(Others, M, F, T, K, V) ), Kept, Key, T, K, V),
    kept_changes(Kept, Held).

derived(Preds, M, F, T, K, V) :-
    member(Pred, Preds),
    call(M:Pred, F, T, K, V).

%   redo(+F, +T, +Kept): derive all points at T anew. What is touched may be a pattern.

redo(F, T, kept(Kept,F,Key,M,Preds)) :-
    (   ground(F)
    ->  redo_one(Kept, Key, F, T, M, Preds)
    ;   kept_fluents(Kept, all, Keys),
        forall(member(Key, Keys), redo_one(Kept, Key, F, T, M, Preds)),
        Preds = [Points|_],
        keep_each(( call(M:Points, F, T, K, V), ground(F) ), Kept, Key, T, K, V)
    ).

redo_one(Kept, Key, F, T, M, Preds) :-
    kept_redo(Kept, Key, T),
    keep_each(derived(Preds, M, F, T, K, V), Kept, Key, T, K, V).

%   New terminations are of interest where something is initiated or held.

keep_ends(Ends, kept(Kept,F,Key,M,_)) :-
    Goal =.. [Ends,F,T,K,V],
    (   kept_size(Kept, 0)
    ->  true
    ;   kept_ask(Kept, each)
    ->  kept_fluents(Kept, all, Keys),
        keep_each(( member(Key, Keys), M:Goal ), Kept, Key, T, K, V)
    ;   keep_each(M:Goal, Kept, Key, T, K, V)
    ).

%   Points of a pattern are points of every instance that matches it. Of many points,
%   Prolog's index finds these, through a fact each.

keep_wild(Wild, kept(Kept,F,Key,M,_)) :-
    Goal =.. [Wild,F,T,K,V],
    findall(p(F,T,K,V), M:Goal, Points),
    (   Points == []
    ->  true
    ;   kept_fluents(Kept, all, Keys),
        Points \= [_,_,_,_,_,_,_,_|_]
    ->  keep_each(( member(p(F,T,K,V), Points), member(Key, Keys) ), Kept, Key, T, K, V)
    ;   kept_fluents(Kept, all, Keys),
        F =.. [_|Args],
        Instance =.. [rtec_instance|Args],
        setup_call_cleanup(
            forall(member(Key, Keys), assertz(M:Instance)),
            keep_each(( member(p(F,T,K,V), Points), M:Instance ), Kept, Key, T, K, V),
            retractall(M:Instance))
    ).
