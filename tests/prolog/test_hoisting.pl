:- use_module(library(plunit)).
:- use_module(rtec(hoisting)).
:- use_module(sessions).

:- begin_tests(hoisting).

program("
    :- dynamic happens_e/2, changing/1.
    limit(a, 5).
    limit(b, 7).
    tug(t1).
    tug(t2).
    limited(a).
    computed(X) :- X is 1+1.
    changing(1).
").

test(lookup_first,
     Clause =@= ( points_f(f(X), T, i, true) :- limit(a,L), happens_e(T,X), X > L )) :-
    moved(( points_f(f(X1), T1, i, true) :- happens_e(T1,X1), limit(a,L1), X1 > L1 ), Clause).
test(in_order,
     Clause =@= ( ends_f(f(X), T, t, true)
                :- limit(a,L), limit(b,M), happens_e(T,X), X > L, X < M )) :-
    moved(( ends_f(f(X1), T1, t, true)
          :- happens_e(T1,X1), limit(a,L1), X1 > L1, limit(b,M1), X1 < M1 ), Clause).
test(once, fail) :-
    moved(( points_f(f(X), T, i, true) :- limit(a,L), happens_e(T,X), X > L ), _).

%   Each of these would mean something else, or cost more, before the trigger.
test(depends_on_the_trigger, fail) :-
    moved(( points_f(f(X), T, i, true) :- happens_e(T,X), limit(X,_) ), _).
test(depends_on_a_condition, fail) :-
    moved(( points_f(f(X), T, i, true) :- happens_e(T,X), g(Y), limit(Y,_) ), _).
test(many_solutions, fail) :-
    moved(( points_f(f(X,Y), T, i, true) :- happens_e(T,X), tug(Y) ), _).
test(no_solution, fail) :-
    moved(( points_f(f(X), T, i, true) :- happens_e(T,X), limit(c,_) ), _).
test(rule, fail) :-
    moved(( points_f(f(X), T, i, true) :- happens_e(T,X), computed(_) ), _).
test(dynamic, fail) :-
    moved(( points_f(f(X), T, i, true) :- happens_e(T,X), changing(_) ), _).
test(builtin, fail) :-
    moved(( points_f(f(X), T, i, true) :- happens_e(T,X), write(hello) ), _).
test(after_a_cut, fail) :-
    moved(( points_f(f(X), T, i, true) :- happens_e(T,X), !, limit(a,_) ), _).
test(other_predicate, fail) :-
    moved(( helper(X, T) :- happens_e(T,X), limit(a,_) ), _).

moved(Clause0, Clause) :-
    program(Program),
    with_program(Program, M, hoisted(M, Clause0, Clause)).

:- end_tests(hoisting).
