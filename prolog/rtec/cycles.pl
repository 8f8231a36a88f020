:- module(rtec_cycles,
          [ eval_cycle/3                % +Step, +M, +Run
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(agenda).
:- use_module(pairing).
:- use_module(store).
:- use_module(links).
:- use_module(kept_points).
:- use_module(cycle_state).
:- use_module(cycle_members).
:- use_module(live_cycles).
:- use_module(cycle_points, [keep_rule_points/5, initiating/5]).
:- use_module(simple_fluents).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(rbtrees), [list_to_rbtree/2]).
:- autoload(library(heaps), [empty_heap/1]).

/** <module> Entities that depend on each other

Members of a cycle are evaluated together, forward in time. What holds at a
time-point depends on earlier ones only, so at each time-point the rules of
all members are evaluated once, against the values that hold there, and then
the values are moved on (thesis, Algorithms 1, 2 and 13 come to the same: each
rule at most once per time-point). Time-points at which nothing can happen are
skipped: a rule is woken by its trigger, and deadlines by an agenda.

During the sweep, in the session's module, for a fluent f with arguments Args:

    now_f(Args.., V, S)         V holds now, since S
    past_f(Args.., V, S, E)     V has held in [S,E), inside this window
    happens_e, initiated_f, breaks_f, started_f, ended_f
                                what has been found at the time-points so far

A member is

    fluent(Name/Arity, Store, Now, Past, Trigger, Fire, Local, Options)
    event(Name/Arity, Store, Trigger, Fire, Local)

with Trigger(T,Id,Vars) giving what may wake a rule, Fire(Id,Vars,T,F,K,V) (for
an event Fire(Id,Vars,T,E)) the rest of that rule, and Local(T,F,K,V) the rules
that are woken from inside the cycle. Members stand in the order in which they
read each other at one time-point.
*/

eval_cycle(cycle(Members), M, Run) :-
    (   eval_live(Members, M, Run)
    ->  true
    ;   eval_members(Members, M, Run)
    ).

eval_members(Members, M, Run) :-
    Run = run(W,Q,_,_,_),
    empty_heap(Agenda0),
    begin_all(Members, M, Run, Agenda0, Agenda),
    triggers(Members, M, W, Triggers),
    sweep(Triggers, Agenda, Members, M, Run, Q),
    end_all(Members, M, Run).

%   The values at the window's start.

begin_all([], _, _, Agenda, Agenda).
begin_all([Member|Members], M, Run, Agenda0, Agenda) :-
    begin(Member, M, Run, Agenda0, Agenda1),
    begin_all(Members, M, Run, Agenda1, Agenda).

begin(event(Indicator, Store, _, _, _), M, _, Agenda, Agenda) :-
    forget_event(M, Indicator, Store).
begin(fluent(Name/Arity, Store, Now, Past, _, _, _, Options), M, Run, Agenda0, Agenda) :-
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    carried(Options, M, Run, F, V, Is, Fact, Carried),
    fluent_fact(Now, Name, Arity, _, _, _, NowFact),
    retractall(M:NowFact),
    forall(past_fact(Past, Name, Arity, _, _, _, _, PastFact), retractall(M:PastFact)),
    forget_kept(Options, M),
    (   memberchk(broken(_), Options)
    ->  Run = run(W,_,_,_,_),
        forget_broken(Options, M, W)
    ;   true
    ),
    take_attempts(Options, M, Attempts),
    begin_each(Carried, Now, Options, Attempts, M, Run, Agenda0, Agenda).

%   The attempts of the last window are needed once, to find what each carried
%   value counts from.

take_attempts(Options, M, Before) :-
    (   memberchk(delays(_,_,Attempts), Options)
    ->  Old =.. [Attempts,F,V,Ts],
        findall((F-V)-Ts, M:Old, Pairs),
        retractall(M:Old),
        list_to_rbtree(Pairs, Before)
    ;   Before = none
    ).

forget_kept(Options, M) :-
    forall(( member(Option, Options),
             kept_predicate(Option, Pred/Arity)
           ),
           ( functor(Fact, Pred, Arity),
             retractall(M:Fact)
           )).

kept_predicate(initiations(P), P).
kept_predicate(breaks(P), P).
kept_predicate(patterns(P), P).
kept_predicate(started(P), P).
kept_predicate(ended(P), P).

carried(Options, M, Run, F, V, _, _, Carried) :-
    Run = run(_,_,Start,_,true),
    !,
    (   memberchk(initially(Pred), Options)
    ->  Goal =.. [Pred,F,V],
        findall(F-since(V,Start), ( M:Goal, exists(Options, M, F, V) ), Carried0)
    ;   Carried0 = []
    ),
    grounded_defaults(Options, M, Run, Carried0, Carried).
carried(Options, M, Run, F, V, Is, Fact, Carried) :-
    Run = run(W,_,_,Tick,false),
    Limit is W+Tick,
    findall(F-since(V,S),
            ( M:Fact,
              member((S,E), Is),
              S =< Limit,
              E > Limit
            ),
            Carried0),
    grounded_defaults(Options, M, Run, Carried0, Carried).

%   Groundings name instances of a fluent with a default before anything
%   happens to them.

grounded_defaults(Options, M, Run, Carried0, Carried) :-
    memberchk(default(Pred), Options),
    memberchk(grounded, Options),
    !,
    findall(F, named_default(M, Pred, F), Fs0),
    sort(Fs0, Fs),
    findall(F1-since(V,S),
            ( member(F1, Fs),
              \+ memberchk(F1-_, Carried0),
              default_since(Options, M, Run, F1, V, S)
            ),
            Carried, Carried0).
grounded_defaults(_, _, _, Carried, Carried).

begin_each([], _, _, _, _, _, Agenda, Agenda).
begin_each([F-since(V,S)|Carried], Now, Options, Before, M, Run, Agenda0, Agenda) :-
    set_now(M, Now, F, V, S),
    (   memberchk(breaks(Breaks), Options),
        V \== '$none'
    ->  Run = run(W0,_,_,_,_),
        keep_break(M, Breaks, W0, F, c, S-V)
    ;   true
    ),
    (   memberchk(delays(Delay,Postponed,Attempts), Options)
    ->  Run = run(W,_,_,Tick,_),
        first_base(M, Before, Postponed, F, V, S, W, Tick, Base),
        note_attempt(M, Attempts, Postponed, F, V, Base),
        plan(M, Delay, F, V, Base, Now, Agenda0, Agenda1)
    ;   Agenda1 = Agenda0
    ),
    begin_each(Carried, Now, Options, Before, M, Run, Agenda1, Agenda).
%   sweep(+Triggers, +Agenda, +Members, +M, +Run, +Q)

sweep(Triggers, Agenda0, Members, M, Run, Q) :-
    (   next_time(Triggers, Agenda0, T),
        T =< Q
    ->  items_at(Triggers, T, Woken, Rest),
        due(Agenda0, T, M, Due, Agenda1),
        keep_due(Members, Due, T, M),
        at_time(Members, 1, T, Woken, Due, M, Run, Changes),
        Run = run(_,_,_,Tick,_),
        move_on(Changes, T, Tick, M, Agenda1, Agenda),
        sweep(Rest, Agenda, Members, M, Run, Q)
    ;   true
    ).

%   Delays that take effect at T are known before any rule is evaluated there.

keep_due([], _, _, _).
keep_due([Member|Members], Due, T, M) :-
    (   Due \== [],
        Member = fluent(Name/Arity,_,_,_,_,_,_,Options),
        memberchk(initiations(Initiated), Options)
    ->  functor(F, Name, Arity),
        forall(( member(F-V, Due), exists(Options, M, F, V) ),
               keep_point(M, Initiated, T, F, [V]))
    ;   true
    ),
    keep_due(Members, Due, T, M).

%   The members in order; a member sees what those before it found at T.

at_time([], _, _, _, _, _, _, []).
at_time([Member|Members], N, T, Woken, Due, M, Run, Changes) :-
    member_at(Member, N, T, Woken, Due, M, Run, Changes, Changes1),
    N1 is N+1,
    at_time(Members, N1, T, Woken, Due, M, Run, Changes1).

member_at(event(Indicator, Store, Trigger, Fire, Local), N, T, Woken, _, M, _, Changes, Changes) :-
    event_at(event(Indicator, Store, Trigger, Fire, Local), N, T, Woken, M).
member_at(Member, N, T, Woken, Due, M, Run, Changes, Changes1) :-
    Member = fluent(Name/Arity, Store, _, _, _, Fire, Local, Options),
    functor(F, Name, Arity),
    findall(p(F,T,K,V),
            (   member(wake(N,Id,Vars), Woken),
                Goal =.. [Fire,Id,Vars,T,F,K,V],
                M:Goal
            ;   LocalGoal =.. [Local,T,F,K,V],
                M:LocalGoal
            ),
            RulePs),
    keep_rule_points(M, Store, Options, T, RulePs),
    findall(p(F,T,i,V), member(F-V, Due), Ps0, RulePs),
    (   Ps0 == []
    ->  Changes = Changes1
    ;   findall(F1, ( member(p(F1,_,_,_), Ps0), ground(F1) ), Fs),
        concrete(Ps0, Fs, Member, M, Ps1),
        sort(Ps1, Ps),
        keep_points(Options, M, Due, Ps),
        keep_patterns(Options, M, Ps0),
        broken_patterns(Ps0, Member, Changes, Changes2),
        resolve(Ps, Member, T, M, Run, Changes2, Changes1)
    ).

broken_patterns([], _, Changes, Changes).
broken_patterns([p(F,_,K,V)|Ps], Member, Changes, Changes1) :-
    (   ground(F)
    ->  Changes = Changes2
    ;   ( K == i -> K1 = x ; K1 = K ),
        Changes = [pattern(Member,F,K1,V)|Changes2]
    ),
    broken_patterns(Ps, Member, Changes2, Changes1).

%   Points of a pattern apply to all instances that hold something or that
%   other points speak of.

concrete([], _, _, _, []).
concrete([p(F,T,K,V)|Ps0], Fs, Member, M, Ps) :-
    Member = fluent(_,_,Now,_,_,_,_,Options),
    (   ground(F)
    ->  (   K == i
        ->  initiating(Options, M, F, V, K1)
        ;   K1 = K
        ),
        Ps = [p(F,T,K1,V)|Ps1]
    ;   (   K == i
        ->  K1 = x
        ;   K1 = K
        ),
        findall(p(F,T,K1,V), ( now(M, Now, F, _, _) ; member(F, Fs) ), Ps, Ps1)
    ),
    concrete(Ps0, Fs, Member, M, Ps1).

keep_points(Options, M, Due, Ps) :-
    (   memberchk(initiations(Initiated), Options)
    ->  forall(( member(p(F,T,i,V), Ps), \+ memberchk(F-V, Due) ),
               keep_point(M, Initiated, T, F, [V]))
    ;   true
    ),
    (   memberchk(breaks(Breaks), Options)
    ->  forall(member(p(F,T,K,V), Ps), keep_break(M, Breaks, T, F, K, V))
    ;   true
    ).

keep_patterns(Options, M, Ps) :-
    (   memberchk(patterns(Pred), Options)
    ->  forall(( member(p(F,T,K,V), Ps), \+ ground(F) ),
               keep_break(M, Pred, T, F, K, V))
    ;   true
    ).

%   resolve(+Points, +Member, +T, +M, +Run, -Changes, ?Tail): what the points
%   of T change. The change takes effect after T, when all members are done.

resolve([], _, _, _, _, Changes, Changes).
resolve([p(F,T,K,V)|Ps], Member, T, M, Run, Changes, Changes1) :-
    Member = fluent(_,_,Now,_,_,_,_,Options),
    points_at_once(Ps, F, T, KVs0, Rest),
    KVs = [K-V|KVs0],
    Run = run(_,_,_,Tick,_),
    meet(Member, F, KVs, M, Run),
    (   now(M, Now, F, V0, S0)
    ->  Current0 = since(V0,S0)
    ;   Current0 = none
    ),
    apply_at_once(KVs, T, Tick, Current0, Current, Spans, []),
    (   Current == Current0
    ->  (   Current = since(V1,_),
            memberchk(i-V1, KVs)
        ->  Changes = [again(Member,F,V1)|Changes2]
        ;   Changes = Changes2
        )
    ;   note_events(Options, M, F, T, Current0, Current),
        Changes = [change(Member,F,Current0,Current,Spans)|Changes2]
    ),
    resolve(Rest, Member, T, M, Run, Changes2, Changes1).

%   meet(+Member, +F, +KVs, +M, +Run): an instance that is initiated, or whose
%   default is terminated, for the first time has held its default until now, or
%   until a pattern broke it.

meet(Member, F, KVs, M, run(_,Q,Start,Tick,_)) :-
    Member = fluent(Name/Arity,_,Now,Past,_,_,_,Options),
    memberchk(default(Pred), Options),
    \+ now(M, Now, F, _, _),
    Goal =.. [Pred,F,V0],
    once(M:Goal),
    meets(KVs, V0),
    !,
    default_since(Options, M, run(Q,Q,Start,Tick,false), F, V, S),
    set_now(M, Now, F, V, S),
    (   V == '$none'
    ->  past_fact(Past, Name, Arity, F, V0, Start, S, Held),
        assertz(M:Held)
    ;   true
    ).
meet(_, _, _, _, _).

note_events(Options, M, F, T, Current0, Current) :-
    (   memberchk(ended(E), Options),
        Current0 = since(V0,_),
        V0 \== '$none'
    ->  keep_point(M, E, T, F, [V0])
    ;   true
    ),
    (   memberchk(started(S), Options),
        Current = since(V,_)
    ->  keep_point(M, S, T, F, [V])
    ;   true
    ).

%   move_on(+Changes, +T, +Tick, +M, +Agenda0, -Agenda)

move_on([], _, _, _, Agenda, Agenda).
move_on([Change|Changes], T, Tick, M, Agenda0, Agenda) :-
    move(Change, T, Tick, M, Agenda0, Agenda1),
    move_on(Changes, T, Tick, M, Agenda1, Agenda).

move(change(Member,F,Current0,Current,Spans), T, Tick, M, Agenda0, Agenda) :-
    Member = fluent(Name/Arity,_,Now,Past,_,_,_,Options),
    drop_now(M, Now, F),
    forall(member(span(V,S,E), Spans),
           ( past_fact(Past, Name, Arity, F, V, S, E, PastFact),
             assertz(M:PastFact)
           )),
    (   Current = since(V1,S1)
    ->  set_now(M, Now, F, V1, S1),
        plan_new(Options, M, Now, F, V1, T, Agenda0, Agenda)
    ;   Agenda = Agenda0,
        (   memberchk(default(_), Options),
            Current0 = since(_,_)
        ->  E1 is T+Tick,
            set_now(M, Now, F, '$none', E1)
        ;   true
        )
    ).
move(pattern(Member,F,K,V), T, _, M, Agenda, Agenda) :-
    Member = fluent(_,_,_,_,_,_,_,Options),
    note_broken(Options, M, F, T, K, V).
move(again(Member,F,V), T, _, M, Agenda0, Agenda) :-
    Member = fluent(_,_,Now,_,_,_,_,Options),
    (   memberchk(delays(_,Postponed,_), Options),
        Goal =.. [Postponed,F,V],
        \+ \+ M:Goal
    ->  plan_new(Options, M, Now, F, V, T, Agenda0, Agenda)
    ;   Agenda = Agenda0
    ).

plan_new(Options, M, Now, F, V, T, Agenda0, Agenda) :-
    (   memberchk(delays(Delay,Postponed,Attempts), Options)
    ->  note_attempt(M, Attempts, Postponed, F, V, T),
        set_base(M, Now, F, T),
        plan(M, Delay, F, V, T, Now, Agenda0, Agenda)
    ;   Agenda = Agenda0
    ).

%   The values of the window, as interval lists.

end_all([], _, _).
end_all([Member|Members], M, Run) :-
    finish(Member, M, Run),
    end_all(Members, M, Run).

finish(event(_,_,_,_,_), _, _).
finish(fluent(Name/Arity, Store, Now, Past, _, _, _, _), M, run(W,_,_,Tick,_)) :-
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    First is W+Tick,
    findall(s(F,V,S,E),
            (   past_fact(Past, Name, Arity, F, V, S, E, PastFact),
                M:PastFact,
                E > First
            ;   now(M, Now, F, V, S),
                E = inf
            ),
            Spans0),
    sort(Spans0, Spans),
    grouped(Spans, Held),
    replace_held(M, Store, Fact, F, V, Is, Held),
    past_fact(Past, Name, Arity, _, _, _, _, AnyPast),
    retractall(M:AnyPast),
    fluent_fact(Now, Name, Arity, _, _, _, AnyNow),
    retractall(M:AnyNow),
    retractall(M:rtec_base(Now, _, _)).

grouped([], []).
grouped([s(F,V,S,E)|Spans], [held(F,V,[(S,E)|Is])|Held]) :-
    same_value(Spans, F, V, Is, Rest),
    grouped(Rest, Held).

same_value([s(F1,V1,S,E)|Spans], F, V, Is, Rest) :-
    F1 == F,
    V1 == V,
    !,
    Is = [(S,E)|Is1],
    same_value(Spans, F, V, Is1, Rest).
same_value(Rest, _, _, [], Rest).
