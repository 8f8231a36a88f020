:- module(rtec_incremental,
          [ delta_rules/3,              % +Step, +M, -Delta
            change_step/5               % +Step, +Delta, +M, +Run, +Q0
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(simple_changes).
:- use_module(static_changes).
:- use_module(static_fluents, [static_pattern/3]).
:- use_module(event_changes).
:- use_module(cycle_changes).
:- use_module(held_changes, [changing/5, settled/3]).

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

%!  delta_rules(+Step, +M, -Delta) is semidet.
%
%   Delta has the delta rules of a step. Fails if it has none: where no rules
%   could be made of it, or where Allen conditions look back no further than a
%   limit, which moves with every query time.

delta_rules(simple(Indicator,_,_,_), M, Delta) :-
    M:rtec_delta(simple(Indicator), Delta).
delta_rules(static(Indicator,Value,_,_,_,Options), M, Delta) :-
    static_pattern(Indicator, Options, F),
    M:rtec_delta(static(F0,V0), Delta),
    F0 =@= F,
    V0 =@= Value,
    !,
    \+ ( memberchk(whole(true), Options), M:rtec_run(_, _, Memory), Memory >= 0 ).
delta_rules(input(_,_,_,_), _, records).
delta_rules(event(Indicator,_,_), M, Delta) :-
    M:rtec_delta(event(Indicator), Delta).
delta_rules(cycle([Member|_]), M, Deltas) :-
    arg(2, Member, Store),
    M:rtec_delta(cycle(Store), Deltas).

%!  change_step(+Step, +Delta, +M, +Run, +Q0) is det.
%
%   Evaluate a step by its changes since the query time Q0.

change_step(Step, Delta, M, Run, Q0) :-
    functor(Step, Kind, _),
    changing(M, Step, Q0, each, Helds),
    change_step(Kind, Step, Delta, M, Run, Q0),
    settled(Helds, Step, Run).

change_step(simple, Step, Delta, M, Run, Q0) :-
    (   Delta = d(_,_,_,_,_,_,_)
    ->  change_alone(Step, Delta, M, Run, Q0)
    ;   change_simple(Step, Delta, M, Run, Q0)
    ).
change_step(static, Step, Delta, M, Run, Q0) :-
    change_static(Step, Delta, M, Run, Q0).
change_step(input, Step, _, M, Run, Q0) :-
    change_input(Step, M, Run, Q0).
change_step(event, Step, Delta, M, Run, _) :-
    change_event(Step, Delta, M, Run).
change_step(cycle, Step, Deltas, M, Run, Q0) :-
    change_cycle(Step, Deltas, M, Run, Q0).
