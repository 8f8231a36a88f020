:- use_module(library(plunit)).
:- use_module(rtec(reader)).

%   read(+Text, -Clauses, -Errors)

read(Text, Clauses, Errors) :-
    read_clauses(Text, 'f.prolog', Clauses, Errors).

%   Positions are dropped where they are not the point.

shape([v,Name,_,_], Name) :- !.
shape([c,Name,_,_,Rows], Term) :-
    !,
    maplist(shape, Rows, Args),
    compound_name_arguments(Term, Name, Args).
shape([Kind,Value,_,_], Shape) :-
    Shape =.. [Kind,Value].

:- begin_tests(read_clauses).

test(empty, Clauses-Errors == []-[]) :-
    read("", Clauses, Errors).

test(comment_only, Clauses-Errors == []-[]) :-
    read("% nothing\n/* at all */\n", Clauses, Errors).

test(kinds_of_terms, Shape == f('X',a(b),n(1),n(2.5),s("text"),a('[]'))) :-
    read("f(X, b, 1, 2.5, \"text\", []).", [[Row,_,_,_]], []),
    shape(Row, Shape).

test(anonymous_variables_get_names_of_their_own, Shape == f('_1','_2','X')) :-
    read("f(_, _, X).", [[Row,_,_,_]], []),
    shape(Row, Shape).

test(singletons, Singletons == ['Y','_Z']) :-
    read("f(X, Y, _Z) :- g(X).", [[_,Singletons,_,_]], []).

%   fluent(ab)=1.
%   0     7 9 12    positions count characters from 0, the end is left out
test(positions, Row == [c,(=),0,12,[[c,fluent,0,10,[[a,ab,7,9]]],[n,1,11,12]]]) :-
    read("fluent(ab)=1.", [[Row,_,0,12]], []).

test(a_list_has_the_positions_of_its_elements,
     Row == [c,'[|]',2,7,[[a,a,3,4],[c,'[|]',4,7,[[a,b,5,6],[a,'[]',6,7]]]]]) :-
    read("f([a,b]).", [[[c,f,0,8,[Row]],_,_,_]], []).

test(parentheses_are_not_part_of_a_term, From-To == 2-5) :-
    read("f((a,b)).", [[[c,f,_,_,[[c,(','),From0,To0,_]]],_,_,_]], []),
    From is From0-1,
    To is To0-1.

test(not_is_an_operator, Shape == \+) :-
    read("a :- not b.", [[[c,(:-),_,_,[_,[c,Name,_,_,_]]],_,_,_]], []),
    (   Name == not
    ->  Shape = (\+)
    ;   Shape = Name
    ).

test(operators_of_the_file_count, Shape == likes(a(x),a(y))) :-
    read(":- op(700, xfx, likes).\nx likes y.", [_,[Row,_,_,_]], []),
    shape(Row, Shape).

test(operators_of_one_file_do_not_reach_the_next, Length == 1) :-
    read(":- op(700, xfx, loves).\nx loves y.", _, []),
    read("x loves y.", [], Errors),
    length(Errors, Length).

test(reading_goes_on_after_an_error, Names == [a,c]) :-
    read("a.\nb( .\nc.\n", Clauses, [_]),
    findall(Name, member([[a,Name,_,_],_,_,_], Clauses), Names).

test(an_error_says_where, Position == 4) :-
    read("a.\nb(.\n", _, [[_,Position]]).

test(every_error_is_found, Length == 3) :-
    read("a(.\nb)c.\nd(x y).\n", [], Errors),
    length(Errors, Length).

test(text_beyond_ascii, Shape == f(a('αβγ'),a('ÿ'))) :-
    read("f(αβγ, ÿ).", [[Row,_,_,_]], []),
    shape(Row, Shape).

test(nothing_stays_behind, Before == After) :-
    findall(M, current_module(M), Before0),
    length(Before0, Before1),
    read("f(X) :- g(X).", _, _),
    findall(M, current_module(M), After0),
    length(After0, After1),
    Before = Before1,
    (   After1 =< Before1+1
    ->  After = Before1
    ;   After = After1
    ).

:- end_tests(read_clauses).
