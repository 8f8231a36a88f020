:- use_module(library(plunit)).
:- use_module(rtec(comparison)).
:- use_module(rtec(store)).
:- use_module(sessions).

program("
    :- dynamic holds_f/3, happens_e/2, ins_happens_e/2, del_happens_e/2, changed_f/3.
    rtec_changed(f/1, note_f, plain, unread).
    note_f(f(X), V, change(Span,Region,_,_,_,_)) :- assertz(changed_f(X=V,Span,Region)).
").

window(M) :-
    set_window(M, 0, 30).

run(run(0,30,0,1,false)).

replace(M, Old, New) :-
    retract(M:Old),
    assertz(M:New).

:- begin_tests(comparison).

test(fluent, Facts == [changed_f(a=true,8-10,[(8,10)]),changed_f(c=true,3-5,[(3,5)])]) :-
    program(Program),
    with_program(Program, M,
                 ( window(M),
                   run(Run),
                   happened(M, [holds_f(a,true,[(2,8)]),holds_f(b,true,[(1,inf)]),
                                holds_f(c,true,[(3,5)])]),
                   compared(simple(f/1,holds_f,none,[]), M, Run, 20,
                            ( replace(M, holds_f(a,true,_), holds_f(a,true,[(2,10)])),
                              retractall(M:holds_f(c,_,_))
                            )),
                   stored(M, changed_f(_,_,_), Facts)
                 )).

test(event, Came-Went == [ins_happens_e(7,b)]-[del_happens_e(5,a)]) :-
    program(Program),
    with_program(Program, M,
                 ( window(M),
                   run(Run),
                   happened(M, [happens_e(5,a),happens_e(6,a)]),
                   compared(event(e/1,happens_e,none), M, Run, 20,
                            replace(M, happens_e(5,a), happens_e(7,b))),
                   stored(M, ins_happens_e(_,_), Came),
                   stored(M, del_happens_e(_,_), Went)
                 )).

:- end_tests(comparison).
