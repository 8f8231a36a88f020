:- module(rtec_simple_fluents,
          [ eval_simple/3,              % +Step, +M, +Run
            carried_points/9,           % +Options, +M, +Run, ?F, ?Key, -V, -Is, +Fact, -Carried
            named_default/3,            % +M, +Default, -F
            default_since/6,            % +Options, +M, +Run, +F, -V, -S
            forget_broken/3,            % +Options, +M, +W
            note_broken/6               % +Options, +M, +Pattern, +T, +K, +V
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(intervals).
:- use_module(pairing).
:- use_module(store).
:- use_module(deadlines).
:- use_module(kept_points).
:- use_module(terminations).
:- use_module(native).
:- use_module(panes).
:- use_module(links).
:- autoload(library(lists), [append/3, member/2, min_list/2]).
:- autoload(library(ordsets), [ord_memberchk/2, ord_subtract/3, ord_union/3]).

/** <module> Simple fluents in a window

The rules of a fluent are run over the events of the window, all instances at
once. They yield points (see rtec(pairing)), which are sorted once and swept
once. What held at the start of the window enters the sweep as a point of its
own, with its real start.
*/

%!  eval_simple(+Step, +M, +Run) is det.
%
%   Step is simple(Name/Arity, Store, Points, Options) and Run is
%   run(W, Q, Start, Tick, First). Options:
%
%     - initially(Pred)      Pred(F,V): holds from the start of the run
%     - default(Pred)        the same for instances not yet known
%     - broken(Pred)         Pred(Pattern,T): defaults that patterns have broken
%     - wild(Pred)           Pred(F,T,K,V): points of a pattern F
%     - grounded             instances of the default are named, and met from the beginning
%     - admitted(Pred)       Pred(F,V): only these exist; an initiation of another ends values
%     - initiations(Pred)    keep the initiations as facts Pred(T,Args..,V)
%     - breaks(Pred)         keep all points as facts Pred(T,Args..,K,V)
%     - patterns(Pred)       keep the points of patterns likewise
%     - delays(Delay, Postponed, Attempts)  see rtec(deadlines)
%     - ends(Pred)           terminations Pred(F,T,K,V), apart from the initiations

eval_simple(simple(Name/Arity, Store, Points, Options), M, Run) :-
    plain(Options),
    \+ is_keeping(M),
    !,
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    fluent_key(F, Key),
    Run = run(W,_,_,Tick,_),
    carrying(Options, M, Run, F, V, Is, Fact, Carrying, S),
    (   linked(M, Fact, F, V, Is, Held)
    ->  (   sweep_linked(Held, Points, Options, M, Run, F, Key, c(Carrying,W,S-V))
        ->  sweep_kept(Held)
        ;   eval_facts(Points, Options, M, Tick, F, Key, c(Carrying,W,S-V), HeldList),
            unlink(M, Fact),
            store_keyed(M, Store, Arity, HeldList)
        )
    ;   sweep_facts(Points, Options, M, Tick, F, Key, c(Carrying,W,S-V))
    ->  forget_facts(M, Fact),
        sweep_stored(M, Store, Arity)
    ;   eval_facts(Points, Options, M, Tick, F, Key, c(Carrying,W,S-V), HeldList),
        forget_facts(M, Fact),
        store_keyed(M, Store, Arity, HeldList)
    ).
eval_simple(simple(Name/Arity, Store, Points, Options), M, Run) :-
    Run = run(W,_Q,_Start,Tick,_First),
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    carried_points(Options, M, Run, F, F, V, Is, Fact, Carried),
    PointGoal =.. [Points,F,T,K,V],
    findall(p(F,T,K,V), M:PointGoal, Starts0, Carried),
    existing(Options, M, Starts0, Starts),
    with_ends(Options, M, F, F, Starts, Ps0),
    sort(Ps0, Ps1),
    default_points(Options, M, Run, Ps1, Ps2, Unmet),
    wild_points(Options, M, Run, Name/Arity, Ps2, Ps),
    keep_panes(M, Name/Arity, Ps),
    (   memberchk(delays(Delay,Postponed,Attempts), Options)
    ->  pair_with_delays(Ps, M, Options, delays(Delay,Postponed,Attempts), Run, Ps3, Held)
    ;   Ps3 = Ps,
        pair_points(Ps, Tick, Held)
    ),
    append(Unmet, Ps3, Ps4),
    keep_points(Options, M, W, Ps4),
    known_held(Options, Run, Ps, Held, Held1),
    replace_held(M, Store, Fact, F, V, Is, Held1).

%   existing(+Options, +M, +Points0, -Points): an initiation of what groundings leave out ends
%   other values, and no more.

existing(Options, M, Ps0, Ps) :-
    (   memberchk(admitted(_), Options)
    ->  findall(p(F,T,K,V),
                ( member(p(F,T,K0,V), Ps0),
                  (   K0 == i,
                      \+ exists(Options, M, F, V)
                  ->  K = x
                  ;   K = K0
                  )
                ),
                Ps)
    ;   Ps = Ps0
    ).

%   A fluent of which nothing but its intervals is wanted.

plain([]).
plain([ends(_)|Options]) :-
    plain(Options).
plain([initially(_)|Options]) :-
    plain(Options).

%   sweep_linked(...), sweep_facts(...): all points go to the library in C, if there is one and
%   they fit; what is carried is known there, if the store is.

sweep_linked(Held, Points, Options, M, run(W,_,_,Tick,First), F, Key, c(Carrying,_,Since)) :-
    (   First == true
    ->  sweep_held(Held, Tick, none),
        sweep_each(Carrying, Key, W, c, Since)
    ;   Limit is W+Tick,
        sweep_held(Held, Tick, Limit)
    ),
    sweep_rules(Points, Options, M, F, Key).

sweep_facts(Points, Options, M, Tick, F, Key, c(Carrying,W,Since)) :-
    sweep_begin(Tick),
    sweep_each(Carrying, Key, W, c, Since),
    sweep_rules(Points, Options, M, F, Key).

sweep_rules(Points, Options, M, F, Key) :-
    Starts =.. [Points,F,T,K,V],
    sweep_each(M:Starts, Key, T, K, V),
    (   memberchk(ends(Ends), Options),
        sweep_size(N),
        N > 0
    ->  Goal =.. [Ends,F,T,K,V],
        (   few_instances(M, Goal, F, N, sweep_fluents, Keys)
        ->  sweep_each(( member(Key, Keys), M:Goal ), Key, T, K, V)
        ;   sweep_each(M:Goal, Key, T, K, V)
        )
    ;   true
    ),
    sweep_fits.

sweep_each(Goal, Key, T, K, V) :-
    call(Goal),
    sweep_point(Key, T, K, V),
    fail.
sweep_each(_, _, _, _, _).

eval_facts(Points, Options, M, Tick, F, Key, c(Carrying,W,Since), Held) :-
    findall(p(Key,W,c,Since), Carrying, Carried),
    Goal =.. [Points,F,T,K,V],
    findall(p(Key,T,K,V), M:Goal, Starts, Carried),
    with_ends(Options, M, F, Key, Starts, Ps0),
    sort(Ps0, Ps),
    pair_points(Ps, Tick, Held).

%   with_ends(+Options, +M, +F, +Key, +Starts, -Points): where nothing is
%   carried or initiated, nobody asks for terminations.

with_ends(Options, M, F, Key, Starts, Points) :-
    (   Starts \== [],
        memberchk(ends(Ends), Options)
    ->  Goal =.. [Ends,F,T,K,V],
        length(Starts, N),
        (   few_instances(M, Goal, F, N, start_keys(Starts), Keys)
        ->  findall(p(Key,T,K,V), ( member(Key, Keys), M:Goal ), Points, Starts)
        ;   findall(p(Key,T,K,V), M:Goal, Points, Starts)
        )
    ;   Points = Starts
    ).

start_keys(Starts, Keys) :-
    findall(Key, member(p(Key,_,_,_), Starts), Keys0),
    sort(Keys0, Keys).

%!  carried_points(+Options, +M, +Run, ?F, ?Key, -V, -Is, +Fact, -Carried) is det.
%
%   What holds at the start of the window, of all instances or of one; Key stands
%   for the fluent F in points. Fact is the stored fact of F=V with intervals Is.

carried_points(Options, M, Run, F, Key, V, Is, Fact, Carried) :-
    Run = run(W,_,_,_,_),
    carrying(Options, M, Run, F, V, Is, Fact, Goal, S),
    findall(p(Key,W,c,S-V), Goal, Carried).

%   carrying(+Options, +M, +Run, ?F, -V, -Is, +Fact, -Goal, -S): the solutions of Goal are
%   what holds at the start of the window, since S.

carrying(Options, M, run(_,_,Start,_,true), F, V, _, _, Goal, Start) :-
    !,
    (   memberchk(initially(Pred), Options)
    ->  Initially =.. [Pred,F,V],
        Goal = ( M:Initially, exists(Options, M, F, V) )
    ;   Goal = fail
    ).
carrying(_, M, run(W,_,_,Tick,false), _, _, Is, Fact, Goal, S) :-
    Limit is W+Tick,
    Goal = ( M:Fact, carried(Is, Limit, S) ).

carried([(S0,E)|Is], Limit, S) :-
    S0 =< Limit,
    (   E > Limit
    ->  S = S0
    ;   carried(Is, Limit, S)
    ).

%   An instance that is met for the first time has its default value since
%   the start of the run. It is met when it is initiated or its default is
%   terminated. One that has lost its default is known (see known_held/4).

%   Unmet are the points of instances that have not been met.

default_points(Options, M, Run, Ps0, Ps, Unmet) :-
    memberchk(default(Pred), Options),
    !,
    findall(F, member(p(F,_,c,_), Ps0), Fs0),
    findall(F,
            ( member(p(F,_,K,V), Ps0),
              K \== c,
              meets(K, V, M, Pred, F)
            ;   memberchk(grounded, Options),
                named_default(M, Pred, F)
            ),
            Fs1),
    sort(Fs0, Carried),
    sort(Fs1, Met),
    ord_subtract(Met, Carried, New),
    Run = run(W,_,_,_,_),
    forget_broken(Options, M, W),
    findall(p(F,W,c,S-V),
            ( member(F, New),
              default_since(Options, M, Run, F, V, S)
            ),
            Ps1, Ps0),
    ord_union(Met, Carried, Known),
    sort(Ps1, Ps2),
    of_known(Ps2, Known, Ps, Unmet).
default_points(_, _, _, Ps, Ps, []).

%!  named_default(+M, +Default, -F) is nondet.
%
%   F is an instance that groundings name for the default of its fluent.

named_default(M, Pred, F) :-
    call(M:Pred, F, _),
    ground(F).

meets(t, V, M, Pred, F) :-
    !,
    Goal =.. [Pred,F,V0],
    once(M:Goal),
    \+ V0 \= V.
meets(_, _, _, _, _).

%!  default_since(+Options, +M, +Run, +F, -V, -S) is semidet.
%
%   V is what an unknown instance F holds at the start of the window, since S:
%   its default, or '$none' where a pattern has broken it.

default_since(Options, M, run(W,_,Start,Tick,_), F, V, S) :-
    memberchk(default(Pred), Options),
    Goal =.. [Pred,F,V0],
    once(M:Goal),
    memberchk(broken(Broken), Options),
    BrokenGoal =.. [Broken,F,T],
    findall(T, ( M:BrokenGoal, T =< W ), Ts),
    (   Ts == []
    ->  V = V0,
        S = Start
    ;   min_list(Ts, First),
        V = '$none',
        S is First+Tick
    ).

%!  forget_broken(+Options, +M, +W) is det.
%!  note_broken(+Options, +M, +Pattern, +T, +K, +V) is det.
%
%   Points of a pattern break the default of all instances that match it, also
%   of those that nobody has met. That is remembered, from the window on anew.

forget_broken(Options, M, W) :-
    memberchk(broken(Pred), Options),
    Goal =.. [Pred,_,T],
    forall(( clause(M:Goal, true, Ref), T > W ), erase(Ref)).

note_broken(Options, M, Pattern, T, K, V) :-
    (   memberchk(broken(Pred), Options),
        memberchk(default(Default), Options),
        DefaultGoal =.. [Default,Pattern,V0],
        \+ \+ ( once(M:DefaultGoal), breaks(K, V, V0) ),
        Goal =.. [Pred,Known,_],
        \+ ( M:Goal, subsumes_term(Known, Pattern) )
    ->  Fact =.. [Pred,Pattern,T],
        assertz(M:Fact)
    ;   true
    ).

of_known([], _, [], []).
of_known([P|Ps0], Known, Ps, Unmet) :-
    P = p(F,_,_,_),
    (   ord_memberchk(F, Known)
    ->  Ps = [P|Ps1],
        of_known(Ps0, Known, Ps1, Unmet)
    ;   Unmet = [P|Unmet1],
        of_known(Ps0, Known, Ps, Unmet1)
    ).

%   Points of a pattern apply to every instance that matches it. Instances are
%   looked up through a fact each, so that Prolog's index finds the matching
%   ones.

wild_points(Options, M, _, Name/Arity, Ps, Ps2) :-
    memberchk(wild(Pred), Options),
    functor(F, Name, Arity),
    Goal =.. [Pred,F,T,K,V],
    findall(p(F,T,K,V), M:Goal, Wild0),
    Wild0 \== [],
    !,
    sort(2, @=<, Wild0, Wild),
    forall(member(p(F0,T0,K0,V0), Wild),
           note_broken(Options, M, F0, T0, K0, V0)),
    keep_patterns(Options, M, Wild),
    F =.. [_|Args],
    Instance =.. [rtec_instance|Args],
    findall(F1, member(p(F1,_,_,_), Ps), Fs0),
    sort(Fs0, Fs),
    setup_call_cleanup(
        forall(member(F, Fs), assertz(M:Instance)),
        findall(p(F,T2,K2,V2),
                ( member(p(F,T2,K2,V2), Wild),
                  M:Instance
                ),
                Ps1, Ps),
        retractall(M:Instance)),
    sort(Ps1, Ps2).
wild_points(Options, M, _, _, Ps, Ps) :-
    keep_patterns(Options, M, []).

keep_patterns(Options, M, Wild) :-
    (   memberchk(patterns(Pred), Options)
    ->  forget_points(M, Pred),
        forall(member(p(F,T,K,V), Wild), keep_break(M, Pred, T, F, K, V))
    ;   true
    ).

keep_points(Options, M, W, Ps) :-
    (   memberchk(initiations(Initiated), Options)
    ->  forget_points(M, Initiated),
        forall(( member(p(F,T,i,V), Ps), T > W ),
               keep_point(M, Initiated, T, F, [V]))
    ;   true
    ),
    (   memberchk(breaks(Breaks), Options)
    ->  forget_points(M, Breaks),
        forall(member(p(F,T,K,V), Ps),
               keep_break(M, Breaks, T, F, K, V))
    ;   true
    ).

%   Instances of a fluent with a default must be remembered where they hold
%   nothing: there they hold the value '$none', which nobody sees.

known_held(Options, run(W,_,Start,Tick,_), Ps, Held, Held2) :-
    memberchk(default(_), Options),
    !,
    findall(F, member(p(F,_,_,_), Ps), Fs0),
    sort(Fs0, Fs),
    findall(held(F1,V,Is),
            ( member(held(F1,V,Is), Held), V \== '$none' ),
            Held1),
    first_point(W, Start, Tick, First),
    holding_nothing(Fs, Held1, First, Held2, Held1).
known_held(_, _, _, Held, Held).

%   Both lists are in the order of fluents.

holding_nothing([], _, _, Held, Held).
holding_nothing([F|Fs], Held0, First, Held, Tail) :-
    lists_of(Held0, F, Lists, Rest),
    relative_complement_all([(First,inf)], Lists, Is),
    (   Is == []
    ->  Held = Held1
    ;   Held = [held(F,'$none',Is)|Held1]
    ),
    holding_nothing(Fs, Rest, First, Held1, Tail).

lists_of([held(F1,_,Is)|Held], F, [Is|Lists], Rest) :-
    F1 == F,
    !,
    lists_of(Held, F, Lists, Rest).
lists_of(Held, _, [], Held).
