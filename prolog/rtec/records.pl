:- module(rtec_records,
          [ change_records/3,           % +Changes, +M, +Mode
            count_records/4,            % +Changes, +Q0, -New, -Known
            number_of_records/2,        % +M, -N
            number_of_records/4,        % +M, +Pred, +Arity, -N
            forget_records/2,           % +M, +W
            forget_dates/1,             % +M
            forget_dates/3              % +M, +Pred, +Arity
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(native).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(lists), [member/2, nth1/3, sum_list/2]).
:- autoload(library(solution_sequences), [limit/2]).

/** <module> The records of the window

Records come with a query time, may be taken back at a later one, and are forgotten
when the window leaves them. The program has facts rtec_records(Kind, Name/Arity, Pred,
PredArity) that say what they look like.

Where windows overlap, most records stay. The library in C then has the times of all of
them (`rtec_dates`), as _dates_ in order; those up to the window's start are taken out, and
the facts with such a time are found through Prolog's index:

    dates     1 1 2 4 4 5 | 7 8 8 9 ...
                          W

So forgetting costs what is forgotten. Records that have come in the order of their times need no
index: they are the first facts. Without the library, all records are looked at.
*/

%!  change_records(+Changes, +M, +Mode) is det.
%
%   Changes lists tuples Predicate, Columns, TermFlags: call Predicate, a loader or unloader
%   of the program, on the columns; or Predicate, N, Columns: assert N facts of
%   Predicate from columns that stand in Python's memory. Where Mode is changes(_), what came
%   and went is noted.

change_records([], _, _).
change_records([-(Pred,N,Columns0)|Changes], M, Mode) :-
    integer(N),
    !,
    maplist(memory_column, Columns0, Columns),
    load_rows(M, Pred, N, Columns),
    date_rows(M, Pred, N, Columns),
    (   Mode = changes(_)
    ->  atom_concat(ins_, Pred, Noted),
        load_rows(M, Noted, N, Columns)
    ;   true
    ),
    change_records(Changes, M, Mode).
change_records([-(Loader,Columns,TermColumns)|Changes], M, Mode) :-
    parse_columns(TermColumns, Columns, Columns1),
    Goal =.. [Loader|Columns1],
    call(M:Goal),
    date_lists(M, Loader, Columns1),
    (   Mode = changes(_)
    ->  atom_concat(note_, Loader, Noter),
        Note =.. [Noter|Columns1],
        call(M:Note)
    ;   true
    ),
    change_records(Changes, M, Mode).

memory_column([int,Address], i(Address)).
memory_column([float,Address], f(Address)).
memory_column([cells,Address,HasTerms,Cells0], o(Address,Cells)) :-
    parse_column(HasTerms, Cells0, Cells).

%   Columns in which compound terms may stand come with flag 1; such a term is
%   a tuple `-`(Text), everything else is as it is.

parse_columns([], Columns, Columns) :-
    !.
parse_columns(Flags, Columns, Columns1) :-
    maplist(parse_column, Flags, Columns, Columns1).

parse_column(0, Column, Column).
parse_column(1, Column0, Column) :-
    maplist(parse_cell, Column0, Column).

parse_cell(Cell, Term) :-
    (   compound(Cell),
        Cell = -(Text)
    ->  term_to_atom(Term, Text)
    ;   Term = Cell
    ).

%!  count_records(+Changes, +Q0, -New, -Known) is det.
%
%   Of the records of Changes, New are after Q0 and Known are not.

count_records(Changes, Q0, New, Known) :-
    count_records(Changes, Q0, 0, New, 0, Known).

count_records([], _, New, New, Known, Known).
count_records([-(_,N,[Column0|_])|Changes], Q0, New0, New, Known0, Known) :-
    integer(N),
    !,
    memory_column(Column0, Column),
    rows_after(N, Column, Q0, After),
    New1 is New0+After,
    Known1 is Known0+N-After,
    count_records(Changes, Q0, New1, New, Known1, Known).
count_records([-(_,[Times|_],_)|Changes], Q0, New0, New, Known0, Known) :-
    count_times(Times, Q0, New0, New1, Known0, Known1),
    count_records(Changes, Q0, New1, New, Known1, Known).

count_times([], _, New, New, Known, Known).
count_times([T|Ts], Q0, New0, New, Known0, Known) :-
    (   T > Q0
    ->  New1 is New0+1,
        Known1 = Known0
    ;   New1 = New0,
        Known1 is Known0+1
    ),
    count_times(Ts, Q0, New1, New, Known1, Known).

%!  forget_records(+M, +W) is det.
%
%   Drop the input records that the window (W,Q] has left. What is not after the
%   last query time need not be looked at if the window begins there or later.

forget_records(M, W) :-
    (   M:rtec_window(_, Q0)
    ->  (   Q0 =< W
        ->  Overlap = false
        ;   Overlap = true
        )
    ;   Overlap = unknown
    ),
    forall(M:rtec_records(Kind, _, Pred, Arity),
           forget_before(Kind, M, Pred, Arity, W, Overlap)).

forget_before(Kind, M, Pred, Arity, W, Overlap) :-
    functor(Fact, Pred, Arity),
    (   Overlap == false,
        Kind \== interval
    ->  retractall(M:rtec_dates(Pred, Arity, _)),
        retractall(M:Fact)
    ;   last_time(Kind, M, Fact, W, T, Until),
        (   M:rtec_dates(Pred, Arity, Dates)
        ->  forget_dated(M, Fact, T, Until, Dates)
        ;   \+ M:Fact
        ->  true
        ;   forget_each(M, Fact, T =< Until),
            (   Overlap == true
            ->  date_facts(M, Pred, Arity, Fact, T)
            ;   true
            )
        )
    ).

%   last_time(+Kind, +M, +Fact, +W, -T, -Until): the window (W,_] has left a record if T, an
%   argument of its fact, is Until or less.

last_time(Kind, M, Fact, W, T, Until) :-
    date_argument(Kind, I),
    arg(I, Fact, T),
    (   Kind == interval
    ->  M:rtec_run(_, Tick, _),
        Until is W+Tick
    ;   Until = W
    ).

date_argument(event, 1).
date_argument(point, 1).
date_argument(interval, 2).

%   Most windows are left by nearly all records of a predicate or by few.

forget_each(M, Fact, Gone) :-
    (   few_stay(M, Fact, Gone, Stay)
    ->  replace_facts(M, Fact, Stay)
    ;   forall(( clause(M:Fact, true, Ref), Gone ), erase(Ref))
    ).

few_stay(M, Fact, Gone, Stay) :-
    predicate_property(M:Fact, number_of_clauses(N)),
    Few is N//8+1,
    findall(Fact, limit(Few, ( M:Fact, \+ Gone )), Stay),
    length(Stay, Staying),
    Staying < Few.

replace_facts(M, Fact, Facts) :-
    retractall(M:Fact),
    forall(member(Fact, Facts), assertz(M:Fact)).

forget_dated(M, Fact, T, Until, Dates) :-
    dates_size(Dates, All),
    dates_take(Dates, Until, Ts),
    dates_size(Dates, Left),
    (   Left =:= All
    ->  true
    ;   Left < All//8
    ->  findall(Fact, ( M:Fact, T > Until ), Stay),
        replace_facts(M, Fact, Stay)
    ;   Gone is All-Left,
        forget_first(M, Fact, T, Until, Gone)
    ->  true
    ;   forall(member(T, Ts), retractall(M:Fact))
    ).

%   forget_first(+M, +Fact, +T, +Until, +N) is semidet: drop facts from the first on, up to
%   one that stays. Succeeds if these were N, and all that had to go.

forget_first(M, Fact, T, Until, N) :-
    predicate_property(M:Fact, number_of_clauses(Before)),
    (   retract(M:Fact),
        T > Until
    ->  asserta(M:Fact)
    ;   true
    ),
    predicate_property(M:Fact, number_of_clauses(After)),
    Before-After =:= N.

%!  number_of_records(+M, -N) is det.
%!  number_of_records(+M, +Pred, +Arity, -N) is det.
%
%   About how many records there are, in all and of one predicate. Those that were taken back may count; Prolog
%   would have to look at all of them to know.

number_of_records(M, N) :-
    findall(Size,
            ( M:rtec_records(_, _, Pred, Arity),
              number_of_records(M, Pred, Arity, Size)
            ),
            Sizes),
    sum_list(Sizes, N).

number_of_records(M, Pred, Arity, N) :-
    (   M:rtec_dates(Pred, Arity, Dates)
    ->  dates_size(Dates, N)
    ;   functor(Fact, Pred, Arity),
        predicate_property(M:Fact, number_of_clauses(N))
    ).

%!  forget_dates(+M) is det.
%!  forget_dates(+M, +Pred, +Arity) is det.
%
%   For those who write facts of records otherwise, of all or of one predicate: their dates are not known.

forget_dates(M) :-
    forget_dates(M, _, _).

forget_dates(M, Pred, Arity) :-
    retractall(M:rtec_dates(Pred, Arity, _)).

%   date_facts(...): from now on the dates of a predicate are known. Not so without the
%   library, or with times that do not fit.

date_facts(M, Pred, Arity, Fact, T) :-
    (   dates_new(Dates),
        forall(M:Fact, dates_add(Dates, T))
    ->  assertz(M:rtec_dates(Pred, Arity, Dates))
    ;   true
    ).

%   date_rows(...), date_lists(...): add the dates of new records, where dates are known.

date_rows(M, Pred, N, Columns) :-
    (   dated(M, Pred, Columns, Dates, Column)
    ->  dates_add_rows(Dates, N, Column)
    ;   true
    ).

date_lists(M, Loader, Columns) :-
    (   atom_concat(load_, Pred, Loader),
        dated(M, Pred, Columns, Dates, Column)
    ->  (   forall(member(T, Column), dates_add(Dates, T))
        ->  true
        ;   length(Columns, Arity),
            retractall(M:rtec_dates(Pred, Arity, _))
        )
    ;   true
    ).

dated(M, Pred, Columns, Dates, Column) :-
    length(Columns, Arity),
    M:rtec_dates(Pred, Arity, Dates),
    M:rtec_records(Kind, _, Pred, Arity),
    date_argument(Kind, I),
    nth1(I, Columns, Column).
