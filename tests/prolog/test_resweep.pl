:- use_module(library(plunit)).
:- use_module(rtec(accessors)).
:- use_module(rtec(pairing)).
:- use_module(rtec(panes)).
:- use_module(rtec(resweep)).
:- use_module(library(random)).
:- use_module(library(lists)).

%   Panes of 10 time-points for one fluent f, as facts of this file.

:- dynamic panes/2.

get_panes(f, Pane, Qs) :- panes(Pane, Qs).
add_panes(f, Pane, Qs) :- assertz(panes(Pane, Qs)).
drop_panes(f, Pane) :- retractall(panes(Pane, _)).

put(Points) :-
    retractall(panes(_, _)),
    forall(( between(0, 9, Pane),
             findall(q(T,K,V), ( member(q(T,K,V), Points), (T-1) div 10 =:= Pane ), Qs),
             Qs \== []
           ),
           assertz(panes(Pane, Qs))).

swept(Points, Values) :-
    findall(p(f,T,K,V), member(q(T,K,V), Points), Ps),
    pair_points(Ps, 1, Held),
    findall(V-Is, member(held(_,V,Is), Held), Values0),
    sort(Values0, Values).

resweep(Before, Now, Changes, Values) :-
    swept(Before, Old),
    put(Now),
    accessors(user:panes, Access),
    resweep(Old, Changes, Access, sweep(10,100,1), f, Values0),
    sort(Values0, Values).

random_points(N, Points) :-
    findall(q(T,K,V),
            ( between(1, N, _),
              random_between(1, 100, T),
              random_member(K, [i,i,t]),
              random_member(V, [a,b])
            ),
            Points0),
    sort(Points0, Points).

:- begin_tests(resweep).

%   points     i     t  i        t  i   t
%   before     [-----)  [--------)  [---)
%   now        [-----)              [---)      the second i is withdrawn
test(withdrawn, Held == [true-[(6,12),(41,46)]]) :-
    resweep([q(5,i,true),q(11,t,true),q(15,i,true),q(33,t,true),q(40,i,true),q(45,t,true)],
            [q(5,i,true),q(11,t,true),q(33,t,true),q(40,i,true),q(45,t,true)],
            [change(15,1,stored)], Held).

%   An initiation before all others moves the start of what holds.
test(earlier, Held == [true-[(4,inf)]]) :-
    resweep([q(50,i,true)], [q(3,i,true),q(50,i,true)], [change(3,0,[q(3,i,true)])], Held).

%   Two panes that differ, and one between them that does not.
test(two_panes, Held == Expected) :-
    Before = [q(5,i,a),q(25,i,b),q(55,i,a)],
    Now = [q(5,i,a),q(7,t,a),q(25,i,b),q(55,i,a),q(57,t,_)],
    resweep(Before, Now, [change(7,0,stored),change(57,5,stored)], Held),
    swept(Now, Expected).

%   Random points, of which some are added and some withdrawn.
test(random, forall(between(1, 300, Seed))) :-
    set_random(seed(Seed)),
    random_points(12, All),
    include_some(All, Before),
    include_some(All, Now),
    changes(Before, Now, Changes),
    resweep(Before, Now, Changes, Held),
    swept(Now, Expected),
    assertion(Held == Expected).

include_some([], []).
include_some([Q|Qs], Some) :-
    (   maybe(0.8)
    ->  Some = [Q|Some1]
    ;   Some = Some1
    ),
    include_some(Qs, Some1).

changes(Before, Now, Changes) :-
    findall(Pane-T,
            ( ( member(q(T,K,V), Before), \+ memberchk(q(T,K,V), Now)
              ; member(q(T,K,V), Now), \+ memberchk(q(T,K,V), Before)
              ),
              Pane is (T-1) div 10
            ),
            Pairs0),
    sort(Pairs0, Pairs),
    firsts(Pairs, Changes).

firsts([], []).
firsts([Pane-T|Pairs0], [change(T,Pane,stored)|Changes]) :-
    exclude([P-_]>>(P =:= Pane), Pairs0, Pairs),
    firsts(Pairs, Changes).

:- end_tests(resweep).

:- begin_tests(extended).

%   before     [-----)  [-----
%   new points             t   i
%   now        [-----)  [--)   [--
test(closed, New == [true-[(2,5),(8,12),(16,inf)]]) :-
    extended([true-[(2,5),(8,inf)]], [q(11,t,true),q(15,i,true)], 1, New).

%   What goes on as before is the same list.
test(nothing_new, New == Old) :-
    Old = [a-[(2,5)],b-[(8,inf)]],
    extended(Old, [q(11,i,b),q(15,t,a)], 1, New).

%   Random points, cut in two.
test(random, forall(between(1, 300, Seed))) :-
    set_random(seed(Seed)),
    random_points(12, All),
    random_between(0, 100, Q0),
    partition([q(T,_,_)]>>(T =< Q0), All, Before, After),
    swept(Before, Old),
    extended(Old, After, 1, New0),
    sort(New0, New),
    swept(All, Expected),
    assertion(New == Expected).

:- end_tests(extended).
