:- module(rtec_native,
          [ native/0,
            load_rows/4,                % +M, +Pred, +N, +Columns
            sweep_begin/1,              % +Tick
            sweep_point/4,              % +F, +T, +K, +V
            sweep_size/1,               % -N
            sweep_fluents/1,            % -Fs
            sweep_fits/0,
            sweep_stored/3              % +M, +Store, +Arity
          ]).

/** <module> What is done in C

The sources are beside this folder, in `native`. They are compiled by Python (see
rtec/native.py), which names the library in the variable RTEC_NATIVE. Without it,
everything is done in Prolog, with the same answers and more slowly: there,
native/0 and all the others fail.
*/

loaded :-
    getenv('RTEC_NATIVE', File),
    File \== '',
    catch(load_foreign_library(File), _, fail).

:- if(\+ loaded).

native :- fail.
load_rows(_, _, _, _) :- fail.
sweep_begin(_) :- fail.
sweep_point(_, _, _, _) :- fail.
sweep_size(_) :- fail.
sweep_fluents(_) :- fail.
sweep_fits :- fail.
sweep_stored(_, _, _) :- fail.

:- else.

native.

:- endif.
