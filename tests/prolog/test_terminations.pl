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

%   Asked one by one or all at once, the points of what was started are the same.
test(few_of_many, Points-Others == [p(v3,3,t,true),p(v3,50,t,true)]-[]) :-
    among(100, [p(v3,0,c,-5-true)], Points, Others).
test(many, Points == [p(v3,3,t,true),p(v3,50,t,true)]) :-
    among(3, [p(v3,0,c,-5-true)], Points, _).
test(many_speak_of_others, [true(Others \== [])]) :-
    among(3, [p(v3,0,c,-5-true)], _, Others).

%   A rule that cannot be asked by instance.
test(no_index, Points == [d1-4,d2-4]) :-
    program(Program),
    with_program(Program, M,
                 ( forall(between(1, 100, _), assertz(M:happens_all(4))),
                   terminations(X-T, ends_open(open(X),T,_,_), M, open(X), X, [d1-0], Points0, []),
                   distinct_points(Points0, Points)
                 )).

%   Of 100 vessels or 3, each of which reports twice.

among(Vessels, Starts, Points, Others) :-
    program(Program),
    with_program(Program, M,
                 ( forall(between(1, Vessels, N),
                          ( atom_concat(v, N, V),
                            assertz(M:happens_speed(N, V, 9)),
                            assertz(M:happens_speed(N, V, 2))
                          )),
                   assertz(M:happens_stop(50, v3)),
                   terminations(p(X,T,K,V), ends_trawl(trawl(X),T,K,V), M, trawl(X), X,
                                Starts, All, Starts)
                 )),
    findall(P, ( member(P, All), P = p(v3,_,t,_) ), Points),
    findall(P, ( member(P, All), P = p(V,_,_,_), V \== v3 ), Others).

distinct_points([], []).
distinct_points([P|Ps], Distinct) :-
    (   memberchk(P, Ps)
    ->  distinct_points(Ps, Distinct)
    ;   Distinct = [P|Distinct1],
        distinct_points(Ps, Distinct1)
    ).

:- end_tests(terminations).
