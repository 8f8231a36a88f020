:- module(rtec_simple_fluents,
          [ eval_simple/3                % +Step, +M, +Run
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(pairing).
:- use_module(store).
:- use_module(deadlines).
:- autoload(library(lists), [member/2, append/3]).
:- autoload(library(option), [option/2]).
:- autoload(library(apply), [include/3]).

/** <module> Simple fluents in a window

The rules of a fluent are run over the events of the window, all instances at
once. They yield points (see rtec(pairing)), which are sorted once and swept
once. What held at the start of the window enters the sweep as a point of its
own, with its real start.
*/

%!  eval_simple(+Step, +M, +Run) is det.
%
%   Step is simple(Name/Arity, Store, Points, Options) and Run is
%   run(W, Q, Start, Tick, First). Options:
%
%     - initially(Pred)      Pred(F,V): holds from the start of the run
%     - default(Pred)        the same for instances not yet known
%     - wild(Pred)           Pred(F,T,K,V): points of a pattern F
%     - grounded(Pred)       Pred(F,V): only these instances exist
%     - initiations(Pred)    keep the initiations as facts Pred(T,Args..,V)
%     - terminations(Pred)   keep the terminations likewise
%     - delays(Delay, Postponed, Attempts)  see rtec(deadlines)

eval_simple(simple(Name/Arity, Store, Points, Options), M, Run) :-
    Run = run(W,_Q,_Start,Tick,_First),
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    carried_points(Options, M, Run, F, V, Is, Fact, Carried),
    retractall(M:Fact),
    PointGoal =.. [Points,F,T,K,V],
    findall(p(F,T,K,V), M:PointGoal, Ps0, Carried),
    sort(Ps0, Ps1),
    default_points(Options, M, Run, Ps1, Ps2),
    wild_points(Options, M, F, Ps2, Ps),
    (   memberchk(delays(Delay,Postponed,Attempts), Options)
    ->  pair_with_delays(Ps, M, Delay, Postponed, Run, Attempts, Ps3, Held)
    ;   Ps3 = Ps,
        pair_points(Ps, Tick, Held)
    ),
    keep_points(Options, M, W, Ps3),
    grounded_held(Options, M, Held, Held1),
    known_held(Options, Ps, Held1, Held2),
    store_held(M, Store, Held2).

%   What holds at the start of the window.

carried_points(Options, M, run(W,_,Start,_,true), F, V, _, _, Carried) :-
    !,
    (   option(initially(Pred), Options)
    ->  Goal =.. [Pred,F,V],
        findall(p(F,W,c,Start-V), M:Goal, Carried)
    ;   Carried = []
    ).
carried_points(_, M, run(W,_,_,Tick,false), F, V, Is, Fact, Carried) :-
    Limit is W+Tick,
    findall(p(F,W,c,S-V),
            ( M:Fact,
              carried(Is, Limit, S)
            ),
            Carried).

carried([(S0,E)|Is], Limit, S) :-
    S0 =< Limit,
    (   E @> Limit
    ->  S = S0
    ;   carried(Is, Limit, S)
    ).

%   An instance that is met for the first time has its default value since
%   the start of the run. One that has lost it is known (see known_held/4).

default_points(Options, M, run(W,_,Start,_,_), Ps, Ps1) :-
    option(default(Pred), Options),
    !,
    (   option(grounded(Grounded), Options)
    ->  Goal =.. [Grounded,F,_],
        findall(F, M:Goal, Fs0),
        sort(Fs0, Fs)
    ;   Fs = []
    ),
    findall(F1, ( member(p(F1,_,_,_), Ps), ground(F1) ), Fs1),
    append(Fs, Fs1, Fs2),
    sort(Fs2, Fs3),
    findall(p(F2,W,c,Start-V),
            ( member(F2, Fs3),
              \+ memberchk_carried(F2, Ps),
              DefaultGoal =.. [Pred,F2,V],
              once(M:DefaultGoal)
            ),
            Defaults),
    append(Defaults, Ps, Ps2),
    sort(Ps2, Ps1).
default_points(_, _, _, Ps, Ps).

memberchk_carried(F, Ps) :-
    member(p(F1,_,c,_), Ps),
    F1 == F,
    !.

%   Points of a pattern apply to every instance that matches it.

wild_points(Options, M, F, Ps, Ps2) :-
    option(wild(Pred), Options),
    Goal =.. [Pred,F,T,K,V],
    findall(p(F,T,K,V), M:Goal, Wild),
    Wild \== [],
    !,
    findall(F1, member(p(F1,_,_,_), Ps), Fs0),
    sort(Fs0, Fs),
    findall(p(F2,T2,K2,V2),
            ( member(F2, Fs),
              member(p(Pattern,T2,K2,V2), Wild),
              \+ F2 \= Pattern,
              F2 = Pattern
            ),
            Ps1, Ps),
    sort(Ps1, Ps2).
wild_points(_, _, _, Ps, Ps).

keep_points(Options, M, W, Ps) :-
    (   option(initiations(Pred), Options)
    ->  keep(Ps, i, M, W, Pred)
    ;   true
    ),
    (   option(terminations(Pred1), Options)
    ->  keep(Ps, t, M, W, Pred1)
    ;   true
    ).

keep(Ps, K, M, W, Pred/Arity) :-
    functor(Old, Pred, Arity),
    retractall(M:Old),
    forall(( member(p(F,T,K,V), Ps), T > W ),
           ( F =.. [_|Args],
             append(Args, [V], Args1),
             Fact =.. [Pred,T|Args1],
             assertz(M:Fact)
           )).

grounded_held(Options, M, Held, Held1) :-
    (   option(grounded(Pred), Options)
    ->  include(is_grounded(M, Pred), Held, Held1)
    ;   Held1 = Held
    ).

is_grounded(M, Pred, held(F,V,_)) :-
    Goal =.. [Pred,F,V],
    once(M:Goal).

%   Instances of a fluent with a default must be remembered when they hold
%   nothing: they then hold the value '$none', which nobody sees.

known_held(Options, Ps, Held, Held2) :-
    option(default(_), Options),
    !,
    findall(F, member(p(F,_,_,_), Ps), Fs0),
    sort(Fs0, Fs),
    findall(held(F1,V,Is),
            ( member(held(F1,V,Is), Held), V \== '$none' ),
            Held1),
    findall(held(F2,'$none',[(E,inf)]),
            ( member(F2, Fs),
              holds_nothing(F2, Held, E)
            ),
            Held2, Held1).
known_held(_, _, Held, Held).

holds_nothing(F, Held, E) :-
    findall(E1, ( member(held(F1,V1,Is), Held), F1 == F, V1 \== '$none', member((_,E1), Is) ), Es),
    \+ memberchk(inf, Es),
    (   Es == []
    ->  member(held(F2,'$none',[(E,_)|_]), Held),
        F2 == F
    ;   max_end(Es, E)
    ).

max_end([E0|Es], E) :-
    foldl_max(Es, E0, E).

foldl_max([], E, E).
foldl_max([E1|Es], E0, E) :-
    E2 is max(E0, E1),
    foldl_max(Es, E2, E).
