:- module(rtec_kept_points,
          [ exists/4,                   % +Options, +M, +F, +V
            forget_points/2,            % +M, +Indicator
            keep_point/5,               % +M, +Indicator, +T, +F, +Rest
            keep_break/6                % +M, +Indicator, +T, +F, +K, +V
          ]).
:- set_prolog_flag(optimise, true).
:- autoload(library(lists), [append/3]).

/** <module> Initiations and terminations that other rules ask for

Where a body has initiatedAt or terminatedAt as a condition, the points of that
fluent are kept as facts for the window. terminatedAt(F=V,T) asks whether F=V is
broken at T, by a termination or by another value; so all points are kept, and
the program's reader compares values.
*/

%!  exists(+Options, +M, +F, +V) is semidet.
%
%   Groundings, if there are any that restrict the fluent, do not leave F=V out.

exists(Options, M, F, V) :-
    (   memberchk(admitted(Pred), Options)
    ->  \+ \+ call(M:Pred, F, V)
    ;   true
    ).

forget_points(M, Pred/Arity) :-
    functor(Fact, Pred, Arity),
    retractall(M:Fact).

%!  keep_point(+M, +Pred/Arity, +T, +F, +Rest) is det.
%
%   Assert Pred(T, Args.., Rest..).

keep_point(M, Pred/_, T, F, Rest) :-
    F =.. [_|Args],
    append(Args, Rest, Args1),
    Fact =.. [Pred,T|Args1],
    assertz(M:Fact).

%!  keep_break(+M, +Pred/Arity, +T, +F, +K, +V) is det.

keep_break(M, Indicator, T, F, K, V0) :-
    (   K == c
    ->  V0 = _-V
    ;   V = V0
    ),
    keep_point(M, Indicator, T, F, [K,V]).
