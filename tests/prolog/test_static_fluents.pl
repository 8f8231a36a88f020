:- use_module(library(plunit)).
:- use_module(library(random)).
:- use_module(rtec(static_fluents)).
:- use_module(sessions).

:- set_random(seed(141421)).

:- begin_tests(static_fluents).

%   happy(X) = rich(X) or pub(X)
program("
    :- dynamic holds_rich/3, holds_pub/3, holds_happy/3.
    candidates_happy(happy(X), true) :- holds_rich(X, true, _).
    candidates_happy(happy(X), true) :- holds_pub(X, true, _).
    intervals_happy(happy(X), true, Is) :-
        ( holds_rich(X, true, I1) *-> true ; I1 = [] ),
        ( holds_pub(X, true, I2) *-> true ; I2 = [] ),
        union_all([I1,I2], Is).
    ").

%   rich     [-----)
%   pub         [------)
%   happy    [---------)      once, though both are candidates
test(union, Facts == [holds_happy(chris,true,[(14,22)])]) :-
    windows([], [ w(0,21,true)-[ holds_rich(chris,true,[(14,20)]),
                                 holds_pub(chris,true,[(18,22)]) ] ], Facts).

%            :10
%   rich  [--:---)
%   happy [--:---)            the part before the window is that of last time
test(joined, Facts == [holds_happy(chris,true,[(4,16)])]) :-
    windows([], [ w(0,10,true)-[holds_rich(chris,true,[(4,inf)])],
                  w(10,20,false)-[holds_rich(chris,true,[(4,16)])] ], Facts).

%   rich  [--:---)
%   pub   [--)                happy ended before the window by other means
test(not_joined, Facts == [holds_happy(chris,true,[(13,16)])]) :-
    windows([], [ w(0,10,true)-[holds_rich(chris,true,[(4,9)])],
                  w(10,20,false)-[holds_rich(chris,true,[(4,9),(13,16)])] ], Facts).

test(gone, Facts == []) :-
    windows([], [ w(0,10,true)-[holds_rich(chris,true,[(4,9)])], w(10,20,false)-[] ], Facts).

test(grounded, Facts == [holds_happy(dora,true,[(4,9)])]) :-
    windows([admitted(grounded)],
            [ w(0,10,true)-[ holds_rich(chris,true,[(4,9)]), holds_rich(dora,true,[(4,9)]) ] ],
            Facts).

%   whole: answers are taken as they are, as far as they reach into the window
%              :10
%   [--)  [----:--)
test(whole, Facts == [holds_happy(chris,true,[(6,14)])]) :-
    windows([whole(true)],
            [ w(10,20,false)-[holds_rich(chris,true,[(2,4),(6,14)])] ], Facts).

%   A rule that fails says nothing.
test(failing_rule, Facts == []) :-
    with_program("
        :- dynamic holds_g/2.
        candidates_g(g, true).
        intervals_g(g, true, _) :- fail.
        ", M,
        ( eval_static(static(g/0,true,holds_g,candidates_g,intervals_g,[]), M,
                      run(0,10,0,1,true)),
          stored(M, holds_g(_,_), Facts)
        )).

windows(Options, Windows, Facts) :-
    program(Program0),
    string_concat(Program0, "grounded(happy(X), true) :- X == dora.\n", Program),
    with_program(Program, M,
                 ( maplist(window(M, Options), Windows),
                   stored(M, holds_happy(_,_,_), Facts)
                 )).

window(M, Options, w(W,Q,First)-Given) :-
    retractall(M:holds_rich(_,_,_)),
    retractall(M:holds_pub(_,_,_)),
    happened(M, Given),
    eval_static(static(happy/1,true,holds_happy,candidates_happy,intervals_happy,Options), M,
                run(W,Q,0,1,First)).

:- end_tests(static_fluents).

:- begin_tests(input_fluents).

%   reported intervals become maximal
%   [---)
%      [-----)   [--)
test(reported, Facts == [holds_near(a,true,[(1,8),(9,11)])]) :-
    input(interval,
          [w(0,20,true)-[interval_near(1,5,true,a),interval_near(4,8,true,a),
                         interval_near(9,11,true,a)]], Facts).

%            :20
%   [--------:----)     nothing after the query time is known
test(reported_beyond, Facts == [holds_near(a,true,[(15,inf)])]) :-
    input(interval, [w(0,20,true)-[interval_near(15,30,true,a)]], Facts).
test(reported_up_to_the_end, Facts == [holds_near(a,true,[(15,21)])]) :-
    input(interval, [w(0,20,true)-[interval_near(15,21,true,a)]], Facts).

%        :10
%   [----:---)          with its real start, though the record may be a new one
test(reported_before, Facts == [holds_near(a,true,[(5,14)])]) :-
    input(interval, [ w(0,10,true)-[interval_near(5,14,true,a)],
                      w(10,20,false)-[interval_near(5,14,true,a)] ], Facts).

%   points a tick apart form one interval, up to a tick after the last
%   x x x     x
%   [----)    [)
test(built, Facts == [holds_near(a,true,[(1,4),(7,8)])]) :-
    input(build, [w(0,20,true)-[point_near(1,true,a),point_near(2,true,a),point_near(3,true,a),
                                point_near(7,true,a)]], Facts).

%   the last point is the query time: open
test(built_open, Facts == [holds_near(a,true,[(19,inf)])]) :-
    input(build, [w(0,20,true)-[point_near(19,true,a),point_near(20,true,a)]], Facts).
test(points, Facts == [holds_near(a,true,[(19,21)])]) :-
    input(point, [w(0,20,true)-[point_near(19,true,a),point_near(20,true,a)]], Facts).

%   values and instances apart
test(values, Facts == [holds_near(a,far,[(3,4)]),holds_near(a,true,[(1,2)]),
                       holds_near(b,true,[(1,2)])]) :-
    input(point, [w(0,20,true)-[point_near(1,true,a),point_near(3,far,a),point_near(1,true,b)]],
          Facts).

%   What C makes of records is what Prolog makes of them, where there is nothing in C.
test(same, [forall(( between(1, 40, _), member(Kind, [interval,build,point,fluent]) ))]) :-
    findall(w(W,Q,First)-Given,
            ( member(W-Q-First, [-1-9-true,4-14-false,14-20-false]), random_records(W, Q, Given) ),
            Windows),
    input(Kind, Windows, Found),
    in_facts(Kind, Windows, Expected),
    assertion(Found == Expected).

%   What does not fit into C is left to Prolog.
test(string, Facts == [holds_near("a",true,[(5,14)])]) :-
    input(interval, [ w(0,10,true)-[interval_near(5,14,true,"a")],
                      w(10,20,false)-[interval_near(5,14,true,"a")] ], Facts).

random_records(W, Q, Given) :-
    random_between(0, 25, N),
    findall(Record, ( between(1, N, _), random_record(W, Q, Record) ), Given).

random_record(W, Q, Record) :-
    random_member(A, [a,7,p(a)]),
    random_member(V, [true,far]),
    random_between(W, Q, T0),
    T is T0+1,
    (   maybe
    ->  Record = point_near(T,V,A)
    ;   random_between(1, 6, N),
        S is T-3,
        E is S+N,
        Record = interval_near(S,E,V,A)
    ).

in_facts(Kind, Windows, Facts) :-
    program(Program),
    with_program(Program, M,
                 ( assertz(M:rtec_last_mode(keep)),
                   maplist(window(M, Kind), Windows),
                   stored(M, holds_near(_,_,_), Facts)
                 )).

program("
    :- dynamic interval_near/4, point_near/3, holds_near/3.
    ").

input(Kind, Windows, Facts) :-
    program(Program),
    with_program(Program, M,
                 ( maplist(window(M, Kind), Windows),
                   stored(M, holds_near(_,_,_), Facts)
                 )).

window(M, Kind, w(W,Q,First)-Given) :-
    retractall(M:interval_near(_,_,_,_)),
    retractall(M:point_near(_,_,_)),
    happened(M, Given),
    records(Kind, Records),
    eval_input(input(near/1,Kind,Records,holds_near), M, run(W,Q,0,1,First)).

records(interval, interval_near).
records(build, point_near).
records(point, point_near).
records(fluent, both(interval_near,point_near)).

:- end_tests(input_fluents).
