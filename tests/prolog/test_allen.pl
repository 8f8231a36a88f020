:- use_module(library(plunit)).
:- use_module(rtec(allen)).
:- use_module(rtec(intervals)).
:- use_module(random_intervals).
:- use_module(sessions).

:- begin_tests(allen_relations).

%   before    ss
%                  tt
test(before) :- related(before, (1,4), (6,9)).

%   ss and tt touch: they meet
test(before, fail) :- related(before, (1,4), (4,9)).

%   meets     ssss
%                 tttt
test(meets) :- related(meets, (1,4), (4,9)).

%   starts    ssss
%             tttttttt
test(starts) :- related(starts, (1,4), (1,9)).
test(starts) :- related(starts, (1,4), (1,inf)).

%   finishes      ssss
%             tttttttt
test(finishes) :- related(finishes, (5,9), (1,9)).
test(finishes) :- related(finishes, (5,inf), (1,inf)).

%   during      ssss
%             ttttttttt
test(during) :- related(during, (3,6), (1,9)).
test(during) :- related(during, (3,6), (1,inf)).
test(during, fail) :- related(during, (3,inf), (1,inf)).

%   overlaps  ssssss
%                tttttt
test(overlaps) :- related(overlaps, (1,6), (4,9)).
test(overlaps) :- related(overlaps, (1,6), (4,inf)).

%   equal     ssssss
%             tttttt
test(equal) :- related(equal, (1,6), (1,6)).
test(equal) :- related(equal, (1,inf), (1,inf)).

%   Of any two intervals exactly one of the thirteen relations holds.
test(exactly_one, [forall(pair(I, J)), true(Rels = [_])]) :-
    findall(Rel, ( allen_relation(Rel), related(Rel, I, J) ), Rels).

%   Each relation has its inverse.
test(inverse, [ forall(( member(Rel-Inverse,
                                [ before-after, meets-met_by, starts-started_by,
                                  finishes-finished_by, during-contains,
                                  overlaps-overlapped_by, equal-equal
                                ]),
                         pair(I, J) )),
                true(Truth == TruthOfInverse)
              ]) :-
    ( related(Rel, I, J) -> Truth = true ; Truth = false ),
    ( related(Inverse, J, I) -> TruthOfInverse = true ; TruthOfInverse = false ).

related(Rel, I, J) :-
    allen(Rel, [I], [J], source, [I]).

pair((S1,E1), (S2,E2)) :-
    interval(S1, E1),
    interval(S2, E2).

interval(S, E) :-
    member(S, [0,2,4]),
    member(E, [2,4,6,inf]),
    S @< E.

test(names, Rels == [ after,before,contains,during,equal,finished_by,finishes,meets,met_by,
                      overlapped_by,overlaps,started_by,starts ]) :-
    findall(Rel, allen_relation(Rel), Rels0),
    sort(Rels0, Rels).

:- end_tests(allen_relations).

:- begin_tests(allen_modes).

%   Figure 3.4(a): only the first source and the second target meet
%   S       [-----)          [---)
%   T   [--)      [------)
lists([(4,9),(19,22)], [(1,3),(9,15)]).

test(source, Is == [(4,9)]) :- of(meets, source, Is).
test(target, Is == [(9,15)]) :- of(meets, target, Is).
test(union, Is == [(4,15)]) :- of(meets, union, Is).
test(intersect, Is == []) :- of(meets, intersect, Is).
test(complement, Is == [(4,9)]) :- of(meets, complement, Is).
test(complement_inv, Is == [(9,15)]) :- of(meets, complement_inv, Is).

%   overlaps  [------)
%                [------)
test(of_overlap, [ forall(member(Mode-Expected,
                                 [ source-[(1,7)], target-[(4,10)], union-[(1,10)],
                                   intersect-[(4,7)], complement-[(1,4)],
                                   complement_inv-[(7,10)] ])),
                   true(Is == Expected) ]) :-
    allen(overlaps, [(1,7)], [(4,10)], Mode, Is).

%   other names of the modes
test(other_names, [ forall(member(Name-Mode,
                                  [ lhs-source, rhs-target, intersection-intersect,
                                    relative_complement-complement,
                                    relative_complement_inverse-complement_inv ])),
                    true(Is1 == Is2) ]) :-
    allen(overlaps, [(1,7)], [(4,10)], Name, Is1),
    allen(overlaps, [(1,7)], [(4,10)], Mode, Is2).
test(all_names, N == 11) :-
    aggregate_all(count, allen_mode(_), N).

%   No pair: the empty list.
test(no_pair, Is == []) :- of(equal, union, Is).
test(nothing, [forall(allen_relation(Rel)), true(Is == [])]) :-
    allen(Rel, [], [(1,3)], union, Is).

of(Rel, Mode, Is) :-
    lists(S, T),
    allen(Rel, S, T, Mode, Is).

:- end_tests(allen_modes).

:- begin_tests(allen_lists).

%   One pass over both lists finds what trying every pair finds.
test(every_pair, [forall(allen_relation(Rel)), true(Wrong == [])]) :-
    findall(S-T,
            ( between(1, 200, _),
              random_intervals(14, S),
              random_intervals(14, T),
              \+ same(Rel, S, T)
            ),
            Wrong).

same(Rel, S, T) :-
    allen(Rel, S, T, source, Is),
    allen(Rel, S, T, target, Js),
    findall(I-J, ( member(I, S), member(J, T), allen(Rel, [I], [J], source, [I]) ), Pairs),
    pairs_keys_values(Pairs, Is0, Js0),
    sort(Is0, Is),
    sort(Js0, Js).

:- end_tests(allen_lists).

:- begin_tests(allen_in_window).

%   1       5    8      12
%   S [-----)
%   T       [----:------)        the second window starts at 8
%   The pair is found in both, though S has gone.
test(meets, Found == [[(5,inf)],[(5,12)]]) :-
    in_windows(meets, target,
               [ w(0,8)-[(1,5)]-[(5,inf)],
                 w(8,16)-[]-[(5,12)] ], Found).

%   S [-----)
%   T          [--)  :          :
%                    :   [--)   :   [--)      before remembers for ever
test(before, Found == [[(7,8)],[(12,14)],[(18,20)]]) :-
    later(Later),
    in_windows(before, target, [w(0,8)-[(1,5)]-[(7,8)]|Later], Found).

%   With a memory of 4, counted from where the window starts, the source interval
%   that ends at 5 is known to the window from 8, and forgotten in that from 16.
test(before_with_memory, Found == [[(7,8)],[(12,14)],[]]) :-
    remembering(4, Found).

%   With a memory of 2 it is forgotten as soon as it has left the window.
test(before_with_short_memory, Found == [[(7,8)],[],[]]) :-
    remembering(2, Found).

remembering(Memory, Found) :-
    later(Later),
    with_program("", [0,1,Memory], M,
                 maplist(in_window(M, before, target), [w(0,8)-[(1,5)]-[(7,8)]|Later], Found)).

later([w(8,16)-[]-[(12,14)], w(16,24)-[]-[(18,20)]]).

%   The source interval seemed to end at 5, and turned out to be longer: what
%   lies inside the window is known anew.
test(revised, Found == [[(5,inf)],[]]) :-
    in_windows(meets, target,
               [ w(0,8)-[(1,5)]-[(5,inf)],
                 w(4,12)-[(1,7)]-[(5,12)] ], Found).

%   Each instance has its own memory.
test(instances, Is == []) :-
    with_program("", M,
                 ( in_window(M, meets, target, w(0,8)-[(1,5)]-[(5,inf)], _),
                   at(M, 8, 16),
                   allen_in_window(M:id, other, meets, [], [(5,12)], target, Is)
                 )).

%   Of instances that nobody looks at any more, memory goes when it has left the
%   window; not that of `before`, nor what still reaches the window.
test(forget_unrelated, Left == [1,2-1]) :-
    with_program("", M,
                 ( at(M, 0, 8),
                   forall(between(1, 101, I),
                          allen_in_window(M:meets, I, meets, [(1,5)], [(5,8)], target, _)),
                   allen_in_window(M:meets, 0, meets, [(1,5)], [(5,inf)], target, _),
                   allen_in_window(M:before, 0, before, [(1,5)], [(7,8)], target, _),
                   forget_unrelated(M, 8),
                   findall(Id-F, M:allen_memory(_,Id,F,_,_), Known),
                   length(Known, Number),
                   findall(F, member(before-F, Known), Fs),
                   length(Fs, Lasting)
                 )),
    Left = [Lasting,Number-Lasting].

%   What ended before the window is nobody's business: the caller drops it.

in_windows(Rel, Mode, Windows, Found) :-
    with_program("", M, maplist(in_window(M, Rel, Mode), Windows, Found)).

in_window(M, Rel, Mode, w(W,Q)-S-T, Is) :-
    at(M, W, Q),
    allen_in_window(M:id, f, Rel, S, T, Mode, Is0),
    First is W+1,
    include(reaches(First), Is0, Is).

reaches(First, (_,E)) :-
    E @> First.

at(M, W, Q) :-
    rtec_store:set_window(M, W, Q).

:- end_tests(allen_in_window).
