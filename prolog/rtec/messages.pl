:- module(rtec_messages,
          [ error_row/2                 % +Error, -Row
          ]).
:- set_prolog_flag(optimise, true).
:- autoload(library(apply), [maplist/2]).
:- autoload(library(lists), [member/2]).

/** <module> The words for every error(rtec(_), _)

Python gets an error as a row [Slug, Text, Origin], and makes the message
that users see from it.
*/

:- multifile prolog:error_message//1.

prolog:error_message(rtec(Error)) -->
    { text(Error, _, Text, _) },
    [ '~w'-[Text] ].

%!  error_row(+Error, -Row) is det.

error_row(error(rtec(Error), _), [Slug,Text,Origin]) :-
    text(Error, Slug, Text, Origin),
    !.
error_row(Error, [engine,Text,'']) :-
    plain_text(Error, Text).

text(time_limit(Limit, Step), 'time-limit', Text, '') :-
    entity(Step, Entity),
    format(string(Text),
           'evaluating ~w took longer than the time limit of ~w s', [Entity,Limit]).
text(in_step(Step, Origin, Call, Error0), exception, Text, Origin1) :-
    entity(Step, Entity),
    without_internals(Error0, Error),
    plain_text(Error, What),
    (   Call == unknown
    ->  format(string(Text), 'evaluating ~w: ~w', [Entity,What])
    ;   copy_term(Call, Shown),
        term_variables(Shown, Vars),
        maplist(=('$VAR'('_')), Vars),
        format(string(Text), 'evaluating ~w, in `~W`: ~w',
               [Entity, Shown, [quoted(true), numbervars(true), max_depth(10)], What])
    ),
    (   Origin == unknown
    ->  Origin1 = ''
    ;   Origin1 = Origin
    ).

%   The context of an error names predicates of the compiled module.

without_internals(error(Formal, Context0), error(Formal, Context)) :-
    nonvar(Context0),
    Context0 = context(Where, Message),
    nonvar(Where),
    Where = M:_,
    atom(M),
    sub_atom(M, 0, _, _, rtec_),
    !,
    Context = context(_, Message).
without_internals(Error, Error).

entity(cycle(Members), Entity) :-
    !,
    findall(Text, ( member(Member, Members), indicator(Member, Text) ), Texts),
    atomic_list_concat(Texts, ', ', List),
    format(string(Entity), 'the cycle of ~w', [List]).
entity(Step, Entity) :-
    functor(Step, Kind, _),
    arg(1, Step, What),
    (   What = Name/Arity
    ->  format(string(Entity), '~w `~w/~w`', [Kind,Name,Arity])
    ;   format(string(Entity), '~w ~q', [Kind,What])
    ).

indicator(Member, Text) :-
    arg(1, Member, Name/Arity),
    format(string(Text), '`~w/~w`', [Name,Arity]).

plain_text(Error, Text) :-
    '$messages':translate_message(Error, Lines, []),
    with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
    split_string(Text0, "\n", " \t\n", Parts),
    exclude_empty(Parts, Parts1),
    atomic_list_concat(Parts1, ' ', Text).

exclude_empty([], []).
exclude_empty([""|Ps0], Ps) :- !, exclude_empty(Ps0, Ps).
exclude_empty([P|Ps0], [P|Ps]) :- exclude_empty(Ps0, Ps).
