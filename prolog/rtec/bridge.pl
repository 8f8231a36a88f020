:- module(rtec_bridge,
          [ bridge_read/3,              % +Text, +Path, -Pair
            bridge_inspect/6,           % +Background, +Plain, +Goals, +Delays, +Names, -Report
            bridge_open/5,              % +M, +Program, +Background, +Run, -Messages
            bridge_incremental/3,       % +M, +Deltas, +Policy
            bridge_mode/2,              % +M, -Mode
            bridge_native/1,            % -Library
            bridge_close/1,             % +M
            bridge_advance/6,           % +M, +W, +Q, +Changes, +Limit, -Answer
            bridge_snapshot/2,          % +M, -Text
            bridge_restore/2,           % +M, +Text
            bridge_stores/3,            % +M, +Entities, -Stores
            bridge_facts/3,             % +M, +Stores, -Rows
            bridge_given/6,             % +M, +Stores, +Given, +Texts, +Columns, -Done
            bridge_met/2,               % +M, +Members
            bridge_columns/3,           % +M, +Stores, -Answer
            bridge_blocks/4             % +M, +Stores, +Everyone, -Blocks
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(reader).
:- use_module(sandbox, [inspect/6]).
:- use_module(store).
:- use_module(calendars).
:- use_module(records).
:- use_module(query).
:- use_module(hoisting).
:- use_module(modes).
:- use_module(native).
:- use_module(links, [free_links/1]).
:- use_module(messages).
:- use_module(stages).
:- use_module(builtins, []).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(lists), [member/2]).
:- autoload(library(time), [call_with_time_limit/3]).

/** <module> The predicates that Python calls

Plain data in and out: atoms, numbers, strings, lists, and `-` terms, which
are tuples in Python. A session is known by the name of its module.
*/

:- multifile system:term_expansion/2, user:message_hook/3.
:- dynamic session/1, noted_message/1.

%!  bridge_read(+Text, +Path, -Pair) is det.
%
%   Pair is Clauses-Errors of read_clauses/4.

bridge_read(Text, Path, Clauses-Errors) :-
    read_clauses(Text, Path, Clauses, Errors).

%!  bridge_inspect(+Background, +Plain, +Goals, +Delays, +Names, -Report) is det.
%
%   Judge goals without loading anything, see inspect/6.

bridge_inspect(Background, Plain, Goals, Delays, Names, Report) :-
    inspect(Background, Plain, Goals, Delays, Names, Report).

%!  bridge_open(+M, +Program, +Background, +Run, -Messages) is det.
%
%   Make the module M for a session: Background files first, then the text
%   Program. Run is [Start,Tick,Memory]. Messages are the errors and warnings
%   of loading, as [Kind,Path,Line,Text].

bridge_open(M, Program, Background, [Start,Tick,Memory], Messages) :-
    assertz(session(M)),
    set_module(M:base(user)),
    add_import_module(M, rtec_builtins, start),
    op(900, fy, M:not),
    declare(M),
    retractall(noted_message(_)),
    forall(member(Path, Background), load_background(M, Path)),
    program_source(M, Id),
    load_text(M, Id, Program),
    findall(Message, retract(noted_message(Message)), Messages),
    set_run(M, Start, Tick, Memory),
    assertz(M:rtec_first).

load_text(M, Id, Text) :-
    open_string(Text, In),
    load_files(M:Id, [stream(In), silent(true)]),
    close(In).

declare(M) :-
    dynamic([ M:rtec_run/3, M:rtec_window/2, M:rtec_scope/2, M:rtec_first/0, M:rtec_step/2,
              M:rtec_records/4, M:rtec_state/2, M:rtec_output_fluent/2,
              M:rtec_output_event/2, M:rtec_origin/3, M:rtec_input_fluent/2,
              M:iePList/4, M:rtec_kept/3, M:allen_memory/5, M:rtec_base/3,
              M:queryTime/1, M:initTime/1, M:rtec_policy/1,
              M:rtec_delta/2, M:rtec_noted/2, M:rtec_changed/4, M:rtec_panes/3,
              M:rtec_pane_width/1, M:rtec_last_pane/1, M:rtec_keeping/0, M:rtec_kept_at/1,
              M:rtec_kept_points/2, M:rtec_kept_unfit/1, M:rtec_member/2,
              M:rtec_dates/3, M:rtec_long/2, M:rtec_piece/2, M:rtec_next_piece/1,
              M:rtec_since/1, M:rtec_from_scratch/1, M:rtec_followed/1, M:rtec_last_mode/1,
              M:rtec_cycle_points/3, M:rtec_due/4, M:rtec_awaiting/1, M:rtec_unlinked/1,
              M:rtec_plan/3, M:rtec_not_live/1, M:rtec_marked/1, M:rtec_changed_link/2,
              M:rtec_timed/3, M:rtec_calendar/3
            ]).

%!  bridge_incremental(+M, +Deltas, +Policy) is det.
%
%   From now on reason by changes where Policy says so, see choose_mode/5.
%   Deltas is the text of the program's delta rules.

bridge_incremental(M, Deltas, Policy) :-
    deltas_source(M, Id),
    load_text(M, Id, Deltas),
    assertz(M:rtec_policy(Policy)).

%!  bridge_mode(+M, -Mode) is det.
%
%   How the last query time was reasoned over: `scratch`, `keep` or `changes`.

bridge_mode(M, Mode) :-
    last_mode(M, Mode).

%!  bridge_native(-Library) is det.
%
%   The path of the library in C that was loaded, '' if there is none.

bridge_native(Library) :-
    (   native(Library)
    ->  true
    ;   Library = ''
    ).

load_background(M, Path) :-
    setup_call_cleanup(
        open(Path, read, In, [encoding(utf8)]),
        ( atomic_list_concat([Path,'@',M], Id),
          load_files(M:Id, [stream(In), silent(true), optimise(true)])
        ),
        close(In)).

%   A nested load is textual: the file belongs to this session's module.

system:term_expansion((:- Files), Includes) :-
    nonvar(Files),
    nested(Files, List),
    prolog_load_context(module, M),
    rtec_bridge:session(M),
    findall((:- include(File)), member(File, List), Includes).
system:term_expansion((:- Directive), []) :-
    nonvar(Directive),
    Directive = style_check(_),
    prolog_load_context(module, M),
    rtec_bridge:session(M).

system:term_expansion(Clause0, Clause) :-
    Clause0 = (_ :- _),
    prolog_load_context(module, M),
    rtec_bridge:session(M),
    prolog_load_context(source, Source),
    ( rtec_bridge:program_source(M, Source) ; rtec_bridge:deltas_source(M, Source) ),
    !,
    rtec_hoisting:hoisted(M, Clause0, Clause).

program_source(M, Id) :-
    atom_concat(M, '_program', Id).

deltas_source(M, Id) :-
    atom_concat(M, '_deltas', Id).

nested([F|Fs], [F|Fs]).
nested(consult(F), Fs) :- listed(F, Fs).
nested(ensure_loaded(F), Fs) :- F \= library(_), listed(F, Fs).

listed(Fs, Fs) :- is_list(Fs), !.
listed(F, [F]).

user:message_hook(Term, Kind, Lines) :-
    memberchk(Kind, [error,warning]),
    prolog_load_context(module, M),
    rtec_bridge:session(M),
    (   rtec_bridge:tolerated(Term)
    ->  true
    ;   rtec_bridge:note_message(Kind, Lines)
    ).

note_message(Kind, Lines) :-
    (   prolog_load_context(source, Source)
    ->  true
    ;   Source = ''
    ),
    (   prolog_load_context(term_position, Position),
        stream_position_data(line_count, Position, Line)
    ->  true
    ;   Line = 0
    ),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)),
    assertz(noted_message([Kind,Source,Line,Text])).

%   Style is not our business in files that ran before.

tolerated(discontiguous(_,_)).
tolerated(discontiguous(_,_,_)).
tolerated(multiple_singletons(_)).
tolerated(singletons(_)).
tolerated(singletons(_,_)).
tolerated(branch_singleton(_)).
tolerated(subsumes_chars(_)).

%!  bridge_close(+M) is det.

bridge_close(M) :-
    retractall(session(M)),
    free_links(M),
    forall(( current_predicate(M:Name/Arity),
             functor(Head, Name, Arity),
             \+ predicate_property(M:Head, imported_from(_))
           ),
           catch(abolish_predicate(M, Name/Arity), _, true)),
    program_source(M, Id),
    deltas_source(M, Deltas),
    catch(unload_file(Id), _, true),
    catch(unload_file(Deltas), _, true).

abolish_predicate(M, Name/Arity) :-
    functor(Head, Name, Arity),
    (   predicate_property(M:Head, dynamic)
    ->  retractall(M:Head)
    ;   abolish(M:Name/Arity)
    ).

%!  bridge_advance(+M, +W, +Q, +Changes, +Limit, -Answer) is det.
%
%   Forget what the window (W,Q] has left, apply Changes, reason. Answer is
%   [Stores,Fluents,Events,Times]: the stores of answers/4, the fields of its rows, one row
%   after the other, and the wall and CPU seconds of handing over, recognising and
%   collecting. Nothing in it is a tuple, since what is in a tuple that janus
%   makes (as of 1.5.3) stays in Python's memory for ever. Changes are as of
%   change_records/3. Limit is in seconds, 0 for none.

bridge_advance(M, W, Q, Changes, Limit, [Stores,Fluents,Events,Times]) :-
    clocks(C0),
    forget_records(M, W),
    choose_mode(M, W, Q, Changes, Mode),
    change_records(Changes, M, Mode),
    keep_calendars(M, Mode),
    clocks(C1),
    (   Limit > 0
    ->  catch(call_with_time_limit(Limit, recognise_in(Mode, M, W, Q), rtec),
              time_limit_exceeded(_),
              ( nb_getval(rtec_current_step, N),
                M:rtec_step(N, Step),
                throw(error(rtec(time_limit(Limit, Step)), _))
              ))
    ;   recognise_in(Mode, M, W, Q)
    ),
    clocks(C2),
    answers(M, Stores, FluentRows, EventRows),
    fluent_fields(FluentRows, Fluents),
    event_fields(EventRows, Events),
    clocks(C3),
    elapsed([C0,C1,C2,C3], Times).

fluent_fields([], []).
fluent_fields([-(Name,Args,V,Is)|Rows], [Name,Args,V,Is|Fields]) :-
    fluent_fields(Rows, Fields).

event_fields([], []).
event_fields([-(Name,Args,Ts)|Rows], [Name,Args,Ts|Fields]) :-
    event_fields(Rows, Fields).

clocks(Wall-Cpu) :-
    get_time(Wall),
    statistics(cputime, Cpu).

elapsed([_], []).
elapsed([W0-C0,W1-C1|Clocks], [W,C|Times]) :-
    W is W1-W0,
    C is C1-C0,
    elapsed([W1-C1|Clocks], Times).

%!  bridge_snapshot(+M, -Text) is det.
%!  bridge_restore(+M, +Text) is det.

bridge_snapshot(M, Text) :-
    take_state(M, State),
    format(string(Text), '~k', [State]).

bridge_restore(M, Text) :-
    term_string(State, Text),
    put_state(M, State),
    retractall(M:rtec_first).

%!  bridge_stores(+M, +Entities, -Stores) is det.
%!  bridge_facts(+M, +Stores, -Rows) is det.
%!  bridge_given(+M, +Stores, +Given, +Texts, +Columns, -Done) is det.
%!  bridge_met(+M, +Members) is det.
%!  bridge_columns(+M, +Stores, -Answer) is det.
%!  bridge_blocks(+M, +Stores, +Everyone, -Blocks) is det.
%
%   What one stage of a program hands to the next, see rtec(stages). Done is 1, or 0 if
%   something in Columns cannot be taken as such. Answer is [Columns,Others].

bridge_stores(M, Entities, Stores) :-
    stage_stores(M, Entities, Stores).

bridge_facts(M, Stores, Rows) :-
    stage_facts(M, Stores, Rows).

bridge_given(M, Stores, Given, Texts, Columns, Done) :-
    (   stage_given(M, Stores, Given, Texts, Columns)
    ->  Done = 1
    ;   Done = 0
    ).

bridge_met(M, Members) :-
    stage_met(M, Members).

bridge_columns(M, Stores, [Columns,Others]) :-
    stage_columns(M, Stores, Columns, Others).

bridge_blocks(M, Stores, Everyone, Blocks) :-
    stage_blocks(M, Stores, Everyone, Blocks).
