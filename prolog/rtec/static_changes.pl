:- module(rtec_static_changes,
          [ change_static/5,            % +Step, +Delta, +M, +Run, +Q0
            change_input/4              % +Step, +M, +Run, +Q0
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(held_changes).
:- use_module(intervals, [ending_after/3, from_point/3, touches_span/2, within_span/3]).
:- use_module(native).
:- use_module(plans).
:- use_module(store).
:- use_module(static_fluents).
:- use_module(kept_points, [exists/4]).
:- autoload(library(lists), [member/2, last/2]).
:- autoload(library(pairs), [group_pairs_by_key/2]).

/** <module> Static and input fluents, by what has changed

A static fluent is evaluated anew for the instances of which an operand has
changed. Where its rules say point by point where it holds, that is done in the
span of time in which an operand differs; outside of it, everything is as it was.

    operand before   [-----)   [--------)     [-----)
    operand now      [-----)   [-----------)  [-----)
    evaluated anew                      |--)
*/

%!  change_static(+Step, +Delta, +M, +Run, +Q0) is det.
%
%   Step is that of eval_static/3. Delta is delta(Affected,Local): Affected(F,V,Span) gives the
%   instances, or patterns of them, of which an operand has changed, and in which span of
%   time (rtec(changes)). Local is `none`, or local(Candidates,Rules,Asked) with the rules within
%   a span. Asked says of whom: of `candidates` only, of `anybody`, or, where several operands
%   have to hold at once (`joint`), of those that Candidates gives with their span.

change_static(Step, Delta, M, Run, Q0) :-
    step_fact(Step, Indicator, Store, FV, Fact),
    Run = run(W,_,Start,Tick,_),
    first_point(W, Start, Tick, First),
    store_access(M, Store, Fact, InStore),
    (   InStore = linked(_,Held,_,_),
        Step = static(_,_,_,Candidates,Rules,Options),
        planned(Options),
        FV = F-V,
        static_plan(M, Candidates, Rules, F, V, Plan),
        held_replanned(Held, Plan, First)
    ->  true
    ;   scope(M, Q0, Scope),
        Fluent = fluent(M,Indicator,InStore,Scope),
        concerned(Step, Delta, FV, M, Fluent, Pairs, LocalRules),
        change_each(Pairs, Step, LocalRules, Run, First, Fluent),
        leave(M, Indicator, Store, First)
    ).

%   concerned(..., -Pairs, -LocalRules): Pairs lists (F-V)-Spans for the instances to be evaluated anew.

concerned(Step, delta(Affected,Local), F-Value, M, Fluent, Pairs, LocalRules) :-
    Step = static(_,_,_,Candidates,_,Options),
    Fluent = fluent(_,_,InStore,_),
    findall(f(F,Value,Span), call(M:Affected, F, Value, Span), Patterns0),
    sort(Patterns0, Patterns),
    (   Local = local(CandidatesIn,IntervalsIn,Asked)
    ->  findall((F1-V1)-Span,
                local_instance(Asked, Patterns, M:CandidatesIn, InStore, F1, V1, Span),
                Pairs0),
        sort(Pairs0, Pairs1),
        group_pairs_by_key(Pairs1, Pairs),
        LocalRules = local(M:CandidatesIn,M:IntervalsIn,Asked)
    ;   findall((F1-V1)-[],
                instance(Patterns, M:Candidates, InStore, M, Options, F1, V1),
                Pairs0),
        sort(Pairs0, Pairs),
        LocalRules = none
    ).

%   The instances that match what is affected: those that may hold now, and
%   those that did. Where rules can be evaluated within a span, those that may hold
%   in it, or did.

instance(Patterns, Candidates, InStore, M, Options, F, V) :-
    member(f(F,V,_), Patterns),
    (   ground(F-V)
    ->  true
    ;   call(Candidates, F, V)
    ;   get_fact(InStore, F, V, _)
    ;   memberchk(met(Met), Options),
        call(M:Met, F, V)
    ).

local_instance(joint, _, CandidatesIn, _, F, V, Span) :-
    call(CandidatesIn, F, V, Span).
local_instance(Asked, Patterns, CandidatesIn, InStore, F, V, Span) :-
    member(f(F,V,Span), Patterns),
    Span \== none,
    (   Asked \== joint,
        ground(F-V)
    ->  true
    ;   Asked \== joint,
        call(CandidatesIn, F, V, Span)
    ;   get_fact(InStore, F, V, Is),
        touches_span(Is, Span)
    ).

change_each([], _, _, _, _, _).
change_each([(F-V)-Spans|Pairs], Step, Local, Run, First, Fluent) :-
    Fluent = fluent(M,_,InStore,_),
    stored(InStore, F, V, Old),
    (   Spans = [From-_|_],
        From > First
    ->  local_spans(Local, Spans, Disjoint),
        change_spans(Disjoint, Local, F, V, Old, New0),
        ending_after(New0, First, New1)
    ;   static_intervals(Step, M, Run, F, V, Old, New1)
    ),
    Step = static(_,_,_,_,_,Options),
    (   exists(Options, M, F, V)
    ->  New = New1
    ;   New = []
    ),
    update(Fluent, F, V, Old, New, First),
    change_each(Pairs, Step, Local, Run, First, Fluent).

%   local_spans(+Local, +Spans, -Disjoint): Spans are in order. Looking at one that has all
%   of them costs less than looking twice, unless few of the instances hold in both.

local_spans(local(_,_,Asked), [Span|Spans], Disjoint) :-
    (   Spans == []
    ->  Disjoint = [Span]
    ;   Asked == joint
    ->  disjoint(Spans, Span, Disjoint)
    ;   Span = From-Till0,
        latest(Spans, Till0, Till),
        Disjoint = [From-Till]
    ).

disjoint([], Span, [Span]).
disjoint([From-Till|Spans], From0-Till0, Disjoint) :-
    (   From =< Till0
    ->  later(Till0, Till, Till1),
        disjoint(Spans, From0-Till1, Disjoint)
    ;   Disjoint = [From0-Till0|Disjoint1],
        disjoint(Spans, From-Till, Disjoint1)
    ).

latest([], Till, Till).
latest([_-Till1|Spans], Till0, Till) :-
    later(Till0, Till1, Till2),
    latest(Spans, Till2, Till).

later(T1, T2, T) :-
    (   T1 > T2
    ->  T = T1
    ;   T = T2
    ).

change_spans([], _, _, _, Is, Is).
change_spans([Span|Spans], Local, F, V, Old, New) :-
    local_intervals(Local, F, V, Span, Old, Is),
    change_spans(Spans, Local, F, V, Is, New).

%   As they were outside of the span, and anew in it.

local_intervals(local(Candidates,Rules,Asked), F, V, Span, Old, New) :-
    (   Asked == candidates,
        \+ call(Candidates, F, V, Span)
    ->  Inside = []
    ;   call(Rules, F, V, Span, Is)
    ->  within_span(Span, Is, Inside)
    ;   Inside = []
    ),
    Span = From-Till,
    (   Till == inf
    ->  After = []
    ;   from_point(Till, Old, After)
    ),
    joined(Inside, Till, After, From1),
    spliced(Old, From, From1, New).

%   joined(+Inside, +Till, +After, -Is): Inside is before Till, After is not.

joined([], _, After, After).
joined([(S,E)|Inside], Till, After, Is) :-
    (   E == Till,
        After = [(Till,E1)|After1]
    ->  Is = [(S,E1)|After1]
    ;   Is = [(S,E)|Is1],
        joined(Inside, Till, After, Is1)
    ).

spliced([(S,E)|Old], From, After, New) :-
    S < From,
    !,
    (   E < From
    ->  New = [(S,E)|New1],
        spliced(Old, From, After, New1)
    ;   After = [(From,E1)|After1]
    ->  New = [(S,E1)|After1]
    ;   New = [(S,From)|After]
    ).
spliced(_, _, After, After).

%!  change_input(+Step, +M, +Run, +Q0) is det.
%
%   Step is that of eval_input/3. Concerned are the instances with records that came or
%   went, and those that were open at the last query time.

change_input(Step, M, Run, Q0) :-
    Step = input(Name/Arity, Kind, Records, Store),
    Run = run(W,_,Start,Tick,_),
    first_point(W, Start, Tick, First),
    scope(M, Q0, Scope),
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    store_access(M, Store, Fact, InStore),
    Fluent = fluent(M,Name/Arity,InStore,Scope),
    findall(F-V,
            (   noted_record(Kind, Records, F, V, Goal),
                M:Goal
            ;   open_input(Fluent, Fact, F, V, Is, First)
            ),
            FVs0),
    sort(FVs0, FVs),
    (   InStore = linked(_,Held,_,_),
        replace_inputs(FVs, Held, Step, M, Run),
        spans_replaced(Held, W, First)
    ->  true
    ;   forall(member(F1-V1, FVs),
               ( stored(InStore, F1, V1, Old),
                 input_intervals(Step, M, Run, F1, V1, Old, New),
                 update(Fluent, F1, V1, Old, New, First)
               ))
    ).

%   open_input(+Fluent, +Fact, ?F, -V, -Is, +First): what was open at the last query time. The window leaves
%   what ends by First.

open_input(fluent(_,_,linked(_,Held,_,_),_), _, F, V, _, _) :-
    !,
    held_open(Held, Open),
    fluent_key(F, Key),
    member(Key-V, Open).
open_input(Fluent, Fact, F, V, Is, First) :-
    Fluent = fluent(M,_,_,_),
    M:Fact,
    leave_one(Fluent, F, V, Is, First),
    last(Is, (_,inf)).

%   Fails if something does not fit; nothing has changed then.

replace_inputs(FVs, Held, Step, M, Run) :-
    spans_begin(Held),
    forall(member(F-V, FVs),
           ( fluent_key(F, Key),
             held_first(Held, Key, V),
             forall(input_span(Step, M, Run, F-V, S-E), spans_add(Held, Key, V, S, E))
           )).

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
