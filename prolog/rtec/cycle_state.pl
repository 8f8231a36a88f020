:- module(rtec_cycle_state,
          [ now/5,                      % +M, +Now, ?F, ?V, ?S
            set_now/5,                  % +M, +Now, +F, +V, +S
            drop_now/3,                 % +M, +Now, +F
            past_fact/8,                % +Past, +Name, +Arity, ?F, ?V, ?S, ?E, -Fact
            set_base/4,                 % +M, +Now, +F, +Base
            first_base/9,               % +M, +Before, +Postponed, +F, +V, +S, +W, +Tick, -Base
            note_attempt/6,             % +M, +Attempts, +Postponed, +F, +V, +T
            plan/8,                     % +M, +Delay, +F, +V, +Base, +Now, +Agenda0, -Agenda
            due/5                       % +Agenda0, +T, +M, -Due, -Agenda
          ]).
:- set_prolog_flag(optimise, true).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(rbtrees), [rb_lookup/3]).
:- autoload(library(heaps), [add_to_heap/4, get_from_heap/4, min_of_heap/3]).

/** <module> What a cycle knows while it is swept

The current and past values of its fluents, as facts of the session's module
(see rtec(cycles)), and the agenda of deadlines: a heap of time-points with
deadline(Now, F, V, Base, V1), which says that V, counted from Base, becomes V1.
*/

%   The facts of the sweep.

now(M, Now, F, V, S) :-
    F =.. [_|Args],
    append(Args, [V,S], Args1),
    Fact =.. [Now|Args1],
    M:Fact.

set_now(M, Now, F, V, S) :-
    F =.. [_|Args],
    append(Args, [V,S], Args1),
    Fact =.. [Now|Args1],
    assertz(M:Fact).

drop_now(M, Now, F) :-
    F =.. [_|Args],
    append(Args, [_,_], Args1),
    Fact =.. [Now|Args1],
    retractall(M:Fact).

past_fact(Past, Name, Arity, F, V, S, E, Fact) :-
    functor(F, Name, Arity),
    F =.. [_|Args],
    append(Args, [V,S,E], Args1),
    Fact =.. [Past|Args1].

base(M, Now, F, Base) :-
    (   M:rtec_base(Now, F, Base0)
    ->  Base = Base0
    ;   true
    ).

set_base(M, Now, F, Base) :-
    retractall(M:rtec_base(Now, F, _)),
    assertz(M:rtec_base(Now, F, Base)).

first_base(M, Before, Postponed, F, V, S, W, Tick, Base) :-
    First is S-Tick,
    PostponedGoal =.. [Postponed,F,V],
    (   \+ \+ M:PostponedGoal,
        rb_lookup(F-V, Ts, Before),
        findall(T, ( member(T, Ts), T =< W, T >= First ), Ts1),
        max_of(Ts1, Base)
    ->  true
    ;   Base = First
    ).

max_of([T|Ts], Max) :-
    max_of(Ts, T, Max).

max_of([], Max, Max).
max_of([T|Ts], Max0, Max) :-
    Max1 is max(T, Max0),
    max_of(Ts, Max1, Max).

%   Attempts of a value are a list, latest first, in one fact. Only values that may
%   be postponed need theirs remembered.

note_attempt(M, Attempts, Postponed, F, V, T) :-
    PostponedGoal =.. [Postponed,F,V],
    (   \+ M:PostponedGoal
    ->  true
    ;   Old =.. [Attempts,F,V,Ts],
        (   retract(M:Old)
        ->  true
        ;   Ts = []
        ),
        New =.. [Attempts,F,V,[T|Ts]],
        assertz(M:New)
    ).

%   plan(+M, +Delay, +F, +V, +Base, +Now, +Agenda0, -Agenda): the deadline of V,
%   counted from Base. An entry that is out of date when its time comes is
%   ignored (see due/7).

plan(M, Delay, F, V, Base, Now, Agenda0, Agenda) :-
    Goal =.. [Delay,F,V,V1,R],
    findall(R-V1, M:Goal, Rs0),
    sort(Rs0, Rs),
    (   Rs = [R1-V2|_]
    ->  D is Base+R1,
        add_to_heap(Agenda0, D, deadline(Now,F,V,Base,V2), Agenda)
    ;   Agenda = Agenda0
    ).

%   A deadline is due if its value still holds and still counts from its base.

due(Agenda0, T, M, Due, Agenda) :-
    min_of_heap(Agenda0, T1, _),
    T1 =:= T,
    !,
    get_from_heap(Agenda0, _, deadline(Now,F,V,Base,V1), Agenda1),
    (   now(M, Now, F, V, _),
        base(M, Now, F, Base)
    ->  Due = [F-V1|Due1]
    ;   Due = Due1
    ),
    due(Agenda1, T, M, Due1, Agenda).
due(Agenda, _, _, [], Agenda).
