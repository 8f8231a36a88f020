:- use_module(library(plunit)).
:- use_module(rtec(single_value)).
:- use_module(rtec(pairing)).
:- use_module(sessions).

:- begin_tests(single_value).

program("
    :- dynamic happens_on/2, happens_off/2, happens_set/3.
    points_on(on(X), T, i, true) :- happens_on(T, X).
    points_on(on(X), T, i, true) :- happens_set(T, X, on).
    ends_on(on(X), T, t, true) :- happens_off(T, X).
    ends_on(on(X), T, t, _) :- happens_set(T, X, off).
    points_mode(mode(X), T, i, V) :- happens_set(T, X, V).
    points_light(light(X), T, i, red) :- happens_on(T, X).
    points_light(light(X), T, i, green) :- happens_off(T, X).
    ends_mode(on(X), T, t, V) :- happens_set(T, X, V).
    ends_light(on(X), T, t, red) :- happens_off(T, X).
    points_mixed(on(X), T, i, true) :- happens_on(T, X).
    points_mixed(on(X), T, t, true) :- happens_off(T, X).
").

test(one, V == true) :-
    value_of(points_on, ends_on, on(_), V).
test(no_terminations, V == true) :-
    value_of(points_on, none, on(_), V).
test(from_the_event, fail) :-
    value_of(points_mode, none, mode(_), _).
test(several, fail) :-
    value_of(points_light, none, light(_), _).
test(termination_of_some_values, fail) :-
    value_of(points_on, ends_mode, on(_), _).
test(termination_of_another, fail) :-
    value_of(points_on, ends_light, on(_), _).
test(terminations_among_them, fail) :-
    value_of(points_mixed, none, on(_), _).

value_of(Points, Ends, F, V) :-
    program(Program),
    with_program(Program, M, single_value(M, Points, Ends, F, V)).

:- end_tests(single_value).

:- begin_tests(pair_single).

%   i at 10, 20; t at 25, 30
test(once, Held == [held(a,true,[(11,26)])]) :-
    pair_single([], [a-10,a-20], [a-25,a-30], true, 1, Held).
test(open, Held == [held(a,true,[(4,inf)])]) :-
    pair_single([], [a-3,a-7], [a-2], true, 1, Held).
test(at_once, Held == [held(a,true,[(8,inf)])]) :-
    pair_single([], [a-3,a-7], [a-3], true, 1, Held).
test(carried, Held == [held(a,true,[(-2,6),(9,inf)])]) :-
    pair_single([a-(-2)], [a-5,a-8], [a-5], true, 1, Held).
test(keys, Held == [held(a,true,[(2,inf)]),held(b,true,[(0,4)]),held(d,true,[(6,inf)])]) :-
    pair_single([b-0], [a-1,d-5], [b-3,c-4], true, 1, Held).
test(nothing, Held == []) :-
    pair_single([], [], [a-1], true, 1, Held).

%   The same as the sweep of points, on whatever comes.
test(as_points, forall(between(1, 300, _))) :-
    random_pairs(Starts),
    random_pairs(Ends),
    findall(Key-S, ( member(Key, [a,b,c,d]), random_between(0, 1, 1), S = -1 ), Carried),
    pair_single(Carried, Starts, Ends, on, 1, Held),
    findall(p(Key,T,i,on), member(Key-T, Starts), Ps1),
    findall(p(Key,T,t,on), member(Key-T, Ends), Ps2),
    findall(p(Key,0,c,S-on), member(Key-S, Carried), Ps3),
    append([Ps1,Ps2,Ps3], Ps),
    sort(Ps, Sorted),
    pair_points(Sorted, 1, Held1),
    assertion(Held == Held1).

random_pairs(Pairs) :-
    random_between(0, 12, N),
    findall(Key-T,
            ( between(1, N, _),
              random_member(Key, [a,b,c,d]),
              random_between(1, 9, T)
            ),
            Pairs0),
    sort(Pairs0, Pairs).

:- end_tests(pair_single).
