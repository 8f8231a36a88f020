:- use_module(library(plunit)).
:- use_module(rtec(accessors)).
:- use_module(rtec(pairing)).
:- use_module(rtec(pane_changes)).
:- use_module(rtec(panes)).
:- use_module(rtec(resweep)).
:- use_module(library(random)).
:- use_module(library(lists)).
:- use_module(library(apply)).

%   Panes of 10 time-points for one fluent f, as facts of this file, and a rule that gives
%   the points of now.

:- dynamic panes/2, now/3.

get_panes(f, Pane, Qs) :- panes(Pane, Qs).
add_panes(f, Pane, Qs) :- assertz(panes(Pane, Qs)).
drop_panes(f, Pane) :- retractall(panes(Pane, _)).

points(f, T, K, V) :- now(T, K, V).

all_panes(panes(Access,10,rules(user:points,[]),1)) :-
    accessors(user:panes, Access).

put(Points) :-
    retractall(panes(_, _)),
    all_panes(Panes),
    add_new_points(Points, f, Panes, Points).

say(Points) :-
    retractall(now(_, _, _)),
    forall(member(q(T,K,V), Points), assertz(now(T,K,V))).

swept(Points, Values) :-
    findall(p(f,T,K,V), member(q(T,K,V), Points), Ps),
    pair_points(Ps, 1, Held),
    findall(V-Is, member(held(_,V,Is), Held), Values0),
    sort(Values0, Values).

changes(Before, Ops, Old, Changes) :-
    swept(Before, Old),
    put(Before),
    all_panes(Panes),
    change_panes(Ops, f, Panes, Old, Changes).

:- begin_tests(pane_changes).

test(known, Known-New == [q(3,i,a),q(9,t,a)]-[q(10,i,a)]) :-
    known_ops([q(3,i,a),q(9,t,a),q(10,i,a)], 9, Known, New).

%   points     i      t       i       t
%   held       [------)       [-------)
%   added         i       t      i          nothing changes, but they are kept
test(no_effect, Changes-Qs == []-[q(2,i,true),q(4,i,true),q(8,t,true),q(10,t,true)]) :-
    changes([q(2,i,true),q(8,t,true),q(12,i,true),q(18,t,true)],
            [q(4,i,true),q(10,t,true),q(15,i,true)], _, Changes),
    all_panes(panes(Access,_,_,_)),
    pane_points(Access, f, 0, Qs).

%   Of two points, the second has an effect.
test(effect, Changes == [change(6,0,stored)]) :-
    changes([q(2,i,true),q(18,t,true)], [q(4,i,true),q(6,t,true)], _, Changes).

%   An initiation of another value has one, too, and so has one where nothing holds.
test(other_value, Changes == [change(4,0,stored)]) :-
    changes([q(2,i,a),q(18,t,a)], [q(4,i,b)], _, Changes).
test(idle, Changes == [change(4,0,stored)]) :-
    changes([q(12,i,a)], [q(4,i,a)], _, Changes).

%   A termination at the time of an initiation breaks it.
test(at_once, Changes == [change(2,0,stored)]) :-
    changes([q(2,i,a),q(8,t,a)], [q(2,t,a)], _, Changes).

%   What is derived anew replaces what was there.
test(redo, Changes =@= [change(4,0,[q(2,i,a),q(4,t,_)])]) :-
    say([q(4,t,_)]),
    changes([q(2,i,a)], [q(4,redo,redo)], _, Changes).

test(new_points, Qs-Panes == [q(9,i,a),q(11,t,a),q(25,i,a)]-[0-[q(9,i,a)],1-[q(11,t,a)],2-[q(25,i,a)]]) :-
    say([q(11,t,a)]),
    put([]),
    all_panes(All),
    add_new_points([q(9,i,a),q(11,redo,redo),q(25,i,a)], f, All, Qs),
    findall(Pane-Points, panes(Pane, Points), Panes).

%   Random points, of which some are added at time-points known before, some are withdrawn:
%   what is swept again is right, and what is not needs no sweep.
test(random, forall(between(1, 400, Seed))) :-
    set_random(seed(Seed)),
    findall(q(T,K,V),
            ( between(1, 14, _),
              random_between(1, 40, T),
              random_member(K, [i,i,t,x]),
              random_member(V, [a,b])
            ),
            All0),
    sort(All0, All),
    include([_]>>maybe(0.7), All, Before),
    (   maybe
    ->  Now = All
    ;   include([_]>>maybe(0.8), All, Now)
    ),
    say(Now),
    findall(Op,
            (   member(q(T,K,V), Before), \+ memberchk(q(T,K,V), Now), Op = q(T,redo,redo)
            ;   member(Op, Now), \+ memberchk(Op, Before)
            ),
            Ops0),
    sort(Ops0, Ops),
    changes(Before, Ops, Old, Changes),
    all_panes(panes(Access,_,_,_)),
    resweep(Old, Changes, Access, sweep(10,40,1), f, New0),
    sort(New0, New),
    swept(Now, Expected),
    assertion(New == Expected).

:- end_tests(pane_changes).
