:- use_module(library(plunit)).
:- use_module(library(random)).
:- use_module(rtec(links)).
:- use_module(rtec(native)).
:- use_module(rtec(store)).
:- use_module(sessions).

:- set_random(seed(161803)).

:- begin_tests(links).

program(":- dynamic holds_f/4, ask_holds_f/4, holds_g/3, ask_holds_g/3, search_holds_g/3, holds_h/2.
         rtec_state(holds_f, 4).
         ask_holds_f(A, B, V, T) :- holds_f(A, B, V, Is), holds_at(Is, T).
         ask_holds_g(A, V, T) :- holds_g(A, V, Is), holds_at(Is, T).
         search_holds_g(A, V, T) :- holds_g(A, V1, Is), V1 == V, holds_at(Is, T).
         ").

%   What is linked is read like the facts that it was.
test(read, [forall(between(1, 200, _))]) :-
    random_facts(Facts),
    asked(Goal),
    in_program(M,
               ( happened(M, Facts),
                 answers(M, Goal, Expected),
                 link_f(M, _),
                 answers(M, Goal, Found)
               )),
    assertion(Found == Expected).

test(determinate, Is == [(1,4)]) :-
    in_program(M,
               ( happened(M, [holds_f(a,b,true,[(1,4)]),holds_f(b,b,true,[(2,5)])]),
                 link_f(M, _),
                 M:holds_f(a, b, true, Is)
               )).

%   Whether something holds is asked of the link too, and of facts again after it is gone.
test(ask, [forall(member(T-Answer, [0-false,1-true,3-true,4-false,7-false,8-true,900-true]))]) :-
    in_program(M,
               ( happened(M, [holds_f(a,b,v,[(1,4),(8,inf)]),holds_f(a,c,v,[(0,inf)])]),
                 link_f(M, Fact),
                 holds(M:ask_holds_f(a, b, v, T), First),
                 findall(Fact, M:Fact, Facts),
                 forget_facts(M, Fact),
                 happened(M, Facts),
                 holds(M:ask_holds_f(a, b, v, T), Second)
               )),
    assertion(First-Second == Answer-Answer).

%   So it is where several instances and values are looked for.
test(ask_some, [forall(between(1, 100, _))]) :-
    random_facts(Facts),
    asked(holds_f(A,B,V,_)),
    random_between(-6, 8, T),
    in_program(M,
               ( happened(M, Facts),
                 answers(M, ask_holds_f(A,B,V,T), Expected),
                 link_f(M, _),
                 answers(M, ask_holds_f(A,B,V,T), Found)
               )),
    assertion(Found == Expected).

%   A link for one value is not taken for all.
test(ask_by_value, [forall(( member(A, [a,b,_]), member(V, [high,low,_]),
                             member(Ask, [ask_holds_g,search_holds_g]) ))]) :-
    Goal =.. [Ask,A,V,3],
    in_program(M,
               ( happened(M, [ holds_g(a,high,[(1,4)]), holds_g(b,low,[(3,4)]), holds_g(a,low,[(2,9)]),
                               holds_g(b,mid,[(3,5)]) ]),
                 answers(M, Goal, Expected),
                 forall(member(V1, [high,low]),
                        ( fluent_fact(holds_g, g, 1, F, V1, Is, Fact), linked(M, Fact, F, V1, Is, _) )),
                 answers(M, Goal, Found)
               )),
    assertion(Found == Expected).

test(asked_nothing) :-
    in_program(M,
               ( link_f(M, Fact),
                 \+ M:Fact,
                 \+ M:ask_holds_f(a, b, v, 1)
               )).

test(replaced, Facts == [holds_f(a,b,v(1),[(2,inf)])]) :-
    in_program(M,
               ( happened(M, [holds_f(x,y,true,[(1,4)])]),
                 fluent_fact(holds_f, f, 2, F, V, Is, Fact),
                 replace_held(M, holds_f, Fact, F, V, Is, [held(f(a,b),v(1),[(2,inf)])]),
                 predicate_property(M:Fact, number_of_rules(1)),
                 stored(M, Fact, Facts)
               )).

%   What does not fit into C stays a fact, and so does what comes after it.
test(unfit, Facts == [holds_f("a",b,true,[(1,2)])]) :-
    in_program(M,
               ( fluent_fact(holds_f, f, 2, F, V, Is, Fact),
                 link_f(M, _),
                 replace_held(M, holds_f, Fact, F, V, Is, [held(f("a",b),true,[(1,2)])]),
                 \+ linked(M, Fact, F, V, Is, _),
                 stored(M, Fact, Facts)
               )).
test(unfit_before, Facts == [holds_f("a",b,true,[(1,2)])]) :-
    in_program(M,
               ( happened(M, [holds_f("a",b,true,[(1,2)])]),
                 fluent_fact(holds_f, f, 2, F, V, Is, Fact),
                 \+ linked(M, Fact, F, V, Is, _),
                 stored(M, Fact, Facts)
               )).

%   Each value of a static fluent may have a link of its own.
test(by_value, Facts-N == [holds_g(a,high,[(1,2)]),holds_g(b,low,[(3,4)])]-2) :-
    in_program(M,
               ( happened(M, [holds_g(a,high,[(1,2)]),holds_g(b,low,[(3,4)])]),
                 forall(member(V, [high,low]),
                        ( fluent_fact(holds_g, g, 1, F, V, Is, Fact), linked(M, Fact, F, V, Is, _) )),
                 stored(M, holds_g(_,_,_), Facts),
                 fact_count(M, holds_g(_,_,_), N),
                 \+ only_link(M, holds_g(_,_,_), _),
                 only_link(M, holds_g(_,low,_), _)
               )).

test(no_arguments, Facts == [holds_h(true,[(1,2)])]) :-
    in_program(M,
               ( happened(M, [holds_h(true,[(1,2)])]),
                 fluent_fact(holds_h, h, 0, F, V, Is, Fact),
                 linked(M, Fact, F, V, Is, _),
                 stored(M, Fact, Facts)
               )).

test(state, Facts == [holds_f(a,b,true,[(1,4)])]) :-
    in_program(M,
               ( happened(M, [holds_f(a,b,true,[(1,4)])]),
                 link_f(M, Fact),
                 take_state(M, State),
                 put_state(M, State),
                 predicate_property(M:Fact, number_of_rules(0)),
                 stored(M, Fact, Facts)
               )).

%   Reasoning by changes links what it can change in C.
test(by_changes, [forall(member(Step-Linked,
                                [ static(f/2,_,holds_f,_,_,[])-true,
                                  simple(f/2,holds_f,_,[])-true,
                                  cycle([fluent(f/2,holds_f,_,_,_,_,_,[])])-false,
                                  simple(g/1,holds_g,_,[])-false ]))]) :-
    in_program(M,
               ( assertz(M:rtec_last_mode(keep)),
                 assertz(M:rtec_step(1, Step)),
                 assertz(M:rtec_delta(simple(f/2), delta(_,_,_,_,_,_))),
                 fluent_fact(holds_f, f, 2, F, V, Is, Fact),
                 holds(linked(M, Fact, F, V, Is, _), Answer)
               )),
    assertion(Answer == Linked).

%   Names of the past are forgotten, what is held is not.
test(renumbered, Facts == [holds_g(last,true,[(1,2)])]) :-
    in_program(M,
               ( fluent_fact(holds_g, g, 1, F, V, Is, Fact),
                 linked(M, Fact, F, V, Is, Held),
                 forall(between(1, 40, Round),
                        ( findall(held(g(N-Round),true,[(1,2)]), between(1, 100, N), List),
                          held_list(Held, List)
                        )),
                 held_list(Held, [held(g(last),true,[(1,2)])]),
                 held_list(Held, [held(g(last),true,[(1,2)])]),
                 stored(M, Fact, Facts)
               )).

in_program(M, Goal) :-
    program(Program),
    with_program(Program, M, Goal).

link_f(M, Fact) :-
    fluent_fact(holds_f, f, 2, F, V, Is, Fact),
    linked(M, Fact, F, V, Is, _),
    predicate_property(M:Fact, number_of_rules(1)),
    !.

holds(Goal, Answer) :-
    (   call(Goal)
    ->  Answer = true
    ;   Answer = false
    ).

answers(M, Goal, Sorted) :-
    findall(Goal, M:Goal, Answers),
    msort(Answers, Sorted).

%   Calls with any arguments known, in part or not at all, and with a variable twice.

asked(holds_f(A,B,V,_)) :-
    random_member(A-B, [_-_,a-_,_-b,a-b,X-X,p(a,_)-_,_-p(_,b),p(_,_)-b,p(1,2)-_,1-_,1.0-_,zzz-_,
                        p(a,b)-c,q(_)-_,[a|_]-_]),
    random_member(V, [_,_,true,v(_),v(1),v(2),none]).

random_facts(Facts) :-
    random_between(0, 30, N),
    findall((A-B)-V, ( between(1, N, _), random_arg(A), random_arg(B), random_value(V) ), Keys0),
    sort(Keys0, Keys),
    findall(holds_f(A,B,V,Is), ( member((A-B)-V, Keys), random_list(Is) ), Facts0),
    random_permutation(Facts0, Facts).

random_arg(A) :-
    random_member(A, [a,b,c,1,1.0,p(a,b),p(a,c),p(1,2),p(b,b),[],[a,b]]).

random_value(V) :-
    random_member(V, [true,false,v(1),v(2),3]).

random_list(Is) :-
    random_member(Is, [[(1,2)],[(1,inf)],[(-5,0),(3,4),(6,inf)],[(0,9223372036854775806)]]).

:- end_tests(links).
