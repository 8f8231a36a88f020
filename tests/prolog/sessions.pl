:- module(sessions,
          [ with_program/3,             % +Program, -M, :Goal
            with_program/4,             % +Program, +Run, -M, :Goal
            happened/2,                 % +M, +Facts
            stored/3                    % +M, :Template, -Facts
          ]).
:- use_module(rtec(bridge)).
:- use_module(library(apply)).

/** <module> Sessions for tests

A test writes a small program as the compiler would, and evaluates steps of it
in a module of its own, as a session does.
*/

:- meta_predicate
    with_program(+, -, 0),
    with_program(+, +, -, 0).

%!  with_program(+Program, -M, :Goal) is semidet.
%!  with_program(+Program, +Run, -M, :Goal) is semidet.
%
%   Call Goal once with M the module of a session. Run is [Start,Tick,Memory].

with_program(Program, M, Goal) :-
    with_program(Program, [0,1,-1], M, Goal).

with_program(Program, Run, M, Goal) :-
    flag(test_session, N, N+1),
    atom_concat(test_session_, N, M),
    setup_call_cleanup(
        bridge_open(M, Program, [], Run, Messages),
        ( must_be_quiet(Messages), complete(M), once(Goal) ),
        bridge_close(M)).

must_be_quiet([]) :- !.
must_be_quiet(Messages) :- throw(program_has(Messages)).

%   complete(+M): what the compiler writes for every store, so that programs of
%   tests need not.

complete(M) :-
    forall(( predicate_property(M:Fact, dynamic),
             functor(Fact, Store, _),
             atom_concat(holds_, _, Store),
             atom_concat(add_, Store, Add),
             \+ current_predicate(M:Add/3)
           ),
           ( Head =.. [Add,F,V,Is],
             assertz(( M:Head :- sessions:add(M, Store, F, V, Is) ))
           )).

add(M, Store, F, V, Is) :-
    F =.. [_|Args],
    append(Args, [V,Is], FactArgs),
    Fact =.. [Store|FactArgs],
    assertz(M:Fact).

%!  happened(+M, +Facts) is det.
%
%   Put facts into the store of a session.

happened(M, Facts) :-
    maplist([Fact]>>assertz(M:Fact), Facts).

%!  stored(+M, +Template, -Facts) is det.
%
%   The facts of a session that match Template, sorted.

stored(M, Template, Facts) :-
    findall(Template, M:Template, Facts0),
    sort(Facts0, Facts).
