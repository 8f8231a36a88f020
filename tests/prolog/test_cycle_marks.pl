:- use_module(library(plunit)).
:- use_module(rtec(cycle_marks)).
:- use_module(rtec(accessors)).
:- use_module(sessions).

program("
    :- dynamic initiated_f/3, attempts_f/3, holds_f/3.
    delay_f(f(_), low, high, 5).
    delay_f(f(_), low, middle, 9).
    delay_f(f(_), high, low, 3).
    postponed_f(f(_), low).
    get_holds_f(f(X), V, Is) :- holds_f(X, V, Is).
    rtec_pane_width(10).
").

options([initiations(initiated_f/3),delays(delay_f,postponed_f,attempts_f)]).

:- meta_predicate in(+, ?, 0).

in(Facts, M, Goal) :-
    program(Program),
    with_program(Program, M, ( happened(M, Facts), call(Goal) )).

:- begin_tests(cycle_marks).

test(mark, Changed-Facts == [high,low]-[initiated_f(4,a,low),initiated_f(5,a,high)]) :-
    in([initiated_f(4,a,high),initiated_f(5,a,high)], M,
       ( remark(M, initiated_f/3, f(a), 4, [low], Changed),
         stored(M, initiated_f(_,_,_), Facts)
       )).
test(same_mark, Changed == []) :-
    in([initiated_f(4,a,low)], M, remark(M, initiated_f/3, f(a), 4, [low], Changed)).

test(leave, Facts == [initiated_f(5,a,high)]) :-
    in([initiated_f(4,a,high),initiated_f(5,a,high)], M,
       ( options(Options),
         leave_marks(Options, M, 4),
         stored(M, initiated_f(_,_,_), Facts)
       )).

%   The shortest delay counts, from the last attempt before.
test(deadline, D-V == 11-high) :-
    in([attempts_f(f(a),low,[8,6,3])], M,
       ( options(Options), deadline(Options, M, f(a), since(low,4), 8, 1, D, V) )).
%   Attempts before the value began are of another interval.
test(earlier_attempt, D == 8) :-
    in([attempts_f(f(a),low,[2])], M,
       ( options(Options), deadline(Options, M, f(a), since(low,4), inf, 1, D, _) )).
%   What may not be postponed counts from its beginning.
test(beginning, D-V == 6-low) :-
    in([attempts_f(f(a),high,[5])], M,
       ( options(Options), deadline(Options, M, f(a), since(high,4), inf, 1, D, V) )).
test(no_delay, fail) :-
    in([], M, ( options(Options), deadline(Options, M, f(a), since(middle,4), inf, 1, _, _) )).

%   Of the attempts that the window has left, the last is enough.
test(attempts, Facts == [attempts_f(f(a),low,[9,7,4])]) :-
    in([attempts_f(f(a),low,[7,4,3])], M,
       ( options(Options),
         note_attempts(Options, M, f(a), 9, 5, [i-low]),
         stored(M, attempts_f(_,_,_), Facts)
       )).
test(attempt_no_more, Facts == [attempts_f(f(a),low,[7])]) :-
    in([attempts_f(f(a),low,[9,7])], M,
       ( options(Options),
         note_attempts(Options, M, f(a), 9, 5, [t-low]),
         stored(M, attempts_f(_,_,_), Facts)
       )).
test(leave_attempts, Facts == [attempts_f(f(b),low,[3]),attempts_f(f(c),low,[8])]) :-
    in([attempts_f(f(a),low,[3]),attempts_f(f(b),low,[3]),attempts_f(f(c),low,[8]),
        holds_f(b,low,[(4,inf)])], M,
       ( options(Options),
         accessors(M:holds_f, InStore),
         leave_attempts(Options, M, InStore, 5),
         stored(M, attempts_f(_,_,_), Facts)
       )).

%   With a deadline ahead, values that are equal may still become different.
test(meets_again) :-
    in([], M, ( options(Options), meets_again(Options, M, f(a), since(high,4), since(high,4), 7, 1) )).
test(other_beginning, fail) :-
    in([], M, ( options(Options), meets_again(Options, M, f(a), since(high,4), since(high,3), 7, 1) )).
test(no_deadline) :-
    in([], M, ( options(Options),
                meets_again(Options, M, f(a), since(middle,4), since(middle,3), 7, 1) )).
test(postponed, fail) :-
    in([], M, ( options(Options), meets_again(Options, M, f(a), since(low,4), since(low,4), 7, 1) )).
test(begins_here) :-
    in([], M, ( options(Options), meets_again(Options, M, f(a), since(low,8), since(low,8), 7, 1) )).

%   At first everything that has a delay is awaited, then what has a deadline there.
test(awaited, First-Then == [f(a)]-[f(b)]) :-
    in([holds_f(a,low,[(4,inf)]),holds_f(b,low,[(1,3)]),holds_f(c,middle,[(1,inf)])], M,
       ( awaited(M, f/1, holds_f, delay_f, 5, 15, First),
         await(M, holds_f, f(b), 17),
         await(M, holds_f, f(c), 31),
         awaited(M, f/1, holds_f, delay_f, 15, 25, Then)
       )).

%   Whose deadline is put off is looked at when the first would have passed.
test(awaited_once, Panes-Passing == [2]-[]) :-
    in([rtec_awaiting(holds_f),holds_f(a,low,[(4,inf)]),attempts_f(f(a),low,[40])], M,
       ( await(M, holds_f, f(a), 25),
         await(M, holds_f, f(a), 45),
         findall(Pane, M:rtec_due(Pane,_,_,_), Panes),
         accessors(M:holds_f, InStore),
         options(Options),
         passing(M, f/1, holds_f, InStore, Options, 20, 30, 1, Passing)
       )).
test(awaited_earlier, Panes == [2]) :-
    in([], M,
       ( await(M, holds_f, f(a), 45),
         await(M, holds_f, f(a), 25),
         findall(Pane, M:rtec_due(Pane,_,_,_), Panes)
       )).
test(passing, Passing == [f(a)]) :-
    in([rtec_awaiting(holds_f),holds_f(a,low,[(4,inf)]),attempts_f(f(a),low,[24])], M,
       ( await(M, holds_f, f(a), 25),
         accessors(M:holds_f, InStore),
         options(Options),
         passing(M, f/1, holds_f, InStore, Options, 20, 30, 1, Passing)
       )).
test(await_next, Panes == [0]) :-
    in([holds_f(a,high,[(4,inf)]),holds_f(b,middle,[(4,inf)])], M,
       ( accessors(M:holds_f, InStore),
         options(Options),
         await_next(M, holds_f, InStore, Options, 1, f(a)),
         await_next(M, holds_f, InStore, Options, 1, f(b)),
         findall(Pane, M:rtec_due(Pane,_,_,_), Panes)
       )).

test(forget, Fs == []) :-
    in([rtec_due(1,7,holds_f,f(b)),rtec_awaiting(holds_f),holds_f(a,middle,[(4,inf)])], M,
       ( forget_awaited(M, holds_f),
         awaited(M, f/1, holds_f, delay_f, 5, 15, Fs)
       )).

:- end_tests(cycle_marks).
