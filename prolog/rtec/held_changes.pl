:- module(rtec_held_changes,
          [ scope/3,                    % +M, +Q0, -Scope
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
:- use_module(store).

/** <module> What is stored of a fluent, replaced and noted

Where a step finds other intervals than those it stored at the last query
time, it replaces them here, and what has changed is noted for the steps that
read them. In all of this, Fluent is fluent(M,Name/Arity,InStore,Scope): the
session, the fluent, access to its store, and the scope of note_change/7.
*/

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

update(fluent(M,Indicator,InStore,Scope), F, V, Old, New, Border) :-
    (   Old == New
    ->  true
    ;   put_stored(InStore, F, V, Old, New),
        ending_after(Old, Border, Known),
        (   Known == New
        ->  note_left(M, Indicator, F, V, New)
        ;   note_change(M, Indicator, F, V, Known, New, Scope)
        )
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
%   Drop the intervals that the window has left: those that end by Border.

leave(M, Name/Arity, Store, Border) :-
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    accessors(M:Store, InStore),
    Fluent = fluent(M,Name/Arity,InStore,_),
    (   M:Fact,
        leave_one(Fluent, F, V, Is, Border),
        fail
    ;   true
    ).

%!  leave_one(+Fluent, +F, +V, +Is, +Border) is det.
%
%   The same for Is, what is stored of F=V.

leave_one(fluent(M,Indicator,InStore,_), F, V, Is, Border) :-
    (   Is = [(_,E)|_],
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
