:- module(rtec_incremental,
          [ change_step/4                % +Step, +M, +Run, +Q0
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(changes).
:- use_module(panes).
:- use_module(resweep).
:- use_module(intervals, [from_point/3, reaches/2]).
:- use_module(store).
:- use_module(simple_fluents).
:- use_module(static_fluents).
:- use_module(deadlines).
:- autoload(library(lists), [append/3, member/2, last/2]).
:- autoload(library(pairs), [group_pairs_by_key/2, pairs_keys/2]).
:- autoload(library(ordsets), [ord_subtract/3]).

/** <module> One query time, by what has changed

Each step updates what it stored at the last query time, from what the steps
below it noted as changed (rtec(changes)), and notes its own changes. The
delta rules of the compiler say what is concerned (python: lowering/deltas.py):

  - a simple fluent: new points, and points that have to be derived anew; the
    instances concerned are swept again, from the first point that differs
    until nothing differs any more;
  - a static fluent: the instances of which an operand has changed;
  - an input fluent: the instances with new or withdrawn records, and those
    that were open at the last query time;
  - an output event: new occurrences, and those to be derived anew.

What has not changed keeps its intervals, less what the window has left.
*/

%!  change_step(+Step, +M, +Run, +Q0) is semidet.
%
%   Evaluate a step by its changes since the query time Q0. Fails if the step
%   has no delta rules.

change_step(simple(Indicator, Store, Points, Options), M, Run, Q0) :-
    M:rtec_delta(simple(Indicator), Delta),
    change_simple(simple(Indicator, Store, Points, Options), Delta, M, Run, Q0).
change_step(static(Indicator, Value, Store, Candidates, Rules, Options), M, Run, Q0) :-
    Indicator = Name/Arity,
    functor(F, Name, Arity),
    (   memberchk(pattern(Pattern), Options)
    ->  F = Pattern
    ;   true
    ),
    M:rtec_delta(static(F0,V0), Delta),
    F0 =@= F,
    V0 =@= Value,
    !,
    \+ ( memberchk(whole(true), Options), M:rtec_run(_, _, Memory), Memory >= 0 ),
    change_static(static(Indicator,Value,Store,Candidates,Rules,Options), F, Delta, M, Run, Q0).
change_step(input(Indicator, Kind, Records, Store), M, Run, Q0) :-
    change_input(input(Indicator, Kind, Records, Store), M, Run, Q0).
change_step(event(Indicator, Store, Rules), M, Run, _) :-
    M:rtec_delta(event(Indicator), delta(Gains, Touches)),
    change_event(Indicator, Store, Rules, Gains, Touches, M, Run).

scope(M, Q0, scope(After,Q0,Tick)) :-
    M:rtec_scope(After, Tick).

%   ---- Simple fluents ----

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
    ->  forall(member(F-Ops, Groups), update_panes(Ops, F, InPanes, M, Rules, _)),
        pairs_keys(Groups, Fs0),
        pending(M, Name/Arity, Store, Delay, Fs1),
        append(Fs0, Fs1, Fs2),
        sort(Fs2, Fs),
        Delays = delays(Delay,Postponed,Attempts),
        forall(member(F, Fs), sweep_with_delays(F, Fluent, Store, InPanes, Options, Delays, Run)),
        forget_attempts(M, Attempts, InStore)
    ;   M:rtec_pane_width(Width),
        Sweep = sweep(Width,Q,Tick),
        forall(member(F-Ops, Groups), change_instance(F, Ops, Fluent, InPanes, Rules, Sweep))
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
    ->  add_fact(InMet, F, met, Q),
        Rules = rules(_,Others),
        findall(q(T,K,V), ( member(Pred, Others), call(Pred, F, T, K, V), T > W ), Ops1, Ops0),
        sort(Ops1, Ops)
    ;   Ops = Ops0,
        (   initiates(Ops)
        ->  drop_facts(InMet, F, met),
            add_fact(InMet, F, met, Q)
        ;   true
        )
    ),
    meet(Groups0, Rules, InMet, W, Q, Groups).

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

%   update_panes(+Ops, +F, +InPanes, +M, +Rules, -Changes): apply the operations
%   to the panes of an instance. Changes lists change(First,Pane): the points of
%   Pane differ from time-point First on.

update_panes(Ops, F, InPanes, M, Rules, Changes) :-
    M:rtec_pane_width(Width),
    update_each(Ops, F, InPanes, Width, Rules, Changes).

update_each([], _, _, _, _, []).
update_each([Op|Ops], F, InPanes, Width, Rules, Changes) :-
    Op = q(T,_,_),
    Pane is T div Width,
    End is (Pane+1)*Width,
    in_pane(Ops, End, PaneOps, Rest),
    redo_times([Op|PaneOps], Ts, Qs),
    (   Ts == []
    ->  add_fact(InPanes, F, Pane, Qs),
        Changes = [change(T,Pane)|Changes1]
    ;   pane_points(InPanes, F, Pane, Qs0),
        redone(Qs0, Ts, F, Rules, Qs, Qs1),
        (   first_difference(Qs0, Qs1, First)
        ->  replace_pane(InPanes, F, Pane, Qs1),
            Changes = [change(First,Pane)|Changes1]
        ;   Changes = Changes1
        )
    ),
    update_each(Rest, F, InPanes, Width, Rules, Changes1).

in_pane([Op|Ops], End, [Op|PaneOps], Rest) :-
    Op = q(T,_,_),
    T < End,
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

change_instance(F, Ops, Fluent, InPanes, Rules, Sweep) :-
    Sweep = sweep(Width,_,_),
    update_each(Ops, F, InPanes, Width, Rules, Changes),
    (   Changes == []
    ->  true
    ;   Fluent = fluent(_,_,InStore,_),
        findall(V-Is, get_fact(InStore, F, V, Is), Old),
        resweep(Old, Changes, InPanes, Sweep, F, Held),
        replace_all(Old, Held, F, Fluent)
    ).

%   Replace what is stored of all values of F by Held.

replace_all([], Held, F, Fluent) :-
    add_all(Held, F, Fluent).
replace_all([V-Is0|Old], Held0, F, Fluent) :-
    (   taken(Held0, V, Is, Held)
    ->  true
    ;   Is = [],
        Held = Held0
    ),
    replace(Fluent, F, V, Is0, Is),
    replace_all(Old, Held, F, Fluent).

taken([held(F,V1,Is1)|Held0], V, Is, Held) :-
    (   V1 == V
    ->  Is = Is1,
        Held = Held0
    ;   Held = [held(F,V1,Is1)|Held1],
        taken(Held0, V, Is, Held1)
    ).

add_all([], _, _).
add_all([held(_,V,Is)|Held], F, Fluent) :-
    replace(Fluent, F, V, [], Is),
    add_all(Held, F, Fluent).

%   Replace what is stored of F=V, and note the change.

replace(fluent(M,Indicator,InStore,Scope), F, V, Old, New) :-
    (   Old == New
    ->  true
    ;   put_stored(InStore, F, V, Old, New),
        note_change(M, Indicator, F, V, Old, New, Scope)
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

%   leave(+M, +Indicator, +Store, +Border): drop the intervals that the window has left.

leave(M, Name/Arity, Store, Border) :-
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    accessors(M:Store, InStore),
    (   M:rtec_changed(Name/Arity, _, Kind, _)
    ->  true
    ;   Kind = plain
    ),
    forall(( M:Fact,
             Is = [(_,E)|_],
             E \== inf,
             E =< Border
           ),
           ( left_behind(Is, Border, Rest),
             put_stored(InStore, F, V, Is, Rest),
             (   ( Rest == [] ; Kind == whole )
             ->  note_left(M, Name/Arity, F, V)
             ;   true
             )
           )).

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

%   ---- Static fluents ----

change_static(Step, F, delta(Affected,Local), M, Run, Q0) :-
    Step = static(Name/Arity, Value, Store, Candidates, _, _),
    Run = run(W,_,Start,Tick,_),
    first_point(W, Start, Tick, First),
    scope(M, Q0, Scope),
    accessors(M:Store, InStore),
    findall(f(F,Value,Since), call(M:Affected, F, Value, Since), Patterns0),
    sort(Patterns0, Patterns),
    (   Local = local(CandidatesFrom,IntervalsFrom)
    ->  findall((F1-V1)-Since,
                local_instance(Patterns, M:CandidatesFrom, InStore, F1, V1, Since),
                Pairs0),
        earliest(Pairs0, Pairs),
        LocalRules = local(M:CandidatesFrom,M:IntervalsFrom)
    ;   findall((F1-V1)-0, instance(Patterns, M:Candidates, InStore, F1, V1), Pairs0),
        sort(Pairs0, Pairs),
        LocalRules = none
    ),
    change_each(Pairs, Step, LocalRules, Run, First, fluent(M,Name/Arity,InStore,Scope)),
    leave(M, Name/Arity, Store, First).

%   The instances that match what is affected: those that may hold now, and
%   those that did. Where rules can be evaluated from a time-point on, those that
%   may hold after it, or did.

instance(Patterns, Candidates, InStore, F, V) :-
    member(f(F,V,_), Patterns),
    (   ground(F-V)
    ->  true
    ;   call(Candidates, F, V)
    ;   get_fact(InStore, F, V, _)
    ).

local_instance(Patterns, CandidatesFrom, InStore, F, V, Since) :-
    member(f(F,V,Since), Patterns),
    Since \== inf,
    (   ground(F-V)
    ->  true
    ;   call(CandidatesFrom, F, V, Since)
    ;   get_fact(InStore, F, V, Is),
        reaches(Is, Since)
    ).

%   Of each instance the earliest time-point.

earliest(Pairs0, Pairs) :-
    sort(Pairs0, Pairs1),
    first_of_each(Pairs1, Pairs).

first_of_each([], []).
first_of_each([FV-T|Pairs0], [FV-T|Pairs]) :-
    without_key(Pairs0, FV, Pairs1),
    first_of_each(Pairs1, Pairs).

without_key([FV1-_|Pairs0], FV, Pairs) :-
    FV1 == FV,
    !,
    without_key(Pairs0, FV, Pairs).
without_key(Pairs, _, Pairs).

change_each([], _, _, _, _, _).
change_each([(F-V)-Since|Pairs], Step, Local, Run, First, Fluent) :-
    Fluent = fluent(M,_,InStore,_),
    stored(InStore, F, V, Old),
    (   Local \== none,
        Since > First
    ->  local_intervals(Local, F, V, Since, Old, New0),
        left_behind(New0, First, New)
    ;   static_intervals(Step, M, Run, F, V, Old, New)
    ),
    update(Fluent, F, V, Old, New, First),
    change_each(Pairs, Step, Local, Run, First, Fluent).

%   As they were before Since, and anew from there on.

local_intervals(local(Candidates,Rules), F, V, Since, Old, New) :-
    (   \+ call(Candidates, F, V, Since)
    ->  After = []
    ;   call(Rules, F, V, Since, Is)
    ->  from_point(Since, Is, After)
    ;   After = []
    ),
    spliced(Old, Since, After, New).

spliced([(S,E)|Old], Since, After, New) :-
    S < Since,
    !,
    (   E @< Since
    ->  New = [(S,E)|New1],
        spliced(Old, Since, After, New1)
    ;   After = [(Since,E1)|After1]
    ->  New = [(S,E1)|After1]
    ;   New = [(S,Since)|After]
    ).
spliced(_, _, After, After).

stored(InStore, F, V, Old) :-
    (   get_fact(InStore, F, V, Is)
    ->  Old = Is
    ;   Old = []
    ).

%   As replace/5, where the window may have left a part of Old.

update(Fluent, F, V, Old, New, Border) :-
    left_behind(Old, Border, Known),
    (   Known == Old
    ->  replace(Fluent, F, V, Old, New)
    ;   Fluent = fluent(M,Indicator,InStore,Scope),
        put_stored(InStore, F, V, Old, New),
        (   Known == New
        ->  note_left(M, Indicator, F, V)
        ;   note_change(M, Indicator, F, V, Known, New, Scope)
        )
    ).

%   ---- Input fluents ----

change_input(Step, M, Run, Q0) :-
    Step = input(Name/Arity, Kind, Records, Store),
    Run = run(W,_,Start,Tick,_),
    first_point(W, Start, Tick, First),
    scope(M, Q0, Scope),
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    findall(F-V,
            (   noted_record(Kind, Records, F, V, Goal),
                M:Goal
            ;   M:Fact,
                last(Is, (_,inf))
            ),
            FVs0),
    sort(FVs0, FVs),
    accessors(M:Store, InStore),
    Fluent = fluent(M,Name/Arity,InStore,Scope),
    forall(member(F1-V1, FVs),
           ( stored(InStore, F1, V1, Old),
             input_intervals(Step, M, Run, F1, V1, Old, New),
             update(Fluent, F1, V1, Old, New, First)
           )),
    leave(M, Name/Arity, Store, First).

noted_record(fluent, both(Intervals,Points), F, V, Goal) :-
    !,
    (   noted_record(interval, Intervals, F, V, Goal)
    ;   noted_record(point, Points, F, V, Goal)
    ).
noted_record(Kind, Records, F, V, Goal) :-
    F =.. [_|Args],
    (   Kind == interval
    ->  Args1 = [_,_,V|Args]
    ;   Args1 = [_,V|Args]
    ),
    member(Prefix, [ins_,del_]),
    atom_concat(Prefix, Records, Noted),
    Goal =.. [Noted|Args1].

%   ---- Output events ----

change_event(Name/Arity, Store, Rules, Gains, Touches, M, run(W,_,_,_,_)) :-
    event_fact(Store, Name, Arity, E, T, Fact),
    forall(( clause(M:Fact, true, Ref), T =< W ), erase(Ref)),
    Gain =.. [Gains,E,T],
    findall(E-T, M:Gain, New0),
    Touch =.. [Touches,E,T],
    findall(E-T, M:Touch, Touched0),
    sort(Touched0, Touched),
    findall(E-T, ( member(E-T, Touched), M:Fact ), Old0),
    Rule =.. [Rules,E,T],
    findall(E-T, ( member(E-T, Touched), M:Rule ), New1, New0),
    sort(Old0, Old),
    sort(New1, New),
    ord_subtract(Old, New, Gone),
    forall(member(E-T, Gone), ( once(retract(M:Fact)), note_event(M, del_, Fact) )),
    forall(( member(E-T, New), \+ M:Fact ), ( assertz(M:Fact), note_event(M, ins_, Fact) )).

note_event(M, Prefix, Fact) :-
    Fact =.. [Store|Args],
    atom_concat(Prefix, Store, Noted),
    Note =.. [Noted|Args],
    assertz(M:Note).
