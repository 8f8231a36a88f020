:- use_module(library(plunit)).
:- use_module(rtec(hooks)).
:- use_module(sessions).

:- begin_tests(hooks_domains).

%   A dynamic domain has the solutions of its rules, each once, for one window.
test(domain, Facts == [domain_vessel(ferry),domain_vessel(tug)]) :-
    with_program("
        :- dynamic happens_speed/3, domain_vessel/1.
        rules_vessel(vessel(X)) :- happens_speed(_, X, _).
        ", M,
        ( happened(M, [ happens_speed(1,tug,3), happens_speed(2,ferry,9),
                        happens_speed(3,tug,4), domain_vessel(old) ]),
          eval_domain(domain(vessel/1,domain_vessel,rules_vessel), M),
          stored(M, domain_vessel(_), Facts)
        )).

:- end_tests(hooks_domains).

:- begin_tests(hooks_preprocessing).

program("
    :- dynamic holds_near/4.
    rtec_input_fluent(near/2, holds_near).
    preProcessing(Q) :-
        E is Q+1,
        assertz(iePList(1, near(a,b)=true, [(3,E),(1,4)], [])),
        assertz(iePList(2, near(a,c)=true, [], [])),
        assertz(iePList(3, unheard(of)=true, [(1,2)], [])).
    ").

%   What is published replaces what the records say, merged to maximal
%   intervals; nothing published is nothing held.
test(published, Facts == [holds_near(a,b,true,[(1,11)]),holds_near(x,y,true,[(1,2)])]) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, [ holds_near(a,b,true,[(8,9)]), holds_near(a,c,true,[(5,6)]),
                                 holds_near(x,y,true,[(1,2)]) ]),
                   run_preprocessing(M, run(0,10,0,1,true)),
                   stored(M, holds_near(_,_,_,_), Facts)
                 )).

%   A hook that fails changes nothing.
test(fails, Facts == [holds_near(a,b,true,[(8,9)])]) :-
    with_program(":- dynamic holds_near/4.\n preProcessing(_) :- fail.", M,
                 ( happened(M, [holds_near(a,b,true,[(8,9)])]),
                   run_preprocessing(M, run(0,10,0,1,true)),
                   stored(M, holds_near(_,_,_,_), Facts)
                 )).

:- end_tests(hooks_preprocessing).
