:- module(rtec_store,
          [ set_window/3,               % +M, +W, +Q
            set_run/4,                  % +M, +Start, +Tick, +Memory
            first_point/4,              % +W, +Start, +Tick, -First
            fluent_fact/7,              % +Store, +Name, +Arity, -F, -V, -Is, -Fact
            event_fact/6,               % +Store, +Name, +Arity, -E, -T, -Fact
            fluent_key/2,               % +F, -Key
            store_held/3,               % +M, +Store, +Held
            store_keyed/4,              % +M, +Store, +Arity, +Held
            take_state/2,               % +M, -State
            put_state/2                 % +M, +State
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(records, [forget_dates/1]).
:- use_module(links, [forget_facts/2]).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(apply), [maplist/2]).

/** <module> The facts of one session

Every session has a module M of its own, into which its compiled program is
loaded; all facts that change live there, and this file is the only one that
writes them. A stored fluent is one fact per fluent-value pair,

    Store(Arg1, ..., ArgN, Value, Intervals)

and a stored event one fact per occurrence, Store(T, Arg1, ..., ArgN).
*/

%!  set_run(+M, +Start, +Tick, +Memory) is det.
%!  set_window(+M, +W, +Q) is det.
%
%   The run starts at time-point Start; the window is (W,Q]. rtec_scope/2 has
%   the last time-point before both the window and the run: nothing happens
%   there or earlier.

set_run(M, Start, Tick, Memory) :-
    retractall(M:rtec_run(_,_,_)),
    retractall(M:initTime(_)),
    assertz(M:initTime(Start)),
    assertz(M:rtec_run(Start,Tick,Memory)).

set_window(M, W, Q) :-
    M:rtec_run(Start, Tick, _),
    retractall(M:rtec_window(_,_)),
    retractall(M:rtec_scope(_,_)),
    retractall(M:queryTime(_)),
    assertz(M:queryTime(Q)),
    assertz(M:rtec_window(W,Q)),
    Before is max(W, Start-1),
    assertz(M:rtec_scope(Before,Tick)).

%!  first_point(+W, +Start, +Tick, -First) is det.
%
%   The first time-point after W. Time-points are Start, Start+Tick, ...

first_point(W, Start, Tick, First) :-
    (   W < Start
    ->  First = Start
    ;   First is Start+((W-Start)//Tick+1)*Tick
    ).

%!  fluent_fact(+Store, +Name, +Arity, -F, -V, -Is, -Fact) is det.
%
%   Fact is the most general stored fact of the fluent F.

fluent_fact(Store, Name, Arity, F, V, Is, Fact) :-
    functor(F, Name, Arity),
    F =.. [_|Args],
    append(Args, [V,Is], FactArgs),
    Fact =.. [Store|FactArgs].

%!  event_fact(+Store, +Name, +Arity, -E, -T, -Fact) is det.

event_fact(Store, Name, Arity, E, T, Fact) :-
    functor(E, Name, Arity),
    E =.. [_|Args],
    Fact =.. [Store,T|Args].

%!  store_held(+M, +Store, +Held) is det.
%
%   Held lists held(F,V,Is). The program has a clause add_Store(F,V,Is) for
%   each store, which knows how the arguments of F lie in the fact.

store_held(M, Store, Held) :-
    atom_concat(add_, Store, Add),
    store_each(Held, M:Add).

store_each([], _).
store_each([held(F,V,Is)|Held], Add) :-
    call(Add, F, V, Is),
    store_each(Held, Add).

%!  fluent_key(+F, -Key) is det.
%!  store_keyed(+M, +Store, +Arity, +Held) is det.
%
%   Key stands for a fluent while it is evaluated: its argument if it has but one,
%   which is quicker to copy and to compare than F. Held lists held(Key,V,Is).

fluent_key(F, Key) :-
    (   functor(F, _, 1)
    ->  arg(1, F, Key)
    ;   Key = F
    ).

store_keyed(M, Store, Arity, Held) :-
    (   Arity == 1
    ->  store_arguments(Held, M, Store)
    ;   store_held(M, Store, Held)
    ).

store_arguments([], _, _).
store_arguments([held(A,V,Is)|Held], M, Store) :-
    Fact =.. [Store,A,V,Is],
    assertz(M:Fact),
    store_arguments(Held, M, Store).

%!  take_state(+M, -State) is det.
%!  put_state(+M, +State) is det.
%
%   Everything that must survive a query time, as one term: the facts of all
%   predicates that the program declares as its state.

take_state(M, state(Facts)) :-
    findall(Pred/Arity-Clauses,
            ( M:rtec_state(Pred, Arity),
              functor(Fact, Pred, Arity),
              findall(Fact, M:Fact, Clauses)
            ),
            Facts).

put_state(M, state(Facts)) :-
    forget_dates(M),
    forall(M:rtec_state(Pred, Arity),
           ( functor(Fact, Pred, Arity),
             forget_facts(M, Fact)
           )),
    forall(member(_-Clauses, Facts),
           maplist(put_fact(M), Clauses)).

put_fact(M, Fact) :-
    assertz(M:Fact).
