:- use_module(library(plunit)).
:- use_module(library(random)).
:- use_module(rtec(native)).
:- use_module(rtec(pairing)).
:- use_module(sessions).

:- set_random(seed(314159)).

%   What is swept in C is what is paired in Prolog; rtec(pairing) has the cases.

:- begin_tests(native).

test(loaded) :-
    sweep_begin(1).

test(random_points, [forall(between(1, 300, _))]) :-
    random_points(Points),
    random_between(1, 3, Tick),
    swept(Points, Tick, Facts),
    paired(Points, Tick, Expected),
    assertion(Facts == Expected).

%   Of every kind that a fluent or a value can be.
test(terms, [forall(member(F, [a,1,-1,1.0,0.0,-0.0,[],'',f(x,g(1,'')),[a,b],1.5e300,
                               9223372036854775807]))]) :-
    sweeps([p(F,1,i,true),p(x,2,i,F)]),
    stored_as(F).

stored_as(F) :-
    with_program(":- dynamic holds_n/3.", M,
                 ( sweep_stored(M, holds_n, 1),
                   stored(M, holds_n(_,_,_), Facts)
                 )),
    msort([holds_n(F,true,[(2,inf)]),holds_n(x,F,[(3,inf)])], Expected),
    msort(Facts, Sorted),
    assertion(Sorted == Expected).

%   Terms that are equal as numbers are not the same.
test(numbers, N == 3) :-
    sweeps([p(1,1,i,true),p(1.0,1,i,true),p('1',1,i,true)]),
    sweep_fluents(Fs),
    length(Fs, N).

%   What does not fit is left to Prolog.
test(not_ground) :-
    \+ sweeps([p(f(_),1,i,true)]).
test(pattern_in_part) :-
    \+ sweeps([p(f,2,i,v(1,x)),p(f,4,t,v(2,_))]).
test(large_time) :-
    T is 2**80,
    \+ sweeps([p(f,T,i,true)]).
test(large_integer) :-
    F is 2**80,
    \+ sweeps([p(F,1,i,true)]).
test(string) :-
    \+ sweeps([p(f("f"),1,i,true)]).
test(no_arguments) :-
    \+ sweeps([p(f(),1,i,true)]).
test(deep) :-
    numlist(1, 200, Ns),
    \+ sweeps([p(Ns,1,i,true)]).
test(two_carried) :-
    \+ sweeps([p(f,0,c,-3-a),p(f,0,c,-2-b)]).
test(unknown_kind) :-
    \+ sweeps([p(f,1,z,true)]).

%   After what did not fit, and after much, it is as new.
test(again, Facts == [holds_n(f,true,[(2,inf)])]) :-
    \+ sweeps([p(f(_),1,i,true)]),
    numlist(1, 50000, Ns),
    findall(p(N,N,i,N), member(N, Ns), Points),
    sweeps(Points),
    swept([p(f,1,i,true)], 1, Facts).

%   A fluent with very many values does not take the square of the time.
test(values, N == 30000) :-
    findall(p(f,T,i,T), between(1, 30000, T), Points),
    swept(Points, 1, Facts),
    length(Facts, N).

test(fluents, Fs == [a,b]) :-
    sweeps([p(b,1,i,true),p(a,2,i,true),p(b,3,i,true)]),
    sweep_fluents(Fs0),
    sort(Fs0, Fs).

test(size, N == 2) :-
    sweeps([p(b,1,i,true),p(a,2,i,true)]),
    sweep_size(N).

%   sweeps(+Points): they fit.

sweeps(Points) :-
    sweep_begin(1),
    forall(member(p(F,T,K,V), Points), sweep_point(F, T, K, V)),
    sweep_fits.

swept(Points, Tick, Facts) :-
    sweep_begin(Tick),
    forall(member(p(F,T,K,V), Points), sweep_point(F, T, K, V)),
    with_program(":- dynamic holds_n/3.", M,
                 ( sweep_stored(M, holds_n, 1),
                   stored(M, holds_n(_,_,_), Facts0)
                 )),
    msort(Facts0, Facts).

paired(Points, Tick, Facts) :-
    sort(Points, Sorted),
    pair_points(Sorted, Tick, Held),
    findall(holds_n(F,V,Is), member(held(F,V,Is), Held), Facts0),
    msort(Facts0, Facts).

%   Three fluents, at most one value of each carried at 0, points of all kinds in any order.

random_points(Points) :-
    findall(p(F,0,c,S-V),
            ( fluent(F), maybe, random_between(-5, 1, S), random_value(V) ),
            Carried),
    random_between(0, 40, N),
    findall(P, ( between(1, N, _), random_point(P) ), Others),
    append(Carried, Others, Points).

fluent(a).
fluent(7).
fluent(v(a,7)).

random_point(p(F,T,K,V)) :-
    random_member(F, [a,7,v(a,7)]),
    random_between(2, 15, T),
    random_member(K, [i,i,i,t,t,x]),
    (   K == t,
        maybe(0.2)
    ->  true
    ;   random_value(V)
    ).

random_value(V) :-
    random_member(V, [true,false,1,1.0,w(1)]).

:- end_tests(native).

%   Dates are a sorted list with room for more.

:- begin_tests(native_dates).

test(random_dates, [forall(between(1, 100, _))]) :-
    dates_new(Dates),
    take_some(20, Dates, []).

take_some(0, _, _) :- !.
take_some(N, Dates, Ts0) :-
    random_between(0, 9, Count),
    findall(T, ( between(1, Count, _), random_between(1, 30, T) ), New),
    forall(member(T, New), dates_add(Dates, T)),
    append(Ts0, New, Ts1),
    random_between(0, 20, Until),
    partition([T]>>(T =< Until), Ts1, Left, Ts),
    sort(Left, Expected),
    dates_take(Dates, Until, Taken),
    assertion(Taken == Expected),
    length(Ts, Size),
    dates_size(Dates, Size1),
    assertion(Size1 == Size),
    N1 is N-1,
    take_some(N1, Dates, Ts).

test(too_large) :-
    dates_new(Dates),
    T is 2**80,
    \+ dates_add(Dates, T).

:- end_tests(native_dates).
