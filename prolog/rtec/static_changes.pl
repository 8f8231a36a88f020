:- module(rtec_static_changes,
          [ change_static/5,            % +Step, +Delta, +M, +Run, +Q0
            change_input/4              % +Step, +M, +Run, +Q0
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(held_changes).
:- use_module(intervals, [ending_after/3, from_point/3, reaches/2]).
:- use_module(store).
:- use_module(static_fluents).
:- autoload(library(lists), [member/2, last/2]).

/** <module> Static and input fluents, by what has changed

A static fluent is evaluated anew for the instances of which an operand has
changed. Where its rules say point by point where it holds, that is done from
the first time-point at which an operand differs; before it, everything is as
it was.

    operand before   [-----)   [--------)
    operand now      [-----)   [-----------)
    evaluated anew                      |----->
*/

%!  change_static(+Step, +Delta, +M, +Run, +Q0) is det.
%
%   Step is that of eval_static/3. Delta is delta(Affected,Local): Affected(F,V,Since) gives the instances, or patterns of
%   them, of which an operand has changed, and since when. Local is `none`, or
%   local(Candidates,Rules,Asked) with the rules from a time-point on; they give nothing
%   where there is no candidate, unless Asked is `candidates`.

change_static(Step, delta(Affected,Local), M, Run, Q0) :-
    Step = static(Name/Arity, Value, Store, Candidates, _, Options),
    static_pattern(Name/Arity, Options, F),
    Run = run(W,_,Start,Tick,_),
    first_point(W, Start, Tick, First),
    scope(M, Q0, Scope),
    accessors(M:Store, InStore),
    findall(f(F,Value,Since), call(M:Affected, F, Value, Since), Patterns0),
    sort(Patterns0, Patterns),
    (   Local = local(CandidatesFrom,IntervalsFrom,Asked)
    ->  findall((F1-V1)-Since,
                local_instance(Patterns, M:CandidatesFrom, InStore, F1, V1, Since),
                Pairs0),
        earliest(Pairs0, Pairs),
        LocalRules = local(M:CandidatesFrom,M:IntervalsFrom,Asked)
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
        ending_after(New0, First, New)
    ;   static_intervals(Step, M, Run, F, V, Old, New)
    ),
    update(Fluent, F, V, Old, New, First),
    change_each(Pairs, Step, Local, Run, First, Fluent).

%   As they were before Since, and anew from there on.

local_intervals(local(Candidates,Rules,Asked), F, V, Since, Old, New) :-
    (   Asked == candidates,
        \+ call(Candidates, F, V, Since)
    ->  After = []
    ;   call(Rules, F, V, Since, Is)
    ->  from_point(Since, Is, After)
    ;   After = []
    ),
    spliced(Old, Since, After, New).

spliced([(S,E)|Old], Since, After, New) :-
    S < Since,
    !,
    (   E < Since
    ->  New = [(S,E)|New1],
        spliced(Old, Since, After, New1)
    ;   After = [(Since,E1)|After1]
    ->  New = [(S,E1)|After1]
    ;   New = [(S,Since)|After]
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
