:- module(allen_times,
          [ allen_times/4               % +Source, +Target, +Mode, -Row
          ]).
:- use_module(rtec(allen)).

/** <module> How long Allen's relations take in Prolog */

%!  allen_times(+Source, +Target, +Mode, -Row) is det.
%
%   Source and Target are tuples Starts, Ends, in any order of the intervals.
%   Row is [Seconds, Rows]: CPU time of sorting both lists, and [Relation, Seconds,
%   Size] for each relation, with the size of its answer.

allen_times(S0, T0, Mode, [Seconds,Rows]) :-
    intervals(S0, S1),
    intervals(T0, T1),
    statistics(cputime, C0),
    sort(1, @=<, S1, S),
    sort(1, @=<, T1, T),
    statistics(cputime, C1),
    Seconds is C1-C0,
    findall(Row, time_of(S, T, Mode, Row), Rows).

intervals(Starts-Ends, Is) :-
    pairs(Starts, Ends, Is).

pairs([], [], []).
pairs([S|Ss], [E|Es], [(S,E)|Is]) :-
    pairs(Ss, Es, Is).

time_of(S, T, Mode, [Relation,Seconds,Size]) :-
    member(Relation, [before,meets,starts,finishes,during,overlaps,equal]),
    statistics(cputime, C0),
    allen(Relation, S, T, Mode, Is),
    statistics(cputime, C1),
    Seconds is C1-C0,
    length(Is, Size).
