:- module(rtec_deadlines,
          [ pair_with_delays/7,          % +Points, +M, +Options, +Delays, +Run, -Points1, -Held
            pair_instance_with_delays/8  % +F, +Points, +W, +M, +Options, +Delays, +Run, -Held
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(pairing).
:- use_module(kept_points, [exists/4]).
:- use_module(intervals, [ending_after/3]).
:- autoload(library(lists), [append/2, append/3, member/2, last/2]).
:- autoload(library(pairs), [group_pairs_by_key/2]).
:- autoload(library(rbtrees), [list_to_rbtree/2, rb_lookup/3]).

/** <module> Fluents whose values change by themselves

fi(F=V, F=V1, R): an initiation of V at T initiates V1 at T+R, unless V is
broken in [T,T+R). While V is unbroken its attempts follow each other, and the
first that takes effect breaks V and so cancels the rest. There is therefore
one _deadline_ at a time: R after the initiation that began the current
interval or, where p(F=V) lets attempts be postponed, R after the last
initiation of V. The sweep of rtec(pairing) stops at deadlines as it does at
points.

What is carried to the next window are the attempts: for postponable values
every initiation, since the next window may start between any two of them
(thesis, Algorithms 5 and 6); for the others the start of the interval, which
is carried anyway.
*/

%!  pair_with_delays(+Points, +M, +Options, +Delays, +Run, -Points1, -Held) is det.
%
%   As pair_points/3. Delays is delays(Delay,Postponed,Attempts), with Delay(F,V,V1,R) and
%   Postponed(F,V) in M, and the dynamic Attempts(F,V,Ts) as memory. Points1 is Points with the
%   initiations that delays brought about. Options are those of the fluent.

pair_with_delays(Ps, M, Options, Delays, Run, Ps1, Held) :-
    Run = run(W,_,_,_,_),
    sweep_all(_, Ps, W, M, Options, Delays, Run, Inits, Held),
    append(Ps, Inits, Ps0),
    sort(Ps0, Ps1).

%!  pair_instance_with_delays(+F, +Points, +W, +M, +Options, +Delays, +Run, -Held) is det.
%
%   The same for the points of one fluent F; what is remembered of others stays. The window begins at W, Run
%   may begin later: attempts in between stay as they are.

pair_instance_with_delays(F, Ps, W, M, Options, Delays, Run, Held) :-
    sweep_all(F, Ps, W, M, Options, Delays, Run, _, Held).

sweep_all(F, Ps, W0, M, Options, delays(Delay,Postponed,Attempts), Run, Inits, Held) :-
    Run = run(W,_,_,Tick,_),
    Old =.. [Attempts,F,V,Ts],
    findall((F-V)-Ts, M:Old, Pairs0),
    retractall(M:Old),
    keysort(Pairs0, Pairs1),
    group_pairs_by_key(Pairs1, Pairs2),
    flat_values(Pairs2, Pairs),
    list_to_rbtree(Pairs, Before),
    groups(Ps, delays(M,Delay,Postponed,Run,Before,Options), Held0, Inits, NewAttempts),
    Border is W+Tick,
    reaching(Held0, Border, Held),
    earlier_attempts(W0, W, Pairs, EarlierAttempts),
    forall(( member((F1-V1)-Ts1, EarlierAttempts) ; member((F1-V1)-Ts1, NewAttempts) ),
           ( New =.. [Attempts,F1,V1,Ts1],
             assertz(M:New)
           )).

%   earlier_attempts(+W0, +W, +Pairs, -Earlier): those in the window that began at W0, up to where the sweep began, and the last
%   one before the window.

earlier_attempts(W, W, _, []) :-
    !.
earlier_attempts(W0, W, Pairs, Earlier) :-
    findall(FV-Ts,
            ( member(FV-Ts0, Pairs),
              attempts_between(Ts0, W0, W, Ts),
              Ts \== []
            ),
            Earlier).

attempts_between([], _, _, []).
attempts_between([T|Ts0], W0, W, Ts) :-
    (   T > W
    ->  Ts = []
    ;   Ts0 = [T1|_],
        T1 =< W0
    ->  attempts_between(Ts0, W0, W, Ts)
    ;   Ts = [T|Ts1],
        attempts_between(Ts0, W0, W, Ts1)
    ).

flat_values([], []).
flat_values([K-Lists|Pairs0], [K-Ts|Pairs]) :-
    append(Lists, Ts0),
    sort(Ts0, Ts),
    flat_values(Pairs0, Pairs).

%   Where windows leave gaps, a deadline may pass unseen between two of them.

reaching([], _, []).
reaching([held(F,V,Is0)|Held0], Border, Held) :-
    ending_after(Is0, Border, Is),
    (   Is == []
    ->  Held = Held1
    ;   Held = [held(F,V,Is)|Held1]
    ),
    reaching(Held0, Border, Held1).

groups([], _, [], [], []).
groups([p(F,T,K,V)|Ps], Delays, Held, Inits, Attempts) :-
    Context = context(Delays,_),
    sweep([p(F,T,K,V)|Ps], F, none, Context, Spans, Rest, Inits, Inits1, Attempts, Attempts1),
    spans_held(Spans, F, Held, Held1),
    groups(Rest, Delays, Held1, Inits1, Attempts1).

%   State is `none` or at(since(V,S), Base, Tried, Due): Base is the initiation that
%   the deadline counts from, Tried the initiations of V so far, latest first. Due is
%   due(R,K-V1,Postponed) if V becomes V1 after R, none(Postponed) if it does not change by
%   itself; Postponed is `true` where attempts may be postponed. K is `i`, or `x` if V1 is
%   left out by groundings, so that V only ends.

sweep(Ps, F, State, Context, Spans, Rest, Inits, Inits1, Attempts, Attempts1) :-
    Context = context(delays(_,_,_,run(_,Q,_,_,_),_,_),_),
    (   Ps = [p(F1,T1,_,_)|_],
        F1 == F
    ->  Next = T1
    ;   Next = none
    ),
    (   deadline(State, D, K, V1),
        D =< Q,
        \+ ( Next \== none, Next < D )
    ->  Inits = [p(F,D,K,V1)|Inits0],
        (   Next == D
        ->  points_at_once(Ps, F, D, KVs0, Ps1),
            sort([K-V1|KVs0], KVs)
        ;   KVs = [K-V1],
            Ps1 = Ps
        ),
        step(KVs, D, F, Context, State, State1, Spans, Spans1, Attempts, Attempts0),
        sweep(Ps1, F, State1, Context, Spans1, Rest, Inits0, Inits1, Attempts0, Attempts1)
    ;   Next \== none
    ->  points_at_once(Ps, F, Next, KVs, Ps1),
        step(KVs, Next, F, Context, State, State1, Spans, Spans1, Attempts, Attempts0),
        sweep(Ps1, F, State1, Context, Spans1, Rest, Inits, Inits1, Attempts0, Attempts1)
    ;   Rest = Ps,
        Inits1 = Inits,
        closed(State, F, Spans, Attempts, Attempts1)
    ).

deadline(at(_,Base,_,due(R,K-V1,_)), D, K, V1) :-
    D is Base+R.

%   due(+F, +V, +Context, -Due): the same for all time that F has the value V. The context of an instance
%   has what has been found of it, in an open list of V-Due.

due(F, V, context(Delays,Found), Due) :-
    memberchk(V-Due, Found),
    (   var(Due)
    ->  find_due(F, V, Delays, Due)
    ;   true
    ).

find_due(F, V, Delays, Due) :-
    Delays = delays(M,Delay,_,_,_,Options),
    Goal =.. [Delay,F,V,V2,R],
    findall(R-V2, M:Goal, Rs0),
    sort(Rs0, Rs),
    (   postponed(Delays, F, V)
    ->  Postponed = true
    ;   Postponed = false
    ),
    (   Rs = [R1-V1|_]
    ->  ( exists(Options, M, F, V1) -> K = i ; K = x ),
        Due = due(R1,K-V1,Postponed)
    ;   Due = none(Postponed)
    ).

is_postponed(due(_,_,true)).
is_postponed(none(true)).

%   step(+KVs, +T, +F, +Context, +State0, -State, -Spans, ?Tail, -Attempts, ?Tail)

step([c-(S-V)|KVs], T, F, Context, _, State, Spans, Spans1, As, As1) :-
    !,
    carried(F, V, S, Context, State0),
    step(KVs, T, F, Context, State0, State, Spans, Spans1, As, As1).
step([], _, _, _, State, State, Spans, Spans, As, As) :-
    !.
step(KVs, T, F, Context, State0, State, Spans, Spans1, As, As1) :-
    Context = context(delays(_,_,_,run(_,_,_,Tick,_),_,_),_),
    (   State0 = at(Current0,Base0,Tried0,Due)
    ->  true
    ;   Current0 = none
    ),
    apply_at_once(KVs, T, Tick, Current0, Current, Spans, Spans1),
    (   Current == Current0
    ->  As = As1,
        (   Current = since(V,_),
            memberchk(i-V, KVs)
        ->  (   is_postponed(Due)
            ->  Base = T
            ;   Base = Base0
            ),
            State = at(Current,Base,[T|Tried0],Due)
        ;   State = State0
        )
    ;   note_attempts(State0, F, As, As1),
        (   Current = since(V,_)
        ->  due(F, V, Context, Due1),
            State = at(Current,T,[T],Due1)
        ;   State = none
        )
    ).

%   A carried value counts from its last attempt before the window, if it may
%   be postponed, and from its beginning otherwise.

carried(F, V, S, Context, at(since(V,S),Base,[Base],Due)) :-
    Context = context(delays(_,_,_,run(W,_,_,Tick,_),Before,_),_),
    First is S-Tick,
    due(F, V, Context, Due),
    (   is_postponed(Due),
        rb_lookup(F-V, Ts, Before),
        findall(T, ( member(T, Ts), T =< W, T >= First ), Ts1),
        Ts1 \== []
    ->  last(Ts1, Base)
    ;   Base = First
    ).

postponed(delays(M,_,Postponed,_,_,_), F, V) :-
    Goal =.. [Postponed,F,V],
    once(M:Goal).

closed(none, _, [], As, As).
closed(at(since(V,S),Base,Tried,Due), F, [span(V,S,inf)], As, As1) :-
    note_attempts(at(since(V,S),Base,Tried,Due), F, As, As1).

%   Only values that may be postponed need their attempts remembered. A value
%   that was broken inside this window may be unbroken in the next, in the
%   light of late events, so its attempts are kept as well.

note_attempts(at(since(V,_),_,Tried,Due), F, As, As1) :-
    is_postponed(Due),
    !,
    reverse_list(Tried, [], Ts),
    As = [(F-V)-Ts|As1].
note_attempts(_, _, As, As).

reverse_list([], Ts, Ts).
reverse_list([T|Ts0], Ts1, Ts) :-
    reverse_list(Ts0, [T|Ts1], Ts).
