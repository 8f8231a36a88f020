:- module(rtec_changes,
          [ note_change/7,              % +M, +Name/Arity, +F, +V, +Old, +New, +Scope
            note_left/4,                % +M, +Name/Arity, +F, +V
            note_left/5,                % +M, +Name/Arity, +F, +V, +Rest
            note_met/5,                 % +M, +Name/Arity, +F, +V, +Scope
            add_change/4,               % +M:Add, +F, +V, +Change
            note_mark/3,                % +M, +Prefix, +Fact
            note_marks/4,               % +M, +Old, +New, +W
            forget_noted/1,             % +M
            difference_region/4         % +Old, +New, +Until, -Region
          ]).
:- set_prolog_flag(optimise, true).
:- autoload(library(lists), [last/2, member/2]).
:- autoload(library(ordsets), [ord_subtract/3]).

/** <module> What has changed since the last query time

Where records are evaluated by their changes (rtec(incremental)), every step
notes what became different, for the steps that read it. For a fluent that is
a fact of the session,

    changed_f(Args.., V, Span, Region, Begun, Unbegun, Ended, Unended)

Span is First-Till: all time-points that differ are from First on and before Till; it is
`none` if none does. Region has the time-points, among those known before, at which F=V holds now
and did not before, or the other way round. The others list time-points of
start and end events that came and went.

    before    [-----)        [------
    now       [--------)  [---------
    Region          [--)  [--)
    Begun                *                      Unbegun         *
    Ended              *                        Unended     *
*/

%!  note_change(+M, +Name/Arity, +F, +V, +Old, +New, +Scope) is det.
%
%   F=V held in Old and now does in New, both without what the window has
%   left. Changes of fluents that no rule reads are not noted, nor is the hidden value of an
%   instance that holds nothing. Scope is scope(After,Until,Tick): events happen after After, and
%   time-points up to Until were known before.

note_change(M, Indicator, F, V, Old, New, Scope) :-
    (   V \== '$none',
        M:rtec_changed(Indicator, Add, _, Events)
    ->  change(Events, Old, New, Scope, Change),
        add_change(M:Add, F, V, Change)
    ;   true
    ).

%!  add_change(+M:Add, +F, +V, +Change) is det.
%
%   Change is change(Span,Region,Begun,Unbegun,Ended,Unended), or parted(Change1,Span): where F=V
%   differs long ago, and again after the last query time, that is noted by two facts, so that
%   nobody need look at what lies between.

:- meta_predicate add_change(3, +, +, +).

add_change(Add, F, V, Change) :-
    (   Change = parted(Change1,Span)
    ->  call(Add, F, V, Change1),
        call(Add, F, V, change(Span,[],[],[],[],[]))
    ;   call(Add, F, V, Change)
    ).

%!  note_left(+M, +Name/Arity, +F, +V) is det.
%
%   Nothing has changed, but the window has left some or all of the intervals:
%   what looks at whole lists, or at whether they are empty, has to look again.

note_left(M, Indicator, F, V) :-
    (   V \== '$none',
        M:rtec_changed(Indicator, Add, _, _)
    ->  call(M:Add, F, V, change(none,[],[],[],[],[]))
    ;   true
    ).

%!  note_left(+M, +Name/Arity, +F, +V, +Rest) is det.
%
%   The same where Rest are the intervals that it has not left, so that only what looks
%   at whole lists may be concerned.

note_left(M, Indicator, F, V, Rest) :-
    (   V \== '$none',
        M:rtec_changed(Indicator, Add, Kind, _),
        ( Rest == [] ; Kind == whole )
    ->  call(M:Add, F, V, change(none,[],[],[],[],[]))
    ;   true
    ).

%!  note_met(+M, +Name/Arity, +F, +V, +Scope) is det.
%
%   F is known from now on, or is not any more. Until it is, it holds its default V for
%   rules that ask for F, but not for those that ask who holds V; so every time-point
%   counts as changed. Starts and ends are noted by note_change/7.

note_met(M, Indicator, F, V, scope(_,Until,_)) :-
    (   M:rtec_changed(Indicator, Add, _, _)
    ->  M:rtec_run(Start, _, _),
        (   Start =< Until
        ->  Last is Until+1,
            Region = [(Start,Last)]
        ;   Region = []
        ),
        call(M:Add, F, V, change(Start-inf,Region,[],[],[],[]))
    ;   true
    ).

%!  note_mark(+M, +Prefix, +Fact) is det.
%
%   Note that a point which rules ask for, or a member of a domain, came or went; Prefix is
%   `ins_` or `del_`. What comes back, or goes again, is as it was.

note_mark(M, Prefix, Fact) :-
    Fact =.. [Pred|Args],
    (   M:rtec_marked(Pred)
    ->  opposite(Prefix, Other),
        noted(Other, Pred, Args, Undone),
        (   retract(M:Undone)
        ->  true
        ;   noted(Prefix, Pred, Args, Note),
            assertz(M:Note)
        )
    ;   true
    ).

opposite(ins_, del_).
opposite(del_, ins_).

noted(Prefix, Pred, Args, Note) :-
    atom_concat(Prefix, Pred, Noted),
    Note =.. [Noted|Args].

%!  note_marks(+M, +Old, +New, +W) is det.
%
%   The same for facts that were Old and are New, both sorted. Nobody asks for what the window
%   has left; facts begin with their time-point, and those of domains, which have none, come with
%   W = none.

note_marks(M, Old, New, W) :-
    ord_subtract(New, Old, Came),
    ord_subtract(Old, New, Went),
    forall(member(Fact, Came), note_mark(M, ins_, Fact)),
    forall(( member(Fact, Went), ( W == none -> true ; arg(1, Fact, T), T > W ) ),
           note_mark(M, del_, Fact)).

%!  forget_noted(+M) is det.

forget_noted(M) :-
    forall(M:rtec_noted(Pred, Arity),
           ( functor(Fact, Pred, Arity),
             forget_facts(M:Fact)
           )).

%   A clause that reads changes in C stays (rtec(links)).

forget_facts(M:Fact) :-
    (   predicate_property(M:Fact, number_of_rules(0))
    ->  retractall(M:Fact)
    ;   predicate_property(M:Fact, number_of_clauses(N)),
        predicate_property(M:Fact, number_of_rules(N))
    ->  true
    ;   forall(clause(M:Fact, true, Ref), erase(Ref))
    ).

change(Events, Old0, New0, Scope, Change) :-
    Scope = scope(_,Until,_),
    different_tails(Old0, New0, Old, New),
    (   extension(Old, New, Until, Span)
    ->  Change = change(Span,[],Begun,[],Ended,[]),
        added_events(Events, Old, New, Scope, Begun, Ended)
    ;   Change1 = change(Span1,Region,Begun,Unbegun,Ended,Unended),
        difference(Old, New, Until, Span, Region, Borders),
        changed_events(Events, Old, New, Scope, Begun, Unbegun, Ended, Unended),
        (   parted(Borders, Until, Span1, Span2)
        ->  Change = parted(Change1,Span2)
        ;   Span1 = Span,
            Change = Change1
        )
    ).

%   parted(+Borders, +Until, -Known, -Later): the spans of what differs from a time-point up to
%   Until on, and of what differs only after it; fails if there is but one of them.

parted([First,End|Borders], Until, First-Known, Later-Till) :-
    First =< Until,
    parted_after(Borders, End, Until, Known, Later),
    last(Borders, Till).

parted_after([S,E|Borders], End, Until, Known, Later) :-
    (   S > Until
    ->  Known = End,
        Later = S
    ;   parted_after(Borders, E, Until, Known, Later)
    ).

%   extension(+Old, +New, +Until, -Span): most often everything up to the last query
%   time is as it was, and what was open then may have ended since.

extension([], [(S,E)|Is], Until, S-Till) :-
    S > Until,
    last([(S,E)|Is], (_,Till)).
extension([(S,inf)], [(S,E)|Is], Until, E-Till) :-
    E > Until,
    last([(S,E)|Is], (S1,E1)),
    (   E1 == inf
    ->  Till = S1
    ;   Till = inf
    ).

added_events(unread, _, _, _, [], []).
added_events(read, Old, New, scope(After,_,Tick), Begun, Ended) :-
    events(New, After, Tick, Starts, Ended),
    (   Old == []
    ->  Begun = Starts
    ;   New = [(S,_)|_],
        S-Tick > After
    ->  Starts = [_|Begun]
    ;   Begun = Starts
    ).

%   Starts and ends are looked for where some rule speaks of them.

changed_events(unread, _, _, _, [], [], [], []).
changed_events(read, Old, New, scope(After,_,Tick), Begun, Unbegun, Ended, Unended) :-
    events(Old, After, Tick, OldStarts, OldEnds),
    events(New, After, Tick, NewStarts, NewEnds),
    ord_subtract(NewStarts, OldStarts, Begun),
    ord_subtract(OldStarts, NewStarts, Unbegun),
    ord_subtract(NewEnds, OldEnds, Ended),
    ord_subtract(OldEnds, NewEnds, Unended).

different_tails([I|Old0], [J|New0], Old, New) :-
    I == J,
    !,
    different_tails(Old0, New0, Old, New).
different_tails(Old, New, Old, New).

%   The time-points of start and end events of an interval list.

events([], _, _, [], []).
events([(S,E)|Is], After, Tick, Starts, Ends) :-
    TS is S-Tick,
    (   TS > After
    ->  Starts = [TS|Starts1]
    ;   Starts = Starts1
    ),
    (   E \== inf,
        TE is E-Tick,
        TE > After
    ->  Ends = [TE|Ends1]
    ;   Ends = Ends1
    ),
    events(Is, After, Tick, Starts1, Ends1).

%!  difference_region(+Old, +New, +Until, -Region) is det.
%
%   Region is the interval list of the time-points up to Until that are in one
%   list and not in the other. It changes sides at every end that only one of
%   the lists has.

difference_region(Old, New, Until, Region) :-
    difference(Old, New, Until, _, Region, _).

difference(Old, New, Until, Span, Region, Unshared) :-
    borders(Old, OldBorders),
    borders(New, NewBorders),
    unshared(OldBorders, NewBorders, Unshared),
    (   Unshared = [First|_]
    ->  last(Unshared, Till),
        Span = First-Till
    ;   Span = none
    ),
    spans(Unshared, Until, Region).

borders([], []).
borders([(S,E)|Is], [S,E|Borders]) :-
    borders(Is, Borders).

unshared([], Bs, Bs) :- !.
unshared(As, [], As) :- !.
unshared([A|As], [B|Bs], Unshared) :-
    compare(Order, A, B),
    (   Order = (=)
    ->  unshared(As, Bs, Unshared)
    ;   Order = (<)
    ->  Unshared = [A|Unshared1],
        unshared(As, [B|Bs], Unshared1)
    ;   Unshared = [B|Unshared1],
        unshared([A|As], Bs, Unshared1)
    ).

spans([S,E|Borders], Until, Region) :-
    S @=< Until,
    !,
    (   E > Until
    ->  Last is Until+1,
        Region = [(S,Last)]
    ;   Region = [(S,E)|Region1],
        spans(Borders, Until, Region1)
    ).
spans(_, _, []).
