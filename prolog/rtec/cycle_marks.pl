:- module(rtec_cycle_marks,
          [ leave_marks/3,              % +Options, +M, +W
            mark_predicate/3,           % +Reading, +Options, -Pred
            remark/6,                   % +M, +Pred, +F, +T, +Vs, -Changed
            remark_breaks/5,            % +Options, +M, +F, +T, +KVs
            note_attempts/6,            % +Options, +M, +F, +T, +W, +KVs
            leave_attempts/4,           % +Options, +M, +InStore, +W
            deadline/8,                 % +Options, +M, +F, +Current, +Before, +Tick, -D, -V
            meets_again/7,              % +Options, +M, +F, +Current, +Before, +T, +Tick
            awaited/7,                  % +M, +Indicator, +Store, +Delay, +Q0, +Q, -Fs
            passing/9,                  % +M, +Indicator, +Store, +InStore, +Options, +Q0, +Q, +Tick, -Fs
            await/4,                    % +M, +Store, +F, +D
            await_next/6,               % +M, +Store, +InStore, +Options, +Tick, +F
            forget_awaited/2            % +M, +Store
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(changes, [note_mark/3]).
:- use_module(store).
:- use_module(trajectories, [open_value/3]).
:- autoload(library(lists), [append/3, member/2, last/2]).
:- autoload(library(ordsets), [ord_subtract/3, ord_union/3]).

/** <module> What a cycle keeps besides the values of its fluents

From one query time to the next, a cycle that is evaluated by its changes keeps

  - _marks_: which values are initiated, start and end at which time-point, as far as rules
    ask for it (facts Pred(T, Args.., V), as evaluation from scratch makes them);
  - _attempts_: at which time-points values that may be postponed were initiated;
  - _deadlines_ ahead, by the pane in which they fall (rtec(panes)): an instance
    whose deadline passes changes although nothing is heard of it.
*/

%!  leave_marks(+Options, +M, +W) is det.

leave_marks(Options, M, W) :-
    forall(mark_predicate(_, Options, Pred/Arity),
           ( functor(Fact, Pred, Arity),
             arg(1, Fact, T),
             forall(( clause(M:Fact, true, Ref), T =< W ), erase(Ref))
           )).

%!  mark_predicate(?Reading, +Options, -Pred) is nondet.

mark_predicate(initiated, Options, Pred) :- memberchk(initiations(Pred), Options).
mark_predicate(start, Options, Pred) :- memberchk(started(Pred), Options).
mark_predicate(end, Options, Pred) :- memberchk(ended(Pred), Options).
mark_predicate(broken, Options, Pred) :- memberchk(breaks(Pred), Options).

%!  remark(+M, +Pred, +F, +T, +Vs, -Changed) is det.
%
%   Make Vs the values that are marked for F at T. Changed are those that were not, or
%   are no more.

remark(M, Pred/_, F, T, Vs, Changed) :-
    marked(Pred, F, T, [V], Fact),
    findall(V, M:Fact, Old0),
    sort(Old0, Old),
    (   Old == Vs
    ->  Changed = []
    ;   ord_subtract(Old, Vs, Went),
        ord_subtract(Vs, Old, Came),
        forall(member(V, Went), ( retractall(M:Fact), note_mark(M, del_, Fact) )),
        forall(member(V, Came), ( assertz(M:Fact), note_mark(M, ins_, Fact) )),
        ord_union(Went, Came, Changed)
    ).

marked(Pred, F, T, Rest, Fact) :-
    F =.. [_|Args],
    append(Args, Rest, Args1),
    Fact =.. [Pred,T|Args1].

%!  remark_breaks(+Options, +M, +F, +T, +KVs) is det.
%
%   The same for all points of F at T, where rules ask what is terminated.

remark_breaks(Options, M, F, T, KVs) :-
    (   mark_predicate(broken, Options, Pred/_)
    ->  marked(Pred, F, T, [K,V], Fact),
        findall(Fact, M:Fact, Old0),
        findall(Fact, member(K-V, KVs), New0),
        sort(Old0, Old),
        sort(New0, New),
        (   Old =@= New
        ->  true
        ;   forall(member(Gone, Old), ( retractall(M:Gone), note_mark(M, del_, Gone) )),
            forall(member(Come, New), ( assertz(M:Come), note_mark(M, ins_, Come) ))
        )
    ;   true
    ).

%!  note_attempts(+Options, +M, +F, +T, +W, +KVs) is det.
%
%   The points of F at T are KVs. The attempts of a value are those time-points at which a rule
%   initiates it, whether it is held already or not; of those that the window has left the last
%   will do. What a delay initiates begins there, so that it need not be remembered; what one
%   initiated at T before, as evaluation from scratch remembers it, may not be so any more.

note_attempts(Options, M, F, T, W, KVs) :-
    (   memberchk(delays(_,Postponed,Attempts), Options)
    ->  Fact =.. [Attempts,F,V,Ts],
        findall(V,
                (   member(i-V, KVs),
                    postponed(M, Postponed, F, V)
                ;   M:Fact,
                    memberchk(T, Ts),
                    \+ memberchk(i-V, KVs)
                ),
                Vs0),
        sort(Vs0, Vs),
        forall(member(V1, Vs), note_attempt(M, Attempts, F, V1, T, W, KVs))
    ;   true
    ).

note_attempt(M, Attempts, F, V, T, W, KVs) :-
    Old =.. [Attempts,F,V0,Ts0],
    findall(T0, ( clause(M:Old, true, Ref), V0 == V, erase(Ref), member(T0, Ts0) ), Ts1),
    (   memberchk(i-V, KVs)
    ->  Ts2 = [T|Ts1]
    ;   findall(T0, ( member(T0, Ts1), T0 =\= T ), Ts2)
    ),
    sort(0, @>, Ts2, Ts3),
    latest(Ts3, W, Ts),
    (   Ts == []
    ->  true
    ;   New =.. [Attempts,F,V,Ts],
        assertz(M:New)
    ).

latest([], _, []).
latest([T|Ts0], W, [T|Ts]) :-
    (   T =< W
    ->  Ts = []
    ;   latest(Ts0, W, Ts)
    ).

postponed(M, Postponed, F, V) :-
    Goal =.. [Postponed,F,V],
    \+ \+ M:Goal.

%!  leave_attempts(+Options, +M, +InStore, +W) is det.
%
%   Forget the attempts of what holds no more.

leave_attempts(Options, M, InStore, W) :-
    (   memberchk(delays(_,_,Attempts), Options)
    ->  Fact =.. [Attempts,F,V,Ts],
        forall(( clause(M:Fact, true, Ref),
                 \+ ( member(T, Ts), T > W ),
                 \+ get_fact(InStore, F, V, _)
               ),
               erase(Ref))
    ;   true
    ).

%!  deadline(+Options, +M, +F, +Current, +Before, +Tick, -D, -V) is semidet.
%
%   What F holds becomes V at D, counted from what is known of the time-points before
%   Before: from the last attempt if it may be postponed, from its beginning otherwise.

deadline(Options, M, F, since(V0,S), Before, Tick, D, V) :-
    V0 \== '$none',
    memberchk(delays(Delay,Postponed,Attempts), Options),
    delays(M, Delay, F, V0, [R-V|_]),
    First is S-Tick,
    (   postponed(M, Postponed, F, V0)
    ->  Fact =.. [Attempts,F,V1,Ts],
        findall(T, ( M:Fact, V1 == V0, member(T, Ts), T >= First, T < Before ), Ts1),
        latest_of(Ts1, First, Base)
    ;   Base = First
    ),
    D is Base+R.

delays(M, Delay, F, V0, Rs) :-
    Goal =.. [Delay,F,V0,V,R],
    findall(R-V, M:Goal, Rs0),
    sort(Rs0, Rs).

latest_of([], T, T).
latest_of([T1|Ts], T0, T) :-
    T2 is max(T0, T1),
    latest_of(Ts, T2, T).

%!  meets_again(+Options, +M, +F, +Current, +Before, +T, +Tick) is semidet.
%
%   After T, F holds Current as it held Before, and nothing that happened up to T can make it
%   differ later. A deadline counts from where the value began or, if it may be postponed, from
%   later attempts; these are known to be the same where it begins.

meets_again(_, _, _, none, none, _, _) :-
    !.
meets_again(Options, M, F, since(V,S), since(V1,S1), T, Tick) :-
    V == V1,
    (   memberchk(delays(Delay,Postponed,_), Options),
        V \== '$none',
        delays(M, Delay, F, V, [_|_])
    ->  S =:= S1,
        (   S =:= T+Tick
        ->  true
        ;   \+ postponed(M, Postponed, F, V)
        )
    ;   true
    ).

%!  awaited(+M, +Indicator, +Store, +Delay, +Q0, +Q, -Fs) is det.
%!  await(+M, +Store, +F, +D) is det.
%
%   Fs are the instances that may have a deadline after Q0 and up to Q. At first these are all
%   that hold something with a delay. An instance is awaited once: in an earlier pane, it is
%   looked at there, and awaited again.

awaited(M, _, Store, _, Q0, Q, Fs) :-
    M:rtec_awaiting(Store),
    !,
    M:rtec_pane_width(Width),
    First is Q0 div Width,
    Last is Q div Width,
    findall(F, ( between(First, Last, Pane), retract(M:rtec_due(Pane, _, Store, F)) ), Fs0),
    sort(Fs0, Fs).
awaited(M, Name/Arity, Store, Delay, _, _, Fs) :-
    assertz(M:rtec_awaiting(Store)),
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    Goal =.. [Delay,F,V,_,_],
    findall(F,
            ( M:Fact,
              last(Is, (_,inf)),
              \+ \+ M:Goal
            ),
            Fs).

await(M, Store, F, D) :-
    M:rtec_pane_width(Width),
    Pane is D div Width,
    term_hash(Store-F, Hash),
    (   M:rtec_due(Pane0, Hash, Store, F)
    ->  (   Pane0 =< Pane
        ->  true
        ;   retractall(M:rtec_due(_, Hash, Store, F)),
            assertz(M:rtec_due(Pane, Hash, Store, F))
        )
    ;   assertz(M:rtec_due(Pane, Hash, Store, F))
    ).

%!  forget_awaited(+M, +Store) is det.

forget_awaited(M, Store) :-
    retractall(M:rtec_due(_, _, Store, _)),
    retractall(M:rtec_awaiting(Store)).

%!  passing(+M, +Indicator, +Store, +InStore, +Options, +Q0, +Q, +Tick, -Fs) is det.
%!  await_next(+M, +Store, +InStore, +Options, +Tick, +F) is det.
%
%   Fs are the instances whose deadline passes after Q0 and up to Q. The next one of F is
%   awaited.

passing(M, Indicator, Store, InStore, Options, Q0, Q, Tick, Fs) :-
    memberchk(delays(Delay,_,_), Options),
    awaited(M, Indicator, Store, Delay, Q0, Q, Fs0),
    passing_by(Fs0, M, Store, InStore, Options, Q, Tick, Fs).

passing_by([], _, _, _, _, _, _, []).
passing_by([F|Fs0], M, Store, InStore, Options, Q, Tick, Fs) :-
    (   next_deadline(M, InStore, Options, Tick, F, D)
    ->  (   D =< Q
        ->  Fs = [F|Fs1]
        ;   await(M, Store, F, D),
            Fs = Fs1
        )
    ;   Fs = Fs1
    ),
    passing_by(Fs0, M, Store, InStore, Options, Q, Tick, Fs1).

await_next(M, Store, InStore, Options, Tick, F) :-
    (   next_deadline(M, InStore, Options, Tick, F, D)
    ->  await(M, Store, F, D)
    ;   true
    ).

next_deadline(M, InStore, Options, Tick, F, D) :-
    open_value(InStore, F, Current),
    deadline(Options, M, F, Current, inf, Tick, D, _).
