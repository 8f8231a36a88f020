:- use_module(library(plunit)).
:- use_module(rtec(culprits)).
:- use_module(sessions).

:- begin_tests(culprits).

program("
    :- dynamic happens_e/2.
    points_f(f(X), T, i, true) :- happens_e(T, X), X == b.
    points_f(f(X), T, t, true) :- happens_e(T, X), ( X == a ; mine(X) ), X \\= c.
    points_f(f(X), T, t, true) :- happens_e(T, X), \\+ mine(X).
    mine(X) :- X == a.
    mine(X) :- X == b, Y is X+1, Y > 2.
    rtec_origin(points_f, 1, 'f.prolog:1').
    rtec_origin(points_f, 2, 'f.prolog:2').
    rtec_origin(points_f, 3, 'f.prolog:3').
    ").

%   The first rule that raises an error, and the condition with the arguments
%   with which it does; what succeeds or fails before is left out.
test(call, Origin-Call == 'f.prolog:2'-mine(b)) :-
    found([happens_e(1,a),happens_e(2,b)], error(type_error(evaluable, b/0), _), Origin, Call).

%   Another error than the one that was raised says where, not what.
test(another, Origin-Call == 'f.prolog:2'-unknown) :-
    found([happens_e(1,a),happens_e(2,b)], my_own_ball, Origin, Call).

%   Whoever raised it does not do so again.
test(nobody, Origin-Call == unknown-unknown) :-
    found([happens_e(1,a)], my_own_ball, Origin, Call).

%   A rule of a cycle is called with what its trigger passed on.
test(cycle, Origin-Call == 'g.prolog:1'-weight(foo)) :-
    with_program("
        :- dynamic happens_close/3, now_g/2.
        trigger_g(T, 1, v(M,W)) :- happens_close(T, M, W).
        fire_g(1, v(M,W), _, g(M), i, null) :- now_g(M, open), weight(W).
        weight(W) :- W > 1.
        rtec_origin(fire_g, 1, 'g.prolog:1').
        ", M,
        ( happened(M, [happens_close(3,m1,7),happens_close(4,m2,bar),happens_close(5,m1,foo),
                       now_g(m1,open)]),
          culprit(cycle([fluent(g/1,holds_g,now_g,past_g,trigger_g,fire_g,local_g,[])]), M,
                  error(type_error(evaluable,foo/0),_), Origin, Call)
        )).

found(Facts, Error, Origin, Call) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, Facts),
                   culprit(simple(f/1,holds_f,points_f,[]), M, Error, Origin, Call)
                 )).

:- end_tests(culprits).
