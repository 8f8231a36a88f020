:- module(batches,
          [ allen_batch/2,              % +Questions, -Answers
            algebra_batch/2             % +Questions, -Answers
          ]).
:- use_module(rtec(allen)).
:- use_module(rtec(intervals)).
:- use_module(library(apply)).

/** <module> Many questions about interval lists in one call

For tests that compare with Python: lists are flat, [S1,E1,S2,E2...], with `inf`
for an open end.
*/

%!  allen_batch(+Questions, -Answers) is det.
%
%   Questions are tuples Relation, Mode, Source, Target.

allen_batch(Questions, Answers) :-
    maplist(allen_answer, Questions, Answers).

allen_answer(-(Relation,Mode,Source,Target), Answer) :-
    flat_intervals(Source, S),
    flat_intervals(Target, T),
    allen(Relation, S, T, Mode, Is),
    is_interval_list(Is),
    flat_intervals(Answer, Is).

%!  algebra_batch(+Questions, -Answers) is det.
%
%   Questions are tuples Operation, Lists; the first list of a
%   relative_complement_all is what the others are taken away from.

algebra_batch(Questions, Answers) :-
    maplist(algebra_answer, Questions, Answers).

algebra_answer(-(Operation,Flat), Answer) :-
    maplist(flat_intervals, Flat, Lists),
    operate(Operation, Lists, Is),
    is_interval_list(Is),
    flat_intervals(Answer, Is).

operate(union_all, Lists, Is) :- union_all(Lists, Is).
operate(intersect_all, Lists, Is) :- intersect_all(Lists, Is).
operate(relative_complement_all, [Is0|Lists], Is) :- relative_complement_all(Is0, Lists, Is).

flat_intervals([], []).
flat_intervals([S,E|Flat], [(S,E)|Is]) :-
    flat_intervals(Flat, Is).
