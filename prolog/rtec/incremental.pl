:- module(rtec_incremental,
          [ change_step/4                % +Step, +M, +Run, +Q0
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(simple_changes).
:- use_module(static_changes).
:- use_module(event_changes).

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
