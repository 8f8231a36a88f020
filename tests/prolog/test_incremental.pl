:- use_module(library(plunit)).
:- use_module(rtec(incremental)).
:- use_module(rtec(store)).
:- use_module(sessions).

%   A static fluent both(X) = the intersection of a(X) and b(X), with what the
%   compiler writes for changes.

program("
    :- dynamic holds_a/3, holds_b/3, holds_both/3, changed_a/2, changed_both/3.
    get_holds_both(both(X), V, Is) :- holds_both(X, V, Is).
    drop_holds_both(both(X), V) :- retractall(holds_both(X, V, _)).
    rtec_changed(both/1, note_both, plain, unread).
    note_both(both(X), V, change(Span,Region,_,_,_,_)) :- assertz(changed_both(X=V,Span,Region)).
    rtec_delta(static(both(_),true), delta(affected_both,none)).
    affected_both(both(X), true, Span) :- changed_a(X, Span).
    candidates_both(both(X), true) :- holds_a(X, true, _), holds_b(X, true, _).
    intervals_both(both(X), true, I) :-
        (holds_a(X, true, A) *-> true ; A = []),
        (holds_b(X, true, B) *-> true ; B = []),
        intersect_all([A,B], I).
").

step(static(both/1, true, holds_both, candidates_both, intervals_both, [])).

changed(Facts, Changes) :-
    program(Program),
    with_program(Program, M,
                 ( set_window(M, 0, 30),
                   happened(M, [holds_a(x,true,[(5,inf)]),holds_b(x,true,[(2,9)]),
                                holds_a(y,true,[(4,8)]),holds_b(y,true,[(4,8)]),
                                holds_both(x,true,[(7,9)]),holds_both(y,true,[(1,2),(6,8)]),
                                changed_a(x,5-inf)]),
                   step(Step),
                   delta_rules(Step, M, Delta),
                   change_step(Step, Delta, M, run(2,30,0,1,false), 20),
                   stored(M, holds_both(_,_,_), Facts),
                   stored(M, changed_both(_,_,_), Changes)
                 )).

:- begin_tests(incremental).

%   Only x is evaluated anew. Of y, the window has left one interval, and what
%   does not agree with its operands stays: nobody said they changed.
test(affected, Facts == [holds_both(x,true,[(5,9)]),holds_both(y,true,[(6,8)])]) :-
    changed(Facts, _).

test(noted, Changes == [changed_both(x=true,5-7,[(5,7)])]) :-
    changed(_, Changes).

test(no_delta_rules, fail) :-
    program(Program),
    with_program(Program, M,
                 delta_rules(simple(f/1,holds_f,points_f,[]), M, _)).

:- end_tests(incremental).
