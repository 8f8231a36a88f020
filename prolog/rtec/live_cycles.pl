:- module(rtec_live_cycles,
          [ eval_live/3                 % +Members, +M, +Run
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(agenda, [items_at/4]).
:- use_module(cycle_members).
:- use_module(links).
:- use_module(native).
:- use_module(simple_fluents, [default_since/6, forget_broken/3]).
:- use_module(store).
:- autoload(library(lists), [append/3, member/2]).

/** <module> Cycles whose values are kept in C

The sweep of rtec(cycles), for cycles whose fluents have nothing but initial values, defaults and delays
that are not postponed. What holds, what has held, and the agenda of deadlines are in C then
(`native/live.c`). Rules read

    now_f(X, V, S) :- live_now(Held, X, V, S).
    past_f(X, V, S, E) :- live_was(Held, X, V, S, E).

and in the end all goes into the store at once.
*/

%!  eval_live(+Members, +M, +Run) is semidet.
%
%   Fails if there are other fluents in the cycle, or if something does not fit into C; what the stores have
%   is as before then.

eval_live(Members, M, Run) :-
    \+ ( member(Member, Members), M:rtec_not_live(Member) ),
    live_members(Members, 1, M, Lives),
    (   sweep_members(Lives, Members, M, Run)
    ->  true
    ;   Members = [Member|_],
        assertz(M:rtec_not_live(Member)),
        fail
    ).

%   A member becomes live(N, Held, Member) or event(N, Member).

live_members([], _, _, []).
live_members([Member|Members], N, M, [Live|Lives]) :-
    (   Member = fluent(Name/Arity, Store, Now, Past, _, _, _, Options)
    ->  \+ ( member(Option, Options), \+ has_live(Option, M) ),
        fluent_fact(Store, Name, Arity, F, V, Is, Fact),
        linked(M, Fact, F, V, Is, Held),
        F =.. [_|Args],
        read_live(M, Now, Args, [V,_], live_now, Held),
        read_live(M, Past, Args, [V,_,_], live_was, Held),
        Live = live(N,Held,Member)
    ;   Live = event(N,Member)
    ),
    N1 is N+1,
    live_members(Members, N1, M, Lives).

has_live(initially(_), _).
has_live(default(_), _).
has_live(broken(_), _).
has_live(delays(_,Postponed,_), M) :-
    functor(Goal, Postponed, 2),
    \+ clause(M:Goal, _).

%   Facts of Pred are what Read finds.

read_live(M, Pred, Args, Others, Read, Held) :-
    append(Args, Others, FactArgs),
    Fact =.. [Pred|FactArgs],
    Goal =.. [Read,Held|FactArgs],
    (   clause(M:Fact, rtec_native:Goal)
    ->  true
    ;   retractall(M:Fact),
        assertz(M:(Fact :- rtec_native:Goal))
    ).

sweep_members(Lives, Members, M, Run) :-
    Run = run(W,_,_,Tick,_),
    begin_all(Lives, M, Run),
    triggers(Members, M, W, Triggers),
    sweep(Triggers, Lives, M, Run),
    First is W+Tick,
    \+ ( member(live(_,Held,_), Lives), \+ live_end(Held, First) ).

%   The values at the window's start.

begin_all([], _, _).
begin_all([Live|Lives], M, Run) :-
    begin(Live, M, Run),
    begin_all(Lives, M, Run).

begin(event(_,event(Indicator,Store,_,_,_)), M, _) :-
    forget_event(M, Indicator, Store).
begin(live(_,Held,Member), M, run(W,_,Start,Tick,First)) :-
    Member = fluent(Name/Arity,_,_,_,_,_,_,Options),
    (   First == true
    ->  live_begin(Held, none, []),
        initial(Options, Name/Arity, M, Start, Carried),
        \+ ( member(since(Key,V,S), Carried), \+ live_set(Held, Key, V, S) )
    ;   Limit is W+Tick,
        live_begin(Held, Limit, Carried)
    ),
    (   memberchk(broken(Broken), Options)
    ->  forget_broken([broken(Broken)], M, W)
    ;   true
    ),
    (   memberchk(delays(Delay,_,_), Options)
    ->  plan_carried(Carried, Held, Name/Arity, Delay, M, Tick)
    ;   true
    ).

initial(Options, Name/Arity, M, Start, Carried) :-
    (   memberchk(initially(Pred), Options)
    ->  functor(F, Name, Arity),
        fluent_key(F, Key),
        Goal =.. [Pred,F,V],
        findall(since(Key,V,Start), M:Goal, Carried)
    ;   Carried = []
    ).

plan_carried([], _, _, _, _, _).
plan_carried([since(Key,V,S)|Carried], Held, Indicator, Delay, M, Tick) :-
    Base is S-Tick,
    plan(Held, Indicator, Delay, M, Key, V, Base),
    plan_carried(Carried, Held, Indicator, Delay, M, Tick).

%   plan(+Held, +Name/Arity, +Delay, +M, +Key, +V, +Base): the deadline of V, counted from Base.

plan(Held, Name/Arity, Delay, M, Key, V, Base) :-
    (   Arity =:= 1
    ->  F =.. [Name,Key]
    ;   F = Key
    ),
    Goal =.. [Delay,F,V,V1,R],
    findall(R-V1, M:Goal, Delays0),
    (   Delays0 == []
    ->  true
    ;   sort(Delays0, [R1-Next|_]),
        live_plan(Held, Key, Base, R1, Next)
    ).

%   sweep(+Triggers, +Lives, +M, +Run): fails if something does not fit.

sweep(Triggers, Lives, M, Run) :-
    Run = run(_,Q,_,_,_),
    (   next(Triggers, Lives, T),
        T =< Q
    ->  items_at(Triggers, T, Woken, Rest),
        due_all(Lives, T),
        at_time(Lives, T, Woken, M),
        move_all(Lives, T, M, Run),
        sweep(Rest, Lives, M, Run)
    ;   true
    ).

next(Triggers, Lives, T) :-
    (   Triggers = [T0-_|_]
    ->  next_deadline(Lives, T0, T)
    ;   next_deadline(Lives, inf, T),
        T \== inf
    ).

next_deadline([], T, T).
next_deadline([Live|Lives], T0, T) :-
    (   Live = live(_,Held,_),
        live_next(Held, T1),
        T1 < T0
    ->  next_deadline(Lives, T1, T)
    ;   next_deadline(Lives, T0, T)
    ).

due_all([], _).
due_all([Live|Lives], T) :-
    (   Live = live(_,Held,_)
    ->  live_due(Held, T)
    ;   true
    ),
    due_all(Lives, T).

%   The members in order; a member sees what those before it found at T.

at_time([], _, _, _).
at_time([Live|Lives], T, Woken, M) :-
    (   Live = live(N,Held,fluent(Name/Arity,_,_,_,_,Fire,Local,_))
    ->  functor(F, Name, Arity),
        fluent_key(F, Key),
        Fired =.. [Fire,Id,Vars,T,F,K,V],
        points(( member(wake(N,Id,Vars), Woken), M:Fired ), Held, Key, K, V),
        Found =.. [Local,T,F,K,V],
        points(M:Found, Held, Key, K, V)
    ;   Live = event(N,Event),
        event_at(Event, N, T, Woken, M)
    ),
    at_time(Lives, T, Woken, M).

points(Goal, Held, Key, K, V) :-
    call(Goal),
    live_point(Held, Key, K, V),
    fail.
points(_, _, _, _, _).

%   The points take effect after T, when all members are done.

move_all([], _, _, _).
move_all([Live|Lives], T, M, Run) :-
    (   Live = live(_,Held,Member)
    ->  Member = fluent(Indicator,_,_,_,_,_,_,Options),
        Run = run(_,_,_,Tick,_),
        (   memberchk(default(_), Options)
        ->  Default = true,
            live_unknown(Held, Unknown),
            meet_each(Unknown, Held, Member, M, Run)
        ;   Default = false
        ),
        live_move(Held, T, Tick, Default, Begun),
        (   memberchk(delays(Delay,_,_), Options)
        ->  plan_each(Begun, Held, Indicator, Delay, M, T)
        ;   true
        )
    ;   true
    ),
    move_all(Lives, T, M, Run).

plan_each([], _, _, _, _, _).
plan_each([Key-V|Begun], Held, Indicator, Delay, M, T) :-
    plan(Held, Indicator, Delay, M, Key, V, T),
    plan_each(Begun, Held, Indicator, Delay, M, T).

%   An instance that is initiated, or whose default is terminated, for the first time has held its default
%   until now, or until a pattern broke it.

meet_each([], _, _, _, _).
meet_each([Key-KVs|Unknown], Held, Member, M, Run) :-
    Member = fluent(Name/Arity,_,_,_,_,_,_,Options),
    Run = run(_,Q,Start,Tick,_),
    functor(F, Name, Arity),
    fluent_key(F, Key),
    memberchk(default(Pred), Options),
    Goal =.. [Pred,F,V0],
    (   once(M:Goal),
        meets(KVs, V0)
    ->  default_since(Options, M, run(Q,Q,Start,Tick,false), F, V, S),
        live_set(Held, Key, V, S),
        (   V == '$none'
        ->  live_past(Held, Key, V0, Start, S)
        ;   true
        )
    ;   true
    ),
    meet_each(Unknown, Held, Member, M, Run).
