:- module(rtec_resweep,
          [ resweep/6,                   % +Old, +Changes, +Access, +Sweep, +F, -New
            extended/4                   % +Old, +Qs, +Tick, -New
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(held_changes, [taken/4]).
:- use_module(panes).
:- use_module(pairing).
:- autoload(library(lists), [append/3]).
:- autoload(library(pairs), [pairs_values/2]).

/** <module> Intervals of one fluent, where its points have changed

The points of a fluent differ from what they were in some panes only. Its
intervals are swept again from the first point that differs; at the end of
each pane, the sweep stops if it has come to the value that held there before,
because up to the next pane that differs everything is as it was.

    points     i     t  i        t  i   t
    before     [-----)  [--------)  [---)
    new point           ^ i is withdrawn
    now        [-----)              [---)
                        |-- swept --|  as before
*/

%!  resweep(+Old, +Changes, +Access, +Sweep, +F, -New) is det.
%
%   Old lists V-Is, the intervals of the fluent's values before; New does so for now.
%   Changes lists change(First,Pane,Points): the points of Pane differ from
%   time-point First on. Points are all of them, or `stored`.
%   Access is to the panes, Sweep is sweep(Width,Q,Tick): there are points up to Q.

resweep(Old, Changes, Access, Sweep, F, New) :-
    timeline(Old, Spans0),
    sweep_from(Changes, Access, Sweep, F, Spans0, Spans),
    by_value(Spans, New).

by_value(Spans, New) :-
    spans_held(Spans, f, Held, []),
    held_values(Held, New).

held_values([], []).
held_values([held(_,V,Is)|Held], [V-Is|Values]) :-
    held_values(Held, Values).

%!  extended(+Old, +Qs, +Tick, -New) is det.
%
%   As resweep/6, where there are points Qs after all others.

extended(Old, Qs, Tick, New) :-
    open_value(Old, V0, S0),
    sweep(Qs, Tick, V0, S0, V, S, Spans, Tail),
    (   S == S0,
        Spans == Tail
    ->  New = Old
    ;   closed(S, V, Tail),
        by_value(Spans, Values),
        append_values(Old, V0, Values, New)
    ).

%   open_value(+Old, -V, -S): V holds since S, and has no end; `none` if nothing does.

open_value([], none, none).
open_value([V-Is|Old], V0, S0) :-
    (   open_since(Is, S)
    ->  V0 = V,
        S0 = S
    ;   open_value(Old, V0, S0)
    ).

open_since([(S,E)|Is], S0) :-
    (   Is == []
    ->  E == inf,
        S0 = S
    ;   open_since(Is, S0)
    ).

append_values([], _, Values, Values).
append_values([V-Is|Old], V0, Values0, [V-Is2|New]) :-
    (   taken(Values0, V, Is1, Values)
    ->  (   V == V0
        ->  continued(Is, Is1, Is2)
        ;   append(Is, Is1, Is2)
        )
    ;   Is2 = Is,
        Values = Values0
    ),
    append_values(Old, V0, Values, New).

%   The last interval has no end before, and is the first one now.

continued([I|Is], Is1, Is2) :-
    (   Is == []
    ->  Is2 = Is1
    ;   Is2 = [I|Is3],
        continued(Is, Is1, Is3)
    ).

%   The intervals of all values in order of time, as span(V,S,E).

timeline([], []) :- !.
timeline([V-Is], Spans) :-
    !,
    spans_of(Is, V, Spans).
timeline(Old, Spans) :-
    keyed(Old, Keyed),
    keysort(Keyed, Sorted),
    pairs_values(Sorted, Spans).

spans_of([], _, []).
spans_of([(S,E)|Is], V, [span(V,S,E)|Spans]) :-
    spans_of(Is, V, Spans).

keyed([], []).
keyed([V-Is|Old], Keyed) :-
    keyed_spans(Is, V, Keyed, Keyed1),
    keyed(Old, Keyed1).

keyed_spans([], _, Keyed, Keyed).
keyed_spans([(S,E)|Is], V, [S-span(V,S,E)|Keyed], Tail) :-
    keyed_spans(Is, V, Keyed, Tail).

%   sweep_from(+Changes, ..., +Old, -Spans): Old are the spans before, as far as
%   they have not been dealt with.

sweep_from([], _, _, _, Spans, Spans).
sweep_from([change(First,Pane,Points)|Changes], Access, Sweep, F, Old, Spans) :-
    Sweep = sweep(_,_,Tick),
    Before is First+Tick-1,
    split(Old, Before, Spans, Spans1, V, S, After),
    points(Points, Access, F, Pane, Qs0),
    from_point(Qs0, First, Qs),
    sweep_pane(Qs, Pane, Changes, Access, Sweep, F, V, S, After, Spans1).

points(Points, Access, F, Pane, Qs) :-
    (   Points == stored
    ->  pane_points(Access, F, Pane, Qs)
    ;   Qs = Points
    ).

%   split(+Spans, +T, -Before, ?Tail, -V, -S, -After): the spans that end by T,
%   the value V that holds at T since S (`none` if nothing does), and the rest.

split([], _, Before, Before, none, none, []).
split([span(V0,S0,E0)|Spans], T, Before, Tail, V, S, After) :-
    (   S0 > T
    ->  Before = Tail,
        V = none,
        S = none,
        After = [span(V0,S0,E0)|Spans]
    ;   E0 > T
    ->  Before = Tail,
        V = V0,
        S = S0,
        After = [span(V0,S0,E0)|Spans]
    ;   Before = [span(V0,S0,E0)|Before1],
        split(Spans, T, Before1, Tail, V, S, After)
    ).

from_point([q(T,_,_)|Qs0], First, Qs) :-
    T < First,
    !,
    from_point(Qs0, First, Qs).
from_point(Qs, _, Qs).

%   One pane, in which V0 holds since S0, and those after it.

sweep_pane(Qs, Pane, Changes0, Access, Sweep, F, V0, S0, Old, Spans) :-
    Sweep = sweep(Width,Q,Tick),
    sweep(Qs, Tick, V0, S0, V, S, Spans, Spans1),
    Pane1 is Pane+1,
    Last is Pane1*Width,
    (   Last >= Q
    ->  closed(S, V, Spans1)
    ;   Then is Last+Tick,
        split(Old, Then, _, _, OldV, OldS, After),
        same(S, V, OldS, OldV)
    ->  rejoined(S, V, After, Old1),
        sweep_from(Changes0, Access, Sweep, F, Old1, Spans1)
    ;   (   Changes0 = [change(_,Pane1,Points)|Changes]
        ->  true
        ;   Changes = Changes0,
            Points = stored
        ),
        points(Points, Access, F, Pane1, Qs1),
        sweep_pane(Qs1, Pane1, Changes, Access, Sweep, F, V, S, Old, Spans1)
    ).

same(S, V, OldS, OldV) :-
    (   S == none
    ->  OldS == none
    ;   OldS \== none,
        V == OldV
    ).

%   What holds goes on as it did before, since when the sweep says.

rejoined(S, V, After, Old) :-
    (   S == none
    ->  Old = After
    ;   After = [span(_,_,E)|Rest],
        Old = [span(V,S,E)|Rest]
    ).

closed(S, V, Spans) :-
    (   S == none
    ->  Spans = []
    ;   Spans = [span(V,S,inf)]
    ).

%   sweep(+Qs, +Tick, +V0, +S0, -V, -S, -Spans, ?Tail): as in rtec(pairing), for the points
%   of one fluent and without carried values.

sweep([], _, V, S, V, S, Spans, Spans).
sweep([q(T,K,V1)|Qs], Tick, V0, S0, V, S, Spans, Spans2) :-
    (   Qs = [q(T2,_,_)|_],
        T2 =:= T
    ->  at_once(Qs, T, KVs, Qs1),
        (   S0 == none
        ->  Current0 = none
        ;   Current0 = since(V0,S0)
        ),
        apply_at_once([K-V1|KVs], T, Tick, Current0, Current, Spans, Spans1),
        (   Current = since(V3,S3)
        ->  true
        ;   V3 = none,
            S3 = none
        ),
        sweep(Qs1, Tick, V3, S3, V, S, Spans1, Spans2)
    ;   S0 == none
    ->  (   K == i
        ->  S1 is T+Tick,
            sweep(Qs, Tick, V1, S1, V, S, Spans, Spans2)
        ;   sweep(Qs, Tick, V0, S0, V, S, Spans, Spans2)
        )
    ;   K == i
    ->  (   V0 == V1
        ->  sweep(Qs, Tick, V0, S0, V, S, Spans, Spans2)
        ;   S1 is T+Tick,
            Spans = [span(V0,S0,S1)|Spans1],
            sweep(Qs, Tick, V1, S1, V, S, Spans1, Spans2)
        )
    ;   breaks(K, V1, V0)
    ->  E is T+Tick,
        Spans = [span(V0,S0,E)|Spans1],
        sweep(Qs, Tick, none, none, V, S, Spans1, Spans2)
    ;   sweep(Qs, Tick, V0, S0, V, S, Spans, Spans2)
    ).

at_once([q(T1,K,V)|Qs0], T, [K-V|KVs], Qs) :-
    T1 =:= T,
    !,
    at_once(Qs0, T, KVs, Qs).
at_once(Qs, _, [], Qs).
