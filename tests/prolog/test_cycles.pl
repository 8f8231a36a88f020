:- use_module(library(plunit)).
:- use_module(rtec(cycles)).
:- use_module(sessions).

:- begin_tests(cycles_status).

%   The stages of a motion (thesis, 3.3 to 3.6): what a message does depends on
%   the stage at the time.
program("
    :- dynamic happens_go/3, holds_status/3, now_status/3, past_status/4,
               local_status/4, initiated_status/3, breaks_status/4.
    initially_status(status(m), null).
    trigger_status(T, Id, v(M)) :- happens_go(T, Id, M).
    fire_status(propose, v(M), _, status(M), i, proposed) :- now_status(M, null, _).
    fire_status(second, v(M), _, status(M), i, voting) :- now_status(M, proposed, _).
    fire_status(close, v(M), _, status(M), i, voted) :- now_status(M, voting, _).
    fire_status(declare, v(M), _, status(M), i, null) :- now_status(M, voted, _).
    ").

%   2        4       6      8
%   propose  second  close  declare
%    [-------)[-----)[-----)[---->
%    proposed voting voted  null
test(round, Facts == [ holds_status(m,null,[(0,3),(9,inf)]), holds_status(m,proposed,[(3,5)]),
                       holds_status(m,voted,[(7,9)]), holds_status(m,voting,[(5,7)]) ]) :-
    windows([ w(-1,10,true)-[ happens_go(2,propose,m), happens_go(4,second,m),
                              happens_go(6,close,m), happens_go(8,declare,m) ] ], Facts).

%   A message at the wrong stage has no effect.
test(wrong_stage, Facts == [holds_status(m,null,[(0,5)]),holds_status(m,proposed,[(5,inf)])]) :-
    windows([ w(-1,10,true)-[ happens_go(2,second,m), happens_go(3,declare,m),
                              happens_go(4,propose,m), happens_go(6,propose,m) ] ], Facts).

%   Two messages at once see the same stage.
test(at_once, Facts == [holds_status(m,null,[(0,3)]),holds_status(m,proposed,[(3,inf)])]) :-
    windows([ w(-1,10,true)-[happens_go(2,propose,m),happens_go(2,second,m)] ], Facts).

%           |10
%   propose |  second        the stage at the window's start is carried
%    [------|--)[---->
test(carried, Facts == [holds_status(m,proposed,[(9,14)]),holds_status(m,voting,[(14,inf)])]) :-
    windows([ w(-1,10,true)-[happens_go(8,propose,m)],
              w(10,20,false)-[happens_go(13,second,m)] ], Facts).

%   What the window has seen of earlier stages is evaluated anew.
test(late, Facts == [ holds_status(m,null,[(0,7)]), holds_status(m,proposed,[(7,9)]),
                      holds_status(m,voting,[(9,inf)]) ]) :-
    windows([ w(-1,10,true)-[happens_go(8,second,m)],
              w(5,15,false)-[happens_go(6,propose,m),happens_go(8,second,m)] ], Facts).

windows(Windows, Facts) :-
    program(Program),
    with_program(Program, M,
                 ( maplist(window(M), Windows),
                   stored(M, holds_status(_,_,_), Facts)
                 )).

window(M, w(W,Q,First)-Events) :-
    retractall(M:happens_go(_,_,_)),
    happened(M, Events),
    eval_cycle(cycle([ fluent(status/1,holds_status,now_status,past_status,trigger_status,
                              fire_status,local_status,[initially(initially_status)]) ]), M,
               run(W,Q,0,1,First)).

:- end_tests(cycles_status).

:- begin_tests(cycles_negation).

%   A flip-flop: a pulse changes what holds to what does not.
program("
    :- dynamic happens_pulse/1, holds_f/2, now_f/2, past_f/3, local_f/4.
    trigger_f(T, 1, v) :- happens_pulse(T).
    trigger_f(T, 2, v) :- happens_pulse(T).
    fire_f(1, v, _, f, i, on) :- \\+ now_f(on, _).
    fire_f(2, v, _, f, t, on) :- now_f(on, _).
    ").

%   2   5   7   9
%   x   x   x   x
%    [--)    [--)
test(flip_flop, Facts == [holds_f(on,[(3,6),(8,10)])]) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, [happens_pulse(2),happens_pulse(5),happens_pulse(7),happens_pulse(9)]),
                   eval_cycle(cycle([fluent(f/0,holds_f,now_f,past_f,trigger_f,fire_f,local_f,[])]),
                              M, run(-1,20,0,1,true)),
                   stored(M, holds_f(_,_), Facts)
                 )).

:- end_tests(cycles_negation).

:- begin_tests(cycles_delays).

%   Delays inside a cycle need no events at all: a blinking light.
%       0    4      7    11     14
%   on  [----)      [----)      [---
%   off      [------)    [------)
program("
    :- dynamic holds_light/2, now_light/2, past_light/3, attempts_light/3, postponed_light/2,
               trigger_light/3, fire_light/6, local_light/4.
    initially_light(light, on).
    delay_light(light, on, off, 4).
    delay_light(light, off, on, 3).
    ").

test(whole, Facts == [holds_light(off,[(4,7),(11,14)]),holds_light(on,[(0,4),(7,11),(14,inf)])]) :-
    windows([run(-1,16,0,1,true)], Facts).

%   the same window by window: deadlines survive
test(windows, Facts == [holds_light(off,[(11,14)]),holds_light(on,[(7,11),(14,inf)])]) :-
    windows([run(-1,5,0,1,true),run(5,8,0,1,false),run(8,16,0,1,false)], Facts).

windows(Runs, Facts) :-
    program(Program),
    with_program(Program, M,
                 ( forall(member(Run, Runs),
                          eval_cycle(cycle([ fluent(light/0,holds_light,now_light,past_light,
                                                    trigger_light,fire_light,local_light,
                                                    [ initially(initially_light),
                                                      delays(delay_light,postponed_light,
                                                             attempts_light)
                                                    ]) ]), M, Run)),
                   stored(M, holds_light(_,_), Facts)
                 )).

:- end_tests(cycles_delays).
