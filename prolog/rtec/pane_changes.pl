:- module(rtec_pane_changes,
          [ known_ops/4,                % +Ops, +Q0, -Known, -New
            change_panes/5,             % +Known, +F, +Panes, +Old, -Changes
            add_new_points/4            % +New, +F, +Panes, -Qs
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(intervals, [holds_at/2]).
:- use_module(pairing, [breaks/3]).
:- use_module(panes).
:- autoload(library(lists), [member/2]).

/** <module> The points of one fluent, where some come or go

An _operation_ on the points of an instance is q(T,K,V), which adds a point, or
q(T,redo,_), which derives all points at T anew. Operations after the last query
time Q0 say all that there is; up to it, points are known already, and what is
added or derived anew need not make a difference:

    points     i     t     i     i     t
    held       [-----)     [-----------)
    added        i      t     i            each of them changes nothing

Such points are kept and otherwise passed over. In all of this, Panes is
panes(InPanes,Width,Rules,Tick): access to the panes and their width
(rtec(panes)), the rules that derive points, and the tick.
*/

%!  known_ops(+Ops, +Q0, -Known, -New) is det.
%
%   Split sorted operations into those up to Q0 and those after it.

known_ops([], _, [], []).
known_ops([Op|Ops], Q0, Known, New) :-
    Op = q(T,_,_),
    (   T > Q0
    ->  Known = [],
        New = [Op|Ops]
    ;   Known = [Op|Known1],
        known_ops(Ops, Q0, Known1, New)
    ).

%!  change_panes(+Known, +F, +Panes, +Old, -Changes) is det.
%
%   Apply operations at time-points that were known before to the panes of an
%   instance. Old lists V-Is, what it held. Changes lists change(First,Pane,Qs): the
%   points of Pane make a difference from time-point First on; Qs are all of them
%   if that is known anyway, `stored` if not.

change_panes([], _, _, _, []).
change_panes([Op|Ops], F, Panes, Old, Changes) :-
    Panes = panes(InPanes,Width,Rules,Tick),
    pane_ops(Op, Ops, Width, Pane, PaneOps, Rest),
    redo_times(PaneOps, Ts, New),
    (   Ts == []
    ->  add_fact(InPanes, F, Pane, New),
        (   first_effect(New, Old, Tick, First)
        ->  Changes = [change(First,Pane,stored)|Changes1]
        ;   Changes = Changes1
        )
    ;   pane_points(InPanes, F, Pane, Qs0),
        without(Qs0, Ts, New, Qs1),
        derived(Ts, F, Rules, Qs1, Qs),
        (   first_difference(Qs0, Qs, First)
        ->  replace_pane(InPanes, F, Pane, Qs),
            Changes = [change(First,Pane,Qs)|Changes1]
        ;   Changes = Changes1
        )
    ),
    change_panes(Rest, F, Panes, Old, Changes1).

pane_ops(Op, Ops, Width, Pane, [Op|PaneOps], Rest) :-
    Op = q(T,_,_),
    Pane is (T-1) div Width,
    End is (Pane+1)*Width,
    up_to(Ops, End, PaneOps, Rest).

up_to([Op|Ops], End, PaneOps, Rest) :-
    Op = q(T,_,_),
    T =< End,
    !,
    PaneOps = [Op|PaneOps1],
    up_to(Ops, End, PaneOps1, Rest).
up_to(Rest, _, [], Rest).

redo_times([], [], []).
redo_times([q(T,K,V)|Ops], Ts, Qs) :-
    (   K == redo
    ->  Ts = [T|Ts1],
        Qs = Qs1
    ;   Ts = Ts1,
        Qs = [q(T,K,V)|Qs1]
    ),
    redo_times(Ops, Ts1, Qs1).

%   first_effect(+Qs, +Old, +Tick, -T): the first of the points that can change what
%   holds. An initiation does not if its value holds right after it, nor does a
%   break if nothing that it breaks does; other points at T were there before.

first_effect([q(T,K,V)|Qs], Old, Tick, First) :-
    After is T+Tick,
    (   has_effect(K, V, Old, After)
    ->  First = T
    ;   first_effect(Qs, Old, Tick, First)
    ).

has_effect(K, V, Old, After) :-
    (   value_at(Old, After, H)
    ->  (   K == i
        ->  H \== V
        ;   breaks(K, V, H)
        )
    ;   K == i
    ).

value_at([V-Is|Old], T, H) :-
    (   holds_at(Is, T)
    ->  H = V
    ;   value_at(Old, T, H)
    ).

%   derived(+Ts, +F, +Rules, +Qs0, -Qs): the points at Ts by the rules, and Qs0.

derived(Ts, F, rules(Points,Others), Qs0, Qs) :-
    findall(q(T,K,V),
            ( member(T, Ts),
              member(Pred, [Points|Others]),
              call(Pred, F, T, K, V)
            ),
            Qs1, Qs0),
    sort(Qs1, Qs).

%   without(+Qs0, +Ts, +Qs1, -Qs): the points Qs0 that are not at Ts, then Qs1.

without([], _, Qs, Qs).
without([q(T,K,V)|Qs0], Ts, Qs1, Qs) :-
    (   memberchk(T, Ts)
    ->  Qs = Qs2
    ;   Qs = [q(T,K,V)|Qs2]
    ),
    without(Qs0, Ts, Qs1, Qs2).

%   Where two lists of points begin to differ; fails if they do not.

first_difference([], [q(T,_,_)|_], T) :- !.
first_difference([q(T,_,_)|_], [], T) :- !.
first_difference([Q1|Qs1], [Q2|Qs2], T) :-
    (   Q1 =@= Q2
    ->  first_difference(Qs1, Qs2, T)
    ;   Q1 = q(T1,_,_),
        Q2 = q(T2,_,_),
        T is min(T1,T2)
    ).

%!  add_new_points(+New, +F, +Panes, -Qs) is det.
%
%   Apply operations at time-points that nobody has reasoned over before; Qs are all
%   points there.

add_new_points(New, F, Panes, Qs) :-
    Panes = panes(InPanes,Width,Rules,_),
    redo_times(New, Ts, Qs0),
    (   Ts == []
    ->  Qs = Qs0
    ;   derived(Ts, F, Rules, Qs0, Qs)
    ),
    add_points(Qs, F, InPanes, Width).

add_points([], _, _, _).
add_points([Q|Qs], F, InPanes, Width) :-
    pane_ops(Q, Qs, Width, Pane, PaneQs, Rest),
    add_fact(InPanes, F, Pane, PaneQs),
    add_points(Rest, F, InPanes, Width).
