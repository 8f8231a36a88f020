:- use_module(library(plunit)).
:- use_module(rtec(changes)).
:- use_module(sessions).

:- begin_tests(changes).

%   before    [-----)        [------
%   now       [--------)  [---------
%   region          [--)  [--)
test(region, Region == [(7,10),(13,16)]) :-
    difference_region([(1,7),(16,inf)], [(1,10),(13,inf)], 30, Region).

%   What was not known before does not count: the region ends with time-point 14.
test(known_before, Region == [(7,10),(13,15)]) :-
    difference_region([(1,7),(16,inf)], [(1,10),(13,inf)], 14, Region).

test(equal, Region == []) :-
    difference_region([(1,7)], [(1,7)], 30, Region).

program("
    :- dynamic changed_f/8.
    rtec_changed(f/1, add_changed_f, plain, read).
    rtec_noted(changed_f, 8).
    add_changed_f(f(X), V, change(Span,Region,B,U,E,N)) :-
        assertz(changed_f(X,V,Span,Region,B,U,E,N)).
").

%   Starts and ends are one tick before the ends of the intervals.
test(noted, Facts == [changed_f(a,true,7-16,[(7,10),(13,16)],[12],[15],[9],[6])]) :-
    program(Program),
    with_program(Program, M,
                 ( note_change(M, f/1, f(a), true, [(1,7),(16,inf)], [(1,10),(13,inf)],
                               scope(0,30,1)),
                   stored(M, changed_f(_,_,_,_,_,_,_,_), Facts)
                 )).

%   Up to the last query time, 30, all is as it was.
test(extended, Facts == [changed_f(a,true,35-40,[],[39],[],[34],[])]) :-
    noted([(1,7),(16,inf)], [(1,7),(16,35),(40,inf)], Facts).

%   Long ago, and since then; what lies between need not be looked at.
test(parted, Facts == [changed_f(a,true,3-7,[(3,7)],[],[],[2,34],[6]),
                       changed_f(a,true,35-inf,[],[],[],[],[])]) :-
    noted([(1,7),(16,inf)], [(1,3),(16,35)], Facts).

%   What began at the last query time had its start event then.
test(extended_at_once, Facts == [changed_f(a,true,33-inf,[],[],[],[32],[])]) :-
    noted([(31,inf)], [(31,33)], Facts).

test(first, Facts == [changed_f(a,true,31-inf,[],[30,40],[],[34],[])]) :-
    noted([], [(31,35),(41,inf)], Facts).

noted(Old, New, Facts) :-
    program(Program),
    with_program(Program, M,
                 ( note_change(M, f/1, f(a), true, Old, New, scope(0,30,1)),
                   stored(M, changed_f(_,_,_,_,_,_,_,_), Facts)
                 )).

test(forgotten, Facts == []) :-
    program(Program),
    with_program(Program, M,
                 ( note_left(M, f/1, f(a), true),
                   forget_noted(M),
                   stored(M, changed_f(_,_,_,_,_,_,_,_), Facts)
                 )).

:- end_tests(changes).
