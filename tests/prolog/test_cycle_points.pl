:- use_module(library(plunit)).
:- use_module(rtec(cycle_points)).
:- use_module(rtec(accessors)).
:- use_module(sessions).

program("
    :- dynamic kept_f/4, patterns_f/4, holds_f/4, live_f/4, happens_e/2, happens_i/2.
    get_kept_f(f(X,Y), T, KVs) :- kept_f(X, Y, T, KVs).
    add_kept_f(f(X,Y), T, KVs) :- assertz(kept_f(X, Y, T, KVs)).
    drop_kept_f(f(X,Y), T) :- retractall(kept_f(X, Y, T, _)).
    get_patterns_f(f(X,Y), T, KVs) :- patterns_f(X, Y, T, KVs).
    add_patterns_f(f(X,Y), T, KVs) :- assertz(patterns_f(X, Y, T, KVs)).
    drop_patterns_f(f(X,Y), T) :- retractall(patterns_f(X, Y, T, _)).
    get_holds_f(f(X,Y), V, Is) :- holds_f(X, Y, V, Is).
    get_live_f(f(X,Y), V, S) :- live_f(X, Y, V, S).
    derive_patterns_f(f(X,_), T, t, _) :- happens_e(T, X).
    begins_f(f(X,b), T, i, low) :- happens_i(T, X).
    ends_f(f(X,b), T, t, low) :- happens_e(T, X).
    rtec_panes(kept_f, 4, cycle).
    rtec_panes(patterns_f, 4, cycle).
    grounded_f(f(_,_), low).
    rtec_cycle_points(holds_f, kept_f, patterns(patterns_f,derive_patterns_f)).
").

patterns(patterns(patterns_f,derive_patterns_f)).

:- meta_predicate in(+, ?, 0).

in(Facts, M, Goal) :-
    program(Program),
    with_program(Program, M, ( happened(M, Facts), call(Goal) )).

kept(Facts, Options, Ps, Kept, Patterns) :-
    in(Facts, M,
       ( keep_rule_points(M, holds_f, Options, 4, Ps),
         stored(M, kept_f(_,_,_,_), Kept),
         stored(M, patterns_f(_,_,_,_), Patterns)
       )).

at(Facts, F, T, KVs) :-
    in(Facts, M, ( patterns(P), point_access(M, kept_f, P, In), points_at(In, F, T, KVs) )).

:- begin_tests(cycle_points).

test(kept, Kept == [kept_f(a,a,4,[i-low,t-high]),kept_f(b,a,4,[i-low])]) :-
    kept([rtec_keeping], [], [p(f(b,a),4,i,low),p(f(a,a),4,t,high),p(f(a,a),4,i,low)], Kept, _).
test(unwanted, Kept == []) :-
    kept([], [], [p(f(b,a),4,i,low)], Kept, _).
%   What groundings leave out ends other values.
test(restricted, Kept == [kept_f(a,a,4,[x-high]),kept_f(b,a,4,[i-low])]) :-
    kept([rtec_keeping], [admitted(grounded_f)], [p(f(a,a),4,i,high),p(f(b,a),4,i,low)], Kept, _).
test(pattern, Kept-Patterns =@= []-[patterns_f(a,_,4,[x-low])]) :-
    kept([rtec_keeping], [], [p(f(a,_),4,i,low)], Kept, Patterns).

%   A point of a pattern belongs to every instance that matches.
test(at, KVs =@= [i-low,t-_]) :-
    at([kept_f(a,b,4,[i-low]),patterns_f(a,_,4,[t-_]),patterns_f(c,_,4,[x-high])], f(a,b), 4, KVs).
test(none, KVs == []) :-
    at([kept_f(a,b,4,[i-low]),patterns_f(a,_,4,[t-_])], f(a,b), 5, KVs).

test(times, Ts == [4,7]) :-
    in([kept_f(a,b,4,[i-low]),kept_f(b,b,5,[i-low]),patterns_f(a,_,7,[t-low])], M,
       ( patterns(P), point_access(M, kept_f, P, In), times_of_points(In, f(a,b), Ts) )).

%   Outside of cycles, rules are asked once for all time-points.
test(alone, Kept-Patterns =@= [kept_f(a,b,5,[i-low]),kept_f(a,b,6,[t-low])]-[patterns_f(a,_,6,[t-_])]) :-
    in([rtec_keeping,happens_e(6,a),happens_i(5,a),happens_i(3,b)], M,
       ( keep_alone(M, holds_f, begins_f, [ends(ends_f),wild(derive_patterns_f)], 4),
         stored(M, kept_f(_,_,_,_), Kept),
         stored(M, patterns_f(_,_,_,_), Patterns)
       )).

test(forget, Kept == []) :-
    in([kept_f(a,b,4,[i-low])], M,
       ( patterns(P), forget_points(M, kept_f, P), stored(M, kept_f(_,_,_,_), Kept) )).

test(leave, Kept-Patterns == [kept_f(a,b,6,[i-low])]-[patterns_f(b,b,7,[t-low])]) :-
    in([kept_f(a,b,4,[i-low]),kept_f(a,b,6,[i-low]),
        patterns_f(a,b,5,[t-low]),patterns_f(b,b,7,[t-low])], M,
       ( patterns(P),
         leave_points(M, kept_f, P, 4, 5),
         stored(M, kept_f(_,_,_,_), Kept),
         stored(M, patterns_f(_,_,_,_), Patterns)
       )).

%   A pattern that is new concerns who holds something there, or has points of its own.
changed(Facts, Forced) :-
    in(Facts, M,
       ( patterns(P),
         point_access(M, kept_f, P, In),
         accessors(M:holds_f, InStore),
         accessors(M:live_f, InLive),
         changed_patterns([f(a,_)], 4, In, M, InStore, InLive, 1, Forced0),
         sort(Forced0, Forced)
       )).

test(new_pattern, Forced == [f(a,p),f(a,q),f(a,s)]) :-
    changed([happens_e(4,a),kept_f(a,p,4,[i-low]),holds_f(a,q,low,[(1,9)]),
             holds_f(a,r,low,[(1,3)]),holds_f(b,q,low,[(1,9)]),live_f(a,s,low,2)], Forced).
test(same_pattern, Forced == []) :-
    changed([happens_e(4,a),patterns_f(a,_,4,[t-_]),holds_f(a,q,low,[(1,9)])], Forced).
test(pattern_no_more, Forced == [f(a,q)]) :-
    changed([patterns_f(a,_,4,[t-_]),holds_f(a,q,low,[(1,9)])], Forced).

:- end_tests(cycle_points).
