:- module(rtec_comparison,
          [ compared/5                   % +Step, +M, +Run, +Q0, :Goal
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(changes).
:- use_module(event_changes, [note_event/3]).
:- use_module(held_changes, [changing/5, settled/3, step_fact/5]).
:- use_module(links, [own_link/3]).
:- use_module(intervals, [ending_after/3]).
:- use_module(store).
:- autoload(library(apply), [exclude/3]).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(ordsets), [ord_subtract/3, ord_symdiff/3]).

/** <module> Changes of a step that is evaluated from scratch

Steps without delta rules (python: lowering/obstacles.py), and domains that come
from the stream, are evaluated from scratch while others are evaluated by
changes. What they stored before and after is compared, so that the steps above
them know what changed.
*/

:- meta_predicate compared(+, +, +, +, 0).

%!  compared(+Step, +M, +Run, +Q0, :Goal) is det.
%
%   Call Goal, which evaluates Step, and note what it changed.

compared(Step, M, Run, Q0, Goal) :-
    findall(Entity, stores(Step, Entity), Entities0),
    changing(M, Step, Q0, all, Helds),
    compared_here(Helds, Entities0, Entities),
    known(Entities, M, Before),
    call(Goal),
    known(Entities, M, After),
    M:rtec_scope(Start, Tick),
    Run = run(W,_,_,_,_),
    Border is W+Tick,
    Scope = scope(Start,Q0,Tick),
    note_all(Entities, Before, After, M, W, Border, Scope),
    settled_or_noted(Helds, Step, M, Run, Border, Scope).

%   What stands in C is compared there, see rtec(held_changes).

compared_here([], Entities, Entities).
compared_here([_], Entities0, Entities) :-
    exclude(is_fluent, Entities0, Entities).

is_fluent(fluent(_,_,_)).

%   If something did not fit, everything has become facts.

settled_or_noted([], _, _, _, _, _).
settled_or_noted([Held], Step, M, Run, Border, Scope) :-
    step_fact(Step, Name/Arity, Store, _, Fact),
    (   own_link(M, Fact, Held)
    ->  settled([Held], Step, Run)
    ;   Fact =.. [_|Args],
        Read =.. [held_fact,Held|Args],
        findall(Fact, rtec_native:Read, Old),
        fluent_rows(Old, Name/Arity, Before),
        rows(fluent(Name/Arity,Store,none), M, After0),
        sort(After0, After),
        note_fluents(Before, After, Name/Arity, M, Border, Scope)
    ).

fluent_rows(Facts, Name/Arity, Rows) :-
    functor(F, Name, Arity),
    F =.. [_|Args],
    append(Args, [V,Is], FactArgs),
    findall(r(F,V,Is), ( member(Fact, Facts), Fact =.. [_|FactArgs] ), Rows0),
    sort(Rows0, Rows).

stores(simple(Indicator,Store,_,Options), fluent(Indicator,Store,Default)) :-
    default(Options, Default).
stores(simple(_,_,_,Options), points(Points)) :-
    points_asked(Options, Points).
stores(domain(_/Arity,Store,_), domain(Store/Arity)).
stores(static(Indicator,_,Store,_,_,_), fluent(Indicator,Store,none)).
stores(input(Indicator,_,_,Store), fluent(Indicator,Store,none)).
stores(event(Indicator,Store,_), event(Indicator,Store)).
stores(cycle(Members), Entity) :-
    member(Member, Members),
    member_store(Member, Entity).

member_store(fluent(Indicator,Store,_,_,_,_,_,Options), fluent(Indicator,Store,Default)) :-
    default(Options, Default).
member_store(fluent(_,_,_,_,_,_,_,Options), points(Points)) :-
    points_asked(Options, Points).
member_store(event(Indicator,Store,_,_,_), event(Indicator,Store)).

%   Initiations, or all points, that rules ask for.

points_asked(Options, Points) :-
    member(Option, Options),
    ( Option = initiations(Points) ; Option = breaks(Points) ).

default(Options, Default) :-
    (   memberchk(default(Pred), Options)
    ->  Default = Pred
    ;   Default = none
    ).

known([], _, []).
known([Entity|Entities], M, [Rows|Known]) :-
    rows(Entity, M, Rows0),
    sort(Rows0, Rows),
    known(Entities, M, Known).

rows(fluent(Name/Arity,Store,_), M, Rows) :-
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    findall(r(F,V,Is), M:Fact, Rows).
rows(event(Name/Arity,Store), M, Rows) :-
    event_fact(Store, Name, Arity, _, _, Fact),
    findall(Fact, M:Fact, Rows).
rows(points(Pred/Arity), M, Rows) :-
    functor(Fact, Pred, Arity),
    (   M:rtec_marked(Pred)
    ->  findall(Fact, M:Fact, Rows)
    ;   Rows = []
    ).
rows(domain(Indicator), M, Rows) :-
    rows(points(Indicator), M, Rows).

note_all([], [], [], _, _, _, _).
note_all([Entity|Entities], [Old|Before], [New|After], M, W, Border, Scope) :-
    note(Entity, Old, New, M, W, Border, Scope),
    note_all(Entities, Before, After, M, W, Border, Scope).

note(fluent(Indicator,_,Default), Old, New, M, _, Border, Scope) :-
    note_fluents(Old, New, Indicator, M, Border, Scope),
    (   Default == none
    ->  true
    ;   note_known(Old, New, Default, Indicator, M, Scope)
    ).
note(event(_,_), Old, New, M, W, _, _) :-
    ord_subtract(New, Old, Came),
    ord_subtract(Old, New, Went),
    forall(member(Fact, Came), note_event(M, ins_, Fact)),
    forall(( member(Fact, Went), arg(1, Fact, T), T > W ), note_event(M, del_, Fact)).
note(points(_), Old, New, M, W, _, _) :-
    note_marks(M, Old, New, W).
note(domain(_), Old, New, M, _, _, _) :-
    note_marks(M, Old, New, none).

note_fluents([], [], _, _, _, _) :- !.
note_fluents([r(F,V,Old)|Olds], [r(F1,V1,New)|News], Indicator, M, Border, Scope) :-
    F == F1,
    V == V1,
    !,
    note_fluent(F, V, Old, New, Indicator, M, Border, Scope),
    note_fluents(Olds, News, Indicator, M, Border, Scope).
note_fluents([r(F,V,Old)|Olds], News, Indicator, M, Border, Scope) :-
    ( News = [] ; News = [r(F1,V1,_)|_], r(F,V) @< r(F1,V1) ),
    !,
    note_fluent(F, V, Old, [], Indicator, M, Border, Scope),
    note_fluents(Olds, News, Indicator, M, Border, Scope).
note_fluents(Olds, [r(F,V,New)|News], Indicator, M, Border, Scope) :-
    note_fluent(F, V, [], New, Indicator, M, Border, Scope),
    note_fluents(Olds, News, Indicator, M, Border, Scope).

note_fluent(F, V, Old, New, Indicator, M, Border, Scope) :-
    (   Old == New
    ->  true
    ;   ending_after(Old, Border, Known),
        (   Known == New
        ->  note_left(M, Indicator, F, V)
        ;   note_change(M, Indicator, F, V, Known, New, Scope)
        )
    ).

%   Instances with a default that are known now and were not before, or the other way
%   round.

note_known(Old, New, Default, Indicator, M, Scope) :-
    known_instances(Old, OldFs),
    known_instances(New, NewFs),
    ord_symdiff(OldFs, NewFs, Fs),
    forall(( member(F, Fs), once(call(M:Default, F, V)) ),
           note_met(M, Indicator, F, V, Scope)).

known_instances(Rows, Fs) :-
    findall(F, member(r(F,_,_), Rows), Fs0),
    sort(Fs0, Fs).
