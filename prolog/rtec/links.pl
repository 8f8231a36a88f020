:- module(rtec_links,
          [ linked/6,                   % +M, +Fact, +F, +V, +Is, -Held
            only_link/3,                % +M, +Fact, -Held
            own_link/3,                 % +M, +Fact, -Held
            all_links/3,                % +M, +Fact, -Helds
            not_read/3,                 % +M, +Fact, +Reader
            replace_held/7,             % +M, +Store, +Fact, +F, +V, +Is, +List
            forget_facts/2,             % +M, +Fact
            unlink/2,                   % +M, +Fact
            free_links/1,               % +M
            fact_count/3                % +M, +Fact, -N
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(native).
:- use_module(store).
:- use_module(panes, [is_keeping/1]).
:- autoload(library(aggregate), [aggregate_all/3]).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(apply), [maplist/3]).

/** <module> Stores that are kept in C

What a fluent holds may stand in C instead of in facts (see `native/held.c`). For each step
that fills it, the store then has one clause, a _link_ to what is there:

    holds_f(X, Y, V, Is) :- held_fact(Held, f(X,Y), V, Is).

Rules, answers and snapshots read it as they read facts, and to drop the clause is to drop
all that it stands for. Reasoning by changes replaces what single instances hold there
(rtec(held_changes)), and what has become different is read in the same way:

    changed_f(X, Y, V, Span, Region, ...) :- held_changed(Held, X, Y, V, Span, Region, ...).

Cycles, and fluents that are treated like one, are facts where reasoning is by changes.
*/

%!  linked(+M, +Fact, +F, +V, +Is, -Held) is semidet.
%
%   Fact is the most general fact that a step stores, of F=V with the intervals Is; what it
%   stands for is in Held. Facts that are there are moved. Fails if they must stay facts.

linked(M, Fact, F, V, Is, Held) :-
    native(_),
    functor(Fact, Store, _),
    (   from_scratch(M)
    ->  true
    ;   by_changes(M, Store)
    ),
    (   own_link(M, Fact, Held0)
    ->  Held = Held0
    ;   \+ M:rtec_unlinked(Store),
        held_new(F, Held),
        fluent_key(F, Key),
        held_begin(Held),
        forall(( M:Fact, held_first(Held, Key, V) ), held_whole(Held, Is, none)),
        (   held_end(Held)
        ->  retractall(M:Fact),
            add_link(M, Fact, F, V, Is, Held)
        ;   assertz(M:rtec_unlinked(Store)),
            fail
        )
    ).

from_scratch(M) :-
    \+ is_keeping(M),
    \+ ( M:rtec_last_mode(Mode), Mode \== scratch ).

%   by_changes(+M, +Store): what is stored there can be changed in C.

by_changes(M, Store) :-
    M:rtec_step(_, Step),
    step_store(Step, Store),
    !,
    \+ ( M:rtec_step(_, Other),
         step_store(Other, Store),
         \+ changeable(Other, M)
       ).

step_store(simple(_,Store,_,_), Store).
step_store(static(_,_,Store,_,_,_), Store).
step_store(input(_,_,_,Store), Store).
step_store(cycle(Members), Store) :-
    member(fluent(_,Store,_,_,_,_,_,_), Members).

changeable(static(_,_,_,_,_,_), _).
changeable(input(_,_,_,_), _).
changeable(simple(Indicator,_,_,_), M) :-
    M:rtec_delta(simple(Indicator), Delta),
    functor(Delta, delta, _).

%!  own_link(+M, +Fact, -Held) is semidet.
%
%   What the step with the most general fact Fact has stored is in Held.

own_link(M, Fact, Held) :-
    predicate_property(M:Fact, number_of_rules(N)),
    N > 0,
    copy_term(Fact, Head),
    clause(M:Head, Body),
    is_link(Body, Held),
    Head =@= Fact,
    !.

%!  only_link(+M, +Fact, -Held) is semidet.
%
%   All that matches Fact is in Held.

only_link(M, Fact, Held) :-
    all_links(M, Fact, [Held]).

%!  all_links(+M, +Fact, -Helds) is semidet.
%
%   All that matches Fact is in Helds, of which there is at least one.

all_links(M, Fact, Helds) :-
    predicate_property(M:Fact, number_of_rules(N)),
    N > 0,
    findall(Body, clause(M:Fact, Body), Links),
    maplist(is_link, Links, Helds).

%!  not_read(+M, +Fact, +Reader) is det.
%
%   What matches Fact is read otherwise at this query time, by Reader, `answers` or `facts`.

not_read(M, Fact, Reader) :-
    forall(link(M, Fact, Held), held_retell(Held, Reader)).

%   link(+M, +Fact, -Held) is nondet: some of what matches Fact is in Held.

link(M, Fact, Held) :-
    predicate_property(M:Fact, number_of_rules(N)),
    N > 0,
    clause(M:Fact, Body),
    is_link(Body, Held).

is_link(rtec_native:Link, Held) :-
    functor(Link, held_fact, _),
    arg(1, Link, Held).

%   Where rules ask for what holds at a time-point, that is looked up in C as well, before the
%   clause that looks at facts. A link for one value is asked where that is known.

add_link(M, Fact, F, V, Is, Held) :-
    F =.. [_|Args],
    append(Args, [V,Is], ReadArgs),
    Read =.. [held_fact,Held|ReadArgs],
    assertz(M:(Fact :- rtec_native:Read)),
    append(Args, [V], Known),
    general(Known, Open, Tests),
    append(Known, [T], LookArgs),
    Look =.. [held_at,Held|LookArgs],
    append(Open, [T], AskArgs),
    forall(asking(M, Fact, Ask),
           ( Head =.. [Ask|AskArgs],
             asserta(M:(Head :- integer(T), Tests, !, rtec_native:Look))
           )),
    functor(F, Name, Arity),
    (   M:rtec_changed(Name/Arity, Add, _, _)
    ->  atom_concat(add_, Changed, Add),
        length(Difference, 6),
        append(Known, Difference, ChangedArgs),
        ChangedHead =.. [Changed|ChangedArgs],
        ReadChanged =.. [held_changed,Held|ChangedArgs],
        assertz(M:(ChangedHead :- rtec_native:ReadChanged), Ref),
        assertz(M:rtec_changed_link(Held, Ref))
    ;   true
    ).

general([], [], true).
general([Arg|Args], [Open|Opens], Tests) :-
    (   var(Arg)
    ->  Open = Arg,
        Tests = Tests1
    ;   Tests = ( Open == Arg, Tests1 )
    ),
    general(Args, Opens, Tests1).

%   asking(+M, +Fact, -Ask): a predicate by which rules ask for what the store of Fact has.

asking(M, Fact, Ask) :-
    functor(Fact, Store, Arity),
    member(Prefix, [ask_,search_]),
    atom_concat(Prefix, Store, Ask),
    current_predicate(M:Ask/Arity).

%!  forget_facts(+M, +Fact) is det.
%
%   Drop the facts of a store that match Fact, or the links to them.

forget_facts(M, Fact) :-
    functor(Fact, _, Arity),
    (   predicate_property(M:Fact, number_of_rules(N)),
        N > 0
    ->  forall(( asking(M, Fact, Ask),
                 functor(Head, Ask, Arity),
                 clause(M:Head, ( integer(_), _ ), Ref)
               ),
               erase(Ref)),
        forall(( clause(M:Fact, Body),
                 is_link(Body, Held),
                 retract(M:rtec_changed_link(Held, Ref))
               ),
               erase(Ref))
    ;   true
    ),
    retractall(M:Fact).

%!  unlink(+M, +Fact) is det.
%
%   Something does not fit into C: this store has facts from now on. What was linked is gone.

unlink(M, Fact) :-
    functor(Fact, Store, _),
    assertz(M:rtec_unlinked(Store)),
    forget_facts(M, Fact).

%!  replace_held(+M, +Store, +Fact, +F, +V, +Is, +List) is det.
%
%   List has held(F,V,Is) for all that the step with the most general fact Fact holds from now on.

replace_held(M, Store, Fact, F, V, Is, List) :-
    (   linked(M, Fact, F, V, Is, Held)
    ->  (   held_list(Held, List)
        ->  true
        ;   unlink(M, Fact),
            store_held(M, Store, List)
        )
    ;   forget_facts(M, Fact),
        store_held(M, Store, List)
    ).

%!  free_links(+M) is det.
%
%   Give the memory of all stores back, at the end of a session.

free_links(M) :-
    forall(( M:rtec_state(Store, Arity),
             functor(Fact, Store, Arity),
             link(M, Fact, Held)
           ),
           held_free(Held)).

%!  fact_count(+M, +Fact, -N) is semidet.
%
%   The number of facts of a predicate; of a store, wherever they are.

fact_count(M, Fact, N) :-
    predicate_property(M:Fact, number_of_clauses(N0)),
    (   predicate_property(M:Fact, number_of_rules(Links)),
        Links > 0
    ->  aggregate_all(sum(Size),
                      ( clause(M:Fact, Body),
                        is_link(Body, Held),
                        held_size(Held, Size)
                      ),
                      Size),
        N is N0-Links+Size
    ;   N = N0
    ).
