:- use_module(library(plunit)).
:- use_module(rtec(query)).
:- use_module(sessions).
:- use_module(programs).

:- begin_tests(query).

%   The steps in order, then what is stored as flat rows, in any order.
test(answers, Fluents-Events ==
              [ -(at,[chris],pub,[18,inf]), -(at,[chris],work,[10,18]),
                -(happy,[chris],true,[14,inf]), -(rich,[chris],true,[14,inf]) ]
              - [ -(party,[chris],[17]) ]) :-
    toy(Toy),
    with_program(Toy, M,
                 ( happened(M, [ happens_go(9,chris,work), happens_win(13,chris),
                                 happens_go(17,chris,pub) ]),
                   recognise(M, -1, 21),
                   answers(M, Rows, Events)
                 )),
    msort(Rows, Fluents).

%   A second window carries on.
test(second_window, Fluents == [ -(at,[chris],home,[26,inf]), -(at,[chris],work,[10,26]) ]) :-
    toy(Toy),
    with_program(Toy, M,
                 ( happened(M, [happens_go(9,chris,work)]),
                   recognise(M, -1, 21),
                   retractall(M:happens_go(_,_,_)),
                   happened(M, [happens_go(25,chris,home)]),
                   recognise(M, 21, 31),
                   answers(M, Rows, [])
                 )),
    msort(Rows, Fluents).

%   Compound arguments and values are their text; numbers stay numbers.
test(compound, Fluents == [-(rich,["f('X',1)"],true,[14,inf]), -(happy,["f('X',1)"],true,[14,inf])]) :-
    toy(Toy),
    with_program(Toy, M,
                 ( happened(M, [happens_win(13,f('X',1))]),
                   recognise(M, -1, 21),
                   answers(M, Fluents, [])
                 )).
test(numbers, Args == [[7]]) :-
    toy(Toy),
    with_program(Toy, M,
                 ( happened(M, [happens_go(3,7,pub)]),
                   recognise(M, -1, 21),
                   answers(M, [-(at,A,pub,_)|_], [])
                 )),
    Args = [A].

test(nothing, Fluents-Events == []-[]) :-
    toy(Toy),
    with_program(Toy, M, ( recognise(M, -1, 21), answers(M, Fluents, Events) )).

:- end_tests(query).

:- begin_tests(query_errors).

%   An error names the step, the rule and the call in which it happened.
test(rule, Step-Origin-Call == (rich/1)-'toy.prolog:7'-(chris>3)) :-
    toy(Toy0),
    string_concat(Toy0, "points_rich(rich(X), T, t, true) :- happens_go(T, X, Y), Y > 3.
                         rtec_origin(points_rich, 2, 'toy.prolog:8').", Toy1),
    string_concat(":- discontiguous points_rich/4, rtec_origin/3.\n", Toy1, Toy2),
    replaced(Toy2, "happens_win(T, X).\n    candidates", "happens_win(T, X), X > 3.\n    candidates",
             Toy),
    with_program(Toy, M,
                 ( happened(M, [happens_win(13,chris)]),
                   catch(recognise(M, -1, 21),
                         error(rtec(in_step(simple(Step,_,_,_),Origin,Call,Error)),_), true)
                 )),
    Error = error(type_error(evaluable, chris/0), _).

replaced(Text0, From, To, Text) :-
    sub_string(Text0, B, _, A, From),
    !,
    sub_string(Text0, 0, B, _, Before),
    sub_string(Text0, _, A, 0, After),
    atomics_to_string([Before,To,After], Text).

:- end_tests(query_errors).
