:- module(rtec_query,
          [ recognise/3,                % +M, +W, +Q
            recognise/4,                % +M, +W, +Q, +Mode
            answers/3,                  % +M, -Fluents, -Events
            answers/4                   % +M, -Stores, -Fluents, -Events
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(store).
:- use_module(simple_fluents).
:- use_module(static_fluents).
:- use_module(output_events).
:- use_module(cycles).
:- use_module(cycle_points, [keep_alone/5]).
:- use_module(hooks).
:- use_module(pieces, [forget_pieces/1]).
:- use_module(allen, [forget_unrelated/2]).
:- use_module(links, [all_links/3, not_read/3]).
:- use_module(native, [held_answers/2]).
:- use_module(culprits).
:- use_module(incremental).
:- use_module(comparison).
:- autoload(library(lists), [member/2]).
:- autoload(library(time), [call_with_time_limit/2]).
:- autoload(library(pairs), [group_pairs_by_key/2]).

/** <module> One query time

The steps of the program in order, each level after those it reads, then the
answers as flat rows.
*/

%!  recognise(+M, +W, +Q) is det.
%
%   Reason over the window (W,Q]. A window that reaches back before the start
%   of the run begins, like the first one, with what holds initially.

recognise(M, W, Q) :-
    recognise(M, W, Q, scratch).

%!  recognise(+M, +W, +Q, +Mode) is det.
%
%   Mode is `scratch`, or `changes(Q0)` to update what was known at the query
%   time Q0 by what has been noted as changed since.

recognise(M, W, Q, Mode) :-
    set_window(M, W, Q),
    forget_pieces(M),
    M:rtec_run(Start, Tick, _),
    (   retract(M:rtec_first)
    ->  First = true
    ;   W < Start-Tick
    ->  First = true
    ;   First = false
    ),
    Run = run(W,Q,Start,Tick,First),
    forall(M:rtec_step(N, Step),
           run_step(Mode, N, Step, M, Run)),
    forget_unrelated(M, W).

%!  answers(+M, -Fluents, -Events) is det.
%
%   What is recognised, as flat rows: tuples Name, Args, Value and
%   [S1,E1,S2,E2...] for fluents, Name, Args and [T1,T2...] for events.

answers(M, Fluents, Events) :-
    findall(Name/Arity-Store, M:rtec_output_fluent(Name/Arity, Store), Stores),
    fluent_rows(Stores, M, Fluents),
    event_answers(M, Events).

%!  answers(+M, -Stores, -Fluents, -Events) is det.
%
%   The same, but for fluents whose stores are in C: of these, Stores lists [Name, Epoch, N, Entries,
%   Spans, Keys, Values], see held_answers/2, for whoever reads them there before anything else
%   is done with M.

answers(M, Stores, Fluents, Events) :-
    findall(Name/Arity-Store, M:rtec_output_fluent(Name/Arity, Store), Stores0),
    linked_stores(Stores0, M, Stores, Others),
    fluent_rows(Others, M, Fluents),
    event_answers(M, Events).

event_answers(M, Events) :-
    findall(Name/Arity-Store, M:rtec_output_event(Name/Arity, Store), Stores),
    event_rows(Stores, M, Events).

linked_stores([], _, [], []).
linked_stores([Name/Arity-Store|Stores], M, Linked, Others) :-
    fluent_fact(Store, Name, Arity, _, _, _, Fact),
    (   all_links(M, Fact, Helds)
    ->  store_answers(Helds, Name, Linked, Linked1),
        Others = Others1
    ;   not_read(M, Fact, answers),
        Linked = Linked1,
        Others = [Name/Arity-Store|Others1]
    ),
    linked_stores(Stores, M, Linked1, Others1).

store_answers([], _, Linked, Linked).
store_answers([Held|Helds], Name, [[Name,Epoch,N,Entries,Spans,Keys,Values]|Linked], Tail) :-
    held_answers(Held, answers(Epoch,N,Entries,Spans,Keys0,Values0)),
    plain_keys(Keys0, Keys),
    plain_values(Values0, Values),
    store_answers(Helds, Name, Linked, Tail).

plain_keys([], []).
plain_keys([N,Args|Keys0], [N,Plain|Keys]) :-
    plain_list(Args, Plain),
    plain_keys(Keys0, Keys).

%   A value that nobody sees is None in Python.

plain_values([], []).
plain_values([N,V|Values0], [N,Plain|Values]) :-
    (   V == '$none'
    ->  Plain = @(none)
    ;   plain(V, Plain)
    ),
    plain_values(Values0, Values).


%   An error is rethrown with the step in which it happened. The step being
%   evaluated is noted by its number: a term in a global variable would keep all
%   that lies below it on the stack, the records of the window, from being given
%   back after the query time.

run_step(Mode, N, Step, M, Run) :-
    nb_setval(rtec_current_step, N),
    catch(eval_by(Mode, Step, M, Run), Error, throw_in_step(Error, Step, M)).

eval_by(scratch, Step, M, Run) :-
    eval(Step, M, Run).
eval_by(changes(Q0), Step, M, Run) :-
    (   delta_rules(Step, M, Delta)
    ->  change_step(Step, Delta, M, Run, Q0)
    ;   compared(Step, M, Run, Q0, eval(Step, M, Run))
    ).

throw_in_step(time_limit_exceeded(Limit), _, _) :-
    !,
    throw(time_limit_exceeded(Limit)).
throw_in_step(error(rtec(Kind), Context), _, _) :-
    !,
    throw(error(rtec(Kind), Context)).
throw_in_step(Error, Step, M) :-
    culprit(Step, M, Error, Origin, Call),
    throw(error(rtec(in_step(Step, Origin, Call, Error)), _)).

eval(Step, M, Run) :-
    functor(Step, Kind, _),
    eval(Kind, Step, M, Run).

eval(simple, Step, M, Run) :-
    eval_simple(Step, M, Run),
    Step = simple(_,Store,Points,Options),
    Run = run(W,_,_,_,_),
    keep_alone(M, Store, Points, Options, W).
eval(static, Step, M, Run) :- eval_static(Step, M, Run).
eval(input, Step, M, Run) :- eval_input(Step, M, Run).
eval(event, Step, M, Run) :- eval_event(Step, M, Run).
eval(cycle, Step, M, Run) :- eval_cycle(Step, M, Run).
eval(domain, Step, M, _) :- eval_domain(Step, M).
eval(keep_inputs, _, M, Run) :- keep_inputs(M, Run).
eval(preprocessing, _, M, Run) :- run_preprocessing(M, Run).

%   Rows of one output entity after the other. Facts are copied as they are and
%   made plain afterwards: what is made first would have to be copied as well.

fluent_rows([], _, []).
fluent_rows([Name/Arity-Store|Stores], M, Rows) :-
    fluent_fact(Store, Name, Arity, F, V, Is, Fact),
    F =.. [_|Args],
    findall(held(Args,V,Is), M:Fact, Held),
    rows_of_fluent(Held, Name, Rows, Rows1),
    fluent_rows(Stores, M, Rows1).

rows_of_fluent([], _, Rows, Rows).
rows_of_fluent([held(Args,V,Is)|Held], Name, Rows, Tail) :-
    (   V == '$none'
    ->  Rows = Rows1
    ;   plain_list(Args, PlainArgs),
        plain(V, PlainV),
        flat(Is, Flat),
        Rows = [-(Name,PlainArgs,PlainV,Flat)|Rows1]
    ),
    rows_of_fluent(Held, Name, Rows1, Tail).

event_rows([], _, []).
event_rows([Name/Arity-Store|Stores], M, Rows) :-
    event_fact(Store, Name, Arity, E, T, Fact),
    E =.. [_|Args],
    findall(Args-T, M:Fact, Pairs0),
    sort(Pairs0, Pairs),
    group_pairs_by_key(Pairs, Groups),
    rows_of_events(Groups, Name, Rows, Rows1),
    event_rows(Stores, M, Rows1).

rows_of_events([], _, Rows, Rows).
rows_of_events([Args-Ts|Groups], Name, [-(Name,PlainArgs,Ts)|Rows], Tail) :-
    plain_list(Args, PlainArgs),
    rows_of_events(Groups, Name, Rows, Tail).

flat([], []).
flat([(S,E)|Is], [S,E|Flat]) :-
    flat(Is, Flat).

plain_list([], []).
plain_list([A|As], [P|Ps]) :-
    plain(A, P),
    plain_list(As, Ps).

plain(Term, Plain) :-
    (   atomic(Term)
    ->  Plain = Term
    ;   format(string(Plain), '~q', [Term])
    ).
