:- use_module(library(plunit)).
:- use_module(library(random)).
:- use_module(rtec(records)).
:- use_module(rtec(store)).
:- use_module(sessions).

:- set_random(seed(271828)).

:- begin_tests(records_forgetting).

program("
    :- dynamic happens_e/2, interval_g/4, point_h/3.
    rtec_records(event, e/1, happens_e, 2).
    rtec_records(interval, g/1, interval_g, 4).
    rtec_records(point, h/1, point_h, 3).
    ").

%          W=10
%   1  10 | 11
%   e  e  | e         events up to W are gone
test(events, Facts == [happens_e(11,c)]) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, [happens_e(1,a),happens_e(10,b),happens_e(11,c)]),
                   forget_records(M, 10),
                   stored(M, happens_e(_,_), Facts)
                 )).

%            W=10
%   [------)|           [2,11) has 10 as its last time-point
%   [-------|--)        [2,12) reaches into the window
test(intervals, Facts == [interval_g(2,12,true,b)]) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, [interval_g(2,11,true,a),interval_g(2,12,true,b)]),
                   forget_records(M, 10),
                   stored(M, interval_g(_,_,_,_), Facts)
                 )).

test(points, Facts == [point_h(11,true,a)]) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, [point_h(10,true,a),point_h(11,true,a)]),
                   forget_records(M, 10),
                   stored(M, point_h(_,_,_), Facts)
                 )).

test(all_or_none, Facts == []) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, [happens_e(1,a),happens_e(2,b)]),
                   forget_records(M, 0),
                   stored(M, happens_e(_,_), [_,_]),
                   forget_records(M, 2),
                   stored(M, happens_e(_,_), Facts)
                 )).

:- end_tests(records_forgetting).

%   Windows that overlap, records that come late or are taken back. What stays is what is in
%   the window, whether dates are kept (with the library in C) or not.

:- begin_tests(records_overlapping).

program("
    :- dynamic happens_e/2, interval_g/4.
    rtec_records(event, e/1, happens_e, 2).
    rtec_records(interval, g/1, interval_g, 4).
    rtec_state(happens_e, 2).
    load_happens_e([], []).
    load_happens_e([T|Ts], [A|As]) :- assertz(happens_e(T,A)), load_happens_e(Ts, As).
    unload_happens_e([], []).
    unload_happens_e([T|Ts], [A|As]) :- ignore(retract(happens_e(T,A))), unload_happens_e(Ts, As).
    load_interval_g([], [], [], []).
    load_interval_g([S|Ss], [E|Es], [V|Vs], [A|As]) :-
        assertz(interval_g(S,E,V,A)), load_interval_g(Ss, Es, Vs, As).
    ").

test(random_runs, [forall(member(Size-Step, [4-4,7-5,10-9,20-3,20-1]))]) :-
    program(Program),
    with_program(Program, M,
                 forall(between(1, 40, N),
                        ( Q is N*Step,
                          W is Q-Size,
                          query_time(M, W, Q)
                        ))).

%   Records in the order of their times are the first to go; the others stay as they stand, also
%   when one of those that go is late, or has been taken back before.

test(first_facts, [forall(member(Late-Back, [[]-[], [11-l]-[], []-[10-e]])),
                   Facts == Expected]) :-
    program(Program),
    with_program(Program, M,
                 ( numlist(1, 10, First),
                   findall(e, member(_, First), Es),
                   numlist(11, 20, Second),
                   findall(f, member(_, Second), Fs),
                   pairs_keys_values(Late, LateTs, LateAs),
                   pairs_keys_values(Back, BackTs, BackAs),
                   step(M, 0, 10, [-(load_happens_e,[First,Es],[])]),
                   step(M, 5, 15, []),
                   step(M, 7, 20, [-(load_happens_e,[Second,Fs],[]),
                                   -(load_happens_e,[LateTs,LateAs],[])]),
                   step(M, 8, 21, [-(unload_happens_e,[BackTs,BackAs],[])]),
                   step(M, 12, 22, []),
                   findall(T-A, M:happens_e(T,A), Facts),
                   findall(T-f, between(13, 20, T), Expected)
                 )).

step(M, W, Q, Changes) :-
    forget_records(M, W),
    change_records(Changes, M, scratch),
    set_window(M, W, Q).

query_time(M, W, Q) :-
    all_facts(M, Before),
    forget_records(M, W),
    First is W+1,
    findall(T-A, ( between(1, 8, _), random_between(First, Q, T), random_between(1, 4, A) ), New),
    taken_back(M, Old),
    pairs_keys_values(New, Ts, As),
    pairs_keys_values(Old, Ts1, As1),
    End is Q+9,
    random_between(First, Q, S),
    random_between(S, End, E),
    change_records([-(load_happens_e,[Ts,As],[]), -(unload_happens_e,[Ts1,As1],[]),
                    -(load_interval_g,[[S],[E],[true],[x]],[])], M, scratch),
    set_window(M, W, Q),
    findall(happens_e(T,A), member(T-A, New), Came),
    findall(happens_e(T,A), member(T-A, Old), Went),
    include(in_window(W), Before, Stay),
    append([Stay,Came,[interval_g(S,E,true,x)]], All0),
    foldl(without, Went, All0, All),
    all_facts(M, Facts),
    msort(All, Expected),
    assertion(Facts == Expected).

all_facts(M, Facts) :-
    findall(F, ( member(F, [happens_e(_,_),interval_g(_,_,_,_)]), M:F ), Facts0),
    msort(Facts0, Facts).

in_window(W, happens_e(T,_)) :- T > W.
in_window(W, interval_g(_,E,_,_)) :- E > W+1.

without(Fact, Facts0, Facts) :-
    selectchk(Fact, Facts0, Facts).

taken_back(M, Old) :-
    findall(T-A, M:happens_e(T,A), All),
    (   All == []
    ->  Old = []
    ;   random_member(One, All),
        Old = [One]
    ).

%   Facts that come in another way are forgotten in time as well.
test(state, Facts == [happens_e(14,b)]) :-
    program(Program),
    with_program(Program, M,
                 ( change_records([-(load_happens_e,[[9,14],[a,b]],[])], M, scratch),
                   set_window(M, 0, 10),
                   forget_records(M, 5),
                   put_state(M, state([happens_e/2-[happens_e(8,c),happens_e(14,b)]])),
                   set_window(M, 5, 15),
                   forget_records(M, 10),
                   stored(M, happens_e(_,_), Facts)
                 )).

%   A time beyond 64 bits.
test(large_times, Facts == [happens_e(T,b)]) :-
    T is 2**80,
    program(Program),
    with_program(Program, M,
                 ( change_records([-(load_happens_e,[[7],[a]],[])], M, scratch),
                   set_window(M, 0, 10),
                   forget_records(M, 5),
                   change_records([-(load_happens_e,[[T],[b]],[])], M, scratch),
                   forget_records(M, 8),
                   stored(M, happens_e(_,_), Facts)
                 )).

test(counted, New-Known == 1-2) :-
    count_records([-(load_happens_e,[[7,11],[a,b]],[]),-(unload_happens_e,[[10],[a]],[])], 10,
                  New, Known).

:- end_tests(records_overlapping).
