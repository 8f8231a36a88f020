:- module(rtec_simple_changes,
          [ change_simple/5              % +Step, +Delta, +M, +Run, +Q0
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(comparison).
:- use_module(kept_changes).
:- use_module(panes).
:- use_module(pane_changes).
:- use_module(resweep).
:- use_module(held_changes).
:- use_module(intervals, [ending_after/3]).
:- use_module(store).
:- use_module(simple_fluents).
:- use_module(deadlines).
:- use_module(cycle_marks, [passing/9, await_next/6]).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(pairs), [group_pairs_by_key/2]).

/** <module> Simple fluents, by what has changed

The delta rules of a fluent give its new points, and the instances and
time-points at which points have to be derived anew. The panes of the instances
concerned are brought up to date, and their intervals are swept again from the
first point that differs until nothing differs any more.
*/

%!  change_simple(+Step, +Delta, +M, +Run, +Q0) is det.
%
%   Step is that of eval_simple/3, Delta is delta(Panes,Met,Begins,Ends,Wild,Touches):
%   the points of instances and which of them have been met (rtec(panes)), then the
%   delta rules, called as Begins(F,T,K,V) for new initiations, Ends(F,T,K,V) for new
%   terminations, Wild(F,T,K,V) for new points of patterns, and Touches(F,T).

change_simple(Step, Delta, M, Run, Q0) :-
    Step = simple(Indicator,_,_,_),
    (   \+ M:rtec_kept_points(Indicator, _)
    ->  change_by_panes(Step, Delta, M, Run, Q0)
    ;   M:rtec_kept_points(Indicator, Kept),
        change_natively(Kept, Step, Delta, M, Run)
    ->  true
    ;   change_once(Step, M, Run, Q0)
    ).

%   Points that do not fit are kept in Prolog from now on.

change_once(Step, M, Run, Q0) :-
    Step = simple(Indicator,_,_,_),
    retractall(M:rtec_kept_points(Indicator, _)),
    assertz(M:rtec_kept_unfit(Indicator)),
    setup_call_cleanup(
        assertz(M:rtec_keeping),
        compared(Step, M, Run, Q0, eval_simple(Step, M, Run)),
        retractall(M:rtec_keeping)).

change_by_panes(simple(Name/Arity, Store, Points, Options), Delta, M, Run, Q0) :-
    Delta = delta(Panes,Met,_,_,_,_),
    Run = run(W,Q,_,Tick,_),
    Border is W+Tick,
    accessors(M:Panes, InPanes),
    accessors(M:Met, InMet),
    fluent_fact(Store, Name, Arity, _, _, _, Fact),
    store_access(M, Store, Fact, InStore),
    rules(Points, Options, M, Rules),
    changed_points(Name/Arity, Rules, Delta, InMet, M, W, Q, Groups),
    scope(M, Q0, Scope),
    Fluent = fluent(M, Name/Arity, InStore, Scope),
    M:rtec_pane_width(Width),
    AllPanes = panes(InPanes, Width, Rules, Tick),
    (   memberchk(delays(Delay,Postponed,Attempts), Options)
    ->  leave(M, Name/Arity, Store, Border),
        forall(member(F-Ops, Groups), keep_points(Ops, F, AllPanes, Q0)),
        passing(M, Name/Arity, Store, InStore, Options, Q0, Q, Tick, Passing),
        sweep_starts(Groups, Passing, W, Q0, Tick, Starts),
        Delays = delays(Delay,Postponed,Attempts),
        forall(member(F-From, Starts),
               ( sweep_with_delays(F, From, Fluent, AllPanes, Options, Delays, Run),
                 await_next(M, Store, InStore, Options, Tick, F)
               )),
        forget_attempts(M, Attempts, InStore)
    ;   stored_values(M, Name/Arity, Store, Stored),
        change_instances(Groups, Stored, Fluent, AllPanes, Q0, Border)
    ),
    forget_unmet(Name/Arity, W, InMet, InPanes, InStore).

%   forget_unmet(...): what was initiated before the window, and holds no more, need not be
%   followed any further.

forget_unmet(Name/Arity, W, InMet, InPanes, InStore) :-
    functor(F, Name, Arity),
    forall(( get_fact(InMet, F, met, Until),
             Until =< W,
             \+ get_fact(InStore, F, _, _)
           ),
           ( drop_facts(InMet, F, met),
             drop_facts(InPanes, F, _)
           )).

%   forget_attempts(+M, +Attempts, +InStore): neither need the attempts of what holds no more.

forget_attempts(M, Attempts, InStore) :-
    Fact =.. [Attempts,F,V,_],
    forall(( clause(M:Fact, true, Ref),
             \+ get_fact(InStore, F, V, _)
           ),
           erase(Ref)).

%   The predicates that give the points of a fluent, all called as Pred(F,T,K,V).

rules(Points, Options, M, rules(M:Points,Others)) :-
    findall(M:Pred,
            ( member(Option, Options),
              ( Option = ends(Pred) ; Option = wild(Pred) )
            ),
            Others).

%   changed_points(..., -Groups): Groups has F-Ops for every instance concerned, in
%   order. Of the operations, q(T,K,V) adds a point, and q(T,redo,_) derives all
%   points at T anew.

changed_points(Name/Arity, Rules, delta(_,_,Begins,Ends,Wild,Touches), InMet, M, W, Q, Groups) :-
    functor(F, Name, Arity),
    findall(F-q(T,K,V), call(M:Begins, F, T, K, V), Ops0, Ops1),
    findall(F-q(T,K,V), ( get_fact(InMet, F, met, _), call(M:Ends, F, T, K, V) ), Ops1, Ops2),
    findall(F-q(T,K,V), ( call(M:Wild, F, T, K, V), get_fact(InMet, F, met, _) ), Ops2, Ops3),
    findall(F-T, call(M:Touches, F, T), Touched0),
    sort(Touched0, Touched),
    redo_ops(Touched, InMet, Rules, Ops3, []),
    sort(Ops0, Ops),
    group_pairs_by_key(Ops, Groups0),
    meet(Groups0, Rules, InMet, W, Q, Groups).

%   meet(+Groups0, ..., -Groups): an instance that is met for the first time gets
%   the terminations of the whole window.

meet([], _, _, _, _, []).
meet([F-Ops0|Groups0], Rules, InMet, W, Q, [F-Ops|Groups]) :-
    (   get_fact(InMet, F, met, Until)
    ->  Ops = Ops0,
        (   Until < Q,
            initiates(Ops)
        ->  drop_facts(InMet, F, met),
            meet_until(InMet, F, W, Q)
        ;   true
        )
    ;   meet_until(InMet, F, W, Q),
        Rules = rules(_,Others),
        findall(q(T,K,V), ( member(Pred, Others), call(Pred, F, T, K, V), T > W ), Ops1, Ops0),
        sort(Ops1, Ops)
    ),
    meet(Groups0, Rules, InMet, W, Q, Groups).

%   It is followed for a window longer than need be, so that this is said rarely.

meet_until(InMet, F, W, Q) :-
    Until is Q+(Q-W),
    add_fact(InMet, F, met, Until).

initiates([q(_,K,_)|Ops]) :-
    (   ( K == i ; K == redo )
    ->  true
    ;   initiates(Ops)
    ).

%   What is touched may be a pattern. Instances that have been met are looked at
%   again, others if they are initiated there.

redo_ops([], _, _, Ops, Ops).
redo_ops([F-T|Touched], InMet, Rules, Ops, Ops2) :-
    Rules = rules(Points,_),
    (   ground(F),
        get_fact(InMet, F, met, _)
    ->  Ops = [F-q(T,redo,redo)|Ops1]
    ;   findall(F-q(T,redo,redo),
                (   get_fact(InMet, F, met, _)
                ;   call(Points, F, T, _, _),
                    ground(F)
                ),
                Ops, Ops1)
    ),
    redo_ops(Touched, InMet, Rules, Ops1, Ops2).

%   stored_values(+M, +Name/Arity, +Store, -Stored): Stored lists F-(V-Is), by F.

stored_values(M, Name/Arity, Store, Stored) :-
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    findall(F-(V-Is), M:Fact, Stored0),
    keysort(Stored0, Stored).

%   Instances with operations, among all that are stored. Of the others, the window may
%   have left some intervals.

change_instances([], Stored, Fluent, _, _, Border) :-
    leave_each(Stored, Fluent, Border).
change_instances([F-Ops|Groups], Stored0, Fluent, Panes, Q0, Border) :-
    leave_before(Stored0, F, Fluent, Border, Stored1),
    values_of(Stored1, F, Old, Stored),
    (   change_instance(F, Ops, Old, Fluent, Panes, Q0, Border),
        fail
    ;   true
    ),
    change_instances(Groups, Stored, Fluent, Panes, Q0, Border).

leave_each([], _, _).
leave_each([F-(V-Is)|Stored], Fluent, Border) :-
    leave_one(Fluent, F, V, Is, Border),
    leave_each(Stored, Fluent, Border).

leave_before([F1-(V-Is)|Stored0], F, Fluent, Border, Stored) :-
    F1 @< F,
    !,
    leave_one(Fluent, F1, V, Is, Border),
    leave_before(Stored0, F, Fluent, Border, Stored).
leave_before(Stored, _, _, _, Stored).

values_of([F1-Value|Stored0], F, [Value|Values], Stored) :-
    F1 == F,
    !,
    values_of(Stored0, F, Values, Stored).
values_of(Stored, _, [], Stored).

%   One instance: its panes, then its intervals, up to the last query time and after
%   it. fluent(M,Indicator,InStore,Scope) says where these are stored, and how
%   changes are noted.

change_instance(F, Ops, Stored, Fluent, Panes, Q0, Border) :-
    Panes = panes(InPanes,Width,_,Tick),
    values_after(Stored, Border, Old),
    known_ops(Ops, Q0, Known, New),
    change_panes(Known, F, Panes, Old, Changes),
    (   Changes == []
    ->  Held0 = Old
    ;   resweep(Old, Changes, InPanes, sweep(Width,Q0,Tick), F, Held0)
    ),
    (   New == []
    ->  Held = Held0
    ;   add_new_points(New, F, Panes, Qs),
        extended(Held0, Qs, Tick, Held)
    ),
    update_all(Stored, Held, F, Fluent, Border).

values_after([], _, []).
values_after([V-Is0|Stored], Border, Old) :-
    (   Is0 = [(_,E)|_],
        E > Border
    ->  Old = [V-Is0|Old1]
    ;   ending_after(Is0, Border, Is),
        (   Is == []
        ->  Old = Old1
        ;   Old = [V-Is|Old1]
        )
    ),
    values_after(Stored, Border, Old1).

keep_points(Ops, F, Panes, Q0) :-
    known_ops(Ops, Q0, Known, New),
    change_panes(Known, F, Panes, [], _),
    add_new_points(New, F, Panes, _).

%   sweep_starts(+Groups, +Passing, +W, +Q0, +Tick, -Starts): Starts has F-From for the instances to be swept: up to From,
%   the last time-point before their first operation, they are as they were. One whose deadline passes
%   changes without any record.

sweep_starts(Groups, Passing, W, Q0, Tick, Starts) :-
    findall(F-From,
            (   member(F-[q(T,_,_)|_], Groups),
                From is max(W, min(Q0, T-Tick))
            ;   member(F, Passing),
                From is max(W, Q0)
            ),
            Starts0),
    sort(Starts0, Starts1),
    first_starts(Starts1, Starts).

first_starts([], []).
first_starts([F-From|Starts0], [F-From|Starts]) :-
    same_instance(Starts0, F, Starts1),
    first_starts(Starts1, Starts).

same_instance([F1-_|Starts0], F, Starts) :-
    F1 == F,
    !,
    same_instance(Starts0, F, Starts).
same_instance(Starts, _, Starts).

%   A fluent whose values change by themselves is swept as if the window began at From, with what was
%   known to hold there. At the start of a run, what holds is stated instead.

sweep_with_delays(F, From0, Fluent, panes(InPanes,Width,_,_), Options, Delays, Run0) :-
    Run0 = run(W,Q,Start,Tick,First),
    (   First == true
    ->  From = W,
        Run = Run0
    ;   From = From0,
        Run = run(From,Q,Start,Tick,false)
    ),
    Fluent = fluent(M,_,InStore,_),
    findall(V-Is, get_fact(InStore, F, V, Is), Old),
    carried_points(Options, M, Run, F, F, V1, Is1, rtec_simple_changes:member(V1-Is1, Old), Carried),
    points_between(InPanes, F, From, Q, Width, Ps0),
    sort(Carried, Before),
    append(Before, Ps0, Ps),
    pair_instance_with_delays(F, Ps, W, M, Options, Delays, Run, Held0),
    findall(V2-Is2, member(held(_,V2,Is2), Held0), Held1),
    (   From == W
    ->  Held = Held1
    ;   Since is From+Tick,
        with_earlier(Old, Since, Held1, Held)
    ),
    Border is W+Tick,
    update_all(Old, Held, F, Fluent, Border).

%   with_earlier(+Old, +Since, +Held0, -Held): what was over at Since comes first.

with_earlier([], _, Held, Held).
with_earlier([V-Is|Old], Since, Held0, Held) :-
    over_by(Is, Since, Earlier),
    (   Earlier == []
    ->  Held = Held1,
        Held2 = Held0
    ;   taken(Held0, V, Later, Held2)
    ->  append(Earlier, Later, All),
        Held = [V-All|Held1]
    ;   Held2 = Held0,
        Held = [V-Earlier|Held1]
    ),
    with_earlier(Old, Since, Held2, Held1).

over_by([(S,E)|Is], T, Over) :-
    E =< T,
    !,
    Over = [(S,E)|Over1],
    over_by(Is, T, Over1).
over_by(_, _, []).
