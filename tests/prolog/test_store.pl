:- use_module(library(plunit)).
:- use_module(rtec(store)).
:- use_module(sessions).

:- begin_tests(store_facts).

test(fluent_fact, Fact-F == holds_f(A,B,V,Is)-f(A,B)) :-
    fluent_fact(holds_f, f, 2, F, V, Is, Fact),
    F = f(A,B).
test(fluent_without_arguments, Fact == holds_f(V,Is)) :-
    fluent_fact(holds_f, f, 0, f, V, Is, Fact).
test(event_fact, Fact-E == happens_e(T,A)-e(A)) :-
    event_fact(happens_e, e, 1, E, T, Fact),
    E = e(A).
test(event_without_arguments, Fact == happens_e(T)) :-
    event_fact(happens_e, e, 0, e, T, Fact).

test(store_held, Facts == [holds_f(a,1,[(2,5)]),holds_f(b,2,[(3,inf)])]) :-
    with_program(":- dynamic holds_f/3.", M,
                 ( store_held(M, holds_f, [held(f(a),1,[(2,5)]),held(f(b),2,[(3,inf)])]),
                   stored(M, holds_f(_,_,_), Facts)
                 )).
test(store_atom, Facts == [holds_f(on,[(2,5)])]) :-
    with_program(":- dynamic holds_f/2.", M,
                 ( store_held(M, holds_f, [held(f,on,[(2,5)])]),
                   stored(M, holds_f(_,_), Facts)
                 )).

:- end_tests(store_facts).

:- begin_tests(store_windows).

test(window, Facts == [rtec_window(5,15)]) :-
    with_program("", M,
                 ( set_window(M, 0, 10),
                   set_window(M, 5, 15),
                   stored(M, rtec_window(_,_), Facts)
                 )).
test(query_time, Qs == [15]) :-
    with_program("", M,
                 ( set_window(M, 5, 15),
                   findall(Q, M:queryTime(Q), Qs)
                 )).
test(run, Facts == [rtec_run(100,5,30)]) :-
    with_program("", [100,5,30], M, stored(M, rtec_run(_,_,_), Facts)).

:- end_tests(store_windows).

:- begin_tests(store_state).

program("
    :- dynamic happens_e/2, holds_f/3, rtec_scrap/1.
    rtec_state(happens_e, 2).
    rtec_state(holds_f, 3).
    ").

%   What one session has, another takes over, and what it had is gone.
test(state_moves, Facts-Others == [holds_f(a,true,[(1,inf)])]-[happens_e(3,a)]) :-
    program(Program),
    with_program(Program, M1,
                 ( happened(M1, [ holds_f(a,true,[(1,inf)]), happens_e(3,a), rtec_scrap(1) ]),
                   take_state(M1, State)
                 )),
    with_program(Program, M2,
                 ( happened(M2, [holds_f(b,true,[(7,inf)])]),
                   put_state(M2, State),
                   stored(M2, holds_f(_,_,_), Facts),
                   stored(M2, happens_e(_,_), Others),
                   stored(M2, rtec_scrap(_), [])
                 )).

%   A state is a ground term that survives writing and reading.
test(state_is_text, Back == State) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, [holds_f('A b'(1),0.1,[(1,inf)])]),
                   take_state(M, State)
                 )),
    format(string(Text), '~k', [State]),
    term_string(Back, Text).

%   The order of facts is part of it.
test(order, Facts == [holds_f(b,1,[]),holds_f(a,1,[])]) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, [holds_f(b,1,[]),holds_f(a,1,[])]),
                   take_state(M, State),
                   put_state(M, State),
                   findall(holds_f(X,V,Is), M:holds_f(X,V,Is), Facts)
                 )).

:- end_tests(store_state).
