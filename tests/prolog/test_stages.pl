:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(rtec(stages)).
:- use_module(sessions).

program("
    :- dynamic holds_near/4, holds_rich/3, started_rich/3, happens_win/2, broken_door/2,
               point_mood/3.
    rtec_records(event, win/1, happens_win, 2).
    rtec_records(point, mood/1, point_mood, 3).
    rtec_step(1, input(near/2, interval, interval_near, holds_near)).
    rtec_step(2, simple(rich/1, holds_rich, points_rich, [initiations(started_rich/3)])).
    rtec_elsewhere(3, cycle([fluent(door/1, holds_door, a, b, c, d, e, [broken(broken_door)])])).
    rtec_elsewhere(4, event(party/1, happens_party, rules_party)).
    ").

:- begin_tests(stage_stores).

test(stores, Stores == [ -(0,holds_near,4,fluent), -(1,holds_rich,3,fluent),
                         -(1,started_rich,3,event), -(2,broken_door,2,broken),
                         -(2,holds_door,3,fluent), -(3,happens_party,2,event),
                         -(4,happens_win,2,event), -(5,point_mood,3,point) ]) :-
    program(Program),
    with_program(Program, M,
                 stage_stores(M, [ -(0,fluent,near,2), -(1,fluent,rich,1), -(2,fluent,door,1),
                                   -(3,event,party,1), -(4,event,win,1), -(5,fluent,mood,1)
                                 ], Stores)).

:- end_tests(stage_stores).

:- begin_tests(stage_facts).

stores([ -(0,holds_near,4,fluent), -(1,happens_win,2,event), -(2,broken_door,2,broken) ]).

%   What one session has, another one gets: atoms and numbers as they are, all
%   other terms as text, interval lists flat.
test(there_and_back, Facts-Broken == Near-[broken_door(door(a,X),7)]) :-
    Near = [ holds_near(a,1,true,[(1,4),(6,inf)]), holds_near(f('B'),"s",[],[(2,3)]) ],
    program(Program),
    stores(Stores),
    with_program(Program, M,
                 ( happened(M, Near),
                   happened(M, [happens_win(3,tom), broken_door(door(a,_),7)]),
                   stage_facts(M, Stores, Rows)
                 )),
    Rows = [ 0,holds_near,Near1, 0,holds_near,Near2, 1,happens_win,[3,tom],
             2,broken_door,Door ],
    Near1 == [a,1,true,[1,4,6,inf]],
    Door = [7,_,a,['_']],
    NearRows = [Near1,Near2],
    BrokenRows = [Door],
    with_program(Program, M1,
                 ( happened(M1, [holds_near(old,old,true,[(1,2)]), happens_win(1,old)]),
                   stage_given(M1, Stores, [ -(holds_near,NearRows), -(broken_door,BrokenRows) ], []),
                   stored(M1, holds_near(_,_,_,_), Facts),
                   stored(M1, broken_door(_,_), Broken),
                   stored(M1, happens_win(_,_), [])
                 )),
    Broken = [broken_door(door(_,X),_)].

:- end_tests(stage_facts).

:- begin_tests(stage_blocks).

%   Facts about an object go to the parts in which it has pairs, all others to everyone.
test(parts, Facts == [ 0-[], 1-[happens_win(1,tom),happens_win(2,f(x)),holds_near(tom,7,true,[(1,4)])],
                       2-[happens_win(1,tom),holds_near(tom,7,true,[(1,4)])] ]) :-
    program(Program),
    Stores = [[happens_win,2,[2]], [holds_near,4,[1]], [broken_door,2,[]]],
    Given = [ -(0,happens_win,2,event), -(1,holds_near,4,fluent), -(2,broken_door,2,broken) ],
    with_program(Program, M,
                 ( happened(M, [ happens_win(1,tom), happens_win(2,f(x)), happens_win(3,ann),
                                 holds_near(tom,7,true,[(1,4)]), holds_near(7,tom,true,[(1,4)]) ]),
                   stage_met(M, [tom,1, tom,2, ['f(x)'],1]),
                   stage_blocks(M, Stores, [], Blocks),
                   happened(M, [broken_door(door(_),3)]),
                   stage_blocks(M, Stores, [0], [0,Everyone|_])
                 )),
    string(Everyone),
    findall(Part-Got,
            ( member(Part, [0,1,2]),
              ( append(_, [Part,Text|_], Blocks) -> Texts = [Text] ; Texts = [] ),
              with_program(Program, M1,
                           ( stage_given(M1, Given, [], Texts),
                             stored(M1, happens_win(_,_), Wins),
                             stored(M1, holds_near(_,_,_,_), Nears)
                           )),
              append(Wins, Nears, Got)
            ),
            Facts).

:- end_tests(stage_blocks).
