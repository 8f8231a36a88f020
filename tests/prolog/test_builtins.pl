:- use_module(library(plunit)).
:- use_module(rtec(builtins)).
:- use_module(sessions).

:- begin_tests(builtins_durations).

%   [--)   [------)   [---->
%    2         6        open: longer than anything
test(longer, Is == [(5,11),(20,inf)]) :-
    intDurGreater([(1,3),(5,11),(20,inf)], 2, Is).
test(longer_than_its_length, Is == []) :-
    intDurGreater([(5,11)], 6, Is).
test(none, Is == []) :- intDurGreater([], 6, Is).

:- end_tests(builtins_durations).

:- begin_tests(builtins_breaks).

%   A termination breaks its own value, every value if it has none;
%   an initiation, and `x`, break all others.
test(termination) :- breaks_value(t, on, [], on).
test(termination, fail) :- breaks_value(t, on, [], off).
test(termination_of_all, [true, nondet]) :- breaks_value(t, _, [on,off], off).
test(termination_of_what, all(V == [on])) :- breaks_value(t, on, [on,off], V).
test(termination_of_all_known, all(V == [on,off])) :- breaks_value(t, _, [on,off], V).
test(initiation, fail) :- breaks_value(i, on, [], on).
test(initiation) :- breaks_value(i, on, [], off).
test(initiation_of_what, all(V == [off,idle])) :- breaks_value(i, on, [on,off,idle], V).
test(others) :- breaks_value(x, on, [], off).

:- end_tests(builtins_breaks).

:- begin_tests(builtins_in_sessions).

%   Code in a session sees them without importing anything,
test(visible, Is == [(1,9)]) :-
    with_program("u(Is) :- union_all([[(1,4)],[(4,9)]], Is).", M, M:u(Is)).
test(allen, Is == [(4,9)]) :-
    with_program("a(Is) :- allen(meets, [(1,4)], [(4,9)], target, Is).", M, M:a(Is)).

%   and may have its own predicate of the same name, or of a relation's.
test(own, Is == mine) :-
    with_program("union_all(_, mine). u(Is) :- union_all([], Is).", M, M:u(Is)).
test(own_meets, X == yes) :-
    with_program("meets(a, yes). m(X) :- meets(a, X).", M, M:m(X)).

:- end_tests(builtins_in_sessions).
