:- use_module(library(plunit)).
:- use_module(rtec(terminations)).
:- use_module(sessions).

:- begin_tests(terminations).

program("
    :- dynamic happens_speed/3, happens_stop/2, happens_all/1.
    limit(5).
    ends_trawl(trawl(X), T, t, true) :- limit(Max), happens_speed(T, X, S), S > Max.
    ends_trawl(trawl(X), T, t, true) :- happens_stop(T, X).
    ends_open(open(X), T, t, true) :- happens_all(T), door(X).
    door(d1).
    door(d2).
").

test(few_of_many, Keys == [v3]) :-
    among(100, 1, [v3], Keys).
test(all_of_few, [fail]) :-
    among(3, 1, [v3], _).

%   Nobody lists the instances where there are too many points anyway.
test(many_points, [fail]) :-
    among(100, 60, throw, _).

%   A rule that cannot be asked by instance.
test(no_index, [fail]) :-
    program(Program),
    with_program(Program, M,
                 ( forall(between(1, 100, _), assertz(M:happens_all(4))),
                   few_instances(M, ends_open(open(_),_,_,_), open(_), 1, =([d1]), _)
                 )).

%   Of some vessels, each of which reports twice.

among(Vessels, N, Instances, Keys) :-
    program(Program),
    with_program(Program, M,
                 ( forall(between(1, Vessels, I),
                          ( atom_concat(v, I, V),
                            assertz(M:happens_speed(I, V, 9)),
                            assertz(M:happens_speed(I, V, 2))
                          )),
                   assertz(M:happens_stop(50, v3)),
                   few_instances(M, ends_trawl(trawl(X),_,_,_), trawl(X), N,
                                 given(Instances), Keys)
                 )).

given(Instances, Keys) :-
    (   Instances == throw
    ->  throw(asked)
    ;   Keys = Instances
    ).

:- end_tests(terminations).
