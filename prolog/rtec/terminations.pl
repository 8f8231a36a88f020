:- module(rtec_terminations,
          [ few_instances/6             % +M, +Goal, +F, +N, :Instances, -Keys
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(links).
:- autoload(library(solution_sequences), [limit/2]).

:- meta_predicate few_instances(+, +, +, +, 1, -).

/** <module> Terminations of what is initiated or held

Only what is initiated or held can be terminated. Where that is a small part of
what terminations speak of (all vessels report their speed, few of them trawl),
they are asked for instance by instance, through Prolog's index; otherwise for
all instances at once.
*/

%!  few_instances(+M, +Goal, +F, +N, :Instances, -Keys) is semidet.
%
%   Goal in M terminates F, and should be asked instance by instance: those that N points
%   initiate or carry are Keys, which call(Instances, Keys) lists, and the rules of Goal are
%   triggered by many more.

few_instances(M, Goal, F, N, Instances, Keys) :-
    functor(F, _, Arity),
    Arity > 0,
    findall(Size-Trigger, ends_trigger(M, Goal, F, Size, Trigger), Triggers),
    largest(Triggers, Facts, Trigger),
    Facts >= 4*N,
    call(Instances, Keys),
    length(Keys, Few),
    estimated_keys(Trigger, M, Facts, Many),
    Many >= 4*Few.

%   The trigger with the most facts decides.

largest([N0-Trigger0|Triggers], N, Trigger) :-
    largest(Triggers, N0, Trigger0, N, Trigger).

largest([], N, Trigger, N, Trigger).
largest([N1-Trigger1|Triggers], N0, Trigger0, N, Trigger) :-
    (   N1 > N0
    ->  largest(Triggers, N1, Trigger1, N, Trigger)
    ;   largest(Triggers, N0, Trigger0, N, Trigger)
    ).

%   ends_trigger(+M, +Goal, +F, -Size, -Trigger): of each rule, the first goal that
%   is more than a look-up, with the number of its facts, as sample(Vars, Fact);
%   Size is larger than any number if it cannot be asked by instance.

ends_trigger(M, Goal, F, Size, Trigger) :-
    clause(M:Goal, Body),
    term_variables(F, Vs),
    (   trigger_of(Body, M, Fact),
        fact_count(M, Fact, N),
        Fact =.. [_|Args],
        findall(I, ( nth_arg(Args, 1, I, A), same_in(Vs, A) ), Is),
        Is \== []
    ->  Size = N,
        functor(Fact, Name, Arity),
        functor(General, Name, Arity),
        findall_args(Is, General, Sample),
        Trigger = sample(Sample,General)
    ;   Size = inf,
        Trigger = none
    ).

trigger_of(Body, M, Trigger) :-
    (   Body = (G,Gs)
    ->  (   lookup(G, M)
        ->  trigger_of(Gs, M, Trigger)
        ;   Trigger = G
        )
    ;   Trigger = Body
    ).

lookup(G, M) :-
    predicate_property(M:G, number_of_rules(0)),
    \+ predicate_property(M:G, dynamic).

nth_arg([A|_], I, I, A).
nth_arg([_|As], I0, I, A) :-
    I1 is I0+1,
    nth_arg(As, I1, I, A).

same_in([V|Vs], A) :-
    (   V == A
    ->  true
    ;   same_in(Vs, A)
    ).

findall_args([], _, []).
findall_args([I|Is], Term, [A|As]) :-
    arg(I, Term, A),
    findall_args(Is, Term, As).

%   Records stand by entity, so the first of them tell how many each has.

estimated_keys(sample(Sample,Fact), M, N, Many) :-
    findall(Sample, limit(64, M:Fact), Some),
    length(Some, Looked),
    sort(Some, Distinct),
    length(Distinct, Found),
    Many is N*Found/max(1,Looked).
