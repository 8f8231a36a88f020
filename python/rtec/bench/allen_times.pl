:- module(allen_times,
          [ allen_lists/2,              % +Source, +Target
            allen_times/2               % +Mode, -Row
          ]).
:- use_module(rtec(allen)).

/** <module> How long Allen's relations take in Prolog

Lists are kept as facts and fetched for each relation, as those of fluents are
in a session, so that nobody pays for what came before.
*/

:- dynamic given/2, sorted/2, timed/3.

%!  allen_lists(+Source, +Target) is det.
%
%   The intervals to measure with: tuples Starts, Ends, in any order.

allen_lists(Source, Target) :-
    retractall(given(_, _)),
    keep(source, Source),
    keep(target, Target).

keep(Role, Starts-Ends) :-
    pairs(Starts, Ends, Is),
    assertz(given(Role, Is)).

pairs([], [], []).
pairs([S|Ss], [E|Es], [(S,E)|Is]) :-
    pairs(Ss, Es, Is).

%!  allen_times(+Mode, -Row) is det.
%
%   Row is [Seconds, Rows]: CPU time of sorting both lists, and [Relation, Seconds,
%   Size] for each relation, with the size of its answer.

allen_times(Mode, [Seconds,Rows]) :-
    retractall(sorted(_, _)),
    retractall(timed(_, _, _)),
    forall(given(Role, Is), sort_list(Role, Is)),
    forall(member(Relation, [before,meets,starts,finishes,during,overlaps,equal]),
           time_relation(Relation, Mode)),
    findall(S, timed(sorting, S, _), Ss),
    sum_list(Ss, Seconds),
    findall([R,S,Size], ( timed(R, S, Size), R \== sorting ), Rows).

sort_list(Role, Is0) :-
    statistics(cputime, C0),
    sort(1, @=<, Is0, Is),
    statistics(cputime, C1),
    assertz(sorted(Role, Is)),
    note(sorting, C0, C1, Is).

time_relation(Relation, Mode) :-
    sorted(source, S),
    sorted(target, T),
    statistics(cputime, C0),
    allen(Relation, S, T, Mode, Is),
    statistics(cputime, C1),
    note(Relation, C0, C1, Is).

note(What, C0, C1, Is) :-
    Seconds is C1-C0,
    length(Is, Size),
    assertz(timed(What, Seconds, Size)).
