:- module(programs, [toy/1, records/3]).

/** <module> A program as the compiler makes it, for tests of what runs programs */

%!  toy(-Text) is det.
%
%   Two levels, an output event, and what to report.

toy("
    :- dynamic happens_go/3, happens_win/2, holds_at/3, holds_rich/3, holds_happy/3,
               happens_party/2.
    rtec_state(happens_go, 3).
    rtec_state(happens_win, 2).
    rtec_state(holds_at, 3).
    rtec_state(holds_rich, 3).
    rtec_state(holds_happy, 3).
    rtec_records(event, go/2, happens_go, 3).
    rtec_records(event, win/1, happens_win, 2).
    load_happens_go([], [], []).
    load_happens_go([T|Ts], [X|Xs], [Y|Ys]) :-
        assertz(happens_go(T,X,Y)), load_happens_go(Ts, Xs, Ys).
    unload_happens_go([], [], []).
    unload_happens_go([T|Ts], [X|Xs], [Y|Ys]) :-
        ignore(retract(happens_go(T,X,Y))), unload_happens_go(Ts, Xs, Ys).
    load_happens_win([], []).
    load_happens_win([T|Ts], [X|Xs]) :- assertz(happens_win(T,X)), load_happens_win(Ts, Xs).
    rtec_output_fluent(at/1, holds_at).
    rtec_output_fluent(rich/1, holds_rich).
    rtec_output_fluent(happy/1, holds_happy).
    rtec_output_event(party/1, happens_party).
    points_at(at(X), T, i, Y) :- happens_go(T, X, Y).
    points_rich(rich(X), T, i, true) :- happens_win(T, X).
    candidates_happy(happy(X), true) :- holds_rich(X, true, _).
    candidates_happy(happy(X), true) :- holds_at(X, pub, _).
    intervals_happy(happy(X), true, Is) :-
        ( holds_rich(X, true, I1) *-> true ; I1 = [] ),
        ( holds_at(X, pub, I2) *-> true ; I2 = [] ),
        union_all([I1,I2], Is).
    rules_party(party(X), T) :- happens_go(T, X, pub), holds_rich(X, true, Is), holds_at(Is, T).
    rtec_step(1, simple(at/1, holds_at, points_at, [])).
    rtec_step(2, simple(rich/1, holds_rich, points_rich, [])).
    rtec_step(3, event(party/1, happens_party, rules_party)).
    rtec_step(4, static(happy/1, true, holds_happy, candidates_happy, intervals_happy, [])).
    rtec_origin(points_rich, 1, 'toy.prolog:7').
    ").

%!  records(+Gos, +Wins, -Changes) is det.
%
%   Changes that load go(T,X,Y) and win(T,X), as Python hands them over.

records(Gos, Wins, [-(load_happens_go,[Ts,Xs,Ys],[]), -(load_happens_win,[Ws,Vs],[])]) :-
    findall(T, member(go(T,_,_), Gos), Ts),
    findall(X, member(go(_,X,_), Gos), Xs),
    findall(Y, member(go(_,_,Y), Gos), Ys),
    findall(T, member(win(T,_), Wins), Ws),
    findall(X, member(win(_,X), Wins), Vs).
