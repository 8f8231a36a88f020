:- module(rtec_reader,
          [ read_clauses/4              % +Text, +Path, -Clauses, -Errors
          ]).
:- set_prolog_flag(optimise, true).
:- autoload(library(lists), [member/2, nth1/3]).
:- autoload(library(readutil), []).

/** <module> Text to terms, with positions

SWI-Prolog's own reader does the work. Terms are handed over as nested lists,
since that is what crosses to Python:

    [v, Name, From, To]          a variable
    [a, Name, From, To]          an atom
    [n, Number, From, To]        a number
    [s, Text, From, To]          a string
    [c, Name, From, To, Args]    a compound
*/

%!  read_clauses(+Text, +Path, -Clauses, -Errors) is det.
%
%   Clauses has [Term, Singletons, From, To] for each term of Text, Errors has
%   [Message, CharPosition] for each place where reading failed.

read_clauses(Text, Path, Clauses, Errors) :-
    setup_call_cleanup(
        ( open_string(Text, In),
          set_stream(In, file_name(Path)),
          in_temporary_module(M)
        ),
        read_all(In, M, Clauses, Errors),
        close(In)).

in_temporary_module(M) :-
    gensym_module(M),
    set_module(M:base(system)),
    op(900, fy, M:not).

gensym_module(M) :-
    flag(rtec_reader_module, N, N+1),
    atom_concat(rtec_reading_, N, M).

read_all(In, M, Clauses, Errors) :-
    catch(read_one(In, M, Outcome), Error, Outcome = failed(Error)),
    (   Outcome = end
    ->  Clauses = [],
        Errors = []
    ;   Outcome = clause(Clause)
    ->  Clauses = [Clause|Clauses1],
        read_all(In, M, Clauses1, Errors)
    ;   Outcome = failed(Error0),
        error_row(Error0, Row),
        Errors = [Row|Errors1],
        read_all(In, M, Clauses, Errors1)
    ).

read_one(In, M, Outcome) :-
    read_term(In, Term,
              [ module(M),
                subterm_positions(Positions),
                variable_names(Names),
                singletons(Singletons),
                syntax_errors(error)
              ]),
    span(Positions, From, To),
    (   Term == end_of_file
    ->  Outcome = end
    ;   \+ within_depth(Term, 10_000)      % nobody else could walk over it
    ->  Position is From+1,
        Outcome = failed(error(syntax_error(nested_too_deeply), string(_, Position)))
    ;   name_variables(Names, Term),
        singleton_names(Singletons, SNames),
        apply_op(Term, M),
        row(Term, Positions, Row),
        Outcome = clause([Row,SNames,From,To])
    ).

within_depth(Term, Depth) :-
    (   compound(Term)
    ->  Depth > 0,
        Depth1 is Depth-1,
        compound_name_arity(Term, _, Arity),
        args_within_depth(1, Arity, Term, Depth1)
    ;   true
    ).

args_within_depth(I, Arity, Term, Depth) :-
    (   I > Arity
    ->  true
    ;   arg(I, Term, Arg),
        within_depth(Arg, Depth),
        I1 is I+1,
        args_within_depth(I1, Arity, Term, Depth)
    ).

apply_op(Term, M) :-
    nonvar(Term),
    Term = (:- op(P, T, N)),
    ground(op(P,T,N)),
    !,
    op(P, T, M:N).
apply_op(_, _).

%   read_term/2 reports variable_names for the whole term, so the singletons
%   are named before the variables are bound.

singleton_names(Bindings, Names) :-
    findall(Name, member(Name=_, Bindings), Names).

name_variables(Names, Term) :-
    bind_names(Names),
    term_variables(Term, Anonymous),
    bind_anonymous(Anonymous, 1).

bind_names([]).
bind_names([Name='$rtec_var'(Name)|Names]) :-
    bind_names(Names).

bind_anonymous([], _).
bind_anonymous(['$rtec_var'(Name)|Vars], N) :-
    atom_concat('_', N, Name),
    N1 is N+1,
    bind_anonymous(Vars, N1).

error_row(error(syntax_error(Message), Context), [Text,Position]) :-
    !,
    message_text(Message, Text),
    (   Context = stream(_, _, _, Position)
    ->  true
    ;   Context = file(_, _, _, Position)
    ->  true
    ;   Context = string(_, Position)
    ->  true
    ;   Position = 0
    ).
error_row(Error, [Text,0]) :-
    message_to_codes_text(Error, Text).

message_text(Message, Text) :-
    (   catch(phrase(prolog:error_message(syntax_error(Message)), Lines), _, fail)
    ->  print_lines(Lines, Text)
    ;   term_to_atom(Message, Text0),
        replace_underscores(Text0, Text)
    ).

replace_underscores(Atom, Text) :-
    atomic_list_concat(Parts, '_', Atom),
    atomic_list_concat(Parts, ' ', Text).

print_lines(Lines, Text) :-
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

message_to_codes_text(Error, Text) :-
    message_to_codes(Error, Text0),
    Text = Text0.

message_to_codes(Error, Text) :-
    '$messages':translate_message(Error, Lines, []),
    print_lines(Lines, Text).

%   span(+Positions, -From, -To)

span(parentheses_term_position(_,_,Content), From, To) :- !, span(Content, From, To).
span(From-To, From, To) :- !.
span(Position, From, To) :-
    arg(1, Position, From),
    arg(2, Position, To).

row(Term, parentheses_term_position(_,_,Content), Row) :-
    !,
    row(Term, Content, Row).
row('$rtec_var'(Name), Position, [v,Name,From,To]) :-
    !,
    span(Position, From, To).
row(Term, Position, [n,Term,From,To]) :-
    number(Term),
    !,
    span(Position, From, To).
row(Term, Position, [s,Term,From,To]) :-
    string(Term),
    !,
    span(Position, From, To).
row(Term, Position, [a,Name,From,To]) :-
    atomic(Term),
    !,
    (   Term == []
    ->  Name = '[]'
    ;   Name = Term
    ),
    span(Position, From, To).
row([H|T], list_position(From,To,Elements,Tail), Row) :-
    !,
    list_row(Elements, Tail, [H|T], From, To, Row).
row({Arg}, brace_term_position(From,To,Position), [c,'{}',From,To,[Row]]) :-
    !,
    row(Arg, Position, Row).
row(Term, term_position(From,To,_,_,Positions), [c,Name,From,To,Rows]) :-
    !,
    compound_name_arguments(Term, Name, Args),
    rows(Args, Positions, Rows).
row(Term, Position, [c,Name,From,To,Rows]) :-
    compound_name_arguments(Term, Name, Args),
    span(Position, From, To),
    same_positions(Args, From-To, Positions),
    rows(Args, Positions, Rows).

same_positions([], _, []).
same_positions([_|Args], P, [P|Ps]) :-
    same_positions(Args, P, Ps).

rows([], _, []).
rows([Arg|Args], [P|Ps], [Row|Rows]) :-
    row(Arg, P, Row),
    rows(Args, Ps, Rows).

list_row([], none, _, _, To, [a,'[]',From1,To]) :-
    !,
    From1 is To-1.
list_row([], Tail, Term, _, _, Row) :-
    !,
    row(Term, Tail, Row).
list_row([P|Ps], Tail, [H|T], From, To, [c,'[|]',From,To,[HRow,TRow]]) :-
    row(H, P, HRow),
    span(P, _, Next),
    list_row(Ps, Tail, T, Next, To, TRow).
