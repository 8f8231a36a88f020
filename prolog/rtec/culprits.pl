:- module(rtec_culprits,
          [ culprit/5                   % +Step, +M, +Error, -Origin, -Call
          ]).
:- autoload(library(lists), [member/2]).
:- autoload(library(time), [call_with_time_limit/2]).

/** <module> Who raised an error

A step runs many rules at once, so an error says little about where it came
from. Afterwards there is time: the clauses of the step are run one by one, and
of the one that raises an error again, the conditions.
*/

%!  culprit(+Step, +M, +Error, -Origin, -Call) is det.
%
%   Origin is the place of the rule of Step that raises Error, and Call the
%   condition, as it is called; either is `unknown` if that cannot be told. Rules
%   of a cycle are run with what held when the error was raised.

culprit(Step, M, Error, Origin, Call) :-
    (   failing_rule(Step, M, Error, Origin0, Body)
    ->  Origin = Origin0,
        (   failing_call(Body, M, Error, Call0)
        ->  Call = Call0
        ;   Call = unknown
        )
    ;   failing_rule(Step, M, _, Origin0, _)
    ->  Origin = Origin0,
        Call = unknown
    ;   Origin = unknown,
        Call = unknown
    ).

failing_rule(Step, M, Error, Origin, Body) :-
    step_predicate(Step, Pred, Arity, Head, Before),
    functor(Head, Pred, Arity),
    nth_clause(M:Head, N, Ref),
    clause(M:Head, Body0, Ref),
    (   Before == true
    ->  Body = Body0
    ;   Body = (Before,Body0)
    ),
    raises(M:Body, Error),
    M:rtec_origin(Pred, N, Origin).

%   Nothing here runs long.

raises(Goal, Error) :-
    catch(call_with_time_limit(1, forall(Goal, true)), Raised, true),
    nonvar(Raised),
    (   var(Error)
    ->  true
    ;   formal(Raised, Formal1),
        formal(Error, Formal2),
        Formal1 =@= Formal2
    ).

formal(error(Formal, _), Formal) :- !.
formal(Error, Error).

%   failing_call(+Body, +M, +Error, -Call) is nondet.

failing_call((A,B), M, Error, Call) :-
    !,
    (   raises(M:A, _)
    ->  failing_call(A, M, Error, Call)
    ;   M:A,
        failing_call(B, M, Error, Call)
    ).
failing_call((A->B;_), M, Error, Call) :-
    !,
    failing_call((A,B), M, Error, Call).
failing_call((A;B), M, Error, Call) :-
    !,
    (   failing_call(A, M, Error, Call)
    ;   failing_call(B, M, Error, Call)
    ).
failing_call(\+ A, M, Error, Call) :-
    !,
    failing_call(A, M, Error, Call).
failing_call(Goal, M, Error, Goal) :-
    raises(M:Goal, Error).

%   step_predicate(+Step, -Pred, -Arity, ?Head, -Before): Pred/Arity has rules of Step, and
%   Before, with the variables of its Head, has been called when they are.

step_predicate(simple(_,_,Points,_), Points, 4, _, true).
step_predicate(simple(_,_,_,Options), Pred, 4, _, true) :-
    memberchk(ends(Pred), Options).
step_predicate(event(_,_,Rules), Rules, 2, _, true).
step_predicate(static(_,_,_,Candidates,_,_), Candidates, 2, _, true).
step_predicate(static(_,_,_,_,Rules,_), Rules, 3, _, true).
step_predicate(cycle(Members), Pred, Arity, Head, Before) :-
    member(Member, Members),
    cycle_predicate(Member, Pred, Arity, Head, Before).

cycle_predicate(fluent(_,_,_,_,Trigger,_,_,_), Trigger, 3, _, true).
cycle_predicate(fluent(_,_,_,_,Trigger,Fire,_,_), Fire, 6, Head, Triggered) :-
    Head =.. [Fire,N,Passed,T,_,_,_],
    Triggered =.. [Trigger,T,N,Passed].
cycle_predicate(fluent(_,_,_,_,_,_,Local,_), Local, 4, _, true).
cycle_predicate(event(_,_,Trigger,_,_), Trigger, 3, _, true).
cycle_predicate(event(_,_,Trigger,Fire,_), Fire, 4, Head, Triggered) :-
    Head =.. [Fire,N,Passed,T,_],
    Triggered =.. [Trigger,T,N,Passed].
cycle_predicate(event(_,_,_,_,Local), Local, 2, _, true).
