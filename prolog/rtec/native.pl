:- module(rtec_native,
          [ native/1,                   % -Library
            load_rows/4,                % +M, +Pred, +N, +Columns
            dates_new/1,                % -Dates
            dates_add/2,                % +Dates, +Time
            dates_add_rows/3,           % +Dates, +N, +Column
            dates_take/3,               % +Dates, +Until, -Times
            dates_size/2,               % +Dates, -N
            rows_after/4,               % +N, +Column, +T, -After
            sweep_begin/1,              % +Tick
            sweep_point/4,              % +F, +T, +K, +V
            sweep_size/1,               % -N
            sweep_fluents/1,            % -Fs
            sweep_fits/0,
            sweep_stored/3,             % +M, +Store, +Arity
            kept_new/1,                 % -Kept
            kept_begin/3,               % +Kept, +W, +Tick
            kept_point/5,               % +Kept, +F, +T, +K, +V
            kept_redo/3,                % +Kept, +F, +T
            kept_fluents/3,             % +Kept, +Which, -Fs
            kept_size/2,                % +Kept, -N
            kept_ask/2,                 % +Kept, -Whom
            kept_changes/5              % +Kept, +Until, +After, +Events, -Updates
          ]).

/** <module> What is done in C

The sources are beside this folder, in `native`. They are compiled by Python (see
rtec/native.py), which names the library in the variable RTEC_NATIVE. Without it,
everything is done in Prolog, with the same answers and more slowly: there,
native/1 and all the others fail.
*/

:- dynamic native/1.

load :-
    getenv('RTEC_NATIVE', File),
    File \== '',
    catch(load_foreign_library(File), _, fail),
    assertz(native(File)).

:- if(\+ load).

load_rows(_, _, _, _) :- fail.
dates_new(_) :- fail.
dates_add(_, _) :- fail.
dates_add_rows(_, _, _) :- fail.
dates_take(_, _, _) :- fail.
dates_size(_, _) :- fail.
rows_after(_, _, _, _) :- fail.
sweep_begin(_) :- fail.
sweep_point(_, _, _, _) :- fail.
sweep_size(_) :- fail.
sweep_fluents(_) :- fail.
sweep_fits :- fail.
sweep_stored(_, _, _) :- fail.
kept_new(_) :- fail.
kept_begin(_, _, _) :- fail.
kept_point(_, _, _, _, _) :- fail.
kept_redo(_, _, _) :- fail.
kept_fluents(_, _, _) :- fail.
kept_size(_, _) :- fail.
kept_ask(_, _) :- fail.
kept_changes(_, _, _, _, _) :- fail.

:- endif.
