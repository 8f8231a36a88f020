:- use_module(library(plunit)).
:- use_module(library(random)).
:- use_module(rtec(calendars)).
:- use_module(rtec(native)).
:- use_module(sessions).

%   What the compiler writes for an event that delta rules ask the times of.

program("
    :- dynamic happens_e/3, ins_happens_e/3, times_e_2/4.
    rtec_timed(happens_e, 3, times_e_2).
    times_e_2(Key, Start, End, T) :- happens_e(T, Key, _), T >= Start, T < End.
").

:- begin_tests(calendars).

%   A calendar knows the times of all records, whatever the order in which they come.
test(same, [forall(between(1, 50, Seed))]) :-
    set_random(seed(Seed)),
    program(Program),
    with_program(Program, M,
                 ( random_records(40, First),
                   happened(M, First),
                   keep_calendars(M, changes(0)),
                   M:rtec_calendar(happens_e, _, _),
                   forall(between(1, 5, _), ( comes(M), asked_again(M) ))
                 )).

%   Records that are gone may be there, those of others are not.
test(gone, Ts-Others == [3,7]-[]) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, [happens_e(7,x,1),happens_e(3,x,1),happens_e(3,x,2)]),
                   keep_calendars(M, changes(0)),
                   retractall(M:happens_e(7,_,_)),
                   findall(T, M:times_e_2(x, 0, 10, T), Ts),
                   findall(T, M:times_e_2(y, 0, 10, T), Others)
                 )).

%   Where reasoning is from scratch, nobody keeps it; nor where something does not fit.
test(not_kept, [forall(member(Records-Mode, [[happens_e(1,x,1)]-scratch, [happens_e(1,"x",1)]-changes(0)]))]) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, Records),
                   keep_calendars(M, changes(0)),
                   keep_calendars(M, Mode),
                   \+ M:rtec_calendar(_, _, _),
                   Records = [happens_e(_,X,_)],
                   findall(T, M:times_e_2(X, 0, 10, T), [1])
                 )).

%   What was long ago is not kept for ever.
test(bounded) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, [happens_e(0,x,1)]),
                   forall(between(1, 5000, T),
                          ( retractall(M:happens_e(_,_,_)),
                            retractall(M:ins_happens_e(_,_,_)),
                            happened(M, [happens_e(T,x,1),ins_happens_e(T,x,1)]),
                            keep_calendars(M, changes(0))
                          )),
                   M:rtec_calendar(happens_e, Calendar, _),
                   calendar_size(Calendar, Size),
                   assertion(Size < 1100)
                 )).

comes(M) :-
    random_records(10, Records),
    happened(M, Records),
    retractall(M:ins_happens_e(_,_,_)),
    findall(ins_happens_e(T,X,Y), member(happens_e(T,X,Y), Records), Came),
    happened(M, Came),
    keep_calendars(M, changes(0)).

asked_again(M) :-
    random_member(X, [a,b,p(a,1),1,1.0]),
    random_between(0, 30, Start),
    random_between(0, 30, End),
    findall(T, M:times_e_2(X, Start, End, T), Found),
    findall(T, ( M:happens_e(T, X, _), T >= Start, T < End ), Expected0),
    sort(Expected0, Expected),
    assertion(Found == Expected).

random_records(N, Records) :-
    findall(happens_e(T,X,Y),
            ( between(1, N, _),
              random_between(0, 30, T),
              random_member(X, [a,b,p(a,1),1,1.0]),
              random_between(1, 2, Y)
            ),
            Records).

:- end_tests(calendars).
