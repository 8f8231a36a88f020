:- module(rtec_simple_changes,
          [ change_simple/5              % +Step, +Delta, +M, +Run, +Q0
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(panes).
:- use_module(resweep).
:- use_module(held_changes).
:- use_module(store).
:- use_module(simple_fluents).
:- use_module(deadlines).
:- autoload(library(lists), [append/3, member/2, last/2]).
:- autoload(library(pairs), [group_pairs_by_key/2, pairs_keys/2]).

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

change_simple(simple(Name/Arity, Store, Points, Options), Delta, M, Run, Q0) :-
    Delta = delta(Panes,Met,_,_,_,_),
    Run = run(W,Q,_,Tick,_),
    Border is W+Tick,
    leave(M, Name/Arity, Store, Border),
    accessors(M:Panes, InPanes),
    accessors(M:Met, InMet),
    accessors(M:Store, InStore),
    forget_unmet(Name/Arity, W, InMet, InPanes, InStore),
    rules(Points, Options, M, Rules),
    changed_points(Name/Arity, Rules, Delta, InMet, M, W, Q, Groups),
    scope(M, Q0, Scope),
    Fluent = fluent(M, Name/Arity, InStore, Scope),
    (   memberchk(delays(Delay,Postponed,Attempts), Options)
    ->  M:rtec_pane_width(Width),
        forall(member(F-Ops, Groups), update_panes(Ops, F, InPanes, Width, Rules, Q0, _)),
        pairs_keys(Groups, Fs0),
        pending(M, Name/Arity, Store, Delay, Fs1),
        append(Fs0, Fs1, Fs2),
        sort(Fs2, Fs),
        Delays = delays(Delay,Postponed,Attempts),
        forall(member(F, Fs), sweep_with_delays(F, Fluent, Store, InPanes, Options, Delays, Run)),
        forget_attempts(M, Attempts, InStore)
    ;   M:rtec_pane_width(Width),
        Sweep = sweep(Width,Q,Tick),
        forall(member(F-Ops, Groups), change_instance(F, Ops, Fluent, InPanes, Rules, Q0, Sweep))
    ).

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
    (   \+ get_fact(InMet, F, met, _)
    ->  meet_until(InMet, F, W, Q),
        Rules = rules(_,Others),
        findall(q(T,K,V), ( member(Pred, Others), call(Pred, F, T, K, V), T > W ), Ops1, Ops0),
        sort(Ops1, Ops)
    ;   Ops = Ops0,
        (   initiates(Ops),
            get_fact(InMet, F, met, Until),
            Until < Q
        ->  drop_facts(InMet, F, met),
            meet_until(InMet, F, W, Q)
        ;   true
        )
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

derived(rules(Points,Others), F, T, K, V) :-
    (   Pred = Points
    ;   member(Pred, Others)
    ),
    call(Pred, F, T, K, V).

%   update_panes(+Ops, +F, +InPanes, +Width, +Rules, +Q0, -Changes): apply the
%   operations to the panes of an instance. Changes lists change(First,Pane,Points):
%   the points of Pane differ from time-point First on; Points are all of them if
%   that is known anyway, `stored` if not.

update_panes([], _, _, _, _, _, []).
update_panes([Op|Ops], F, InPanes, Width, Rules, Q0, Changes) :-
    Op = q(T,_,_),
    Pane is (T-1) div Width,
    End is (Pane+1)*Width,
    in_pane(Ops, End, PaneOps, Rest),
    redo_times([Op|PaneOps], Ts, Qs),
    (   Ts == []
    ->  add_fact(InPanes, F, Pane, Qs),
        (   Pane*Width >= Q0
        ->  Points = Qs
        ;   Points = stored
        ),
        Changes = [change(T,Pane,Points)|Changes1]
    ;   pane_points(InPanes, F, Pane, Qs0),
        redone(Qs0, Ts, F, Rules, Qs, Qs1),
        (   first_difference(Qs0, Qs1, First)
        ->  replace_pane(InPanes, F, Pane, Qs1),
            Changes = [change(First,Pane,Qs1)|Changes1]
        ;   Changes = Changes1
        )
    ),
    update_panes(Rest, F, InPanes, Width, Rules, Q0, Changes1).

in_pane([Op|Ops], End, [Op|PaneOps], Rest) :-
    Op = q(T,_,_),
    T =< End,
    !,
    in_pane(Ops, End, PaneOps, Rest).
in_pane(Rest, _, [], Rest).

%   redone(+Qs0, +Ts, +F, +Rules, +New, -Qs): derive the points at Ts anew, and
%   add the points New.

redone(Qs0, Ts, F, Rules, New, Qs) :-
    without(Qs0, Ts, New, Qs1),
    findall(q(T,K,V), ( member(T, Ts), derived(Rules, F, T, K, V) ), Qs2, Qs1),
    sort(Qs2, Qs).

redo_times([], [], []).
redo_times([q(T,K,V)|Ops], Ts, Qs) :-
    (   K == redo
    ->  Ts = [T|Ts1],
        Qs = Qs1
    ;   Ts = Ts1,
        Qs = [q(T,K,V)|Qs1]
    ),
    redo_times(Ops, Ts1, Qs1).

%   without(+Qs0, +Ts, +Qs1, -Qs): the points Qs0 that are not at Ts, then Qs1.

without([], _, Qs, Qs).
without([q(T,K,V)|Qs0], Ts, Qs1, Qs) :-
    (   memberchk(T, Ts)
    ->  Qs = Qs2
    ;   Qs = [q(T,K,V)|Qs2]
    ),
    without(Qs0, Ts, Qs1, Qs2).

%   Where two lists of points begin to differ; fails if they do not.

first_difference([], [q(T,_,_)|_], T) :- !.
first_difference([q(T,_,_)|_], [], T) :- !.
first_difference([Q1|Qs1], [Q2|Qs2], T) :-
    (   Q1 =@= Q2
    ->  first_difference(Qs1, Qs2, T)
    ;   Q1 = q(T1,_,_),
        Q2 = q(T2,_,_),
        T is min(T1,T2)
    ).

%   One instance: its panes, then its intervals. fluent(M,Indicator,InStore,Scope)
%   says where these are stored, and how changes are noted.

change_instance(F, Ops, Fluent, InPanes, Rules, Q0, Sweep) :-
    Sweep = sweep(Width,_,_),
    update_panes(Ops, F, InPanes, Width, Rules, Q0, Changes),
    (   Changes == []
    ->  true
    ;   Fluent = fluent(_,_,InStore,_),
        findall(V-Is, get_fact(InStore, F, V, Is), Old),
        resweep(Old, Changes, InPanes, Sweep, F, Held),
        replace_all(Old, Held, F, Fluent)
    ).

%   A fluent whose values change by themselves is swept from the window's start.
%   One that has a deadline before it may change without any record.

pending(M, Name/Arity, Store, Delay, Fs) :-
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    Goal =.. [Delay,F,V,_,_],
    findall(F,
            ( M:Fact,
              last(Is, (_,inf)),
              \+ \+ M:Goal
            ),
            Fs).

sweep_with_delays(F, Fluent, Store, InPanes, Options, delays(Delay,Postponed,Attempts), Run) :-
    Run = run(W,_,_,_,_),
    Fluent = fluent(M,Name/Arity,InStore,_),
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    carried_points(Options, M, Run, F, F, V, Is, Fact, Carried),
    points_after(InPanes, F, W, Qs),
    findall(p(F,T,K,V1), member(q(T,K,V1), Qs), Ps0, Carried),
    sort(Ps0, Ps),
    pair_instance_with_delays(F, Ps, M, Delay, Postponed, Run, Attempts, Held),
    findall(V2-Is2, get_fact(InStore, F, V2, Is2), Old),
    replace_all(Old, Held, F, Fluent).
