:- module(rtec_held_changes,
          [ scope/3,                    % +M, +Q0, -Scope
            store_access/4,             % +M, +Store, +Fact, -InStore
            changing/5,                 % +M, +Step, +Q0, +How, -Helds
            settled/3,                  % +Helds, +Step, +Run
            step_fact/5,                % +Step, -Indicator, -Store, -FV, -Fact
            update_all/5,               % +Old, +New, +F, +Fluent, +Border
            taken/4,                    % +Values0, +V, -Is, -Values
            update/6,                   % +Fluent, +F, +V, +Old, +New, +Border
            stored/4,                   % +InStore, +F, +V, -Is
            leave/4,                    % +M, +Name/Arity, +Store, +Border
            leave_one/5                 % +Fluent, +F, +V, +Is, +Border
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(changes).
:- use_module(intervals, [ending_after/3]).
:- use_module(links).
:- use_module(native).
:- use_module(static_fluents, [static_pattern/3]).
:- use_module(store).
:- autoload(library(lists), [member/2]).

/** <module> What is stored of a fluent, replaced and noted

Where a step finds other intervals than those it stored at the last query
time, it replaces them here, and what has changed is noted for the steps that
read them. In all of this, Fluent is fluent(M,Name/Arity,InStore,Scope): the
session, the fluent, access to its store, and the scope of note_change/7.

Where the store is in C (rtec(links)), it is changed there, between changing/5 and settled/3,
which compare what it holds with what it held; nothing has to be noted then.
*/

%!  step_fact(+Step, -Indicator, -Store, -FV, -Fact) is semidet.
%
%   Fact is the most general fact that Step stores, of FV = F-V; fails if it stores no fluent, or those of a
%   cycle.

step_fact(simple(Name/Arity,Store,_,_), Name/Arity, Store, F-V, Fact) :-
    fluent_fact(Store, Name, Arity, F, V, _, Fact).
step_fact(static(Name/Arity,V,Store,_,_,Options), Name/Arity, Store, F-V, Fact) :-
    static_pattern(Name/Arity, Options, F),
    fluent_fact(Store, Name, Arity, F, V, _, Fact).
step_fact(input(Name/Arity,_,_,Store), Name/Arity, Store, F-V, Fact) :-
    fluent_fact(Store, Name, Arity, F, V, _, Fact).

%!  store_access(+M, +Store, +Fact, -InStore) is det.
%
%   InStore is access to what a step has stored, whose most general fact is Fact.

store_access(M, Store, Fact, InStore) :-
    accessors(M:Store, Access),
    (   own_link(M, Fact, Held)
    ->  InStore = linked(Access,Held,M,Fact)
    ;   InStore = Access
    ).

%!  changing(+M, +Step, +Q0, +How, -Helds) is det.
%!  settled(+Helds, +Step, +Run) is det.
%
%   Helds lists where Step has stored what it holds in C: there, what becomes different since the query
%   time Q0 is made out. How is `each` if instances are replaced one by one, `all` if everything is
%   stored anew.

changing(M, Step, Q0, How, Helds) :-
    (   step_fact(Step, Indicator, _, _, Fact),
        own_link(M, Fact, Held)
    ->  M:rtec_scope(After, Tick),
        (   M:rtec_changed(Indicator, _, Kind, Events)
        ->  true
        ;   Kind = plain,
            Events = unread
        ),
        held_changing(Held, Q0, After, Tick, Kind, Events, How),
        Helds = [Held]
    ;   Helds = []
    ).

settled([], _, _).
settled([Held], Step, Run) :-
    border(Step, Run, Border),
    held_settled(Held, Border).

%   The window has left what ends by the border.

border(Step, run(W,_,Start,Tick,_), Border) :-
    (   functor(Step, simple, _)
    ->  Border is W+Tick
    ;   first_point(W, Start, Tick, Border)
    ).

%!  scope(+M, +Q0, -Scope) is det.
%
%   The scope of changes since the query time Q0.

scope(M, Q0, scope(After,Q0,Tick)) :-
    M:rtec_scope(After, Tick).

%!  update_all(+Old, +New, +F, +Fluent, +Border) is det.
%
%   Replace what is stored of all values of F. Old and New list V-Is.

update_all([], New, F, Fluent, Border) :-
    add_all(New, F, Fluent, Border).
update_all([V-Is0|Old], New0, F, Fluent, Border) :-
    (   taken(New0, V, Is, New)
    ->  true
    ;   Is = [],
        New = New0
    ),
    update(Fluent, F, V, Is0, Is, Border),
    update_all(Old, New, F, Fluent, Border).

add_all([], _, _, _).
add_all([V-Is|New], F, Fluent, Border) :-
    update(Fluent, F, V, [], Is, Border),
    add_all(New, F, Fluent, Border).

%!  taken(+Values0, +V, -Is, -Values) is semidet.
%
%   Values0 lists V-Is and the others, Values.

taken([V1-Is1|Values0], V, Is, Values) :-
    (   V1 == V
    ->  Is = Is1,
        Values = Values0
    ;   Values = [V1-Is1|Values1],
        taken(Values0, V, Is, Values1)
    ).

%!  update(+Fluent, +F, +V, +Old, +New, +Border) is det.
%
%   Replace what is stored of F=V, and note the change. The window has left what
%   ends by Border; New is without it, Old need not be.

update(Fluent, F, V, Old, New, Border) :-
    Fluent = fluent(_,_,InStore,_),
    (   Old == New
    ->  true
    ;   InStore = linked(Access,Held,_,_)
    ->  fluent_key(F, Key),
        (   held_replaced(Held, Key, V, New)
        ->  true
        ;   use_facts(Fluent, Border),
            put_stored(Access, F, V, Old, New),
            note(Fluent, F, V, Old, New, Border)
        )
    ;   put_stored(InStore, F, V, Old, New),
        note(Fluent, F, V, Old, New, Border)
    ).

note(fluent(M,Indicator,_,Scope), F, V, Old, New, Border) :-
    ending_after(Old, Border, Known),
    (   Known == New
    ->  note_left(M, Indicator, F, V, New)
    ;   note_change(M, Indicator, F, V, Known, New, Scope)
    ).

%   use_facts(+Fluent, +Border): something does not fit into C. What is there becomes facts, and what has been
%   changed is noted, unless that has been done before.

use_facts(Fluent, Border) :-
    Fluent = fluent(_,Name/Arity,linked(Access,Held,M,Fact),_),
    (   own_link(M, Fact, Held)
    ->  findall(Fact, M:Fact, Facts),
        held_touched(Held, Touched),
        unlink(M, Fact),
        forall(member(Each, Facts), assertz(M:Each)),
        functor(F, Name, Arity),
        fluent_key(F, Key),
        forall(( member(touched(Key,V,Old), Touched), stored(Access, F, V, New), Old \== New ),
               note(Fluent, F, V, Old, New, Border)),
        held_free(Held),
        functor(Fact, Store, _),
        leave(M, Name/Arity, Store, Border)
    ;   true
    ).

put_stored(InStore, F, V, Old, New) :-
    (   Old == []
    ->  true
    ;   drop_facts(InStore, F, V)
    ),
    (   New == []
    ->  true
    ;   add_fact(InStore, F, V, New)
    ).

%!  leave(+M, +Name/Arity, +Store, +Border) is det.
%
%   Drop the intervals that the window has left: those that end by Border. What is in C is seen to by settled/3.

leave(M, Name/Arity, Store, Border) :-
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    accessors(M:Store, InStore),
    Fluent = fluent(M,Name/Arity,InStore,_),
    (   clause(M:Fact, true),
        leave_one(Fluent, F, V, Is, Border),
        fail
    ;   true
    ).

%!  leave_one(+Fluent, +F, +V, +Is, +Border) is det.
%
%   The same for Is, what is stored of F=V.

leave_one(fluent(M,Indicator,InStore,_), F, V, Is, Border) :-
    (   InStore = access(_,_,_),
        Is = [(_,E)|_],
        E =< Border
    ->  ending_after(Is, Border, Rest),
        put_stored(InStore, F, V, Is, Rest),
        note_left(M, Indicator, F, V, Rest)
    ;   true
    ).

%!  stored(+InStore, +F, +V, -Is) is det.

stored(InStore, F, V, Old) :-
    (   get_fact(InStore, F, V, Is)
    ->  Old = Is
    ;   Old = []
    ).
