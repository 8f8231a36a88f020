:- use_module(library(plunit)).
:- use_module(library(random)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(rtec(changes)).
:- use_module(rtec(intervals)).
:- use_module(rtec(kept_changes)).
:- use_module(rtec(native)).
:- use_module(rtec(pairing)).
:- use_module(sessions).

%   What is kept in C says the same as a sweep of all points in Prolog, query time after
%   query time: points come, late ones too, and go, while the window moves. held/3 has what
%   each fluent holds, known/1 the points in the window.

:- dynamic held/3, known/1.

clear :-
    retractall(held(_, _, _)),
    retractall(known(_)).

%   Rules give points that hold, so none is new where others are withdrawn. Points that make
%   a fluent known come first.

query(Kept-Held, W, Q0, Q, Tick) :-
    held_changing(Held, Q0, W, Tick, whole, read, each),
    kept_begin(Kept, W, Tick),
    forall(( known(p(F,T,K,V)), T =< W ), retract(known(p(F,T,K,V)))),
    findall(F-T, ( known(p(F,T,_,_)), maybe(0.1) ), Redo0),
    sort(Redo0, Redo),
    forall(( member(F-T, Redo), known(p(F,T,K,V)), maybe(0.7) ), retract(known(p(F,T,K,V)))),
    findall(p(F,T,K,V), ( new_point(W, Q0, Q, F, T, K, V), \+ memberchk(F-T, Redo) ), New),
    forall(( member(P, New), \+ known(P) ), assertz(known(P))),
    forall(member(p(F,T,i,V), New), kept_point(Kept, F, T, i, V)),
    forall(member(F-T, Redo), kept_redo(Kept, F, T)),
    forall(( member(F-T, Redo), known(p(F,T,K,V)) ), kept_point(Kept, F, T, K, V)),
    forall(( member(p(F,T,K,V), New), K \== i ), kept_point(Kept, F, T, K, V)),
    kept_fluents(Kept, fresh, Fresh),
    forall(( member(F, Fresh), known(p(F,T,K,V)) ), kept_point(Kept, F, T, K, V)),
    kept_changes(Kept, Held),
    Border is W+Tick,
    held_settled(Held, Border),
    changes(Held, Changes),
    expected(W, Q0, Tick, Expected),
    assertion(Changes == Expected),
    findall(held(F,V,Is), held_fact(Held, F, V, Is), Now0),
    findall(held(F,V,Is), held(F, V, Is), Then0),
    msort(Now0, Now),
    msort(Then0, Then),
    assertion(Now == Then).

changes(Held, Changes) :-
    findall(changed(F,V,S,R,B,U,E,N),
            rtec_native:held_changed(Held, F, V, S, R, B, U, E, N),
            Changes0),
    msort(Changes0, Changes).

new_point(W, Q0, Q, F, T, K, V) :-
    between(1, 12, _),
    (   maybe(0.3),
        W < Q0
    ->  Low is W+1,
        random_between(Low, Q0, T)
    ;   Low is Q0+1,
        random_between(Low, Q, T)
    ),
    random_member(F, [a,b,f(c,1)]),
    random_member(K, [i,i,i,t,t,x]),
    random_member(V, [v,w,g(1)]).

expected(W, Q0, Tick, Expected) :-
    Border is W+Tick,
    findall(p(F,W,c,S-V),
            ( held(F, V, Is), member((S,E), Is), S =< Border, E > Border ),
            Carried),
    findall(P, known(P), Points, Carried),
    sort(Points, Sorted),
    pair_points(Sorted, Tick, Held),
    findall(F-V, ( held(F, V, _) ; member(held(F,V,_), Held) ), FVs0),
    sort(FVs0, FVs),
    findall(changed(F,V,S,R,B,U,E,N),
            ( member(F-V, FVs),
              ( held(F, V, Old) -> true ; Old = [] ),
              ( memberchk(held(F,V,New), Held) -> true ; New = [] ),
              ending_after(Old, Border, Known),
              Old \== New,
              (   Known == New
              ->  Change = change(none,[],[],[],[],[])
              ;   rtec_changes:change(read, Known, New, scope(W,Q0,Tick), Change)
              ),
              parts(Change, change(S,R,B,U,E,N))
            ),
            Changes),
    msort(Changes, Expected),
    retractall(held(_, _, _)),
    forall(member(held(F,V,Is), Held), assertz(held(F, V, Is))).

parts(parted(Change,_), Change).
parts(parted(_,Span), change(Span,[],[],[],[],[])).
parts(Change, Change) :-
    Change = change(_,_,_,_,_,_).

:- begin_tests(kept_changes).

test(random, forall(between(1, 150, Seed))) :-
    set_random(seed(Seed)),
    clear,
    kept_new(Kept),
    held_new(f(_), Held),
    random_member(Tick, [1,1,3]),
    forall(between(1, 12, N),
           ( Q is N*30*Tick,
             Q0 is Q-30*Tick,
             W is max(0, Q-80*Tick),
             query(Kept-Held, W, Q0, Q, Tick)
           )).

%   A fluent that nothing initiates is not known, nor is one of the past.
test(unknown, Sizes == [0,1,0]) :-
    kept_new(Kept),
    kept_begin(Kept, 0, 1),
    kept_point(Kept, a, 5, t, v),
    kept_size(Kept, N1),
    kept_point(Kept, a, 6, i, v),
    kept_point(Kept, a, 8, t, v),
    kept_size(Kept, N2),
    held_new(f(_), Held),
    held_changing(Held, 0, 0, 1, plain, read, each),
    kept_changes(Kept, Held),
    held_settled(Held, 1),
    changes(Held, Changes),
    assertion(Changes == [changed(a,v,7-9,[],[6],[],[8],[])]),
    kept_begin(Kept, 8, 1),
    held_changing(Held, 10, 8, 1, plain, read, each),
    kept_changes(Kept, Held),
    held_settled(Held, 9),
    changes(Held, Left),
    assertion(Left == [changed(a,v,none,[],[],[],[],[])]),
    kept_size(Kept, N3),
    Sizes = [N1,N2,N3].

%   Entities come and go: what is kept of their names does not grow, and the names of those
%   that stay are right.
test(renumbered, Stay-Last == [stays]-[n19999,n20000]) :-
    kept_new(Kept),
    kept_begin(Kept, 0, 1),
    kept_point(Kept, stays, 1, i, true),
    held_new(f(_), Held),
    kept_changes(Kept, Held),
    forall(between(1, 20000, N),
           ( atom_concat(n, N, F),
             T is 2*N,
             W is T-2,
             kept_begin(Kept, W, 1),
             kept_point(Kept, F, T, i, true),
             kept_point(Kept, F, T, x, true),
             T1 is T+1,
             kept_point(Kept, F, T1, t, _),
             held_changing(Held, W, W, 1, plain, unread, each),
             kept_changes(Kept, Held),
             held_settled(Held, T),
             held_fact(Held, F, true, _)
           )),
    findall(F, held_fact(Held, F, true, _), Holding),
    assertion(Holding == [stays,n20000]),
    kept_fluents(Kept, all, Fs),
    partition(==(stays), Fs, Stay, Last).

test(unfit, fail) :-
    kept_new(Kept),
    kept_begin(Kept, 0, 1),
    kept_point(Kept, f(_), 1, i, true),
    kept_changes(Kept, none).

test(no_kept, error(type_error(rtec_kept, a))) :-
    kept_begin(a, 0, 1).

:- end_tests(kept_changes).
