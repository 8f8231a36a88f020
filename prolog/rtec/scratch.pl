:- module(rtec_scratch,
          [ with_scratch/2,             % -M, :Goal
            scratch_file/2,             % +M, +Path
            scratch_text/2,             % +M, +Text
            scratch_files/2,            % +M, -Files
            scratch_notes/2,            % +M, -Notes
            scratch_directives/2,       % +M, -Directives
            scratch_opaque/1,           % +M
            scratch_defined/2           % +M, -Indicators
          ]).
:- use_module(builtins, []).
:- use_module(library(modules), [in_temporary_module/3]).
:- autoload(library(apply), [maplist/2]).
:- autoload(library(lists), [member/2]).
:- autoload(library(occurs), [sub_term/2]).

/** <module> Background files, read without running anything

A check must know what the background defines before it may be loaded, since
loading runs directives. Here the clauses of a file go into a module that is
thrown away after use; declarations and nested loads are followed, and any
other directive is kept aside, to be judged.
*/

:- thread_local
    note/2,                             % M, [Kind,Path,Line,Column,Text]
    directive/2,                        % M, directive(Goal,Path,Line,Column)
    opaque/1,                           % M: more may be defined than was seen
    opening/2,                          % M, File
    read_file/2.                        % M, File

:- meta_predicate with_scratch(-, 0).

%!  with_scratch(-M, :Goal) is semidet.
%
%   Call Goal once with M a fresh module, which is gone afterwards. Code in M
%   sees what code in a session sees.

with_scratch(M, Goal) :-
    in_temporary_module(
        M,
        prepare(M),
        rtec_scratch:call_cleaned(M, Goal)).

prepare(M) :-
    set_module(M:base(user)),
    add_import_module(M, rtec_builtins, start),
    M:op(900, fy, not),
    dynamic([ M:happensAt/2, M:holdsAt/2, M:holdsFor/2, M:initiatedAt/2, M:initiatedAt/4,
              M:terminatedAt/2, M:terminatedAt/4, M:queryTime/1, M:initTime/1
            ]).

call_cleaned(M, Goal) :-
    call_cleanup(once(Goal), forget(M)).

forget(M) :-
    retractall(note(M, _)),
    retractall(directive(M, _)),
    retractall(opaque(M)),
    retractall(read_file(M, _)).

%!  scratch_files(+M, -Files) is det.
%
%   The files that were read, nested ones too.

scratch_files(M, Files) :-
    findall(File, read_file(M, File), Files0),
    sort(Files0, Files).

%!  scratch_notes(+M, -Notes) is det.
%
%   What was wrong with the files, as [Kind,Path,Line,Column,Text]. Kind is
%   `syntax`, `file` or `clause`. Line and Column count from 1.

scratch_notes(M, Notes) :-
    findall(Note, note(M, Note), Notes).

%!  scratch_directives(+M, -Directives) is det.
%
%   The directives that are more than declarations and nested loads, as
%   directive(Goal,Path,Line,Column).

scratch_directives(M, Directives) :-
    findall(D, directive(M, D), Directives).

%!  scratch_opaque(+M) is semidet.
%
%   True if something could not be followed, so that scratch_defined/2 may
%   miss predicates.

scratch_opaque(M) :-
    opaque(M),
    !.

%!  scratch_defined(+M, -Indicators) is det.
%
%   The predicates that the files define or declare.

scratch_defined(M, Indicators) :-
    findall(Name/Arity,
            ( current_predicate(M:Name/Arity),
              functor(Head, Name, Arity),
              \+ predicate_property(M:Head, imported_from(_))
            ),
            Indicators0),
    sort(Indicators0, Indicators).

%!  scratch_file(+M, +Path) is det.
%
%   Add the clauses of a file, and of the files that it loads.

scratch_file(M, Path) :-
    assertz(read_file(M, Path)),
    catch(setup_call_cleanup(
              open(Path, read, In, [encoding(utf8)]),
              read_stream(In, M, Path),
              close(In)),
          error(Formal, _),
          note_file(M, Path, Formal)).

note_file(M, Path, Formal) :-
    message_text(error(Formal, _), Text),
    add_note(M, [file,Path,0,0,Text]).

%!  scratch_text(+M, +Text) is det.
%
%   Add the clauses of Text, which is known to be without syntax errors.

scratch_text(M, Text) :-
    setup_call_cleanup(
        open_string(Text, In),
        read_stream(In, M, ''),
        close(In)).

read_stream(In, M, Path) :-
    catch(read_clause_term(In, M, Term, Position), Error, true),
    (   nonvar(Error)
    ->  note_syntax(Error, M, Path),
        read_stream(In, M, Path)
    ;   Term == end_of_file
    ->  true
    ;   add_term(Term, M, Path, Position),
        read_stream(In, M, Path)
    ).

read_clause_term(In, M, Term, Position) :-
    read_term(In, Term,
              [ module(M),
                term_position(Position),
                syntax_errors(error)
              ]).

note_syntax(error(syntax_error(What), Context), M, Path) :-
    !,
    (   Context = stream(_, Line, Column0, _)
    ->  true
    ;   Context = file(_, Line, Column0, _)
    ->  true
    ;   Line = 1,
        Column0 = 0
    ),
    Column is Column0+1,
    message_text(error(syntax_error(What), _), Text),
    add_note(M, [syntax,Path,Line,Column,Text]).
note_syntax(Error, _, _) :-
    throw(Error).

add_term((:- Directive), M, Path, Position) :-
    !,
    add_directive(Directive, M, Path, Position).
add_term((?- Directive), M, Path, Position) :-
    !,
    add_directive(Directive, M, Path, Position).
add_term((Head --> Body), M, Path, Position) :-
    !,
    catch(dcg_translate_rule((Head --> Body), Clause), error(Formal, _), true),
    (   var(Formal)
    ->  add_clause(Clause, M, Path, Position)
    ;   note_clause(Formal, M, Path, Position)
    ).
add_term(Clause, M, Path, Position) :-
    add_clause(Clause, M, Path, Position).

add_clause(Clause, M, Path, Position) :-
    clause_head(Clause, Head),
    (   meddles(Head, Text)
    ->  place(Position, Line, Column),
        assertz(opaque(M)),
        add_note(M, [directive,Path,Line,Column,Text])
    ;   catch(assertz(M:Clause), error(Formal, _), true),
        (   var(Formal)
        ->  true
        ;   note_clause(Formal, M, Path, Position)
        )
    ).

clause_head(Clause, Head) :-
    (   nonvar(Clause),
        Clause = (Head0 :- _)
    ->  Head = Head0
    ;   Head = Clause
    ).

%   meddles(+Head, -Text): a clause that reaches beyond the file that it is in.

meddles(Head, Text) :-
    callable(Head),
    (   Head = _:Inner
    ->  functor(Inner, Name, Arity),
        format(string(Text), '`~w/~w` is defined in another module', [Name,Arity])
    ;   functor(Head, Name, Arity),
        (   memberchk(Name/Arity, [term_expansion/2,term_expansion/4,goal_expansion/2,
                                   goal_expansion/4])
        ->  format(string(Text), '`~w/~w` changes how code is read', [Name,Arity])
        ;   sub_atom(Name, 0, _, _, rtec_),
            format(string(Text), '`~w/~w`: names that begin with rtec_ are reserved', [Name,Arity])
        )
    ).

note_clause(Formal, M, Path, Position) :-
    place(Position, Line, Column),
    clause_text(Formal, Text),
    add_note(M, [clause,Path,Line,Column,Text]).

clause_text(existence_error(source_sink, File), Text) :-
    !,
    format(string(Text), 'there is no file ~w to load', [File]).
clause_text(permission_error(modify, static_procedure, Name/Arity), Text) :-
    !,
    format(string(Text), '`~w/~w` is a predicate of Prolog itself and cannot be defined anew',
           [Name,Arity]).
clause_text(permission_error(load, file, File), Text) :-
    !,
    format(string(Text), 'the file ~w loads itself', [File]).
clause_text(Formal, Text) :-
    message_text(error(Formal, _), Text).

%   The clauses of the description itself come as text and have their own
%   places; only files are noted.

add_note(_, [_,''|_]) :-
    !.
add_note(M, Note) :-
    assertz(note(M, Note)).

place(Position, Line, Column) :-
    stream_position_data(line_count, Position, Line),
    stream_position_data(line_position, Position, Column0),
    Column is Column0+1.

%   add_directive(+Directive, +M, +Path, +Position): apply what only declares,
%   follow what loads, keep the rest aside.

add_directive(Directive, M, Path, Position) :-
    (   var(Directive)
    ->  note_clause(instantiation_error, M, Path, Position)
    ;   declares(Directive)
    ->  catch(M:Directive, error(Formal, _), note_clause(Formal, M, Path, Position))
    ;   ignored(Directive)
    ->  true
    ;   loads(Directive, Files)
    ->  forall(member(File, Files), nested(File, M, Path, Position))
    ;   library_load(Directive)
    ->  catch(M:Directive, error(Formal, _), note_clause(Formal, M, Path, Position))
    ;   place(Position, Line, Column),
        assertz(opaque(M)),
        assertz(directive(M, directive(Directive,Path,Line,Column)))
    ).

declares(dynamic(What)) :-
    ground(What),
    \+ ( sub_term(Part, What),
         Part = _:_
       ).
declares(op(_,_,Name)) :-
    (   atom(Name)
    ->  true
    ;   is_list(Name),
        maplist(atom, Name)
    ).

ignored(discontiguous(_)).
ignored(multifile(_)).
ignored(table(_)).
ignored(public(_)).
ignored(module(_,_)).
ignored(encoding(_)).
ignored(style_check(_)).
ignored(else).
ignored(endif).
ignored(set_prolog_flag(Flag, _)) :-
    memberchk(Flag, [double_quotes,generate_debug_info,optimise,verbose_load,
                     back_quotes,rational_syntax]).

loads([F|Fs], [F|Fs]).
loads(consult(F), Fs) :- listed(F, Fs).
loads(ensure_loaded(F), Fs) :- F \= library(_), listed(F, Fs).
loads(include(F), Fs) :- listed(F, Fs).

listed(Fs, Fs) :-
    is_list(Fs),
    !.
listed(F, [F]).

library_load(use_module(library(L))) :- inside_library(L).
library_load(use_module(library(L), _)) :- inside_library(L).
library_load(ensure_loaded(library(L))) :- inside_library(L).
library_load(autoload(library(L))) :- inside_library(L).
library_load(autoload(library(L), _)) :- inside_library(L).

inside_library(L) :-
    ground(L),
    term_to_atom(L, Path),
    \+ sub_atom(Path, _, _, _, '..'),
    \+ is_absolute_file_name(Path).

nested(File, M, Path, Position) :-
    file_directory_name(Path, Folder),
    (   ground(File),
        absolute_file_name(File, Found,
                           [ relative_to(Folder), access(read), file_errors(fail),
                             extensions(['',pl,prolog])
                           ])
    ->  (   is_open(M, Found)
        ->  note_clause(permission_error(load, file, Found), M, Path, Position)
        ;   asserta(opening(M, Found)),
            call_cleanup(scratch_file(M, Found), retract(opening(M, Found)))
        )
    ;   assertz(opaque(M)),
        note_clause(existence_error(source_sink, File), M, Path, Position)
    ).

%   A file that loads itself would never end.

is_open(M, File) :-
    opening(M, File),
    !.

message_text(Error, Text) :-
    '$messages':translate_message(Error, Lines, []),
    with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
    split_string(Text0, "\n", " \t\n", Parts0),
    findall(Part, ( member(Part, Parts0), Part \== "" ), Parts),
    atomic_list_concat(Parts, ' ', Text).
