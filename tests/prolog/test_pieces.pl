:- use_module(library(plunit)).
:- use_module(library(random)).
:- use_module(rtec(pieces)).
:- use_module(rtec(intervals)).
:- use_module(rtec(query)).
:- use_module(rtec(store)).
:- use_module(sessions).
:- use_module(random_intervals).

:- set_random(seed(314159)).

program("
    :- set_prolog_flag(optimise, true).
    :- dynamic holds_f/3, ask_holds_f/3.
    ask_holds_f(A1, V, T) :-
        holds_f(A1, V, [(S,E)|Is]),
        ( T < E -> T >= S ; rtec_later(Is, T, ask_holds_f) ).
    rtec_state(holds_f, 3).
    ").

%   with_facts(+Facts, -M, :Goal): a session in which rules ask for Facts.

:- meta_predicate with_facts(+, -, 0).

with_facts(Facts, M, Goal) :-
    program(Program),
    with_program(Program, M, ( happened(M, Facts), Goal )).

%   N intervals, one every 20 time-points, each 10 long: [20,30), [40,50), ...

even(N, Is) :-
    findall((S,E), ( between(1, N, I), S is 20*I, E is S+10 ), Is).

%   So many asks that a list that may be cut is.

ask_often(M, X, V, T) :-
    forall(between(1, 20, _), ignore(M:ask_holds_f(X, V, T))).

cuts(M, N) :-
    (   M:rtec_long(Long, Arity)
    ->  functor(Cut, Long, Arity),
        aggregate_all(count, M:Cut, N)
    ;   N = none
    ).

asked(M, X, V, Ts, Found) :-
    findall(T, ( member(T, Ts), M:ask_holds_f(X, V, T) ), Found).

%   The time-points around every end of an interval.

around(Is, Ts) :-
    findall(T,
            ( member((S,E), Is),
              member(End, [S,E]),
              End \== inf,
              between(-2, 2, D),
              T is End+D
            ),
            Ts0),
    sort(Ts0, Ts).

:- begin_tests(pieces).

%   A few intervals are walked through, and nothing is made of them.
test(short, Ts-N == [20,29,640,649]-none) :-
    even(32, Is),
    with_facts([holds_f(a,true,Is)], M,
               ( ask_often(M, a, true, 640),
                 asked(M, a, true, [19,20,29,30,640,649,650], Ts),
                 cuts(M, N)
               )).

test(long, Ts-N == [20,29,10000,10009,20000]-1) :-
    even(1000, Is),
    with_facts([holds_f(a,true,Is)], M,
               ( ask_often(M, a, true, 10000),
                 asked(M, a, true,
                       [-5,19,20,29,30,9999,10000,10009,10010,20000,20010,99999], Ts),
                 cuts(M, N)
               )).

%   What is asked for once is not cut.
test(rarely, N == 0) :-
    even(100, Is),
    flag(rtec_walks, _, 1),
    with_facts([holds_f(a,true,Is)], M,
               ( M:ask_holds_f(a, true, 1000),
                 M:ask_holds_f(a, true, 1001),
                 cuts(M, N)
               )).

%   Short lists are found beside long ones, and what does not hold is not.
test(others, As-Bs-Cs == [40]-[30]-[]) :-
    even(100, Is),
    with_facts([holds_f(a,true,Is),holds_f(b,true,[(25,35)])], M,
               ( ask_often(M, a, true, 1000),
                 asked(M, a, true, [30,40], As),
                 asked(M, b, true, [30,40], Bs),
                 asked(M, c, true, [30,40], Cs)
               )).

%   Whether the list is cut or not, there is no choice left.
test(determinate) :-
    even(100, Is),
    with_facts([holds_f(a,true,Is),holds_f(b,true,Is),holds_f(a,false,Is)], M,
               ( ask_often(M, a, true, 1000),
                 forall(member(X, [a,b]),
                        ( call_cleanup(M:ask_holds_f(X, true, 1000), Done = true),
                          Done == true
                        ))
               )).

%   |-| ........................ |-|-|-|-|-| ........................... |-->
%   All but two intervals are in one piece, which is cut in turn.
test(crowded, Ts == [5,5000,5300,9999999]) :-
    findall((S,E), ( between(0, 99, I), S is 5000+3*I, E is S+1 ), Crowd),
    append([[(0,10)],Crowd,[(5300,5301)],[(1000000,inf)]], Is),
    with_facts([holds_f(a,true,Is)], M,
               ( ask_often(M, a, true, 5300),
                 once(M:rtec_piece(_, cut(_,_,_,_))),
                 asked(M, a, true, [-1,5,10,4999,5000,5001,5300,5301,999999,9999999], Ts)
               )).

%   How long the first and the last interval are does not matter, nor a long one between.
test(lasting) :-
    forall(member(Long, [1000000000,1000000000000000000000]),
           ( even(50, Is0),
             Begin is -Long,
             End is 1020+Long,
             findall((S1,E1), ( member((S,E), Is0), S1 is S+End, E1 is E+End ), Is1),
             append([[(Begin,10)],Is0,[(1020,End)],Is1], Is),
             with_facts([holds_f(a,true,Is)], M,
                        ( ask_often(M, a, true, 1000),
                          cuts(M, 1),
                          same_as_walked(M, a, true, Is)
                        ))
           )).

%   An ask looks at one piece, however many intervals there are.
test(few_steps, Small == Large) :-
    steps(100, Small),
    steps(3000, Large).

steps(N, Steps) :-
    even(N, Is),
    T is 20*N-15,
    with_facts([holds_f(a,true,Is)], M,
               ( ask_often(M, a, true, T),
                 once(M:ask_holds_f(a, true, 40)),
                 statistics(inferences, I0),
                 once(M:ask_holds_f(a, true, 40)),
                 statistics(inferences, I1)
               )),
    Steps is I1-I0.

%   Pieces are short, and all of them together have little more than the list.
test(sizes) :-
    even(1000, Is),
    with_facts([holds_f(a,true,Is)], M,
               ( ask_often(M, a, true, 1000),
                 findall(N, ( M:rtec_piece(_, Piece), length(Piece, N) ), Ns)
               )),
    max_list(Ns, Max),
    Max =< 16,
    sum_list(Ns, Sum),
    Sum < 1200.

:- end_tests(pieces).

:- begin_tests(pieces_of_what_is_open).

facts(Is, [holds_f(a,true,Is),holds_f(a,false,[(25,40)]),holds_f(g(b),true,Is),
           holds_f(g(c),true,[(20,25)])]) :-
    even(100, Is).

%   Arguments and values that are open are found as ever, also after a list was cut.
test(argument, Xs == [a,g(b),g(c)]) :-
    facts(_, Facts),
    with_facts(Facts, M,
               ( ask_often(M, a, true, 1000),
                 ask_often(M, g(b), true, 1000),
                 cuts(M, 2),
                 findall(X, M:ask_holds_f(X, true, 22), Xs)
               )).
test(inner_argument, Xs == [b,c]) :-
    facts(_, Facts),
    with_facts(Facts, M,
               ( ask_often(M, g(b), true, 1000),
                 findall(X, M:ask_holds_f(g(X), true, 22), Xs)
               )).
test(value, Vs == [true,false]) :-
    facts(_, Facts),
    with_facts(Facts, M,
               ( ask_often(M, a, true, 1000),
                 findall(V, M:ask_holds_f(a, V, 27), Vs)
               )).
test(time, error(instantiation_error)) :-
    facts(_, Facts),
    with_facts(Facts, M,
               ( ask_often(M, a, true, 1000),
                 M:ask_holds_f(a, true, _)
               )).
test(no_integer) :-
    facts(_, Facts),
    with_facts(Facts, M,
               ( ask_often(M, a, true, 1000),
                 M:ask_holds_f(a, true, 1009.5),
                 \+ M:ask_holds_f(a, true, 1010.0)
               )).

%   Ends that are no integers, as a helper may make them, are walked through.
test(no_integers, N == 0) :-
    findall((S,E), ( between(1, 100, I), S is 20.0*I, E is S+10 ), Is),
    with_facts([holds_f(a,true,Is)], M,
               ( ask_often(M, a, true, 1000),
                 M:ask_holds_f(a, true, 1009),
                 \+ M:ask_holds_f(a, true, 1010),
                 cuts(M, N)
               )).

%   Of two lists neither is cut: the other one would be overlooked.
test(two_lists, Ts-N == [5,1000,1000]-0) :-
    even(100, Is),
    with_facts([holds_f(a,true,Is),holds_f(_,true,[(5,6)|Is])], M,
               ( ask_often(M, a, true, 1000),
                 asked(M, a, true, [5,1000], Ts),
                 cuts(M, N)
               )).

:- end_tests(pieces_of_what_is_open).

:- begin_tests(pieces_forgotten).

%   At the next query time other facts are asked for.
test(next_query_time, Ts-Ps == [5]-[]) :-
    even(100, Is),
    with_facts([holds_f(a,true,Is)], M,
               ( recognise(M, 0, 2000),
                 ask_often(M, a, true, 1000),
                 retractall(M:holds_f(_,_,_)),
                 happened(M, [holds_f(a,true,[(5,6)])]),
                 recognise(M, 2000, 4000),
                 asked(M, a, true, [5,1000], Ts),
                 findall(P, M:rtec_piece(_, P), Ps)
               )).

%   They are no part of the state.
test(state, State == state([holds_f/3-[holds_f(a,true,Is)]])) :-
    even(100, Is),
    with_facts([holds_f(a,true,Is)], M,
               ( ask_often(M, a, true, 1000),
                 cuts(M, 1),
                 take_state(M, State)
               )).

:- end_tests(pieces_forgotten).

:- begin_tests(pieces_random).

%   Intervals spread evenly, in crowds, ever farther apart, or far from 0; the last
%   one may be open.

spread(even, Is) :-
    random_between(-300, 300, Start),
    lengths(100, 12, Start, Is).
spread(crowds, Is) :-
    random_between(0, 10000, Start),
    lengths(60, 3, Start, Is0),
    last(Is0, (_,E)),
    random_between(5000, 500000, Gap),
    Start1 is E+Gap,
    lengths(60, 3, Start1, Is1),
    append(Is0, Is1, Is).
spread(apart, Is) :-
    apart(120, -7, 1, Is).
spread(far, Is) :-
    random_between(-9000000000000000000, 9000000000000000000, Start),
    lengths(80, 40, Start, Is).
spread(points, Is) :-
    random_intervals(200, Is).

lengths(N, Max, Start, Is) :-
    (   N =:= 0
    ->  Is = []
    ;   random_between(1, Max, Gap),
        random_between(1, Max, Length),
        S is Start+Gap,
        E is S+Length,
        Is = [(S,E)|Is1],
        N1 is N-1,
        lengths(N1, Max, E, Is1)
    ).

apart(N, Start, Gap, Is) :-
    (   N =:= 0
    ->  Is = []
    ;   S is Start+Gap,
        E is S+1+Gap//2,
        Is = [(S,E)|Is1],
        N1 is N-1,
        Gap1 is Gap+Gap//2+1,
        apart(N1, E, Gap1, Is1)
    ).

test(as_walked, forall(member(Kind, [even,crowds,apart,far,points]))) :-
    forall(between(1, 12, _),
           ( spread(Kind, Is0),
             open_end(Is0, Is),
             with_facts([holds_f(a,true,Is),holds_f(b,true,Is)], M,
                        ( Is = [(T,_)|_],
                          Late is T+10**24,
                          ask_often(M, a, true, Late),
                          same_as_walked(M, a, true, Is),
                          same_as_walked(M, b, true, Is)
                        ))
           )).

open_end(Is0, Is) :-
    (   maybe,
        append(Is1, [(S,_)], Is0)
    ->  append(Is1, [(S,inf)], Is)
    ;   Is = Is0
    ).

:- end_tests(pieces_random).

same_as_walked(M, X, V, Is) :-
    around(Is, Ts),
    asked(M, X, V, Ts, Asked),
    findall(T, ( member(T, Ts), holds_at(Is, T) ), Walked),
    Asked == Walked.
