:- use_module(library(plunit)).
:- use_module(rtec(kept_points)).
:- use_module(sessions).

:- begin_tests(kept_points).

program(":- dynamic initiated_f/3, breaks_f/4, initiated_g/2.").

test(point, Facts == [initiated_f(5,a,true)]) :-
    in(M, keep_point(M, initiated_f/3, 5, f(a), [true]), initiated_f(_,_,_), Facts).
test(point_of_an_atom, Facts == [initiated_g(5,true)]) :-
    in(M, keep_point(M, initiated_g/2, 5, g, [true]), initiated_g(_,_), Facts).

test(break, Facts == [breaks_f(5,a,t,on)]) :-
    in(M, keep_break(M, breaks_f/4, 5, f(a), t, on), breaks_f(_,_,_,_), Facts).

%   Of a carried value only the value counts here.
test(carried, Facts == [breaks_f(0,a,c,on)]) :-
    in(M, keep_break(M, breaks_f/4, 0, f(a), c, -3-on), breaks_f(_,_,_,_), Facts).

test(forget, Facts == []) :-
    in(M,
       ( keep_point(M, initiated_f/3, 5, f(a), [true]),
         forget_points(M, initiated_f/3)
       ),
       initiated_f(_,_,_), Facts).

:- meta_predicate in(?, 0, +, -).

in(M, Goal, Template, Facts) :-
    program(Program),
    with_program(Program, M, ( call(Goal), stored(M, Template, Facts) )).

:- end_tests(kept_points).
