:- module(rtec_cycle_points,
          [ keep_rule_points/5,         % +M, +Store, +Options, +T, +Points
            keep_alone/5,               % +M, +Store, +Rules, +Options, +W
            forget_points/3,            % +M, +Kept, +Patterns
            initiating/5,               % +Options, +M, +F, +V, -K
            point_access/4,             % +M, +Kept, +Patterns, -InPoints
            leave_points/5,             % +M, +Kept, +Patterns, +Size, +W
            points_at/4,                % +InPoints, +F, +T, -KVs
            has_points/3,               % +InPoints, ?F, +T
            times_of_points/3,          % +InPoints, +F, -Ts
            replace_points/5,           % +InPoints, +F, +T, +KVs0, +KVs
            changed_patterns/8          % +Fs, +T, +InPoints, +M, +InStore, +InLive, +Tick, -Forced
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(accessors).
:- use_module(panes).
:- use_module(kept_points, [exists/4]).
:- use_module(trajectories).
:- autoload(library(lists), [append/2, member/2]).
:- autoload(library(apply), [exclude/3]).
:- autoload(library(ordsets), [ord_symdiff/3]).
:- autoload(library(pairs), [group_pairs_by_key/2]).

/** <module> The points of a cycle, from one query time to the next

What the rules of a fluent in a cycle gave is kept instance by instance and
time-point by time-point, as facts Kept(Args.., T, KVs) with KVs a sorted list of
Kind-Value. A rule such as

    terminatedAt(voted(_, M)=_, T) :- happensAt(declare(M), T).

speaks of all instances of a _pattern_. Its points are kept once, in facts of
their own with the variables of the pattern, and belong to every instance that
matches.
*/

%!  initiating(+Options, +M, +F, +V, -K) is det.
%
%   K is the kind of point of an initiation of F=V. What groundings leave out only ends other
%   values.

initiating(Options, M, F, V, K) :-
    (   \+ exists(Options, M, F, V)
    ->  K = x
    ;   K = i
    ).

%!  keep_rule_points(+M, +Store, +Options, +T, +Points) is det.
%
%   While points are kept, keep those that the rules of a fluent gave at T: a list of
%   p(F,T,K,V).

keep_rule_points(M, Store, Options, T, Ps0) :-
    (   Ps0 \== [],
        is_keeping(M),
        M:rtec_cycle_points(Store, Kept, Patterns)
    ->  point_access(M, Kept, Patterns, points(InKept,Access)),
        findall(p(F,T,K,V),
                ( member(p(F,T,K0,V), Ps0),
                  ( K0 == i, ground(F) -> initiating(Options, M, F, V, K) ; K = K0 )
                ),
                Ps1),
        sort(Ps1, Ps),
        keep_instances(Ps, T, InKept, Access)
    ;   true
    ).

%!  keep_alone(+M, +Store, +Rules, +Options, +W) is det.
%
%   The same for a fluent that is in no cycle: all points that its rules give after W.

keep_alone(M, Store, Rules, Options, W) :-
    (   is_keeping(M),
        M:rtec_cycle_points(Store, _, _)
    ->  findall(T-p(F,T,K,V),
                ( rule_predicate(Rules, Options, Pred),
                  call(M:Pred, F, T, K, V),
                  T > W
                ),
                Pairs0),
        keysort(Pairs0, Pairs),
        group_pairs_by_key(Pairs, Groups),
        forall(member(T-Ps, Groups), keep_rule_points(M, Store, Options, T, Ps))
    ;   true
    ).

rule_predicate(Rules, _, Rules).
rule_predicate(_, Options, Pred) :-
    member(Option, Options),
    ( Option = ends(Pred) ; Option = wild(Pred) ).

%!  forget_points(+M, +Kept, +Patterns) is det.

forget_points(M, Kept, Patterns) :-
    forall(( ( Pred = Kept ; Patterns = patterns(Pred,_) ),
             M:rtec_panes(Pred, Size, cycle)
           ),
           ( functor(Fact, Pred, Size),
             retractall(M:Fact)
           )).

keep_instances([], _, _, _).
keep_instances([p(F,_,K,V)|Ps0], T, InKept, Access) :-
    (   ground(F)
    ->  of_instance(Ps0, F, KVs, Ps),
        add_fact(InKept, F, T, [K-V|KVs])
    ;   keep_pattern(Access, F, T, K, V),
        Ps = Ps0
    ),
    keep_instances(Ps, T, InKept, Access).

of_instance([p(F1,_,K,V)|Ps0], F, KVs, Ps) :-
    F1 == F,
    !,
    KVs = [K-V|KVs1],
    of_instance(Ps0, F, KVs1, Ps).
of_instance(Ps, _, [], Ps).

%   An initiation of a pattern ends other values.

keep_pattern(access(InPatterns,_), F, T, K0, V) :-
    (   K0 == i
    ->  K = x
    ;   K = K0
    ),
    add_fact(InPatterns, F, T, [K-V]).

%!  point_access(+M, +Kept, +Patterns, -InPoints) is det.
%
%   Patterns is that of rtec(cycle_changes), InPoints is for the predicates below.

point_access(M, Kept, Patterns, points(InKept,Access)) :-
    accessors(M:Kept, InKept),
    (   Patterns = patterns(KeptPatterns,Rules)
    ->  accessors(M:KeptPatterns, InPatterns),
        Access = access(InPatterns,Rules)
    ;   Access = none
    ).

%!  leave_points(+M, +Kept, +Patterns, +Size, +W) is det.
%
%   Drop what the window has left, from facts with Size arguments.

leave_points(M, Kept, Patterns, Size, W) :-
    leave_facts(M, Kept, Size, W),
    (   Patterns = patterns(KeptPatterns,_)
    ->  leave_facts(M, KeptPatterns, Size, W)
    ;   true
    ).

leave_facts(M, Pred, Size, W) :-
    functor(Fact, Pred, Size),
    TimeAt is Size-1,
    arg(TimeAt, Fact, T),
    forall(( clause(M:Fact, true, Ref), T =< W ), erase(Ref)).

%!  points_at(+InPoints, +F, +T, -KVs) is det.
%
%   The points of the instance F at T.

points_at(points(InKept,Access), F, T, KVs) :-
    (   get_fact(InKept, F, T, KVs0)
    ->  true
    ;   KVs0 = []
    ),
    (   Access = access(InPatterns,_),
        findall(KVs1, get_fact(InPatterns, F, T, KVs1), Lists),
        Lists \== []
    ->  append([KVs0|Lists], KVs2),
        sort(KVs2, KVs)
    ;   KVs = KVs0
    ).

%!  has_points(+InPoints, ?F, +T) is nondet.
%
%   The instance F has points of its own at T.

has_points(points(InKept,_), F, T) :-
    get_fact(InKept, F, T, _).

%!  times_of_points(+InPoints, +F, -Ts) is det.

times_of_points(points(InKept,Access), F, Ts) :-
    findall(T,
            (   get_fact(InKept, F, T, _)
            ;   Access = access(InPatterns,_),
                get_fact(InPatterns, F, T, _)
            ),
            Ts).

%!  replace_points(+InPoints, +F, +T, +KVs0, +KVs) is det.
%
%   The points of F at T are KVs now, and were KVs0.

replace_points(points(InKept,_), F, T, KVs0, KVs) :-
    (   KVs0 == []
    ->  true
    ;   drop_facts(InKept, F, T)
    ),
    (   KVs == []
    ->  true
    ;   add_fact(InKept, F, T, KVs)
    ).

%!  changed_patterns(+Fs, +T, +InPoints, +M, +InStore, +InLive, +Tick, -Forced) is det.
%
%   If there is a pattern among what is touched at T, derive the points of patterns anew.
%   Forced are the instances that a point which came or went belongs to: those that hold
%   something at T, or have points of their own there.

changed_patterns(Fs, T, points(InKept,Access), M, InStore, InLive, Tick, Forced) :-
    (   Access = access(InPatterns,Rules),
        exclude(ground, Fs, [_|_])
    ->  findall(F-(K-V), ( get_fact(InPatterns, F, T, KVs), member(K-V, KVs) ), Old0),
        findall(F-(K-V), call(M:Rules, F, T, K, V), New0),
        numbered(Old0, Old),
        numbered(New0, New),
        ord_symdiff(Old, New, Changed),
        (   Changed == []
        ->  Forced = []
        ;   drop_facts(InPatterns, _, T),
            forall(member(F-KV, New0), add_fact(InPatterns, F, T, [KV])),
            append([Old0,New0], All),
            findall(F,
                    ( member(F-_, All),
                      concerned(F, T, Tick, InKept, InStore, InLive)
                    ),
                    Forced)
        )
    ;   Forced = []
    ).

concerned(F, T, _, InKept, _, _) :-
    get_fact(InKept, F, T, _).
concerned(F, _, _, _, _, InLive) :-
    get_fact(InLive, F, _, _).
concerned(F, T, Tick, _, InStore, _) :-
    T1 is T+Tick,
    get_fact(InStore, F, _, Is),
    held_before(Is, T1).

%   Patterns that differ in the names of variables only are the same.

numbered(Terms0, Terms) :-
    findall(Term, ( member(Term, Terms0), numbervars(Term, 0, _) ), Terms1),
    sort(Terms1, Terms).
