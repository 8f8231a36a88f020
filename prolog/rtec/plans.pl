:- module(rtec_plans,
          [ static_plan/6               % +M, +Candidates, +Rules, +F, +V, -Plan
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(links).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(lists), [append/3, member/2, nth0/3]).

/** <module> Rules that only combine intervals

    intervals_f(f(X,Y), true, I) :-
        ( holds_a(X, Y, true, I1) *-> true ; I1 = [] ),
        ( holds_b(Y, low, I2) *-> true ; I2 = [] ),
        relative_complement_all(I1, [I2], I).

Such a rule of a static fluent, if what it reads stands in C (rtec(links)), is evaluated there for
all instances at once. What it does is written down as a plan, for `native/algebra.c`:

    plan([0,1], true,
         [literal(HeldA,[0,1],true), literal(HeldB,[1],low)],      % lists 0 and 1
         [m(0,[1])],                                               % list 2
         2,                                                        % is the answer
         [0])                                                      % what names instances

A number among arguments stands for a variable of the head; k(Term) is a constant.
*/

%!  static_plan(+M, +Candidates, +Rules, +F, +V, -Plan) is semidet.
%
%   Plan is the rule of the most general fluent F=V of a step. Fails if it has none, or if something that it
%   reads does not stand in C.

static_plan(M, Candidates, Rules, F, V, Plan) :-
    (   M:rtec_plan(Rules, F0-V0, Written0),
        F0 =@= F,
        V0 == V
    ->  Written = Written0
    ;   (   written(M, Candidates, Rules, F, V, Written)
        ->  true
        ;   Written = none
        ),
        assertz(M:rtec_plan(Rules, F-V, Written))
    ),
    Written = plan(Head,V,Literals0,Operations,Result,First),
    maplist(in_store(M), Literals0, Literals),
    Plan = plan(Head,V,Literals,Operations,Result,First).

in_store(M, reads(Fact,Args,V), literal(Held,Args,V)) :-
    only_link(M, Fact, Held).

%   written(...): the plan with reads(Fact,Args,V) in place of literals.

written(M, Candidates, Rules, F0, V, plan(Head,V,Literals,Operations,Result,First)) :-
    atomic(V),
    copy_term(F0, F),
    Rule =.. [Rules,F,V,I],
    findall(Rule-Body, clause(M:Rule, Body), [Rule-Body]),
    F =.. [_|Args],
    var(I),
    term_variables(F, Vars),
    Args \== [],
    maplist(argument(Vars), Args, Head),
    goals(Body, Goals, []),
    operations(Goals, Vars, M, [], Lists, Reads, Made),
    numbered(Lists, Reads, Numbered),
    maplist(operation(Numbered), Made, Operations),
    maplist(read_of, Reads, Literals),
    number_of(Numbered, I, Result),
    Candidate =.. [Candidates,F0,V],
    findall(N, named(M, Candidate, F0, Literals, N), First0),
    sort(First0, First),
    \+ memberchk(none, First),
    First \== [].

argument(Vars, Arg, Spec) :-
    (   var(Arg)
    ->  position(Vars, Arg, 0, Spec)
    ;   atomic(Arg),
        Spec = k(Arg)
    ).

position([V|Vars], Var, N0, N) :-
    (   V == Var
    ->  N = N0
    ;   N1 is N0+1,
        position(Vars, Var, N1, N)
    ).

goals((A,B), Goals, Tail) :-
    !,
    goals(A, Goals, Goals1),
    goals(B, Goals1, Tail).
goals(Goal, [Goal|Tail], Tail).

%   operations(+Goals, +Vars, +M, +Known, -Lists, -Reads, -Made): Lists has the variables of all
%   interval lists that operations make, in order; each of them is new.

operations([], _, _, _, [], [], []).
operations([Goal|Goals], Vars, M, Known, Lists, Reads, Made) :-
    (   read_goal(Goal, Vars, M, I, Read)
    ->  Reads = [I-Read|Reads1],
        Lists = Lists1,
        Made = Made1
    ;   made(Goal, I, Operation),
        Reads = Reads1,
        Lists = [I|Lists1],
        Made = [Operation|Made1]
    ),
    var(I),
    \+ position(Known, I, 0, _),
    operations(Goals, Vars, M, [I|Known], Lists1, Reads1, Made1).

read_goal(( Fact *-> true ; I0 = [] ), Vars, M, I, reads(General,Specs,V)) :-
    callable(Fact),
    stored(Fact, Vars, Specs, V, I),
    I0 == I,
    M:rtec_state(Store, Arity),
    functor(Fact, Store, Arity),
    functor(General, Store, Arity),
    ValueAt is Arity-1,
    arg(ValueAt, General, V).

%   stored(+Fact, +Vars, -Specs, -V, -I): of a goal that reads one value of one instance.

stored(Fact, Vars, Specs, V, I) :-
    Fact =.. [_|FactArgs],
    append(Args, [V,I], FactArgs),
    atomic(V),
    maplist(argument(Vars), Args, Specs).

made(union_all(Is, I), I, u(Is)).
made(intersect_all(Is, I), I, i(Is)).
made(relative_complement_all(I0, Is, I), I, m(I0,Is)).

%   numbered(+Lists, +Reads, -Numbered): what is read has the first numbers.

numbered(Lists, Reads, Numbered) :-
    findall_keys(Reads, Is),
    append(Is, Lists, Numbered).

findall_keys([], []).
findall_keys([I-_|Reads], [I|Is]) :-
    findall_keys(Reads, Is).

read_of(_-Read, Read).

operation(Numbered, Made, Operation) :-
    (   Made = m(I0,Is)
    ->  number_of(Numbered, I0, N0),
        is_list(Is),
        maplist(number_of(Numbered), Is, Ns),
        Operation = m(N0,Ns)
    ;   Made =.. [Kind,Is],
        is_list(Is),
        Is \== [],
        maplist(number_of(Numbered), Is, Ns),
        Operation =.. [Kind,Ns]
    ).

number_of(Numbered, I, N) :-
    var(I),
    position(Numbered, I, 0, N).

%   named(+M, +Candidate, +F, +Literals, -N): the literal by which a clause of Candidate names its instances,
%   `none` if there is no such.

named(M, Candidate, F, Literals, N) :-
    clause(M:Candidate, Body),
    (   term_variables(F, Vars),
        goals(Body, Goals, []),
        member(Goal, Goals),
        stored(Goal, Vars, Specs, V, _),
        covers(Vars, 0, Specs),
        functor(Goal, Store, _),
        nth0(N0, Literals, reads(Fact,Specs0,V0)),
        functor(Fact, Store, _),
        Specs0 == Specs,
        V0 == V
    ->  N = N0
    ;   N = none
    ).

covers([], _, _).
covers([_|Vars], N, Specs) :-
    memberchk(N, Specs),
    N1 is N+1,
    covers(Vars, N1, Specs).
