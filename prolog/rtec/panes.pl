:- module(rtec_panes,
          [ begin_panes/2,              % +M, +Width
            forget_panes/2,             % +M, +W
            keep_panes/3,               % +M, +Name/Arity, +Points
            is_keeping/1,               % +M
            pane_points/4,              % +Access, +F, +Pane, -Qs
            replace_pane/4,             % +Access, +F, +Pane, +Qs
            points_between/6            % +Access, +F, +W, +Q, +Width, -Points
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(kept_changes).
:- autoload(library(lists), [append/2]).

/** <module> The points of simple fluents, from one query time to the next

A simple fluent that is evaluated by its changes keeps its initiations and
terminations, instance by instance. They stand in _panes_, stretches of time
as long as a step, so that adding a point costs no more in a long window than
in a short one. Pane N of width W is (N*W, (N+1)*W], like a window:

    Panes(Arg1, ..., ArgN, Pane, Qs)

with Qs a sorted list of q(T, K, V), the points of rtec(pairing) without their
fluent. Points that come later stand in further facts of the same pane: adding
them is an assertion and no more. Points of patterns stand with every instance
that they match.

Only instances that are initiated or held have points here; what only ever
ends is of no interest. Met(Arg1, ..., ArgN, met, Until) remembers them: nothing
is initiated after Until.
*/

%!  begin_panes(+M, +Width) is det.
%
%   Forget all points; from here on panes are Width time-points wide.

begin_panes(M, Width) :-
    retractall(M:rtec_pane_width(_)),
    assertz(M:rtec_pane_width(Width)),
    retractall(M:rtec_last_pane(_)),
    forget_kept(M),
    forall(M:rtec_panes(Panes, Arity, _),
           ( functor(Fact, Panes, Arity),
             retractall(M:Fact)
           )).

%!  forget_panes(+M, +W) is det.
%
%   Forget the panes that the window (W,_] has left.

forget_panes(M, W) :-
    M:rtec_pane_width(Width),
    Last is W div Width-1,
    (   retract(M:rtec_last_pane(Forgotten))
    ->  First is Forgotten+1,
        forall(( between(First, Last, Pane),
                 M:rtec_panes(Panes, Arity, panes)
               ),
               forget_pane(M, Panes, Arity, Pane))
    ;   forall(M:rtec_panes(Panes, Arity, panes),
               ( functor(Fact, Panes, Arity),
                 PaneAt is Arity-1,
                 arg(PaneAt, Fact, Pane),
                 forall(( clause(M:Fact, true, Ref), Pane =< Last ), erase(Ref))
               ))
    ),
    assertz(M:rtec_last_pane(Last)).

forget_pane(M, Panes, Arity, Pane) :-
    functor(Fact, Panes, Arity),
    PaneAt is Arity-1,
    arg(PaneAt, Fact, Pane),
    retractall(M:Fact).

%!  is_keeping(+M) is semidet.
%
%   Points that are found from scratch are to be kept.

is_keeping(M) :-
    M:rtec_keeping.

%!  keep_panes(+M, +Name/Arity, +Points) is det.
%
%   Keep sorted points p(F,T,K,V), if points of this fluent are wanted.

keep_panes(M, Indicator, Points) :-
    (   is_keeping(M),
        M:rtec_delta(simple(Indicator), delta(Panes,Met,_,_,_,_))
    ->  (   keep_natively(M, Indicator, Points)
        ->  true
        ;   M:rtec_pane_width(Width),
            M:rtec_window(_, Q),
            accessors(M:Panes, InPanes),
            accessors(M:Met, InMet),
            keep_instances(Points, InPanes, InMet, Width, Q)
        )
    ;   true
    ).

keep_instances([], _, _, _, _).
keep_instances([P|Ps0], InPanes, InMet, Width, Q) :-
    P = p(F,_,K,_),
    of_instance(Ps0, F, [K], Ps, Kinds, Rest),
    (   ( memberchk(i, Kinds) ; memberchk(c, Kinds) )
    ->  add_fact(InMet, F, met, Q),
        keep_each([P|Ps], InPanes, Width)
    ;   true
    ),
    keep_instances(Rest, InPanes, InMet, Width, Q).

of_instance([p(F1,T,K,V)|Ps0], F, Kinds0, [p(F1,T,K,V)|Ps], Kinds, Rest) :-
    F1 == F,
    !,
    (   Kinds0 = [K|_]
    ->  Kinds1 = Kinds0
    ;   Kinds1 = [K|Kinds0]
    ),
    of_instance(Ps0, F, Kinds1, Ps, Kinds, Rest).
of_instance(Rest, _, Kinds, [], Kinds, Rest).

keep_each([], _, _).
keep_each([p(F,T,K,V)|Ps], Access, Width) :-
    (   K == c
    ->  keep_each(Ps, Access, Width)
    ;   Pane is (T-1) div Width,
        End is (Pane+1)*Width,
        same_pane(Ps, F, End, Qs, Rest),
        add_fact(Access, F, Pane, [q(T,K,V)|Qs]),
        keep_each(Rest, Access, Width)
    ).

same_pane([p(F1,T,K,V)|Ps], F, End, Qs, Rest) :-
    T =< End,
    F1 == F,
    !,
    Qs = [q(T,K,V)|Qs1],
    same_pane(Ps, F, End, Qs1, Rest).
same_pane(Rest, _, _, [], Rest).

%!  pane_points(+Access, +F, +Pane, -Qs) is det.

pane_points(Access, F, Pane, Qs) :-
    findall(Qs0, get_fact(Access, F, Pane, Qs0), Lists),
    (   Lists = [Qs1]
    ->  Qs = Qs1
    ;   append(Lists, Qs1),
        sort(Qs1, Qs)
    ).

%!  replace_pane(+Access, +F, +Pane, +Qs) is det.
%
%   Replace the points of a pane by Qs.

replace_pane(Access, F, Pane, Qs) :-
    drop_facts(Access, F, Pane),
    (   Qs == []
    ->  true
    ;   add_fact(Access, F, Pane, Qs)
    ).

%!  points_between(+Access, +F, +W, +Q, +Width, -Points) is det.
%
%   All points of an instance after W and up to Q, as p(F,T,K,V) in order.

points_between(Access, F, W, Q, Width, Points) :-
    First is W div Width,
    Last is (Q-1) div Width,
    findall(Qs, ( between(First, Last, Pane), get_fact(Access, F, Pane, Qs) ), Lists),
    points_of(Lists, F, W, Points0),
    sort(Points0, Points).

points_of([], _, _, []).
points_of([Qs|Lists], F, W, Points) :-
    points_of(Qs, F, W, Points, Points1),
    points_of(Lists, F, W, Points1).

points_of([], _, _, Points, Points).
points_of([q(T,K,V)|Qs], F, W, Points, Points2) :-
    (   T > W
    ->  Points = [p(F,T,K,V)|Points1]
    ;   Points = Points1
    ),
    points_of(Qs, F, W, Points1, Points2).
