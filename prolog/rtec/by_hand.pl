:- module(rtec_by_hand,
          [ hand_records/3,             % +M, +Given, -Records
            record_change/2,            % +Record, -Change
            record_due/2,               % +Record, -T
            record_last/3,              % +Record, +Tick, -T
            record_term/2,              % +Record, -Term
            near_names//2               % +Wanted, +Known
          ]).
:- set_prolog_flag(optimise, true).
:- autoload(library(lists), [append/3, append/2, member/2]).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(dcg/basics), [digits//1]).

/** <module> Records that a person types

A record is record(Verb, Kind, Name, Due, Fact): Verb is `load` or `unload`,
Kind `event`, `interval` or `point`, Due the first query time that may know it,
and Fact what the program's loader takes. It can be given as a line of a stream,
or in the words of the language:

    happensAt(E, T)          an event
    holdsFor(F=V, Is)        intervals of an input fluent
    holdsAt(F=V, T)          a time-point of one
    - Record                 takes a record back

Everything that is wrong with it is an error(rtec_by_hand(What), _).
*/

:- multifile prolog:error_message//1.

%!  hand_records(+M, +Given, -Records) is det.

hand_records(_, Given, _) :-
    var(Given),
    !,
    wrong(nothing).
hand_records(M, Given, Records) :-
    is_list(Given),
    !,
    maplist(hand_records(M), Given, Lists),
    append(Lists, Records).
hand_records(M, -Given, Records) :-
    !,
    hand_records(M, Given, Records0),
    maplist(taken_back, Records0, Records).
hand_records(M, happensAt(E, T), [Record]) :-
    !,
    time_point(T),
    entity(E, happensAt(E, T)),
    record(M, event, E, [T], T, Record).
hand_records(M, holdsAt(F=V, T), [Record]) :-
    !,
    time_point(T),
    entity(F, holdsAt(F=V, T)),
    given(V, holdsAt(F=V, T)),
    record(M, point, F, [T,V], T, Record).
hand_records(M, holdsFor(F=V, Is), Records) :-
    !,
    entity(F, holdsFor(F=V, Is)),
    given(V, holdsFor(F=V, Is)),
    (   is_list(Is)
    ->  maplist(interval_record(M, F, V), Is, Records)
    ;   wrong(interval(Is))
    ).
hand_records(M, Text, [Record]) :-
    ( atom(Text) ; string(Text) ),
    \+ Text == [],
    !,
    line_record(M, Text, Record).
hand_records(_, Given, _) :-
    wrong(form(Given)).

taken_back(record(load, Kind, Name, Due, Fact), record(unload, Kind, Name, Due, Fact)).
taken_back(record(unload, Kind, Name, Due, Fact), record(load, Kind, Name, Due, Fact)).

interval_record(M, F, V, I, Record) :-
    (   nonvar(I),
        I = (S,E),
        integer(S),
        integer(E)
    ->  (   S =< E
        ->  record(M, interval, F, [S,E,V], S, Record)
        ;   wrong(backwards(S, E))
        )
    ;   wrong(interval(I))
    ).

time_point(T) :-
    (   integer(T)
    ->  true
    ;   wrong(time(T))
    ).

entity(E, Given) :-
    (   callable(E)
    ->  given(E, Given)
    ;   wrong(form(Given))
    ).

given(Term, Given) :-
    (   ground(Term)
    ->  true
    ;   wrong(variables(Given))
    ).

record(M, Kind, Entity, Leading, Due, record(load, Kind, Name, Due, Fact)) :-
    functor(Entity, Name, Arity),
    (   M:rtec_records(Kind, Name/Arity, Pred, _)
    ->  true
    ;   findall(NA, M:rtec_records(Kind, NA, _, _), Known),
        wrong(unknown(Kind, Name/Arity, Known))
    ),
    Entity =.. [_|Args],
    append(Leading, Args, FactArgs),
    Fact =.. [Pred|FactArgs].

%   A line: name|arrival|time|args, name|arrival|start|end|value|args or
%   name|arrival|time|value|args; its kind follows from the number of fields.

line_record(M, Text, Record) :-
    split_string(Text, "|", "", Fields0),
    trailing(Fields0, [Name0|Fields]),
    (   string_concat("-", Name1, Name0)
    ->  Verb = unload
    ;   Name1 = Name0,
        Verb = load
    ),
    atom_string(Name, Name1),
    length(Fields, Count),
    findall(Kind-Arity, M:rtec_records(Kind, Name/Arity, _, _), Layouts),
    (   Layouts == []
    ->  findall(NA, M:rtec_records(_, NA, _, _), Known),
        wrong(unknown(record, Name, Known))
    ;   member(Kind-Arity, Layouts),
        leading(Kind, Leading),
        Count =:= Leading+Arity
    ->  true
    ;   wrong(fields(Text))
    ),
    Fields = [Arrival0|Fields1],
    number_field(Arrival0, Arrival),
    maplist(field, Fields1, FactArgs),
    check_line(Kind, FactArgs, Fields1),
    FactArgs = [T|_],
    Due is max(Arrival, T),
    M:rtec_records(Kind, Name/Arity, Pred, _),
    Fact =.. [Pred|FactArgs],
    Record = record(Verb, Kind, Name, Due, Fact),
    !.

leading(event, 2).
leading(interval, 4).
leading(point, 3).

trailing(Fields0, Fields) :-
    (   append(Fields, [""], Fields0),
        Fields = [_,_|_]
    ->  true
    ;   Fields = Fields0
    ).

check_line(interval, [S,E|_], [S0,E0|_]) :-
    !,
    integer_field(S, S0),
    integer_field(E, E0),
    (   S =< E
    ->  true
    ;   wrong(backwards(S, E))
    ).
check_line(_, [T|_], [T0|_]) :-
    integer_field(T, T0).

number_field(Text, Number) :-
    field(Text, Number),
    integer_field(Number, Text).

integer_field(Value, Text) :-
    (   integer(Value)
    ->  true
    ;   wrong(time(Text))
    ).

%   Decimal literals are numbers, the text of a compound term is a term, and
%   everything else an atom.

field(Text, Value) :-
    string_codes(Text, Codes),
    (   phrase(literal, Codes)
    ->  number_string(Value, Text)
    ;   looks_compound(Text),
        catch(term_string(Term, Text), error(syntax_error(_), _), fail),
        compound(Term),
        ground(Term)
    ->  Value = Term
    ;   atom_string(Value, Text)
    ).

literal --> sign, number_digits, fraction.

sign --> "-".
sign --> "".

number_digits --> digits([_|_]).

fraction --> ".", number_digits, exponent.
fraction --> "".

exponent --> ( "e" ; "E" ), ( "+" ; "-" ; "" ), number_digits.
exponent --> "".

looks_compound(Text) :-
    string_code(1, Text, First),
    (   code_type(First, lower)
    ->  true
    ;   memberchk(First, [0'[, 0''])
    ),
    string_length(Text, Length),
    string_code(Length, Text, Last),
    memberchk(Last, [0'), 0']]).

%!  record_change(+Record, -Change) is det.
%
%   Change is what bridge_advance/6 takes: a loader and its columns.

record_change(record(Verb, _, _, _, Fact), -(Loader,Columns,[])) :-
    Fact =.. [Pred|Args],
    atomic_list_concat([Verb,'_',Pred], Loader),
    findall([Arg], member(Arg, Args), Columns).

%!  record_due(+Record, -T) is det.
%!  record_last(+Record, +Tick, -T) is det.
%
%   The first query time that may know a record, and the last time-point that
%   it speaks of.

record_due(record(_, _, _, Due, _), Due).

record_last(record(_, interval, _, _, Fact), Tick, T) :-
    !,
    arg(1, Fact, S),
    arg(2, Fact, E),
    T is max(S, E-Tick).
record_last(record(_, _, _, _, Fact), _, T) :-
    arg(1, Fact, T).

%!  record_term(+Record, -Term) is det.
%
%   Term is the record in the words of the language.

record_term(record(unload, Kind, Name, Due, Fact), -Term) :-
    !,
    record_term(record(load, Kind, Name, Due, Fact), Term).
record_term(record(_, Kind, Name, _, Fact), Term) :-
    Fact =.. [_|FactArgs],
    record_term(Kind, Name, FactArgs, Term).

record_term(event, Name, [T|Args], happensAt(E, T)) :-
    E =.. [Name|Args].
record_term(point, Name, [T,V|Args], holdsAt(F=V, T)) :-
    F =.. [Name|Args].
record_term(interval, Name, [S,E,V|Args], holdsFor(F=V, [(S,E)])) :-
    F =.. [Name|Args].

wrong(What) :-
    throw(error(rtec_by_hand(What), _)).

prolog:error_message(rtec_by_hand(What)) -->
    reason(What).

reason(nothing) -->
    [ 'insert/1 needs a record, as in insert(happensAt(E, T)); `help.` shows the forms'-[] ].
reason(form(Given)) -->
    [ '~p is no record; write happensAt(E,T), holdsFor(F=V,[(S,E)]), holdsAt(F=V,T), '-[Given],
      'or a line of a stream in quotes'-[]
    ].
reason(variables(Given)) -->
    { copy_term(Given, Shown),
      numbervars(Shown, 0, _, [singletons(true)])
    },
    [ '~p has variables; a record has to say everything'-[Shown] ].
reason(time(T)) -->
    { var(T), ! },
    [ 'the time-point is not given'-[] ].
reason(time(T)) -->
    [ '~p is no time-point; it has to be an integer'-[T] ].
reason(interval(I)) -->
    [ '~p is no interval; write (Start,End) with two integers'-[I] ].
reason(backwards(S, E)) -->
    [ 'the interval ends at ~w, before its start ~w'-[E,S] ].
reason(fields(Text)) -->
    [ '`~w` has the wrong number of fields for its name'-[Text] ].
reason(unknown(Kind, What, Known)) -->
    [ 'the description reads no ~w ~q'-[Kind,What] ],
    near_names(What, Known).

%!  near_names(+Wanted, +Known)// is det.
%
%   The end of a message about a name that nobody knows: one that is like it,
%   or all that there are.

near_names(What, Known) -->
    { ( What = Name/_ -> true ; Name = What ),
      member(Near/Arity, Known),
      ( Near == Name ; dwim_match(Name, Near) ),
      !
    },
    [ '; did you mean ~q?'-[Near/Arity] ].
near_names(_, []) -->
    !,
    [ '; it has none'-[] ].
near_names(_, Known0) -->
    { sort(Known0, Known) },
    [ '; it has '-[] ],
    names(Known).

names([Name]) -->
    !,
    [ '~q'-[Name] ].
names([Name|Names]) -->
    [ '~q, '-[Name] ],
    names(Names).
