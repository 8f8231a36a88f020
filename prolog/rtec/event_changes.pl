:- module(rtec_event_changes,
          [ change_event/4,             % +Step, +Delta, +M, +Run
            note_event/3                % +M, +Prefix, +Fact
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(store).
:- autoload(library(lists), [member/2]).
:- autoload(library(ordsets), [ord_subtract/3]).

/** <module> Output events, by what has changed

As for simple fluents, delta rules give new occurrences, and those that have to
be derived anew. What came and went is noted as it is for records of the
stream, as facts ins_happens_e and del_happens_e.
*/

%!  change_event(+Step, +Delta, +M, +Run) is det.
%
%   Step is event(Name/Arity, Store, Rules), Delta is delta(Gains,Touches): Gains(E,T) are new
%   occurrences, Touches(E,T) those to be derived anew.

change_event(event(Name/Arity,Store,Rules), delta(Gains,Touches), M, run(W,_,_,_,_)) :-
    event_fact(Store, Name, Arity, E, T, Fact),
    forall(( clause(M:Fact, true, Ref), T =< W ), erase(Ref)),
    Gain =.. [Gains,E,T],
    findall(E-T, M:Gain, New0),
    Touch =.. [Touches,E,T],
    findall(E-T, M:Touch, Touched0),
    sort(Touched0, Touched),
    findall(E-T, ( member(E-T, Touched), M:Fact ), Old0),
    Rule =.. [Rules,E,T],
    findall(E-T, ( member(E-T, Touched), M:Rule ), New1, New0),
    sort(Old0, Old),
    sort(New1, New),
    ord_subtract(Old, New, Gone),
    forall(member(E-T, Gone), ( once(retract(M:Fact)), note_event(M, del_, Fact) )),
    forall(( member(E-T, New), \+ M:Fact ), ( assertz(M:Fact), note_event(M, ins_, Fact) )).

%!  note_event(+M, +Prefix, +Fact) is det.
%
%   Note that an occurrence came or went; Prefix is `ins_` or `del_`.

note_event(M, Prefix, Fact) :-
    Fact =.. [Store|Args],
    atom_concat(Prefix, Store, Noted),
    Note =.. [Noted|Args],
    assertz(M:Note).
