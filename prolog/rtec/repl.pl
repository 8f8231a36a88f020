:- module(rtec_repl,
          [ holdsFor/2,                 % ?FV, ?Is
            holdsAt/2,                  % ?FV, +T
            happensAt/2,                % ?E, ?T
            window/2,                   % ?Size, ?Q
            query/1,                    % +Q
            insert/1,                   % +Records
            help/0
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(bridge).
:- use_module(store, [take_state/2, put_state/2, set_window/3]).
:- use_module(intervals, [holds_at/2]).
:- use_module(history).
:- use_module(by_hand).
:- use_module(messages, [error_row/2]).
:- autoload(library(lists), [append/3, member/2]).
:- autoload(library(apply), [exclude/3, maplist/3, partition/4]).
:- autoload(library(filesex), [directory_file_path/3, delete_directory_and_contents/1]).
:- autoload(library(readutil), [read_file_to_string/3]).

/** <module> A prompt over the history of a run

`rtec repl` writes a folder with the compiled program and what is due at each
query time, and starts SWI-Prolog with start/1. That runs the stream here, in
the process of the prompt, and leaves the person with the predicates above.
*/

:- dynamic
    prompt_session/1,                   % M
    window_size/1,                      % N or `inf`
    last_window/2,                      % W, Q
    before_last/3,                      % State, First, Changes: to reason at Q again
    waiting/1,                          % Record: not due yet
    saved/1.                            % what restore/0 puts back

:- multifile prolog:error_message//1, prolog:message//1.

%!  start(+Folder) is det.
%
%   Run the stream of a folder that Python has written, and remove the folder.
%   Whatever goes wrong ends the process, with one message.

start(Folder) :-
    call_cleanup(catch(once(run_folder(Folder, Outcome)), Error, Outcome = failed(Error)),
                 delete_directory_and_contents(Folder)),
    (   Outcome = failed(Error)
    ->  say_error(Error),
        halt(1)
    ;   true
    ),
    set_prompt_flags,
    print_message(help, rtec_repl(Outcome)),
    (   stream_property(user_input, tty(true))
    ->  true
    ;   prompt(_, ''),
        answer_all,
        halt
    ).

say_error(Error) :-
    error_row(Error, [Slug,Text,Origin]),
    (   Origin == ''
    ->  format(user_error, 'error: ~w [~w]~n', [Text,Slug])
    ;   format(user_error, '~w: error: ~w [~w]~n', [Origin,Text,Slug])
    ).

set_prompt_flags :-
    % Intervals as in the papers, [(14,22)], and long lists of them in full.
    set_prolog_flag(answer_write_options,
                    [quoted(true), portray(true), max_depth(100), spacing(standard)]),
    set_prolog_flag(backtrace, false),
    set_prolog_flag(debug_on_error, false).

%   Without a terminal nobody can type a semicolon: every question gets all of
%   its answers.

answer_all :-
    read_question(Goal, Bindings),
    (   Goal == end_of_file
    ->  true
    ;   ignore(catch(answer(Goal, Bindings), Error, say_unhandled(Error))),
        answer_all
    ).

say_unhandled(Error) :-
    (   Error = error(Formal, _),
        nonvar(Formal),
        own(Formal)
    ->  print_message(error, unhandled_exception(Error))
    ;   print_message(error, Error)
    ).

read_question(Goal, Bindings) :-
    catch(read_term(user_input, Goal, [variable_names(Bindings), module(user)]),
          Error,
          ( print_message(error, Error), Goal = true, Bindings = [] )).

answer(Goal, Bindings) :-
    State = found(false),
    forall(call_cleanup(user:Goal, Last = true),
           (   nb_setarg(1, State, true),
               (   Last == true
               ->  write_answer(Bindings, '.')
               ;   write_answer(Bindings, ' ;')
               )
           )),
    (   State = found(true)
    ->  true
    ;   writeln('false.')
    ).

write_answer(Bindings0, End) :-
    exclude(unbound, Bindings0, Bindings),
    (   Bindings == []
    ->  write(true)
    ;   current_prolog_flag(answer_write_options, Options),
        write_bindings(Bindings, Options)
    ),
    writeln(End).

unbound(Name=Value) :-
    ( var(Value) ; sub_atom(Name, 0, _, _, '_') ),
    !.

write_bindings([Name=Value|Bindings], Options) :-
    format('~w = ', [Name]),
    write_term(Value, [priority(699)|Options]),
    (   Bindings == []
    ->  true
    ;   writeln(','),
        write_bindings(Bindings, Options)
    ).

run_folder(Folder, summary(Name, Windows, Q)) :-
    directory_file_path(Folder, 'program.pl', ProgramFile),
    read_file_to_string(ProgramFile, Program, [encoding(utf8)]),
    directory_file_path(Folder, 'run.pl', RunFile),
    setup_call_cleanup(
        open(RunFile, read, In, [encoding(utf8)]),
        ( read_term(In, run(Name, Background, Start, Tick, Size), []),
          open_session(Program, Background, Start, Tick, Size),
          read_term(In, First, []),
          run_windows(First, In, 0, Windows)
        ),
        close(In)),
    (   last_window(_, Q)
    ->  true
    ;   Q = none
    ).

open_session(Program, Background, Start, Tick, Size) :-
    M = rtec_session_1,
    bridge_open(M, Program, Background, [Start,Tick,-1], Messages),
    forall(member([error,Path,Line,Text], Messages),
           throw(error(rtec_repl(loading(M, Path, Line, Text)), _))),
    assertz(prompt_session(M)),
    assertz(window_size(Size)),
    import_background(M).

%   What background files define can be asked as well.

import_background(M) :-
    forall(( current_predicate(M:Name/Arity),
             functor(Head, Name, Arity),
             \+ predicate_property(M:Head, imported_from(_)),
             predicate_property(M:Head, file(File)),
             \+ atom_concat(M, '_program', File),
             \+ predicate_property(system:Head, defined),
             \+ current_predicate(rtec_repl:Name/Arity)
           ),
           ( @(export(Name/Arity), M),
             @(import(M:Name/Arity), user)
           )).

%   The state before the last window is kept, so that one can reason at that
%   query time again; so the next term is read before a window is run.

run_windows(end_of_file, _, Windows, Windows) :-
    !.
run_windows(advance(W, Q, Changes), In, Windows0, Windows) :-
    read_term(In, Next, []),
    (   Next == end_of_file
    ->  advance(W, Q, Changes)
    ;   prompt_session(M),
        move(M, W, Q, Changes)
    ),
    show_progress(Q),
    Windows1 is Windows0+1,
    run_windows(Next, In, Windows1, Windows).

:- dynamic shown_at/1.

show_progress(Q) :-
    (   stream_property(user_error, tty(true)),
        get_time(Now),
        \+ ( shown_at(Then), Now < Then+0.2 )
    ->  retractall(shown_at(_)),
        assertz(shown_at(Now)),
        format(user_error, '\rquery time ~w\e[K\r', [Q]),
        flush_output(user_error)
    ;   true
    ).

%   advance(+W, +Q, +Changes): move the window, so that it can be done again.

advance(W, Q, Changes) :-
    prompt_session(M),
    take_state(M, State),
    first_flag(M, First),
    retractall(before_last(_,_,_)),
    assertz(before_last(State, First, Changes)),
    move(M, W, Q, Changes).

move(M, W, Q, Changes) :-
    M:rtec_run(_, Tick, _),
    leave_window(M, W, Tick),
    bridge_advance(M, W, Q, Changes, 0, _),
    enter_window(M),
    retractall(last_window(_,_)),
    assertz(last_window(W, Q)).

%!  query(+Q) is det.
%
%   Reason at query time Q, with what has been inserted. At the last query
%   time it reasons again, as if that had been known. If anything goes wrong,
%   everything is as before.

query(Q) :-
    prompt_session(M),
    (   integer(Q)
    ->  true
    ;   wrong(query_time(Q))
    ),
    next_window(M, Q, W),
    due_records(Q, Due),
    M:rtec_run(Start, Tick, _),
    Before is max(W, Start-1),
    partition(is_late(Before, Tick), Due, Late, Known),
    maplist(record_change, Known, Changes),
    setup_call_catcher_cleanup(
        true,
        once(reason_at(M, W, Q, Changes)),
        Catcher,
        after_query(Catcher, Due, Late, Before)).

reason_at(M, W, Q, Changes) :-
    save(M),
    (   last_window(_, Q)
    ->  before_last(State, First, Changes0),
        put_back(M, State, First),
        undo_window,
        append(Changes0, Changes, Changes1)
    ;   Changes1 = Changes
    ),
    advance(W, Q, Changes1).

put_back(M, State, First) :-
    put_state(M, State),
    retractall(M:rtec_first),
    (   First == true
    ->  assertz(M:rtec_first)
    ;   true
    ).

%   Should reasoning fail, the session and its history go back to where they were.

save(M) :-
    take_state(M, State),
    take_recent(Recent),
    first_flag(M, First),
    findall(before_last(S, F, C), before_last(S, F, C), Last),
    findall(w(W, Q), M:rtec_window(W, Q), Window),
    retractall(saved(_)),
    assertz(saved(saved(M, State, Recent, First, Last, Window))).

restore :-
    retract(saved(saved(M, State, Recent, First, Last, Window))),
    put_recent(Recent),
    put_back(M, State, First),
    retractall(before_last(_,_,_)),
    forall(member(Fact, Last), assertz(Fact)),
    forall(member(w(W, Q), Window), set_window(M, W, Q)).

first_flag(M, First) :-
    (   M:rtec_first
    ->  First = true
    ;   First = false
    ).

after_query(exit, Due, Late, Before) :-
    !,
    done(Due, Late, Before).
after_query(_, _, _, _) :-
    restore.

done(Due, Late, Before) :-
    retractall(saved(_)),
    forall(member(Record, Due), retract(waiting(Record))),
    forall(member(Record, Late),
           print_message(warning, rtec_repl(late(Record, Before)))).

next_window(M, Q, W) :-
    M:rtec_run(Start, _, _),
    window_size(Size),
    (   last_window(W0, Q0)
    ->  (   Q < Q0
        ->  wrong(backwards(Q, Q0))
        ;   Q =:= Q0
        ->  W = W0
        ;   Size == inf
        ->  W = W0
        ;   W is Q-Size
        ),
        (   W < W0,
            W0 >= Start
        ->  wrong(reaches_back(W, W0))
        ;   true
        )
    ;   Size == inf
    ->  W is Start-1
    ;   Q-Size > Start
    ->  W is Q-Size
    ;   W is min(Q-Size, Start-1)
    ).

due_records(Q, Due) :-
    findall(Record, ( waiting(Record), record_due(Record, T), T =< Q ), Due).

is_late(Before, Tick, Record) :-
    record_last(Record, Tick, T),
    T =< Before.

%!  window(?Size, ?Q) is det.
%
%   Size is how far back each query time looks and Q the last query time. A
%   new Size counts from the next query time on; with a new Q, it reasons.

window(Size, Q) :-
    (   var(Size)
    ->  window_size(Size)
    ;   valid_size(Size)
    ->  set_size(Size, Q)
    ;   wrong(size(Size))
    ),
    (   last_window(_, Last)
    ->  ignore(Q = Last)
    ;   true
    ),
    (   integer(Q),
        \+ last_window(_, Q)
    ->  query(Q)
    ;   true
    ).

valid_size(inf).
valid_size(Size) :- integer(Size), Size > 0.

%   A size that the query time asked for cannot have must not stay.

set_size(Size, Q) :-
    window_size(Old),
    retractall(window_size(_)),
    assertz(window_size(Size)),
    (   integer(Q),
        prompt_session(M)
    ->  catch(next_window(M, Q, _), Error,
              ( retractall(window_size(_)),
                assertz(window_size(Old)),
                throw(Error)
              ))
    ;   true
    ).

%!  insert(+Records) is det.
%
%   Take records, see rtec(by_hand); the next query knows them.

insert(Given) :-
    prompt_session(M),
    hand_records(M, Given, Records),
    forall(member(Record, Records), assertz(waiting(Record))).

%!  holdsFor(?FV, ?Is) is nondet.
%
%   Is are the maximal intervals of FV, a term F=V, over the whole run. With
%   variables in FV, those that hold at some time are enumerated.

holdsFor(FV, Is) :-
    prompt_session(M),
    fvp(M, FV, F, V),
    (   ground(F=V)
    ->  known_intervals(M, F, V, Is)
    ;   known_fluents(M, F, V, Rows),
        member(F-V-Is, Rows)
    ).

%!  holdsAt(?FV, +T) is nondet.
%
%   FV, a term F=V, holds at time-point T.

holdsAt(FV, T) :-
    prompt_session(M),
    fvp(M, FV, F, V),
    (   integer(T)
    ->  true
    ;   wrong(time(T))
    ),
    (   ground(F=V)
    ->  known_intervals(M, F, V, Is),
        once(holds_at(Is, T))
    ;   known_fluents(M, F, V, Rows),
        findall(F-V, ( member(F-V-Is, Rows), holds_at(Is, T) ), Fvps),
        member(F-V, Fvps)
    ).

fvp(M, FV, F, V) :-
    (   var(FV)
    ->  FV = (F=V)
    ;   FV = (F=V)
    ->  (   var(F)
        ->  true
        ;   callable(F)
        ->  functor(F, Name, Arity),
            known_name(fluent, Name/Arity, M)
        ;   wrong(fvp(FV))
        )
    ;   wrong(fvp(FV))
    ).

%!  happensAt(?E, ?T) is nondet.
%
%   Event E happens at T, in order of time. start(F=V) and end(F=V) are events
%   as well.

happensAt(E, T) :-
    prompt_session(M),
    (   var(T)
    ->  true
    ;   integer(T)
    ->  true
    ;   wrong(time(T))
    ),
    (   nonvar(E),
        ( E = start(FV), Border = start ; E = end(FV), Border = end ),
        \+ event_name(M, Border/1)
    ->  border_points(Border, FV, M, Rows),
        member(T-FV, Rows)
    ;   check_event(E, M),
        known_events(M, E, T, Rows),
        member(T-E, Rows)
    ).

check_event(E, M) :-
    (   var(E)
    ->  true
    ;   callable(E)
    ->  functor(E, Name, Arity),
        known_name(event, Name/Arity, M)
    ;   wrong(event(E))
    ).

border_points(Border, FV, M, Rows) :-
    M:rtec_run(_, Tick, _),
    findall(T-FV,
            ( holdsFor(FV, Is),
              member((S,E), Is),
              border_point(Border, S, E, Tick, T)
            ),
            Rows0),
    sort(Rows0, Rows).

border_point(start, S, _, Tick, T) :-
    T is S-Tick.
border_point(end, _, E, Tick, T) :-
    E \== inf,
    T is E-Tick.

known_name(Kind, Indicator, M) :-
    (   name_of(Kind, M, Indicator)
    ->  true
    ;   findall(Known, name_of(Kind, M, Known), Names),
        wrong(unknown(Kind, Indicator, Names))
    ).

name_of(fluent, M, Indicator) :- fluent_name(M, Indicator).
name_of(event, M, Indicator) :- event_name(M, Indicator).

%!  help is det.

help :-
    print_message(help, rtec_repl(help)).

wrong(What) :-
    throw(error(rtec_repl(What), _)).

prolog:error_message(rtec_repl(What)) -->
    reason(What).

reason(loading(M, Id, Line, Text0)) -->
    { ( atomic_list_concat([Path,M], '@', Id) -> true ; Path = Id ),
      split_string(Text0, "\n", " ", [Text|_])
    },
    [ '~w:~w: ~w'-[Path,Line,Text] ].
reason(query_time(Q)) -->
    { var(Q), ! },
    [ 'the query time is not given; write it as in query(30)'-[] ].
reason(query_time(Q)) -->
    [ '~p is no query time; it has to be an integer, as in query(30)'-[Q] ].
reason(time(T)) -->
    { var(T), ! },
    [ 'the time-point is not given; holdsFor(F=V, I) tells when F=V holds'-[] ].
reason(time(T)) -->
    [ '~p is no time-point; it has to be an integer'-[T] ].
reason(fvp(FV)) -->
    [ '~p is no fluent-value pair; write Fluent=Value, as in holdsFor(F=V, I)'-[FV] ].
reason(event(E)) -->
    [ '~p is no event'-[E] ].
reason(size(Size)) -->
    [ 'a window of ~p makes no sense; it has to be a positive integer, or inf'-[Size] ].
reason(backwards(Q, Q0)) -->
    [ 'query time ~w is before the last one, ~w; reasoning moves forward'-[Q,Q0] ].
reason(reaches_back(W, W0)) -->
    [ 'the window would reach back to ~w; what happened up to ~w is forgotten'-[W,W0] ].
reason(unknown(Kind, Indicator, Names)) -->
    [ 'the description has no ~w ~q'-[Kind,Indicator] ],
    near_names(Indicator, Names).

%   Our own errors say everything; "unhandled" would only frighten.

prolog:message(unhandled_exception(error(Formal, Context))) -->
    { nonvar(Formal),
      own(Formal),
      error_row(error(Formal, Context), [_,Text,Origin])
    },
    (   { Origin == '' }
    ->  [ '~w'-[Text] ]
    ;   [ '~w: ~w'-[Origin,Text] ]
    ).
prolog:message(rtec_repl(summary(Name, _, none))) -->
    [ '~w is loaded; nothing has happened yet. '-[Name] ],
    where_help.
prolog:message(rtec_repl(summary(Name, Windows, Q))) -->
    { Windows = 1 -> Times = 'query time' ; Times = 'query times' },
    [ '~w: ~D ~w, the last at ~w. '-[Name,Windows,Times,Q] ],
    where_help.
prolog:message(rtec_repl(late(Record, Before))) -->
    { record_term(Record, Term) },
    [ '~p came too late: nothing up to ~w counts any more'-[Term,Before] ].
prolog:message(rtec_repl(help)) -->
    [ 'Ask about the whole run:'-[], nl,
      '  holdsFor(F=V, I).        the maximal intervals of fluents, [(Start,End), ...]'-[], nl,
      '  holdsAt(F=V, 16).        what holds at a time-point'-[], nl,
      '  happensAt(E, T).         events read and recognised; also start(F=V), end(F=V)'-[], nl,
      'Feed records by hand, then reason:'-[], nl,
      '  insert(happensAt(e(a), 30)).'-[], nl,
      '  insert(holdsFor(f(a)=true, [(25,30)])).       intervals of an input fluent'-[], nl,
      '  insert("e|30|30|a").                          a line of a stream; "-e|..." takes back'-[],
      nl,
      '  query(40).               reason at query time 40'-[], nl,
      '  window(W, Q).            the size of the window and the last query time'-[], nl,
      '  window(100, Q).          windows of 100 from the next query time on'-[], nl,
      'A semicolon asks for more answers, a full stop ends. `halt.` leaves.'-[]
    ].

own(rtec(_)).
own(rtec_repl(_)).
own(rtec_by_hand(_)).

where_help -->
    [ '`help.` lists what to ask, `halt.` leaves.'-[] ].
