:- use_module(library(plunit)).
:- use_module(rtec(scratch)).

%   with_file(+Text, +M, +Path, :Goal): Goal with a file in a scratch module.

with_file(Text, M, Path, Goal) :-
    setup_call_cleanup(
        tmp_file_stream(Path, Out, [encoding(utf8), extension(pl)]),
        ( write(Out, Text),
          close(Out),
          with_scratch(M, ( scratch_file(M, Path), call(Goal) ))
        ),
        delete_file(Path)).

kinds(Notes, Kinds) :-
    findall(Kind-Line, member([Kind,_,Line,_,_], Notes), Kinds).

:- begin_tests(scratch_file).

test(clauses_are_there, Xs == [1,2]) :-
    with_file("a(1).\na(2).\nb(X) :- a(X).\n", M, _,
              findall(X, M:b(X), Xs)).

test(what_is_defined) :-
    with_file("a(1).\n:- dynamic b/2.\nc --> [x].\n", M, _, scratch_defined(M, Defined)),
    assertion(memberchk(a/1, Defined)),
    assertion(memberchk(b/2, Defined)),
    assertion(memberchk(c/2, Defined)).

test(nothing_is_run, Directives == [shell(rm)]) :-
    with_file(":- shell(rm).\n", M, _,
              ( scratch_directives(M, Ds),
                findall(G, member(directive(G,_,_,_), Ds), Directives)
              )).

test(unknown_directives_make_it_opaque) :-
    with_file(":- assertz(a(1)).\n", M, _, scratch_opaque(M)).

test(declarations_do_not, fail) :-
    with_file(":- dynamic a/1.\n:- use_module(library(lists)).\n:- discontiguous b/1.\n", M, _,
              scratch_opaque(M)).

test(a_library_outside_the_library_is_a_directive, Length == 1) :-
    with_file(":- use_module(library('../../x')).\n", M, _,
              ( scratch_directives(M, Ds), length(Ds, Length) )).

test(declarations_stay_in_the_module, Length == 2) :-
    with_file(":- dynamic user:a/1.\n:- op(700, xfx, user:b).\n", M, _,
              ( scratch_directives(M, Ds), length(Ds, Length) )).

test(syntax_errors_are_noted, Kinds == [syntax-2]) :-
    with_file("a.\nb(.\nc.\n", M, _, ( scratch_notes(M, Notes), kinds(Notes, Kinds) )).

test(predicates_of_prolog_are_noted, Kinds == [clause-1]) :-
    with_file("length(a, b).\n", M, _, ( scratch_notes(M, Notes), kinds(Notes, Kinds) )).

test(clauses_that_reach_too_far_are_noted, Kinds == [directive-1,directive-2,directive-3]) :-
    with_file("user:a(1).\nterm_expansion(a, b).\nrtec_step(1, x).\n", M, _,
              ( scratch_notes(M, Notes), kinds(Notes, Kinds) )).

test(a_missing_file_is_noted, Kinds == [file-0]) :-
    with_scratch(M, ( scratch_file(M, '/no/such/file'), scratch_notes(M, Notes) )),
    kinds(Notes, Kinds).

test(a_missing_nested_file_is_noted, Kinds == [clause-2]) :-
    with_file("a.\n:- ['nowhere.pl'].\n", M, _, ( scratch_notes(M, Notes), kinds(Notes, Kinds) )).

test(a_file_that_loads_itself_ends, Kinds == [clause-1]) :-
    setup_call_cleanup(
        tmp_file_stream(Path, Out, [encoding(utf8), extension(pl)]),
        ( format(Out, ":- [~q].~na(1).~n", [Path]),
          close(Out),
          with_scratch(M, ( scratch_file(M, Path), scratch_notes(M, Notes) ))
        ),
        delete_file(Path)),
    kinds(Notes, Kinds0),
    sort(Kinds0, Kinds).

test(the_module_is_gone, fail) :-
    with_scratch(M, scratch_text(M, "a(1).")),
    current_predicate(M:a/1).

:- end_tests(scratch_file).
