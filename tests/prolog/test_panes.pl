:- use_module(library(plunit)).
:- use_module(rtec(accessors)).
:- use_module(rtec(panes)).
:- use_module(sessions).

program("
    :- dynamic panes_f/3, met_points_f/3.
    rtec_panes(panes_f, 3, panes).
    rtec_panes(met_points_f, 3, met).
    rtec_delta(simple(f/1), delta(panes_f,met_points_f,none,none,none,none)).
    get_panes_f(f(X), Pane, Qs) :- panes_f(X, Pane, Qs).
    add_panes_f(f(X), Pane, Qs) :- assertz(panes_f(X, Pane, Qs)).
    drop_panes_f(f(X), Pane) :- retractall(panes_f(X, Pane, _)).
    add_met_points_f(f(X), K, Q) :- assertz(met_points_f(X, K, Q)).
").

kept(M, Points) :-
    begin_panes(M, 10),
    assertz(M:rtec_window(0, 40)),
    assertz(M:rtec_keeping),
    keep_panes(M, f/1, Points).

:- begin_tests(panes).

%   Panes (0,10], (10,20] and so on; b is never initiated, and of no interest.
test(keep, Facts == [panes_f(a,0,[q(3,i,true)]),panes_f(a,1,[q(12,t,true),q(15,i,true)])]) :-
    program(Program),
    with_program(Program, M,
                 ( kept(M, [p(f(a),3,i,true),p(f(a),12,t,true),p(f(a),15,i,true),
                            p(f(b),4,t,true)]),
                   stored(M, panes_f(_,_,_), Facts)
                 )).

test(later, Qs == [q(12,t,true),q(13,i,true),q(15,i,true)]) :-
    program(Program),
    with_program(Program, M,
                 ( kept(M, [p(f(a),12,t,true),p(f(a),15,i,true)]),
                   accessors(M:panes_f, Access),
                   add_fact(Access, f(a), 1, [q(13,i,true)]),
                   pane_points(Access, f(a), 1, Qs)
                 )).

%   The window (11,_] has left the pane (0,10], and a part of the next.
test(forget, Facts-Ps == [panes_f(a,1,[q(11,i,true),q(15,t,true)])]-[p(f(a),15,t,true)]) :-
    program(Program),
    with_program(Program, M,
                 ( kept(M, [p(f(a),3,i,true),p(f(a),11,i,true),p(f(a),15,t,true)]),
                   forget_panes(M, 11),
                   stored(M, panes_f(_,_,_), Facts),
                   accessors(M:panes_f, Access),
                   points_between(Access, f(a), 11, 20, 10, Ps)
                 )).

:- end_tests(panes).
