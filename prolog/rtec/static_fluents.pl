:- module(rtec_static_fluents,
          [ eval_static/3,              % +Step, +M, +Run
            static_pattern/3,           % +Name/Arity, +Options, -F
            planned/1,                  % +Options
            eval_input/3,               % +Step, +M, +Run
            static_intervals/7,         % +Step, +M, +Run, +F, +V, +Old, -Is
            input_intervals/7,          % +Step, +M, +Run, +F, +V, +Old, -Is
            input_span/5                % +Step, +M, +Run, ?FV, -Span
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(intervals).
:- use_module(store).
:- use_module(links).
:- use_module(plans).
:- use_module(native).
:- use_module(kept_points, [exists/4]).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(ordsets), [ord_intersection/3, ord_subtract/3]).
:- autoload(library(apply), [include/3]).

/** <module> Static and input fluents in a window

The rules of a static fluent say, point by point, where it holds. They are
evaluated inside the window; what the fluent held up to the window's start is
kept from the previous query time and joined:

    kept     [------)
    window          (-------------------]
    rules           [----)     [--)
    stored   [-----------)     [--)

A rule with a condition on whole intervals (`whole`) sees intervals with their
real start, and its own answers are taken as they are.
*/

%!  eval_static(+Step, +M, +Run) is det.
%
%   Step is static(Name/Arity, Value, Store, Candidates, Rules, Options):
%   Candidates(F,V) enumerates the instances that may hold anywhere, and
%   Rules(F,V,Is) gives their intervals. Options:
%
%     - whole(true)      the rules look at whole intervals
%     - met(Pred)        instances may be met later than they begin to hold
%     - admitted(Pred)   only instances with Pred(F,V) exist
%     - pattern(F)       the rules are for fluents that match F

eval_static(static(Name/Arity, Value, Store, Candidates, Rules, Options), M, Run) :-
    Run = run(W,_,Start,Tick,_),
    first_point(W, Start, Tick, First),
    static_pattern(Name/Arity, Options, F),
    fluent_fact(Store, Name, Arity, F, Value, Is, Fact),
    Candidate =.. [Candidates,F,Value],
    (   \+ memberchk(whole(true), Options),
        linked(M, Fact, F, Value, Is, Held),
        (   planned(Options),
            static_plan(M, Candidates, Rules, F, Value, Plan),
            held_planned(Held, Plan, W, First)
        ->  true
        ;   eval_linked(Held, M, M:Candidate, M:Rules, F, Value, Options, W, First)
        )
    ->  true
    ;   kept(M, Fact, F-Value, Is, W, Kept),
        findall(F-Value, M:Candidate, FVs0),
        sort(FVs0, FVs),
        eval_list(FVs, M, Rules, Options, First, Kept, List),
        replace_held(M, Store, Fact, F, Value, Is, List)
    ).

%!  planned(+Options) is semidet.
%
%   The rules of a step with Options can be evaluated as a plan (rtec(plans)): they look at no whole
%   intervals, and instances need not be looked at one by one.

planned(Options) :-
    \+ memberchk(whole(true), Options),
    \+ memberchk(met(_), Options),
    \+ memberchk(admitted(_), Options).

eval_list(FVs, M, Rules, Options, First, Kept, List) :-
    (   memberchk(whole(true), Options)
    ->  eval_whole(FVs, M:Rules, First, List1)
    ;   memberchk(met(Met), Options)
    ->  eval_met(FVs, M, Rules, Met, First, Kept, List1)
    ;   eval_each(FVs, M:Rules, First, Kept, List1)
    ),
    (   memberchk(admitted(_), Options)
    ->  include(held_exists(Options, M), List1, List)
    ;   List = List1
    ).

%   eval_linked(...): the same where the store is in C, and each instance goes there as it
%   is found. Fails if one does not fit; nothing is different then.

eval_linked(Held, M, Candidate, Rules, F, V, Options, W, First) :-
    fluent_key(F, Key),
    held_begin(Held),
    (   memberchk(met(Met), Options)
    ->  Known =.. [Met,F,V],
        Once = [(0,1)],
        linked(M, Known, met(F), V, Once, Before),
        held_begin(Before),
        forall(( Candidate,
                 held_first(Before, F, V),
                 held_whole(Before, Once, none),
                 held_first(Held, Key, V),
                 exists(Options, M, F, V),
                 call_once(Rules, F, V, Is)
               ),
               (   held_fact(Before, F, V, _)
               ->  held_joined(Held, Is, W, First)
               ;   held_whole(Held, Is, First)
               )),
        held_end(Before)
    ;   forall(( Candidate,
                 held_first(Held, Key, V),
                 exists(Options, M, F, V),
                 call_once(Rules, F, V, Is)
               ),
               held_joined(Held, Is, W, First))
    ),
    held_end(Held).

call_once(Rules, F, V, Is) :-
    call(Rules, F, V, Is),
    !.

%!  static_pattern(+Name/Arity, +Options, -F) is det.
%
%   F is the most general fluent that the rules of a step with Options are for.

static_pattern(Name/Arity, Options, F) :-
    functor(F, Name, Arity),
    (   memberchk(pattern(Pattern), Options)
    ->  F = Pattern
    ;   true
    ).

held_exists(Options, M, held(F,V,_)) :-
    exists(Options, M, F, V).

%   Kept is the list of F-V-S for what held at W, since S; sorted.

kept(M, Fact, FV, Is, W, Kept) :-
    findall(FV-S,
            ( M:Fact,
              held_at(Is, W, S)
            ),
            Kept0),
    sort(Kept0, Kept).

held_at([(S0,E)|Is], W, S) :-
    S0 =< W,
    (   E > W
    ->  S = S0
    ;   held_at(Is, W, S)
    ).

eval_each([], _, _, _, []).
eval_each([F-V|FVs], Rules, First, Kept, Held) :-
    (   call(Rules, F, V, Is0)
    ->  true
    ;   Is0 = []
    ),
    in_window(Is0, First, Is),
    (   Is == []
    ->  Held = Held1,
        Kept1 = Kept
    ;   join(Is, F-V, First, Kept, Kept1, Joined),
        Held = [held(F,V,Joined)|Held1]
    ),
    eval_each(FVs, Rules, First, Kept1, Held1).

%   eval_met(...): as eval_each/5, for rules whose instances may be met later
%   than they begin to hold. What the rules say of an instance that is met for
%   the first time is taken as it is; Met(F,V) remembers the others.

eval_met(FVs, M, Rules, Met, First, Kept, Held) :-
    Known =.. [Met,F,V],
    findall(F-V, M:Known, Before0),
    sort(Before0, Before),
    ord_subtract(FVs, Before, New),
    ord_intersection(FVs, Before, Old),
    eval_each(Old, M:Rules, First, Kept, Held1),
    eval_whole(New, M:Rules, First, Held2),
    append(Held1, Held2, Held3),
    sort(Held3, Held),
    retractall(M:Known),
    forall(member(F-V, FVs), assertz(M:Known)).

%   The part of Is0 in the window, whose first time-point is First.

in_window([], _, []).
in_window([(S,E)|Is0], First, Is) :-
    (   S >= First
    ->  Is = [(S,E)|Is0]
    ;   E \== inf,
        E =< First
    ->  in_window(Is0, First, Is)
    ;   Is = [(First,E)|Is0]
    ).

%   join(+Is, +FV, +First, +Kept0, -Kept, -Joined): an interval that begins with
%   the window began when the kept one did.

join([(S,E)|Is], FV, First, Kept0, Kept, Joined) :-
    (   S =:= First,
        kept_since(Kept0, FV, Kept, S0)
    ->  Joined = [(S0,E)|Is]
    ;   Kept = Kept0,
        Joined = [(S,E)|Is]
    ).

kept_since([FV0-S0|Kept0], FV, Kept, S) :-
    compare(Order, FV0, FV),
    (   Order = (=)
    ->  Kept = Kept0,
        S = S0
    ;   Order = (<),
        kept_since(Kept0, FV, Kept, S)
    ).

%   Of the answers of a rule on whole intervals, those that reach into the window. The first
%   rule that succeeds decides, also if it gives none.

eval_whole([], _, _, []).
eval_whole([F-V|FVs], Rules, First, Held) :-
    (   once(call(Rules, F, V, Is0)),
        ending_after(Is0, First, Is),
        Is \== []
    ->  Held = [held(F,V,Is)|Held1]
    ;   Held = Held1
    ),
    eval_whole(FVs, Rules, First, Held1).

%!  static_intervals(+Step, +M, +Run, +F, +V, +Old, -Is) is det.
%
%   Is are the intervals of one instance, of which Old were known at the last
%   query time; eval_static/3 for F=V alone.

static_intervals(static(_,_,_,Candidates,Rules,Options), M, run(W,_,Start,Tick,_), F, V, Old, Is) :-
    first_point(W, Start, Tick, First),
    (   memberchk(whole(true), Options)
    ->  eval_whole([F-V], M:Rules, First, Held),
        intervals_of(Held, Is)
    ;   Candidate =.. [Candidates,F,V],
        \+ M:Candidate
    ->  forget_met(Options, M, F, V),
        Is = []
    ;   is_new(Options, M, F, V)
    ->  eval_whole([F-V], M:Rules, First, Held),
        intervals_of(Held, Is)
    ;   kept_of(Old, F-V, W, Kept),
        eval_each([F-V], M:Rules, First, Kept, Held),
        intervals_of(Held, Is)
    ).

%   is_new(+Options, +M, +F, +V): an instance that may be met later than it begins to hold, and
%   was not met before now.

is_new(Options, M, F, V) :-
    memberchk(met(Met), Options),
    Known =.. [Met,F,V],
    \+ M:Known,
    assertz(M:Known).

forget_met(Options, M, F, V) :-
    (   memberchk(met(Met), Options)
    ->  Known =.. [Met,F,V],
        retractall(M:Known)
    ;   true
    ).

kept_of(Old, FV, W, Kept) :-
    (   held_at(Old, W, S)
    ->  Kept = [FV-S]
    ;   Kept = []
    ).

intervals_of([], []).
intervals_of([held(_,_,Is)], Is).

%!  input_intervals(+Step, +M, +Run, +F, +V, +Old, -Is) is det.
%
%   The same for an input fluent.

input_intervals(input(_,Kind,Records,_), M, Run, F, V, Old, Is) :-
    Run = run(W,_,Start,Tick,_),
    first_point(W, Start, Tick, First),
    F =.. [_|Args],
    spans(Kind, M, Records, Args, F, V, Run, Spans0),
    sort(Spans0, Spans),
    kept_of(Old, F-V, W, Kept),
    input_each(Spans, First, Kept, Held),
    intervals_of(Held, Is).

%!  eval_input(+Step, +M, +Run) is det.
%
%   Step is input(Name/Arity, Kind, Records, Store): the records of an input
%   fluent become maximal intervals. Kind is `interval` for reported ones,
%   `build` for points that last until the query time, `point` for points
%   that stand for themselves, `fluent` where the records may be either.

eval_input(input(Name/Arity, Kind, Records, Store), M, Run) :-
    Run = run(W,_,Start,Tick,_),
    first_point(W, Start, Tick, First),
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    fluent_key(F, Key),
    F =.. [_|Args],
    (   \+ current_predicate(M:preProcessing/1),
        linked(M, Fact, F, V, Is, Held),
        input_linked(Held, Kind, M, Records, Args, Key, V, Run, First)
    ->  true
    ;   kept(M, Fact, Key-V, Is, W, Kept),
        spans(Kind, M, Records, Args, Key, V, Run, Spans),
        input_each(Spans, First, Kept, List),
        forget_facts(M, Fact),
        store_keyed(M, Store, Arity, List)
    ).

%   input_linked(...): records go to C one by one. Fails if one does not fit; nothing is different then.

input_linked(Held, Kind, M, Records, Args, Key, V, Run, First) :-
    Run = run(W,_,_,_,_),
    spans_begin(Held),
    forall(span(Kind, M, Records, Args, V, Run, S, E),
           spans_add(Held, Key, V, S, E)),
    spans_end(Held, W, First).

%!  input_span(+Step, +M, +Run, ?FV, -Span) is nondet.
%
%   A record says that FV = F-V holds in Span = S-E.

input_span(input(_,Kind,Records,_), M, Run, F-V, S-E) :-
    F =.. [_|Args],
    span(Kind, M, Records, Args, V, Run, S, E).

%   span(+Kind, +M, +Records, +Args, -V, +Run, -S, -E): what one record says.

span(interval, M, Records, Args, V, run(W,Q,_,Tick,_), S, E) :-
    Record =.. [Records,S,E0,V|Args],
    Last is Q+Tick,
    First is W+Tick,
    M:Record,
    S =< Q,
    E0 > First,
    open_end(E0, Last, E).
span(build, M, Records, Args, V, run(_,Q,_,Tick,_), S, E) :-
    Record =.. [Records,S,V|Args],
    M:Record,
    (   S == Q
    ->  E = inf
    ;   E is S+Tick
    ).
span(point, M, Records, Args, V, run(_,_,_,Tick,_), S, E) :-
    Record =.. [Records,S,V|Args],
    M:Record,
    E is S+Tick.
span(fluent, M, both(Intervals,Points), Args, V, Run, S, E) :-
    (   span(interval, M, Intervals, Args, V, Run, S, E)
    ;   span(point, M, Points, Args, V, Run, S, E)
    ).

%   spans(+Kind, +M, +Records, +Args, +Key, +V, +Run, -Spans): the records as
%   s(Key,V,S,E), sorted.

spans(interval, M, Records, Args, Key, V, run(W,Q,_,Tick,_), Spans) :-
    Record =.. [Records,S,E0,V|Args],
    Last is Q+Tick,
    First is W+Tick,
    findall(s(Key,V,S,E),
            ( M:Record,
              S =< Q,
              E0 > First,
              open_end(E0, Last, E)
            ),
            Spans0),
    sort(Spans0, Spans).
spans(build, M, Records, Args, Key, V, run(_,Q,_,Tick,_), Spans) :-
    points(M, Records, Args, Key, V, Points),
    last_a_tick(Points, Tick, Q, Spans).
spans(point, M, Records, Args, Key, V, run(_,_,_,Tick,_), Spans) :-
    points(M, Records, Args, Key, V, Points),
    last_a_tick(Points, Tick, none, Spans).
spans(fluent, M, both(Intervals,Points), Args, Key, V, Run, Spans) :-
    spans(interval, M, Intervals, Args, Key, V, Run, Spans1),
    spans(point, M, Points, Args, Key, V, Run, Spans2),
    append(Spans1, Spans2, Spans3),
    sort(Spans3, Spans).

points(M, Records, Args, Key, V, Points) :-
    Record =.. [Records,S,V|Args],
    findall(s(Key,V,S), M:Record, Points0),
    sort(Points0, Points).

%   A point at the time-point Open, the query time, is open.

last_a_tick([], _, _, []).
last_a_tick([s(Key,V,S)|Points], Tick, Open, [s(Key,V,S,E)|Spans]) :-
    (   S == Open
    ->  E = inf
    ;   E is S+Tick
    ),
    last_a_tick(Points, Tick, Open, Spans).

open_end(E0, Last, E) :-
    (   E0 > Last
    ->  E = inf
    ;   E = E0
    ).

input_each([], _, _, []).
input_each([s(F,V,S,E)|Spans], First, Kept, Held) :-
    same_fvp(Spans, F, V, Is0, Rest),
    coalesce([(S,E)|Is0], Is1),
    in_window(Is1, First, Is),
    (   Is == []
    ->  Held = Held1,
        Kept1 = Kept
    ;   join(Is, F-V, First, Kept, Kept1, Joined),
        Held = [held(F,V,Joined)|Held1]
    ),
    input_each(Rest, First, Kept1, Held1).

same_fvp([s(F1,V1,S,E)|Spans], F, V, Is, Rest) :-
    V1 == V,
    F1 == F,
    !,
    Is = [(S,E)|Is1],
    same_fvp(Spans, F, V, Is1, Rest).
same_fvp(Rest, _, _, [], Rest).
