:- use_module(library(plunit)).
:- use_module(rtec(cycle_members)).
:- use_module(sessions).

:- begin_tests(cycle_members).

program("
    :- dynamic happens_e/2, happens_d/2, local_d/2.
    trigger_f(T, 1, v(X)) :- happens_e(T, X).
    trigger_d(T, 1, v(X)) :- happens_e(T, X).
    fire_d(1, v(X), _, d(X)) :- X \\== a.
    ").

members([ fluent(f/1,holds_f,now_f,past_f,trigger_f,fire_f,local_f,[]),
          event(d/1,happens_d,trigger_d,fire_d,local_d) ]).

%   In order of time, without what the window has left.
test(triggers, Triggers == [3-wake(1,1,v(b)),3-wake(2,1,v(b)),5-wake(1,1,v(a)),5-wake(2,1,v(a))]) :-
    members(Members),
    program(Program),
    with_program(Program, M,
                 ( happened(M, [happens_e(5,a),happens_e(3,b),happens_e(2,c)]),
                   triggers(Members, M, 2, Triggers)
                 )).

test(event, Facts == [happens_d(4,b)]) :-
    members([_,Event]),
    program(Program),
    with_program(Program, M,
                 ( happened(M, [happens_d(1,x)]),
                   forget_event(M, d/1, happens_d),
                   event_at(Event, 2, 4, [wake(2,1,v(a)),wake(1,1,v(c)),wake(2,1,v(b)),wake(2,1,v(b))],
                            M),
                   stored(M, happens_d(_,_), Facts)
                 )).

%   An initiation makes an instance known, a termination if it is of the default.
test(meets) :-
    meets([t-a,i-b], c).
test(meets) :-
    meets([t-_], c).
test(meets, [fail]) :-
    meets([t-a], c).

:- end_tests(cycle_members).
