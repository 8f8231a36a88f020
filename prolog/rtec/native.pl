:- module(rtec_native,
          [ native/1,                   % -Library
            load_rows/4,                % +M, +Pred, +N, +Columns
            dates_new/1,                % -Dates
            dates_add/2,                % +Dates, +Time
            dates_add_rows/3,           % +Dates, +N, +Column
            dates_take/3,               % +Dates, +Until, -Times
            dates_size/2,               % +Dates, -N
            calendar_new/1,             % -Calendar
            calendar_add/3,             % +Calendar, +Key, +T
            calendar_size/2,            % +Calendar, -N
            calendar_times/5,           % +Calendar, +Key, +Start, +End, -Ts
            rows_after/4,               % +N, +Column, +T, -After
            sweep_begin/1,              % +Tick
            sweep_point/4,              % +F, +T, +K, +V
            sweep_size/1,               % -N
            sweep_fluents/1,            % -Fs
            sweep_fits/0,
            sweep_stored/3,             % +M, +Store, +Arity
            sweep_held/3,               % +Held, +Tick, +Limit
            sweep_kept/1,               % +Held
            held_new/2,                 % +F, -Held
            held_fact/4,                % +Held, ?Arg, ?V, ?Is; and so on for more arguments
            held_at/4,                  % +Held, +Arg, +V, +T; and so on for more arguments
            held_size/2,                % +Held, -N
            held_begin/1,               % +Held
            held_first/3,               % +Held, +Key, +V
            held_joined/4,              % +Held, +Is, +W, +First
            held_whole/3,               % +Held, +Is, +First
            held_end/1,                 % +Held
            held_list/2,                % +Held, +List
            held_answers/2,             % +Held, -Answers
            held_facts/2,               % +Held, -Answers
            held_retell/2,              % +Held, +Reader
            held_flat/1,                % +Held
            held_told/5,                % +Held, +Source, +Epoch, +Keys, +Values
            held_given/5,               % +Held, +Source, +N, +Cells, +Spans
            spans_begin/1,              % +Held
            spans_add/5,                % +Held, +Key, +V, +S, +E
            spans_end/3,                % +Held, +W, +First
            spans_replaced/3,           % +Held, +W, +First
            held_free/1,                % +Held
            held_planned/4,             % +Held, +Plan, +W, +First
            held_changing/7,            % +Held, +Until, +Scope, +Tick, +Kind, +Events, +How
            held_replaced/4,            % +Held, +Key, +V, +Is
            held_replanned/3,           % +Held, +Plan, +First
            held_settled/2,             % +Held, +Border
            held_open/2,                % +Held, -Pairs
            held_touched/2,             % +Held, -Touched
            live_begin/3,               % +Held, +Limit, -Carried
            live_set/4,                 % +Held, +Key, +V, +S
            live_past/5,                % +Held, +Key, +V, +S, +E
            live_point/4,               % +Held, +Key, +K, +V
            live_plan/5,                % +Held, +Key, +Base, +R, +V
            live_next/2,                % +Held, -T
            live_due/2,                 % +Held, +T
            live_unknown/2,             % +Held, -List
            live_move/5,                % +Held, +T, +Tick, +Default, -Begun
            live_end/2,                 % +Held, +First
            kept_new/1,                 % -Kept
            kept_begin/3,               % +Kept, +W, +Tick
            kept_point/5,               % +Kept, +F, +T, +K, +V
            kept_redo/3,                % +Kept, +F, +T
            kept_fluents/3,             % +Kept, +Which, -Fs
            kept_size/2,                % +Kept, -N
            kept_ask/2,                 % +Kept, -Whom
            kept_changes/2              % +Kept, +Held
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
calendar_new(_) :- fail.
calendar_add(_, _, _) :- fail.
calendar_size(_, _) :- fail.
calendar_times(_, _, _, _, _) :- fail.
rows_after(_, _, _, _) :- fail.
sweep_begin(_) :- fail.
sweep_point(_, _, _, _) :- fail.
sweep_size(_) :- fail.
sweep_fluents(_) :- fail.
sweep_fits :- fail.
sweep_stored(_, _, _) :- fail.
sweep_held(_, _, _) :- fail.
sweep_kept(_) :- fail.
held_new(_, _) :- fail.
held_fact(_, _, _, _) :- fail.
held_at(_, _, _, _) :- fail.
held_size(_, _) :- fail.
held_begin(_) :- fail.
held_first(_, _, _) :- fail.
held_joined(_, _, _, _) :- fail.
held_whole(_, _, _) :- fail.
held_end(_) :- fail.
held_list(_, _) :- fail.
held_answers(_, _) :- fail.
held_facts(_, _) :- fail.
held_retell(_, _) :- fail.
held_flat(_) :- fail.
held_told(_, _, _, _, _) :- fail.
held_given(_, _, _, _, _) :- fail.
spans_begin(_) :- fail.
spans_add(_, _, _, _, _) :- fail.
spans_end(_, _, _) :- fail.
spans_replaced(_, _, _) :- fail.
held_free(_) :- fail.
held_planned(_, _, _, _) :- fail.
held_changing(_, _, _, _, _, _, _) :- fail.
held_replaced(_, _, _, _) :- fail.
held_replanned(_, _, _) :- fail.
held_settled(_, _) :- fail.
held_open(_, _) :- fail.
held_touched(_, _) :- fail.
live_begin(_, _, _) :- fail.
live_set(_, _, _, _) :- fail.
live_past(_, _, _, _, _) :- fail.
live_point(_, _, _, _) :- fail.
live_plan(_, _, _, _, _) :- fail.
live_next(_, _) :- fail.
live_due(_, _) :- fail.
live_unknown(_, _) :- fail.
live_move(_, _, _, _, _) :- fail.
live_end(_, _) :- fail.
kept_new(_) :- fail.
kept_begin(_, _, _) :- fail.
kept_point(_, _, _, _, _) :- fail.
kept_redo(_, _, _) :- fail.
kept_fluents(_, _, _) :- fail.
kept_size(_, _) :- fail.
kept_ask(_, _) :- fail.
kept_changes(_, _) :- fail.

:- endif.
