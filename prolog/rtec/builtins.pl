:- module(rtec_builtins,
          [ union_all/2,
            intersect_all/2,
            relative_complement_all/3,
            holds_at/2,
            starts_within/4,
            ends_within/4,
            intervals_subtract/3,
            allen/5,
            allen_in_window/7,
            intDurGreater/3             % +Is0, +D, -Is
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(intervals).
:- use_module(allen).

/** <module> What rule bodies may call

Every session's module inherits from this one, so a description or background
file that defines a predicate of the same name has its own way.
*/

%!  intDurGreater(+Is0, +D, -Is) is det.
%
%   The intervals of Is0 that last longer than D.

intDurGreater([], _, []).
intDurGreater([(S,E)|Is0], D, Is) :-
    (   ( E == inf ; E-S > D )
    ->  Is = [(S,E)|Is1]
    ;   Is = Is1
    ),
    intDurGreater(Is0, D, Is1).
