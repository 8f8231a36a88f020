:- module(rtec_sizes,
          [ sizes/1                     % -Row
          ]).

/** <module> How much SWI-Prolog holds

What a run that goes on for ever must not let grow. Garbage that has not been
collected yet counts, since it takes memory like everything else.
*/

%!  sizes(-Row) is det.
%
%   Row is [Atoms, Clauses], of the whole process.

sizes([Atoms,Clauses]) :-
    statistics(atoms, Atoms),
    statistics(clauses, Clauses).
