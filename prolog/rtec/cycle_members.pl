:- module(rtec_cycle_members,
          [ triggers/4,                 % +Members, +M, +W, -Triggers
            forget_event/3,             % +M, +Name/Arity, +Store
            event_at/5,                 % +Event, +N, +T, +Woken, +M
            meets/2                     % +KVs, +V0
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(store).
:- autoload(library(lists), [member/2]).

/** <module> Members of a cycle

What wakes their rules, the events among them, and what makes an instance known. Terms and
predicates are those of rtec(cycles).
*/

%!  triggers(+Members, +M, +W, -Triggers) is det.
%
%   Triggers is the list of T-wake(Member, Id, Vars), in order of time.

triggers(Members, M, W, Triggers) :-
    findall(T-wake(N,Id,Vars),
            ( nth_member(N, Members, Member),
              trigger_predicate(Member, Trigger),
              Goal =.. [Trigger,T,Id,Vars],
              M:Goal,
              T > W
            ),
            Triggers0),
    keysort(Triggers0, Triggers).

nth_member(N, Members, Member) :-
    nth_member(Members, 1, N, Member).

nth_member([Member|_], N, N, Member).
nth_member([_|Members], N0, N, Member) :-
    N1 is N0+1,
    nth_member(Members, N1, N, Member).

trigger_predicate(fluent(_,_,_,_,Trigger,_,_,_), Trigger).
trigger_predicate(event(_,_,Trigger,_,_), Trigger).

%!  forget_event(+M, +Name/Arity, +Store) is det.
%!  event_at(+Event, +N, +T, +Woken, +M) is det.
%
%   An output event that is member N: drop what is known of it, and store its occurrences at T, where
%   the rules in Woken are woken.

forget_event(M, Name/Arity, Store) :-
    event_fact(Store, Name, Arity, _, _, Fact),
    retractall(M:Fact).

event_at(event(Name/Arity, Store, _, Fire, Local), N, T, Woken, M) :-
    event_fact(Store, Name, Arity, E, T, Fact),
    findall(E,
            (   member(wake(N,Id,Vars), Woken),
                Goal =.. [Fire,Id,Vars,T,E],
                M:Goal
            ;   LocalGoal =.. [Local,T,E],
                M:LocalGoal
            ),
            Es0),
    sort(Es0, Es),
    forall(member(E, Es), assertz(M:Fact)).

%!  meets(+KVs, +V0) is semidet.
%
%   The points KVs of an instance make it known, if its default is V0.

meets(KVs, V0) :-
    member(K-V, KVs),
    (   K == t
    ->  \+ V0 \= V
    ;   true
    ),
    !.
