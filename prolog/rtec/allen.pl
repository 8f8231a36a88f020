:- module(rtec_allen,
          [ allen/5,                    % +Rel, +S, +T, +Mode, -Is
            allen_relation/1,           % ?Rel
            allen_mode/1,               % ?Mode
            allen_in_window/7,          % :Id, +F, +Rel, +S, +T, +Mode, -Is
            forget_unrelated/2          % +M, +W
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(intervals).
:- autoload(library(lists), [append/3]).

/** <module> Allen's relations over interval lists

The relations compare the ends of a source and a target interval; an open end
is infinite. Both lists are sorted and have gaps, so one pass with two
pointers finds all pairs (thesis, Algorithm 8). A mode says which intervals
of the pairs make the answer (Table 3.3).

In a window, intervals that ended before it may still form a pair with one
that reaches into it. What is remembered are the intervals that hang together
with the window: those of a run of touching or overlapping source and target
intervals that reaches its start. For `before`, which pairs intervals however
far apart, the first source interval that ever ended stands for all later
ones.
*/

:- meta_predicate allen_in_window(:, +, +, +, +, +, -).

%!  allen(+Rel, +S, +T, +Mode, -Is) is det.

allen(Rel, S, T, Mode, Is) :-
    related(Rel, S, T, SRel, TRel),
    !,
    answer(Mode, SRel, TRel, Is).

related(Rel, S, T, SRel, TRel) :-
    inverse(Rel, Rel1),
    !,
    related(Rel1, T, S, TRel, SRel).
related(before, S, T, SRel, TRel) :-
    !,
    all_before(S, T, SRel, TRel).
related(Rel, S, T, SRel, TRel) :-
    (   within(Rel)
    ->  Within = true
    ;   Within = false
    ),
    (   forward(Rel)
    ->  Forward = true
    ;   Forward = false
    ),
    pairs(S, T, Rel, Within, Forward, SRel, none, TRel, none).

%!  allen_relation(?Rel) is nondet.

allen_relation(before).
allen_relation(meets).
allen_relation(starts).
allen_relation(finishes).
allen_relation(during).
allen_relation(overlaps).
allen_relation(equal).
allen_relation(Rel) :- inverse(Rel, _).

inverse(after, before).
inverse(met_by, meets).
inverse(started_by, starts).
inverse(finished_by, finishes).
inverse(contains, during).
inverse(overlapped_by, overlaps).

%!  allen_mode(?Mode) is nondet.

allen_mode(Mode) :-
    clause(answer(Mode, _, _, _), _).

answer(source, SRel, _, SRel).
answer(lhs, SRel, _, SRel).
answer(target, _, TRel, TRel).
answer(rhs, _, TRel, TRel).
answer(union, SRel, TRel, Is) :- intervals_union(SRel, TRel, Is).
answer(intersect, SRel, TRel, Is) :- intervals_intersection(SRel, TRel, Is).
answer(intersection, SRel, TRel, Is) :- intervals_intersection(SRel, TRel, Is).
answer(complement, SRel, TRel, Is) :- intervals_subtract(SRel, TRel, Is).
answer(relative_complement, SRel, TRel, Is) :- intervals_subtract(SRel, TRel, Is).
answer(complement_inv, SRel, TRel, Is) :- intervals_subtract(TRel, SRel, Is).
answer(relative_complement_inverse, SRel, TRel, Is) :- intervals_subtract(TRel, SRel, Is).

%   A source interval is before some target if it ends before the last one
%   starts; a target is after some source if it starts after the first ends.

all_before([], _, [], []) :- !.
all_before(_, [], [], []) :- !.
all_before(S, T, SRel, TRel) :-
    last_interval(T, (Last,_)),
    ending_before(S, Last, SRel),
    S = [(_,First)|_],
    starting_after(T, First, TRel).

last_interval([I], I) :- !.
last_interval([_|Is], I) :-
    last_interval(Is, I).

ending_before([(S,E)|Is], Last, [(S,E)|Rel]) :-
    E < Last,
    !,
    ending_before(Is, Last, Rel).
ending_before(_, _, []).

starting_after([], _, []).
starting_after([(S,E)|Is], First, Rel) :-
    (   S > First
    ->  Rel = [(S,E)|Is]
    ;   starting_after(Is, First, Rel)
    ).

%   pairs(+S, +T, +Rel, +Within, +Forward, -SRel, +LastS, -TRel, +LastT): the last
%   intervals put on either list are remembered, so that each is put there once.
%   Within and Forward are what within/1 and forward/1 say of Rel.

pairs([], _, _, _, _, [], _, [], _) :- !.
pairs(_, [], _, _, _, [], _, [], _) :- !.
pairs([I1|S], [I2|T], Rel, Within, Forward, SRel, LS, TRel, LT) :-
    I1 = (S1,E1),
    I2 = (S2,E2),
    (   holds(Rel, S1, E1, S2, E2)
    ->  put(I1, LS, SRel, SRel1),
        put(I2, LT, TRel, TRel1),
        LS1 = S1,
        LT1 = S2
    ;   SRel = SRel1,
        TRel = TRel1,
        LS1 = LS,
        LT1 = LT
    ),
    (   E1 < E2
    ->  (   Forward == true,
            E1 >= S2
        ->  pairs(S, T, Rel, Within, Forward, SRel1, LS1, TRel1, LT1)
        ;   pairs(S, [I2|T], Rel, Within, Forward, SRel1, LS1, TRel1, LT1)
        )
    ;   E1 > E2,
        \+ ( Within == true, S1 =< E2 )
    ->  pairs([I1|S], T, Rel, Within, Forward, SRel1, LS1, TRel1, LT1)
    ;   pairs(S, T, Rel, Within, Forward, SRel1, LS1, TRel1, LT1)
    ).

put(I, Last, Rel, Rel1) :-
    I = (S,_),
    (   S == Last
    ->  Rel = Rel1
    ;   Rel = [I|Rel1]
    ).

holds(meets, _, E1, S2, _) :- E1 == S2.
holds(starts, S1, E1, S2, E2) :- S1 =:= S2, E1 < E2.
holds(finishes, S1, E1, S2, E2) :- E1 == E2, S1 > S2.
holds(during, S1, E1, S2, E2) :- S1 > S2, E1 < E2.
holds(overlaps, S1, E1, S2, E2) :- S1 < S2, S2 < E1, E1 < E2.
holds(equal, S1, E1, S2, E2) :- S1 =:= S2, E1 == E2.

within(starts).
within(finishes).
within(during).
within(equal).

forward(meets).
forward(starts).
forward(overlaps).
forward(equal).

%!  allen_in_window(:Id, +F, +Rel, +S, +T, +Mode, -Is) is det.
%
%   As allen/5, with the memory of the condition Id for the instance F: facts
%   allen_memory(Hash, Id, F, S0, T0) of the session's module. The hash of F comes
%   first because Prolog finds facts by it; by a compound such as F it would not.
%   Where memory is limited, what is too old to be remembered does not count. The
%   hash is negative where an interval may be remembered for ever.

allen_in_window(M:Id, F, Rel, S, T, Mode, Is) :-
    M:rtec_window(W, _),
    M:rtec_run(_, Tick, Memory),
    Border is W+Tick,
    term_hash(Id-F, Hash0),
    (   Memory < 0,
        ( Rel == before ; inverse(Rel, before) )
    ->  Hash is -Hash0-1
    ;   Hash = Hash0
    ),
    (   M:allen_memory(Hash, Id, F, S0, T0)
    ->  recalled(S0, Border, S, S1),
        recalled(T0, Border, T, T1)
    ;   S0 = [],
        T0 = [],
        S1 = S,
        T1 = T
    ),
    (   inverse(Rel, before)
    ->  remembered(before, T1, S1, Border, Memory, T2, S2)
    ;   remembered(Rel, S1, T1, Border, Memory, S2, T2)
    ),
    (   Memory < 0
    ->  allen(Rel, S1, T1, Mode, Is)
    ;   allen(Rel, S2, T2, Mode, Is)
    ),
    (   S2 == S0,
        T2 == T0
    ->  true
    ;   retractall(M:allen_memory(Hash, Id, F, _, _)),
        remember(S2, T2, M, Hash, Id, F)
    ).

remember(S, T, M, Hash, Id, F) :-
    (   S == [],
        T == []
    ->  true
    ;   assertz(M:allen_memory(Hash, Id, F, S, T))
    ).

%!  forget_unrelated(+M, +W) is det.
%
%   Drop memory of intervals that no longer reach the start of the window (W,_],
%   of instances that nobody has looked at since. It is done when as much again has
%   gathered, so that it costs little at any one query time.

forget_unrelated(M, W) :-
    remembered_facts(M, N),
    flag(M, N0, N0),
    (   N > 2*N0+100
    ->  M:rtec_run(_, Tick, Memory),
        Oldest is W+Tick-max(Memory, 0),
        forall(( clause(M:allen_memory(Hash,_,_,S,T), true, Ref),
                 Hash >= 0,
                 reaching(S, Oldest, []),
                 reaching(T, Oldest, [])
               ),
               erase(Ref)),
        remembered_facts(M, N1),
        flag(M, _, N1)
    ;   true
    ).

remembered_facts(M, N) :-
    (   predicate_property(M:allen_memory(_,_,_,_,_), number_of_clauses(N0))
    ->  N = N0
    ;   N = 0
    ).

%   Border is where an interval ends whose last time-point is the last before
%   the window. Only what ended there or earlier is taken from memory; the rest
%   is known anew, and may be different now.

recalled([], _, Is, Is).
recalled([(S,E)|Mem], Border, Is, All) :-
    (   E \== inf,
        E =< Border
    ->  recalled(Mem, Border, Is, All0),
        add_recalled(S, E, All0, All)
    ;   All = Is
    ).

add_recalled(S, E, [(S1,E1)|Is], [(S,E1)|Is]) :-
    S1 =< E,
    !.
add_recalled(S, E, Is, [(S,E)|Is]).

remembered(before, S, T, Border, Memory, S1, T1) :-
    !,
    hanging(S, T, Border, S2, T1),
    (   Memory < 0
    ->  with_first(S, S2, S1)
    ;   Oldest is Border-Memory,
        reaching(S, Oldest, Recent),
        longer(Recent, S2, S1)
    ).
remembered(_, S, T, Border, _, S1, T1) :-
    hanging(S, T, Border, S1, T1).

%   hanging(+S, +T, +Border, -S1, -T1): what hangs together with the window.

hanging(S, T, Border, S1, T1) :-
    intervals_union(S, T, Union),
    reaching(Union, Border, Runs),
    (   Runs = [(H,_)|_]
    ->  starting_from(S, H, S1),
        starting_from(T, H, T1)
    ;   S1 = [],
        T1 = []
    ).

%   Without a limit the first source interval is kept for ever.

with_first([], _, []).
with_first([I|_], S2, S1) :-
    (   S2 = [J|_],
        J == I
    ->  S1 = S2
    ;   S1 = [I|S2]
    ).

%   Of two ends of one list the longer.

longer(Is1, Is2, Is) :-
    length(Is1, N1),
    length(Is2, N2),
    (   N1 >= N2
    ->  Is = Is1
    ;   Is = Is2
    ).

%   The intervals that end at T or later.

reaching([(_,E)|Is], T, Reaching) :-
    E \== inf,
    E < T,
    !,
    reaching(Is, T, Reaching).
reaching(Is, _, Is).

starting_from([], _, []).
starting_from([(S,E)|Is], H, From) :-
    (   S >= H
    ->  From = [(S,E)|Is]
    ;   starting_from(Is, H, From)
    ).
