:- use_module(library(plunit)).
:- use_module(library(random)).
:- use_module(rtec(plans)).
:- use_module(rtec(links)).
:- use_module(rtec(native)).
:- use_module(rtec(store)).
:- use_module(rtec(static_fluents)).
:- use_module(random_intervals).
:- use_module(sessions).

:- begin_tests(plans).

program("
    :- dynamic holds_a/4, holds_b/3, holds_c/4, holds_f/4.
    :- discontiguous candidates_f/2, intervals_f/3.
    rtec_state(holds_a, 4).
    rtec_state(holds_b, 3).
    rtec_state(holds_c, 4).
    candidates_f(f(X,Y), both) :- holds_a(X, Y, true, _), holds_b(Y, low, _).
    intervals_f(f(X,Y), both, I) :-
        ( holds_a(X, Y, true, I1) *-> true ; I1 = [] ),
        ( holds_b(Y, low, I2) *-> true ; I2 = [] ),
        ( holds_b(X, low, I3) *-> true ; I3 = [] ),
        intersect_all([I1,I2,I3], I).
    candidates_f(f(X,Y), any) :- holds_a(X, Y, true, _).
    candidates_f(f(X,Y), any) :- holds_c(Y, X, 1, _).
    candidates_f(f(X,Y), any) :- holds_a(X, Y, false, _).
    intervals_f(f(X,Y), any, I) :-
        ( holds_a(X, Y, true, I1) *-> true ; I1 = [] ),
        ( holds_c(Y, X, 1, I2) *-> true ; I2 = [] ),
        ( holds_a(X, Y, false, I3) *-> true ; I3 = [] ),
        union_all([I1,I2,I3], I).
    candidates_f(f(X,Y), first) :- holds_a(X, Y, true, _).
    intervals_f(f(X,Y), first, I) :-
        ( holds_a(X, Y, true, I1) *-> true ; I1 = [] ),
        ( holds_b(k, low, I2) *-> true ; I2 = [] ),
        ( holds_c(X, X, 1, I3) *-> true ; I3 = [] ),
        relative_complement_all(I1, [I2,I3], I).
    candidates_f(f(X,Y), none) :- holds_a(X, Y, true, _).
    intervals_f(f(X,Y), none, I) :-
        ( holds_a(X, Y, true, I1) *-> true ; I1 = [] ),
        relative_complement_all(I1, [], I2),
        intersect_all([I2], I3),
        union_all([I3], I).
    candidates_f(f(X,Y), swapped) :- holds_c(X, Y, 1, _).
    intervals_f(f(X,Y), swapped, I) :-
        ( holds_c(X, Y, 1, I) *-> true ; I = [] ).
    candidates_f(f(X,Y), filtered) :- holds_a(X, Y, true, _).
    intervals_f(f(X,Y), filtered, I) :-
        ( holds_a(X, Y, true, I) *-> true ; I = [] ),
        X \\== Y.
    candidates_f(f(X,Y), named) :- holds_b(X, low, _), holds_b(Y, low, _).
    intervals_f(f(X,Y), named, I) :-
        ( holds_b(X, low, I1) *-> true ; I1 = [] ),
        ( holds_b(Y, low, I2) *-> true ; I2 = [] ),
        intersect_all([I1,I2], I).
    candidates_f(f(X,X), twice) :- holds_b(X, low, _).
    intervals_f(f(X,X), twice, I) :-
        ( holds_b(X, low, I) *-> true ; I = [] ).
    ").

planned(both).
planned(any).
planned(first).
planned(none).
planned(swapped).
planned(twice).

%   What C makes of a plan is what the rule says, in the window and joined to what was held before.
test(same, [forall(( between(1, 40, _), planned(Value) ))]) :-
    Last = 12,
    findall(Facts, ( between(1, 3, _), random_facts(Last, Facts) ), Windows),
    evaluated(Value, Windows, true, Found),
    evaluated(Value, Windows, false, Expected),
    assertion(Found == Expected).

%   Evaluated anew where something has changed, it holds what it would hold if all were evaluated.
test(by_changes, [forall(( between(1, 40, _), planned(Value) ))]) :-
    findall(Facts, ( between(1, 4, _), random_facts(12, Facts) ), Rounds),
    Rounds = [First|Later],
    program(Program),
    with_program(Program, M,
                 ( happened(M, First),
                   link_stores(M),
                   eval_static(static(f/2,Value,holds_f,candidates_f,intervals_f,[]), M, run(-1,12,0,1,true)),
                   forall(member(Facts, Later), followed(Value, M, Facts))
                 )).

followed(Value, M, Facts) :-
    forall(store(Store, Arity), change_store(M, Store, Arity, Facts)),
    fluent_fact(holds_f, f, 2, _, Value, _, Fact),
    own_link(M, Fact, Held),
    static_plan(M, candidates_f, intervals_f, f(_,_), Value, Plan),
    held_changing(Held, 12, -1, 1, plain, unread, each),
    held_replanned(Held, Plan, 0),
    held_settled(Held, 0),
    stored(M, holds_f(_,_,_,_), Found),
    stored(M, holds_a(_,_,_,_), As),
    stored(M, holds_b(_,_,_), Bs),
    stored(M, holds_c(_,_,_,_), Cs),
    append([As,Bs,Cs], Now),
    evaluated(Value, [Now], false, Expected),
    assertion(Found == Expected).

%   Some of the instances hold what Facts say from now on, others what they held.

change_store(M, Store, Arity, Facts) :-
    fluent_fact(Store, f, Arity, F, V, Is, Fact),
    own_link(M, Fact, Held),
    fluent_key(F, Key),
    findall(Key-V, ( M:Fact ; member(Fact, Facts) ), Pairs0),
    sort(Pairs0, Pairs),
    held_changing(Held, 12, -1, 1, plain, unread, each),
    forall(( member(Key-V, Pairs), maybe(0.4) ),
           (   memberchk(Fact, Facts)
           ->  held_replaced(Held, Key, V, Is)
           ;   held_replaced(Held, Key, V, [])
           )),
    held_settled(Held, 0).

%   Where a rule does more, or nothing names its instances, there is no plan.
test(no_plan, [forall(member(Value, [filtered,named]))]) :-
    program(Program),
    with_program(Program, M,
                 ( link_stores(M),
                   \+ static_plan(M, candidates_f, intervals_f, f(_,_), Value, _)
                 )).

test(plan, Head-Operations-Result-First == [0,1]-[m(0,[1,2])]-3-[0]) :-
    program(Program),
    with_program(Program, M,
                 ( link_stores(M),
                   static_plan(M, candidates_f, intervals_f, f(_,_), first, Plan),
                   Plan = plan(Head,first,_,Operations,Result,First)
                 )).

%   Facts cannot be read in C.
test(not_linked) :-
    program(Program),
    with_program(Program, M,
                 \+ static_plan(M, candidates_f, intervals_f, f(_,_), first, _)).

%   evaluated(+Value, +Windows, +InC, -Facts): after windows of four time-points each.

evaluated(Value, Windows, InC, Facts) :-
    program(Program),
    with_program(Program, M,
                 ( (   InC == true
                   ->  true
                   ;   assertz(M:rtec_last_mode(keep))
                   ),
                   evaluate(Windows, -1, Value, M, InC),
                   stored(M, holds_f(_,_,_,_), Facts)
                 )).

evaluate([], _, _, _, _).
evaluate([Facts|Windows], W, Value, M, InC) :-
    Q is W+4,
    forall(store(Store, Arity),
           ( Size is Arity+2, functor(Fact, Store, Size), forget_facts(M, Fact) )),
    happened(M, Facts),
    (   InC == true
    ->  link_stores(M),
        static_plan(M, candidates_f, intervals_f, f(_,_), Value, _)
    ;   true
    ),
    eval_static(static(f/2,Value,holds_f,candidates_f,intervals_f,[]), M, run(W,Q,0,1,false)),
    evaluate(Windows, Q, Value, M, InC).

store(holds_a, 2).
store(holds_b, 1).
store(holds_c, 2).

link_stores(M) :-
    forall(store(Store, Arity),
           ( fluent_fact(Store, f, Arity, F, V, Is, Fact),
             linked(M, Fact, F, V, Is, _)
           )).

random_facts(Last, Facts) :-
    findall(holds_a(X,Y,V,Is),
            ( arg(X), arg(Y), member(V, [true,false]), maybe, listed(Last, Is) ), As),
    findall(holds_b(X,V,Is), ( arg(X), member(V, [low,high]), maybe, listed(Last, Is) ), Bs),
    findall(holds_c(X,Y,1,Is), ( arg(X), arg(Y), maybe, listed(Last, Is) ), Cs),
    append([As,Bs,Cs], Facts).

arg(k).
arg(7).
arg(p(k,7)).

listed(Last, Is) :-
    random_intervals(Last, Is),
    Is \== [].

:- end_tests(plans).
