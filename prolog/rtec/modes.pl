:- module(rtec_modes,
          [ choose_mode/5,              % +M, +W, +Q, +Changes, -Mode
            recognise_in/4,             % +Mode, +M, +W, +Q
            last_mode/2                 % +M, -Mode
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(changes).
:- use_module(kept_changes, [forget_kept/1]).
:- use_module(panes).
:- use_module(query).
:- use_module(records).

/** <module> From scratch, or by changes

Reasoning by changes costs with the records that came or went, reasoning from
scratch with those in the window. A query time is of one of three modes:

    scratch        from scratch
    keep           from scratch, keeping the points of simple fluents
    changes(Q0)    by what has changed since the query time Q0

Reasoning by changes needs the points, so `keep` comes before it.
*/

%   What records cost when reasoning by changes, in records that are reasoned
%   over from scratch: a new one, one that came or went at a time-point that was
%   known before, and any other in the window. The second figure was measured with
%   `rtec bench cycles`, where all rules are of cycles, which are followed instance by instance;
%   the first one, where none is, with `rtec bench incremental`, where a fifth of them are of fluents
%   with delays, which are followed as well, and cost a quarter of that.

costs(new, 1.6, 8.6).
costs(known, 2.0, 10.4).
costs(other, 0.09, 0.19).

%   Followed is the share of such rules, those with delays by a quarter.

cost(Record, Followed, Cost) :-
    costs(Record, Least, Most),
    Cost is Least+(Most-Least)*Followed.

%   Keeping points costs something, too. It is begun where reasoning by changes
%   takes no more than this part of the time, so as not to begin it in vain.

begin_at(0.8).

%!  choose_mode(+M, +W, +Q, +Changes, -Mode) is det.
%
%   The session's policy is `always`, or `auto`: by changes where that is
%   cheaper. A session without one reasons from scratch.

choose_mode(M, W, Q, Changes, Mode) :-
    (   \+ ( M:rtec_policy(_), M:rtec_delta(_, _) )
    ->  Mode = scratch
    ;   M:rtec_policy(Policy),
        \+ M:rtec_window(_, _)
    ->  first_mode(Policy, Mode)
    ;   M:rtec_policy(Policy),
        M:rtec_window(W0, Q0),
        (   W0 =< W, W < Q0, pays(Policy, M, Q0, Changes)
        ->  (   M:rtec_kept_at(Q0)
            ->  Mode = changes(Q0)
            ;   Mode = keep
            )
        ;   Policy == always
        ->  Mode = keep
        ;   Mode = scratch
        )
    ),
    prepare(Mode, M, W, Q),
    retractall(M:rtec_last_mode(_)),
    functor(Mode, Name, _),
    assertz(M:rtec_last_mode(Name)).

%   Nothing is known of the step before the second query time.

first_mode(always, keep).
first_mode(auto, scratch).

pays(always, _, _, _).
pays(auto, M, Q0, Changes) :-
    count_records(Changes, Q0, New, Known),
    number_of_records(M, Records),
    (   M:rtec_followed(Followed)
    ->  true
    ;   Followed = 0
    ),
    cost(new, Followed, NewCost),
    cost(known, Followed, KnownCost),
    cost(other, Followed, OtherCost),
    M:rtec_from_scratch(Share),
    (   M:rtec_kept_at(Q0)
    ->  Wanted = 1.0
    ;   begin_at(Wanted)
    ),
    (Share+OtherCost)*Records+NewCost*New+KnownCost*Known < Wanted*(Records+New).

prepare(scratch, M, _, _) :-
    retractall(M:rtec_kept_at(_)),
    forget_kept(M).
prepare(keep, M, W, Q) :-
    (   M:rtec_window(_, Q0),
        Q0 > W
    ->  Width is Q-Q0
    ;   Width is max(1, (Q-W)//8)
    ),
    begin_panes(M, Width).
prepare(changes(_), M, W, _) :-
    forget_panes(M, W).

%!  recognise_in(+Mode, +M, +W, +Q) is det.
%
%   Reason over the window (W,Q]. An error leaves nothing kept.

recognise_in(scratch, M, W, Q) :-
    recognise(M, W, Q).
recognise_in(keep, M, W, Q) :-
    retractall(M:rtec_kept_at(_)),
    setup_call_cleanup(
        assertz(M:rtec_keeping),
        recognise(M, W, Q),
        retractall(M:rtec_keeping)),
    assertz(M:rtec_kept_at(Q)).
recognise_in(changes(Q0), M, W, Q) :-
    retractall(M:rtec_kept_at(_)),
    retractall(M:rtec_since(_)),
    assertz(M:rtec_since(Q0)),
    call_cleanup(recognise(M, W, Q, changes(Q0)), forget_noted(M)),
    assertz(M:rtec_kept_at(Q)).

%!  last_mode(+M, -Mode) is det.

last_mode(M, Mode) :-
    (   M:rtec_last_mode(Mode)
    ->  true
    ;   Mode = scratch
    ).
