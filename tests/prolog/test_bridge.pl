:- use_module(library(plunit)).
:- use_module(rtec(bridge)).
:- use_module(rtec(query), [answers/3]).
:- use_module(files).
:- use_module(programs).
:- use_module(sessions).
:- use_module(library(filesex)).

:- begin_tests(bridge_sessions).

%   One call per query time: changes in, what is recognised out.
test(advance, Fluents == [ -(at,[chris],work,[10,inf]), -(rich,[chris],true,[14,inf]),
                           -(happy,[chris],true,[14,inf]) ]) :-
    toy(Toy),
    with_program(Toy, M,
                 ( records([go(9,chris,work)], [win(13,chris)], Changes),
                   advanced(M, -1, 21, Changes, Fluents)
                 )).

%   Fluents that stand in C come from there; the others as the fields of all rows.
test(stores, Names-Fluents == []-[at,[chris],work,[10,inf]]) :-
    with_program("
        :- dynamic holds_at/3, happens_go/3.
        rtec_records(event, go/2, happens_go, 3).
        rtec_state(holds_at, 3).
        points_at(at(X), T, i, P) :- happens_go(T, X, P).
        rtec_step(1, simple(at/1, holds_at, points_at, [])).
        rtec_output_fluent(at/1, holds_at).
        load_happens_go([], [], []).
        load_happens_go([T|Ts], [A|As], [B|Bs]) :-
            assertz(happens_go(T, A, B)), load_happens_go(Ts, As, Bs).
        rtec_unlinked(holds_at).
        ", M,
        ( bridge_advance(M, -1, 21, [-(load_happens_go,[[9],[chris],[work]],[])], 0,
                         [Stores,Fluents,[],_]),
          findall(Name, member([Name|_], Stores), Names)
        )).

%   Wall and CPU seconds of handing over, recognising and collecting.
test(times, Number == 6) :-
    toy(Toy),
    with_program(Toy, M, bridge_advance(M, -1, 21, [], 0, [_,_,_,Times])),
    maplist(number, Times),
    length(Times, Number).

%   What the window has left is forgotten before the changes come.
test(forgets, Facts == [happens_go(35,chris,home)]) :-
    toy(Toy),
    with_program(Toy, M,
                 ( records([go(9,chris,work)], [], Changes1),
                   bridge_advance(M, -1, 21, Changes1, 0, _),
                   records([go(35,chris,home)], [], Changes2),
                   bridge_advance(M, 21, 41, Changes2, 0, _),
                   stored(M, happens_go(_,_,_), Facts)
                 )).

%   A record that is taken back has never been there.
test(retract, Fluents == []) :-
    toy(Toy),
    with_program(Toy, M,
                 ( records([go(9,chris,work)], [], Changes),
                   bridge_advance(M, -1, 21, Changes, 0, _),
                   advanced(M, 5, 25, [-(unload_happens_go,[[9],[chris],[work]],[])], Fluents)
                 )).

%   Compound terms come as text, in columns that are marked for it.
test(terms, Facts == [happens_go(9,f(a,'B'),work)]) :-
    toy(Toy),
    with_program(Toy, M,
                 ( bridge_advance(M, -1, 21,
                                  [-(load_happens_go,[[9],[-("f(a,'B')")],[work]],[0,1,0])], 0, _),
                   stored(M, happens_go(_,_,_), Facts)
                 )).

%   Two sessions of one program know nothing of each other.
test(apart, Fluents == []) :-
    toy(Toy),
    with_program(Toy, M1,
                 with_program(Toy, M2,
                              ( records([go(9,chris,work)], [], Changes),
                                bridge_advance(M1, -1, 21, Changes, 0, _),
                                advanced(M2, -1, 21, [], Fluents)
                              ))).

%   A closed session leaves no facts behind.
test(close, Facts == []) :-
    toy(Toy),
    with_program(Toy, M,
                 ( records([go(9,chris,work)], [], Changes),
                   bridge_advance(M, -1, 21, Changes, 0, _)
                 )),
    findall(go, catch(M:happens_go(_,_,_), _, fail), Facts).

:- end_tests(bridge_sessions).

advanced(M, W, Q, Changes, Fluents) :-
    bridge_advance(M, W, Q, Changes, 0, _),
    answers(M, Fluents, _).

:- begin_tests(bridge_snapshots).

%   A session that is restored answers as the first would have.
test(restore, Fluents2 == Fluents1) :-
    toy(Toy),
    records([go(9,chris,work)], [win(13,chris)], Before),
    records([go(25,chris,pub)], [], After),
    with_program(Toy, M1,
                 ( bridge_advance(M1, -1, 21, Before, 0, _),
                   bridge_snapshot(M1, Text),
                   advanced(M1, 11, 31, After, Fluents1)
                 )),
    with_program(Toy, M2,
                 ( bridge_restore(M2, Text),
                   advanced(M2, 11, 31, After, Fluents2)
                 )).
test(text) :-
    toy(Toy),
    with_program(Toy, M, ( bridge_advance(M, -1, 21, [], 0, _), bridge_snapshot(M, Text) )),
    string(Text).

:- end_tests(bridge_snapshots).

:- begin_tests(bridge_limits).

%   A rule that loops is stopped, and the step is named.
test(time_limit, [ throws(error(rtec(time_limit(0.1,simple(f/0,_,_,_))),_)) ]) :-
    with_program("
        :- dynamic holds_f/2.
        points_f(f, T, i, true) :- repeat, T = 1, fail.
        rtec_step(1, simple(f/0, holds_f, points_f, [])).
        ", M, bridge_advance(M, -1, 21, [], 0.1, _)).

:- end_tests(bridge_limits).

:- begin_tests(bridge_loading).

%   Background files belong to the session, nested ones too.
test(background, Xs == [1,2]) :-
    with_files(['a.pl'-":- ['./b.pl'].\nlimit(1).\n", 'b.pl'-"more(2).\n"], Folder,
               ( directory_file_path(Folder, 'a.pl', Path),
                 opened(M, "", [Path], [],
                        findall(X, ( M:limit(X) ; M:more(X) ), Xs))
               )).

%   Errors of loading come back with their place; style is nobody's business.
test(errors, Kind-Line == error-2) :-
    with_files(['a.pl'-"limit(1).\nlimit(2.\nf(X) :- true.\n"], Folder,
               ( directory_file_path(Folder, 'a.pl', Path),
                 opened(_, "", [Path], [[Kind,_,Line,_]|_], true)
               )).
test(style, Messages == []) :-
    with_files(['a.pl'-"f(X) :- true.\ng(1).\nf(2).\n"], Folder,
               ( directory_file_path(Folder, 'a.pl', Path),
                 opened(_, "", [Path], Messages, true)
               )).

:- meta_predicate opened(-, +, +, ?, 0).

opened(M, Program, Background, Messages, Goal) :-
    flag(test_opened, N, N+1),
    atom_concat(test_opened_, N, M),
    setup_call_cleanup(
        elsewhere(bridge_open(M, Program, Background, [0,1,-1], Messages)),
        once(Goal),
        bridge_close(M)).

%   In another thread, since plunit takes a message of its own thread for a
%   failure even where somebody has caught it.

elsewhere(Goal) :-
    thread_self(Me),
    thread_create(( call(Goal), thread_send_message(Me, done(Goal)) ), Id),
    thread_join(Id, true),
    thread_get_message(Me, done(Goal)).

%   Reading and inspecting run nothing; see test_reader.pl and test_sandbox.pl.
test(read, Clauses-Errors = [_]-[]) :-
    bridge_read("f(a).", 'x.pl', Clauses-Errors).
test(inspect, Verdicts == [[ok]]) :-
    bridge_inspect([], "", ["X is 1"], [], [], -(_,_,_,_,Verdicts,_)).

:- end_tests(bridge_loading).
