:- use_module(library(plunit)).
:- use_module(rtec(changes)).
:- use_module(rtec(held_changes)).
:- use_module(rtec(links)).
:- use_module(rtec(store)).
:- use_module(sessions).

%   A static fluent f(X), with what the compiler writes for changes.

program("
    :- dynamic holds_f/3, changed_f/8.
    rtec_state(holds_f, 3).
    rtec_noted(changed_f, 8).
    rtec_changed(f/1, add_changed_f, plain, read).
    get_holds_f(f(X), V, Is) :- holds_f(X, V, Is).
    drop_holds_f(f(X), V) :- retractall(holds_f(X, V, _)).
    add_changed_f(f(X), V, change(S,R,B,U,E,N)) :- assertz(changed_f(X,V,S,R,B,U,E,N)).
").

step(static(f/1, _, holds_f, none, none, [])).

%   after(+Linked, +Updates, -Facts, -Changes): what is stored and what has changed at the query time 30, after 20, of
%   three instances, when Updates, f(X)-Is, have been made.

after(Linked, Updates, Facts, Changes) :-
    program(Program),
    with_program(Program, M,
                 ( set_window(M, 5, 30),
                   happened(M, [holds_f(x,true,[(7,9),(12,inf)]),holds_f(y,true,[(2,6),(8,10)]),
                                holds_f(z,true,[(1,3)])]),
                   fluent_fact(holds_f, f, 1, F, V, Is, Fact),
                   (   Linked == true
                   ->  linked(M, Fact, F, V, Is, _)
                   ;   true
                   ),
                   step(Step),
                   changing(M, Step, 20, each, Helds),
                   store_access(M, holds_f, Fact, InStore),
                   scope(M, 20, Scope),
                   Fluent = fluent(M,f/1,InStore,Scope),
                   forall(member(F1-New, Updates),
                          ( stored(InStore, F1, true, Old),
                            update(Fluent, F1, true, Old, New, 6)
                          )),
                   leave(M, f/1, holds_f, 6),
                   settled(Helds, Step, run(5,30,0,1,false)),
                   sessions:stored(M, holds_f(_,_,_), Facts),
                   sessions:stored(M, changed_f(_,_,_,_,_,_,_,_), Changes),
                   forget_noted(M),
                   sessions:stored(M, holds_f(_,_,_), Facts)
                 )).

:- begin_tests(held_changes).

%   x    [-) [-----          [-) [----)
%   y    [---) [--)          [---) [--)   of which the window leaves the first
%   z    [-)                              leaves it altogether
test(same, [forall(member(Updates, [ [], [f(x)-[(7,9),(12,25)]], [f(x)-[]], [f(x)-[(7,9),(12,inf)]],
                                     [f(x)-[(7,15),(17,inf)],f(y)-[(8,11)]], [f(new)-[(21,24)]],
                                     [f(y)-[(8,10),(28,inf)],f(new)-[(7,8),(22,inf)]] ]))]) :-
    after(true, Updates, Facts1, Changes1),
    after(false, Updates, Facts2, Changes2),
    assertion(Facts1 == Facts2),
    assertion(Changes1 == Changes2).

test(noted, Changes == [changed_f(x,true,25-inf,[],[],[],[24],[]),changed_f(z,true,none,[],[],[],[],[])]) :-
    after(true, [f(x)-[(7,9),(12,25)]], _, Changes).

%   What does not fit into C makes facts of everything, also of what has been changed already.
test(unfit) :-
    Updates = [f(x)-[(7,9),(12,25)],f("text")-[(21,24)],f(y)-[(8,11)]],
    after(true, Updates, Facts1, Changes1),
    after(false, Updates, Facts2, Changes2),
    assertion(Facts1 == Facts2),
    assertion(Changes1 == Changes2).

:- end_tests(held_changes).
