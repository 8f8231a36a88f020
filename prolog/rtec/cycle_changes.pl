:- module(rtec_cycle_changes,
          [ change_cycle/5,              % +Step, +Deltas, +M, +Run, +Q0
            change_alone/5               % +Step, +Delta, +M, +Run, +Q0
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(agenda).
:- use_module(changes).
:- use_module(comparison).
:- use_module(cycles).
:- use_module(cycle_members, [meets/2]).
:- use_module(cycle_marks).
:- use_module(cycle_points).
:- use_module(event_changes, [note_event/3]).
:- use_module(held_changes).
:- use_module(pairing).
:- use_module(simple_fluents, [eval_simple/3]).
:- use_module(store).
:- use_module(trajectories).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(ordsets), [ord_memberchk/2, ord_subtract/3, ord_union/3]).
:- autoload(library(heaps), [add_to_heap/4, empty_heap/1, get_from_heap/4, min_of_heap/3]).
:- autoload(library(rbtrees), [rb_new/1, rb_lookup/3, rb_insert/4, rb_delete/3, rb_visit/2]).

/** <module> Cycles, by what has changed

What was known of a cycle at the last query time is a trajectory: which value
every instance of its members had when. Only instances that leave it are looked
at, forward in time. An instance at a time-point is _touched_ where a condition
outside the cycle has changed for it; its points there are derived anew from
all its rules. If another value follows from them than before, the instance is
_live_: from here until it meets its old trajectory again, what it holds is
swept anew, at its own points, its deadlines, and where its old trajectory
changes. Rules that read it meanwhile are touched in turn.

    old trajectory of a     null    proposed   voting      voted
    touched                            *
    a now                   null    proposed      null     proposed   voted
    live                               |--------------------|
    rules that read a                    *    *          *             touched

So a change spreads as far as it makes a difference, from one member and one
instance to the next, and no further; no instance has to be told from others
beforehand. At one time-point, members come in the order of the step, which is
that in which they read each other.

The compiler writes the rules for this (python: lowering/cycle_deltas.py). For a
fluent f they are in d(Kept,Live,Touches,Derive,Diverged,Wakes,Patterns):

    Kept(Args.., T, KVs)        facts: the points of its rules at T
    Live(Args.., V, S)          facts: what live instances hold now
    Touches(F, T)               conditions outside of the cycle have changed
    Derive(F, T, K, V)          all rules, which see live instances as they are
    Diverged(F, V, T1, T2, N, F1, T)
                                rules of member N that read F=V at T in (T1,T2]
    Wakes(Reading, F, V, T, N, F1)
                                rules of member N that read, at T, that F=V is
                                initiated, starts or ends there
    Patterns                    `none`, or patterns(Kept,Rules) for rules that speak
                                of all instances of a pattern, see rtec(cycle_points)

and for an event in d(Touches,Derive,Wakes), likewise.
*/

%!  change_cycle(+Step, +Deltas, +M, +Run, +Q0) is det.
%
%   Evaluate the cycle by its changes since the query time Q0. Instances with a
%   default stay known once they are, except while the window reaches back before
%   the run; that is left to evaluation from scratch.

change_cycle(Step, Deltas, M, Run, Q0) :-
    Step = cycle(Members),
    Run = run(_,_,_,_,true),
    has_default(Members),
    !,
    anew(Step, Members, Deltas, M, Run, Q0, eval_cycle(Step, M, Run)).
change_cycle(cycle(Members), Deltas, M, Run, Q0) :-
    change_members(Members, Deltas, M, Run, Q0).

%!  change_alone(+Step, +Delta, +M, +Run, +Q0) is det.
%
%   The same for a simple fluent that is in no cycle, but has a default, or initiations that
%   rules ask for, or groundings that restrict it.

change_alone(Step, Delta, M, Run, Q0) :-
    Step = simple(Indicator,Store,Points,Options),
    Members = [fluent(Indicator,Store,none,none,none,none,none,Options)],
    (   Run = run(W,_,_,_,true),
        memberchk(default(_), Options)
    ->  anew(Step, Members, [Delta], M, Run, Q0,
             ( eval_simple(Step, M, Run),
               keep_alone(M, Store, Points, Options, W)
             ))
    ;   change_members(Members, [Delta], M, Run, Q0)
    ).

:- meta_predicate anew(+, +, +, +, +, +, 0).

anew(Step, Members, Deltas, M, Run, Q0, Goal) :-
    forget_members(Members, Deltas, M),
    setup_call_cleanup(
        assertz(M:rtec_keeping),
        compared(Step, M, Run, Q0, Goal),
        retractall(M:rtec_keeping)).

forget_members([], [], _).
forget_members([Member|Members], [Delta|Deltas], M) :-
    (   Delta = d(Kept,_,_,_,_,_,Patterns)
    ->  arg(2, Member, Store),
        forget_points(M, Kept, Patterns),
        forget_awaited(M, Store)
    ;   true
    ),
    forget_members(Members, Deltas, M).

change_members(Members, Deltas, M, Run, Q0) :-
    infos(Members, Deltas, M, 1, Infos),
    Run = run(W,Q,Start,Tick,_),
    Context = cx(M,Infos,W,Q,Q0,Start,Tick),
    leave_all(Members, Deltas, M, W, Tick),
    first_touches(Infos, M, W, Touches),
    empty_heap(Agenda0),
    first_deadlines(Infos, Context, Agenda0, Agenda),
    rb_new(Live),
    sweep(Touches, Context, st(Agenda,Live,[],[]), st(_,Live1,Parts0,[])),
    end_all(Live1, Context, Parts0, Parts),
    replace_parts(Parts, Context).

has_default(Members) :-
    member(fluent(_,_,_,_,_,_,_,Options), Members),
    memberchk(default(_), Options).

%   An info is fl(N, Indicator, Store, InStore, InPoints, InLive, Options, Delta)
%   or ev(N, Indicator, Store, Delta).

infos([], [], _, _, []).
infos([Member|Members], [Delta|Deltas], M, N, [Info|Infos]) :-
    info(Member, Delta, M, N, Info),
    N1 is N+1,
    infos(Members, Deltas, M, N1, Infos).

info(event(Indicator,Store,_,_,_), Delta, _, N, ev(N,Indicator,Store,Delta)).
info(fluent(Indicator,Store,_,_,_,_,_,Options), Delta, M, N,
     fl(N,Indicator,Store,InStore,InPoints,InLive,Options,Delta)) :-
    Delta = d(Kept,Live,_,_,_,_,Patterns),
    accessors(M:Store, InStore),
    accessors(M:Live, InLive),
    point_access(M, Kept, Patterns, InPoints).

%   Drop what the window has left.

leave_all([], [], _, _, _).
leave_all([Member|Members], [Delta|Deltas], M, W, Tick) :-
    leave_member(Member, Delta, M, W, Tick),
    leave_all(Members, Deltas, M, W, Tick).

leave_member(event(Name/Arity,Store,_,_,_), _, M, W, _) :-
    event_fact(Store, Name, Arity, _, T, Fact),
    forall(( clause(M:Fact, true, Ref), T =< W ), erase(Ref)).
leave_member(fluent(Name/Arity,Store,_,_,_,_,_,Options), Delta, M, W, Tick) :-
    Delta = d(Kept,Live,_,_,_,_,Patterns),
    Border is W+Tick,
    leave(M, Name/Arity, Store, Border),
    M:rtec_panes(Live, Size, cycle),
    functor(LiveFact, Live, Size),
    retractall(M:LiveFact),
    leave_points(M, Kept, Patterns, Size, W),
    leave_marks(Options, M, W),
    accessors(M:Store, InStore),
    leave_attempts(Options, M, InStore, W).

%   What conditions outside of the cycle touch, in order of time.

first_touches(Infos, M, W, Touches) :-
    findall(T-touch(N,F),
            ( member(Info, Infos),
              touches(Info, N, Pred),
              call(M:Pred, F, T),
              T > W
            ),
            Touches0),
    sort(Touches0, Touches).

touches(fl(N,_,_,_,_,_,_,d(_,_,Touches,_,_,_,_)), N, Touches).
touches(ev(N,_,_,d(Touches,_,_)), N, Touches).

%   The deadlines that pass between the last query time and this one.

first_deadlines([], _, Agenda, Agenda).
first_deadlines([Info|Infos], Context, Agenda0, Agenda) :-
    (   Info = fl(N,Indicator,Store,InStore,_,_,Options,_),
        memberchk(delays(Delay,_,_), Options)
    ->  Context = cx(M,_,_,Q,Q0,_,Tick),
        awaited(M, Indicator, Store, Delay, Q0, Q, Fs),
        stops_of(Fs, N, Store, InStore, Options, M, Q, Tick, Agenda0, Agenda1)
    ;   Agenda1 = Agenda0
    ),
    first_deadlines(Infos, Context, Agenda1, Agenda).

stops_of([], _, _, _, _, _, _, _, Agenda, Agenda).
stops_of([F|Fs], N, Store, InStore, Options, M, Q, Tick, Agenda0, Agenda) :-
    (   open_value(InStore, F, Current),
        deadline(Options, M, F, Current, inf, Tick, D, _)
    ->  (   D =< Q
        ->  add_to_heap(Agenda0, D, stop(N,F), Agenda1)
        ;   await(M, Store, F, D),
            Agenda1 = Agenda0
        )
    ;   Agenda1 = Agenda0
    ),
    stops_of(Fs, N, Store, InStore, Options, M, Q, Tick, Agenda1, Agenda).

%   sweep(+Touches, +Context, +State0, -State): State is st(Agenda,Live,Parts,Moves).
%   Live has, for each N-F that is live, live(Old,From,Current,Stops,Next,Spans): its
%   old trajectory, since when it is live, what it holds, where it has to be
%   looked at again, and which spans it has had. Parts collects what is done with:
%   part(N,F,Old,Regions,Spans). Moves are changes of what is read, for after the time-point.

sweep(Touches, Context, State0, State) :-
    Context = cx(_,_,_,Q,_,_,_),
    State0 = st(Agenda0,Live,Parts,[]),
    (   next_time(Touches, Agenda0, T),
        T =< Q
    ->  items_at(Touches, T, Items0, Rest),
        due_items(Agenda0, T, Items1, Agenda),
        append(Items0, Items1, Items2),
        sort(Items2, Items),
        at_time(T, Items, Context, st(Agenda,Live,Parts,[]), State1),
        sweep(Rest, Context, State1, State)
    ;   State = State0
    ).

due_items(Agenda0, T, [Item|Items], Agenda) :-
    min_of_heap(Agenda0, T1, _),
    T1 =:= T,
    !,
    get_from_heap(Agenda0, _, Item, Agenda1),
    due_items(Agenda1, T, Items, Agenda).
due_items(Agenda, _, [], Agenda).

%   What delays initiate at T is known before any rule is evaluated there.

at_time(T, Items0, Context, State0, State) :-
    Context = cx(_,Infos,_,_,_,_,_),
    delayed_marks(Items0, T, Context, State0, Items0, Items),
    at_members(Infos, T, Items, Context, State0, st(Agenda,Live,Parts,Moves)),
    move_on(Moves),
    State = st(Agenda,Live,Parts,[]).

%   Rules at T read what holds until then.

move_on([]).
move_on([move(InLive,F,Current)|Moves]) :-
    drop_facts(InLive, F, _),
    (   Current = since(V,S)
    ->  add_fact(InLive, F, V, S)
    ;   Current == none
    ->  add_fact(InLive, F, '$out', none)
    ;   true
    ),
    move_on(Moves).

delayed_marks([], _, _, _, Items, Items).
delayed_marks([Item|Todo], T, Context, State, Items0, Items) :-
    (   Item = stop(N,F),
        Context = cx(M,Infos,_,_,_,_,_),
        info_of(Infos, N, Info),
        Info = fl(_,_,_,_,InPoints,_,Options,_),
        memberchk(initiations(_), Options),
        memberchk(delays(_,_,_), Options)
    ->  state_before(Info, F, T, Context, State, _, Current, _),
        delayed(Options, M, F, Current, T, Context, Due),
        points_at(InPoints, F, T, KVs0),
        all_points(Due, Options, M, F, KVs0, KVs),
        initiated(KVs, Inits),
        mark(initiated, Info, F, T, Inits, M, Items1, Items0)
    ;   Items1 = Items0
    ),
    delayed_marks(Todo, T, Context, State, Items1, Items).

info_of([Info|Infos], N, Found) :-
    (   arg(1, Info, N)
    ->  Found = Info
    ;   info_of(Infos, N, Found)
    ).

%   The members in order. Items that a member adds are of members after it.

at_members([], _, _, _, State, State).
at_members([Info|Infos], T, Items0, Context, State0, State) :-
    arg(1, Info, N),
    own_items(Items0, N, Touched0, Stopped0, Others),
    (   Touched0 == [],
        Stopped0 == []
    ->  Items = Others,
        State1 = State0
    ;   at_member(Info, T, Touched0, Stopped0, Context, State0, State1, Items, Others)
    ),
    at_members(Infos, T, Items, Context, State1, State).

own_items([], _, [], [], []).
own_items([Item|Items], N, Touched, Stopped, Others) :-
    (   Item = touch(N,F)
    ->  Touched = [F|Touched1],
        own_items(Items, N, Touched1, Stopped, Others)
    ;   Item = stop(N,F)
    ->  Stopped = [F|Stopped1],
        own_items(Items, N, Touched, Stopped1, Others)
    ;   Others = [Item|Others1],
        own_items(Items, N, Touched, Stopped, Others1)
    ).

at_member(Info, T, Es0, _, Context, State, State, Items, Tail) :-
    Info = ev(_,_,_,_),
    !,
    Context = cx(M,_,_,_,_,_,_),
    sort(Es0, Es),
    occurrences(Es, T, Info, M, Items, Tail).
at_member(Info, T, Touched0, Stopped0, Context, State0, State, Items, Tail) :-
    instances(Touched0, T, Info, Context, Touched1),
    Context = cx(M,_,_,_,_,_,Tick),
    Info = fl(_,_,_,InStore,InPoints,InLive,_,_),
    changed_patterns(Touched0, T, InPoints, M, InStore, InLive, Tick, Forced),
    append(Forced, Touched1, Touched2),
    append(Forced, Stopped0, Stopped1),
    sort(Touched2, Touched),
    sort(Stopped1, Stopped),
    ord_union(Touched, Stopped, Fs),
    at_instances(Fs, Touched, Stopped, T, Info, Context, State0, State, Items, Tail).

%   What is touched may be a pattern. Concerned are instances that have points there
%   now, or had.

instances([], _, _, _, []).
instances([F|Fs0], T, Info, Context, Fs) :-
    (   ground(F)
    ->  Fs = [F|Fs1]
    ;   Info = fl(_,_,_,_,InPoints,_,_,d(_,_,_,Derive,_,_,_)),
        Context = cx(M,_,_,_,_,_,_),
        findall(F,
                ( (   call(M:Derive, F, T, _, _)
                  ;   has_points(InPoints, F, T)
                  ),
                  ground(F)
                ),
                Fs, Fs1)
    ),
    instances(Fs0, T, Info, Context, Fs1).

%   The occurrences of an event at T that match what is touched.

occurrences([], _, _, _, Items, Items).
occurrences([E|Es], T, Info, M, Items, Tail) :-
    Info = ev(_,Name/Arity,Store,d(_,Derive,Wakes)),
    event_fact(Store, Name, Arity, E, T, Fact),
    findall(Fact, M:Fact, Old0),
    findall(Fact, call(M:Derive, E, T), New0),
    sort(Old0, Old),
    sort(New0, New),
    ord_subtract(New, Old, Came),
    ord_subtract(Old, New, Went),
    forall(member(Fact1, Went), ( retractall(M:Fact1), note_event(M, del_, Fact1) )),
    forall(member(Fact1, Came), ( assertz(M:Fact1), note_event(M, ins_, Fact1) )),
    append(Came, Went, Changed),
    findall(touch(N,F),
            ( member(Fact, Changed),
              call(M:Wakes, happens, E, none, T, N, F)
            ),
            Items, Items1),
    occurrences(Es, T, Info, M, Items1, Tail).

%   Instances of a fluent at T.

at_instances([], _, _, _, _, _, State, State, Items, Items).
at_instances([F|Fs], Touched, Stopped, T, Info, Context, State0, State, Items, Tail) :-
    at_instance(F, Touched, Stopped, T, Info, Context, State0, State1, Items, Items1),
    at_instances(Fs, Touched, Stopped, T, Info, Context, State1, State, Items1, Tail).

at_instance(F, Touched, Stopped, T, Info, Context, State0, State, Items, Tail) :-
    Info = fl(_,_,_,_,InPoints,_,_,_),
    points_at(InPoints, F, T, KVs0),
    (   ord_memberchk(F, Touched)
    ->  rederived(Info, F, T, Context, KVs0, KVs, Same)
    ;   KVs = KVs0,
        Same = true
    ),
    state_before(Info, F, T, Context, State0, Old, Current, Live),
    (   Live == none,
        Same == true,
        \+ ord_memberchk(F, Stopped)
    ->  State = State0,
        Items = Tail
    ;   move(Old, Current, Live, F, T, KVs, Info, Context, State0, State, Items, Tail)
    ).

%   rederived(+Info, +F, +T, +Context, +KVs0, -KVs, -Same): the points of F at T,
%   derived anew and kept. Same is `true` if they were KVs0 before.

rederived(Info, F, T, Context, KVs0, KVs, Same) :-
    Info = fl(_,_,_,_,InPoints,_,_,d(_,_,_,Derive,_,_,_)),
    Context = cx(M,_,_,_,_,_,_),
    findall(K-V, call(M:Derive, F, T, K, V), KVs1),
    sort(KVs1, KVs),
    (   KVs =@= KVs0
    ->  Same = true
    ;   Same = false,
        replace_points(InPoints, F, T, KVs0, KVs)
    ).

%   state_before(+Info, +F, +T, +Context, +State, -Old, -Current, -Live): what F holds
%   when T comes, and its old trajectory, a list of V-Is. Live is `none`, `unmet`
%   for an instance with a default that nothing has happened to, or its record.

state_before(Info, F, T, Context, st(_,Lives,_,_), Old, Current, Live) :-
    Info = fl(N,_,_,InStore,_,_,Options,_),
    Context = cx(M,_,_,_,_,Start,Tick),
    (   rb_lookup(N-F, Record, Lives)
    ->  Live = Record,
        Record = live(Old,_,Current,_,_,_)
    ;   findall(V-Is, get_fact(InStore, F, V, Is), Old0),
        (   Old0 == [],
            default_value(Options, M, F, V0)
        ->  Live = unmet,
            Old = [V0-[(Start,inf)]],
            Current = since(V0,Start)
        ;   Live = none,
            Old = Old0,
            value_before(Old, T, Tick, Current)
        )
    ).

%   move(...): the points of F at T take effect.

move(_, Current, unmet, F, T, KVs, Info, Context, State, State, Items, Items) :-
    Current = since(V0,_),
    \+ meets(KVs, V0),
    !,
    Info = fl(_,_,_,_,_,_,Options,_),
    Context = cx(M,_,_,_,_,_,_),
    remark_breaks(Options, M, F, T, KVs).
move(Old, Current0, Live, F, T, KVs, Info, Context, State0, State, Items, Tail) :-
    Info = fl(_,_,_,_,_,_,Options,_),
    Context = cx(M,_,W,_,_,_,Tick),
    delayed(Options, M, F, Current0, T, Context, Due),
    note_attempts(Options, M, F, T, W, KVs),
    all_points(Due, Options, M, F, KVs, KVs1),
    remark_breaks(Options, M, F, T, KVs1),
    apply_at_once(KVs1, T, Tick, Current0, Current1, Spans, []),
    hidden_value(Options, Current0, Current1, T, Tick, Current),
    initiated(KVs1, Inits),
    mark(initiated, Info, F, T, Inits, M, Items, Items1),
    ended(Current0, Current, Ends),
    mark(end, Info, F, T, Ends, M, Items1, Items2),
    started(Current0, Current, Starts),
    mark(start, Info, F, T, Starts, M, Items2, Tail),
    value_after(Old, T, Tick, Before),
    (   meets_again(Options, M, F, Current, Before, T, Tick)
    ->  rejoin(Live, Old, Current, F, T, Spans, Info, Context, State0, State)
    ;   go_on(Live, Old, Current0, Current, Before, F, T, Spans, Info, Context, State0, State)
    ).

%   An instance whose value is broken and that has a default is remembered as one that
%   holds nothing, under a hidden value.

hidden_value(Options, Current0, Current1, T, Tick, Current) :-
    (   Current1 == none,
        Current0 = since(_,_),
        memberchk(default(_), Options)
    ->  S is T+Tick,
        Current = since('$none',S)
    ;   Current = Current1
    ).

ended(Current0, Current, Ends) :-
    (   Current0 \== Current,
        Current0 = since(V,_),
        V \== '$none'
    ->  Ends = [V]
    ;   Ends = []
    ).

started(Current0, Current, Starts) :-
    (   Current0 \== Current,
        Current = since(V,_),
        V \== '$none'
    ->  Starts = [V]
    ;   Starts = []
    ).

%   mark(+Reading, +Info, +F, +T, +Vs, +M, -Items, ?Tail): what rules of the cycle
%   read at T as initiated, starting or ending is Vs; where it was something else,
%   they are touched.

mark(Reading, Info, F, T, Vs, M, Items, Tail) :-
    Info = fl(_,_,_,_,_,_,Options,d(_,_,_,_,_,Wakes,_)),
    (   mark_predicate(Reading, Options, Pred),
        remark(M, Pred, F, T, Vs, Changed),
        Changed \== []
    ->  findall(touch(N,F1),
                ( member(V, Changed),
                  call(M:Wakes, Reading, F, V, T, N, F1)
                ),
                Items, Tail)
    ;   Items = Tail
    ).

%   rejoin(...): F holds what it held before. If it was live, that is over.

rejoin(none, _, _, _, _, _, _, _, State, State) :-
    !.
rejoin(unmet, Old, _, F, _, _, Info, _, st(A,L,Parts,Moves), st(A,L,[Part|Parts],Moves)) :-
    !,
    arg(1, Info, N),
    Part = part(N,F,met(Old),[],[]).
rejoin(live(Old,From,_,_,_,Spans0), _, Current, F, T, Spans1, Info, Context, State0, State) :-
    Info = fl(N,_,_,_,_,InLive,_,_),
    Context = cx(_,_,_,_,_,_,Tick),
    State0 = st(A,L0,Parts,Moves),
    E is T+Tick,
    S is From+Tick,
    last_span(Current, E, Spans2),
    append(Spans2, Spans1, Spans3),
    append(Spans3, Spans0, Spans),
    rb_delete(L0, N-F, L),
    State = st(A,L,[part(N,F,Old,[(S,E)],Spans)|Parts],[move(InLive,F,out)|Moves]).

last_span(none, _, []).
last_span(since(V,S), E, [span(V,S,E)]) :-
    S < E,
    !.
last_span(_, _, []).

%   go_on(...): F holds something else than before. Rules that read it before it is
%   looked at again are touched.

go_on(Live, _, Current0, Current, _, _, T, _, Info, _, State, State) :-
    Live = live(_,_,_,_,Next,_),
    T < Next,
    Current == Current0,
    Info = fl(_,_,_,_,_,_,Options,_),
    \+ memberchk(delays(_,_,_), Options),
    !.
go_on(Live, Old, _, Current, Before, F, T, Spans1, Info, Context, State0, State) :-
    Info = fl(N,_,_,_,InPoints,InLive,Options,_),
    Context = cx(M,_,_,Q,Q0,_,Tick),
    State0 = st(Agenda0,Lives0,Parts0,Moves),
    (   Live = live(_,From,_,Stops0,_,Spans0)
    ->  Parts = Parts0
    ;   From = T,
        times_of_points(InPoints, F, Ts),
        own_times(Ts, T, Old, Tick, Stops0),
        Spans0 = [],
        (   Live == unmet
        ->  Parts = [part(N,F,met(Old),[],[])|Parts0]
        ;   Parts = Parts0
        )
    ),
    append(Spans1, Spans0, Spans),
    times_after(Stops0, T, Stops),
    T1 is T+1,
    (   deadline(Options, M, F, Current, T1, Tick, D, _)
    ->  true
    ;   D = inf
    ),
    (   Stops = [T2|_],
        T2 < D
    ->  Next = T2
    ;   Next = D
    ),
    rb_insert(Lives0, N-F, live(Old,From,Current,Stops,Next,Spans), Lives),
    (   Next =< Q
    ->  add_to_heap(Agenda0, Next, stop(N,F), Agenda1)
    ;   Agenda1 = Agenda0
    ),
    To is min(Next, Q0),
    diverged(Before, Current, F, T, To, Info, M, Agenda1, Agenda),
    State = st(Agenda,Lives,Parts,[move(InLive,F,Current)|Moves]).

%   Where F is read after T, up to To. Rules that are triggered after the last query
%   time are touched anyway.

diverged(Before, Current, F, T, To, Info, M, Agenda0, Agenda) :-
    (   T < To,
        differing(Before, Current, Vs),
        Vs \== []
    ->  Info = fl(_,_,_,_,_,_,_,d(_,_,_,_,Diverged,_,_)),
        findall(T1-touch(N,F1),
                ( member(V, Vs),
                  call(M:Diverged, F, V, T, To, N, F1, T1)
                ),
                Touches0),
        sort(Touches0, Touches),
        add_touches(Touches, Agenda0, Agenda)
    ;   Agenda = Agenda0
    ).

differing(since(V,_), since(V1,_), []) :-
    V == V1,
    !.
differing(Before, Current, Vs) :-
    findall(V, ( ( Before = since(V,_) ; Current = since(V,_) ), V \== '$none' ), Vs).

add_touches([], Agenda, Agenda).
add_touches([T-Touch|Touches], Agenda0, Agenda) :-
    add_to_heap(Agenda0, T, Touch, Agenda1),
    add_touches(Touches, Agenda1, Agenda).

%   delayed(+Options, +M, +F, +Current, +T, +Context, -Due): Due lists the value that a
%   delay initiates at T, if one does.

delayed(Options, M, F, Current, T, Context, Due) :-
    Context = cx(_,_,_,_,_,_,Tick),
    (   Current = since(_,_),
        deadline(Options, M, F, Current, T, Tick, D, V),
        D =:= T
    ->  Due = [V]
    ;   Due = []
    ).

all_points([], _, _, _, KVs, KVs).
all_points([V], Options, M, F, KVs0, KVs) :-
    initiating(Options, M, F, V, K),
    sort([K-V|KVs0], KVs).

initiated(KVs, Vs) :-
    findall(V, member(i-V, KVs), Vs0),
    sort(Vs0, Vs).

%   What is live at the end stays as it is, and may have a deadline ahead.

end_all(Lives, Context, Parts0, Parts) :-
    rb_visit(Lives, Pairs),
    end_each(Pairs, Context, Parts0, Parts).

end_each([], _, Parts, Parts).
end_each([(N-F)-Live|Pairs], Context, Parts0, [Part|Parts]) :-
    Live = live(Old,From,Current,_,_,Spans0),
    Context = cx(M,Infos,_,_,_,_,Tick),
    info_of(Infos, N, fl(_,_,Store,_,_,InLive,Options,_)),
    drop_facts(InLive, F, _),
    S is From+Tick,
    (   Current = since(V,S1)
    ->  Spans = [span(V,S1,inf)|Spans0]
    ;   Spans = Spans0
    ),
    Part = part(N,F,Old,[(S,inf)],Spans),
    (   deadline(Options, M, F, Current, inf, Tick, D, _)
    ->  await(M, Store, F, D)
    ;   true
    ),
    end_each(Pairs, Context, Parts0, Parts).

%   What is stored is replaced, instance by instance, and what changed is noted.

replace_parts(Parts0, Context) :-
    sort(Parts0, Parts),
    replace_each(Parts, Context).

replace_each([], _).
replace_each([Part|Parts0], Context) :-
    Part = part(N,F,_,_,_),
    same_instance(Parts0, N, F, Of, Parts),
    Context = cx(M,Infos,W,_,Q0,_,Tick),
    info_of(Infos, N, fl(_,Indicator,_,InStore,_,_,_,_)),
    scope(M, Q0, Scope),
    Border is W+Tick,
    replace_instance([Part|Of], F, fluent(M,Indicator,InStore,Scope), Border),
    replace_each(Parts, Context).

same_instance([part(N1,F1,Old,Regions,Spans)|Parts0], N, F, Of, Parts) :-
    N1 == N,
    F1 == F,
    !,
    Of = [part(N1,F1,Old,Regions,Spans)|Of1],
    same_instance(Parts0, N, F, Of1, Parts).
same_instance(Parts, _, _, [], Parts).

replace_instance(Parts, F, Fluent, Border) :-
    (   member(part(_,_,met(Old),_,_), Parts)
    ->  changed_trajectory(Old, Parts, New),
        meet_instance(Old, New, F, Fluent)
    ;   Parts = [part(_,_,Old,_,_)|_],
        changed_trajectory(Old, Parts, New),
        update_all(Old, New, F, Fluent, Border)
    ).

%   An instance with a default of which nothing was known is stored as a whole.

meet_instance([V0-_], New, F, fluent(M,Indicator,InStore,Scope)) :-
    forall(member(V-Is, New),
           ( add_fact(InStore, F, V, Is),
             note_change(M, Indicator, F, V, [], Is, Scope)
           )),
    note_met(M, Indicator, F, V0, Scope).

default_value(Options, M, F, V) :-
    memberchk(default(Pred), Options),
    call(M:Pred, F, V),
    !.
