:- use_module(library(plunit)).
:- use_module(rtec(intervals)).
:- use_module(random_intervals).
:- use_module(library(ordsets)).

:- begin_tests(intervals_shape).

test(none) :- is_interval_list([]).
test(some) :- is_interval_list([(1,4),(6,9)]).
test(open) :- is_interval_list([(1,4),(6,inf)]).
test(negative) :- is_interval_list([(-7,-3),(0,2)]).

%   [---)
%       [--)
test(touching, fail) :- is_interval_list([(1,5),(5,8)]).

%   [-----)
%      [----)
test(overlapping, fail) :- is_interval_list([(1,6),(4,9)]).

test(out_of_order, fail) :- is_interval_list([(6,9),(1,4)]).
test(empty, fail) :- is_interval_list([(4,4)]).
test(backwards, fail) :- is_interval_list([(4,1)]).
test(after_open, fail) :- is_interval_list([(1,inf),(6,9)]).
test(floats, fail) :- is_interval_list([(1.0,2)]).
test(partial, fail) :- is_interval_list([(1,2)|_]).
test(something_else, fail) :- is_interval_list([1-2]).

:- end_tests(intervals_shape).

:- begin_tests(intervals_union).

%   [---)       [---)
%      [----)
test(overlapping, Union == [(1,8),(12,15)]) :-
    intervals_union([(1,5),(12,15)], [(4,8)], Union).

%   [---)
%       [--)        touching intervals become one
test(touching, Union == [(1,8)]) :-
    intervals_union([(1,5)], [(5,8)], Union).

%   [---)
%          [--)
test(apart, Union == [(1,5),(7,9)]) :-
    intervals_union([(7,9)], [(1,5)], Union).

%   [----------)
%     [--) [--)
test(inside, Union == [(1,12)]) :-
    intervals_union([(1,12)], [(3,5),(7,9)], Union).

%   [--------------->
%       [--)   [---->
test(open, Union == [(1,inf)]) :-
    intervals_union([(1,inf)], [(4,6),(9,inf)], Union).

test(nothing_left, Union == [(1,5)]) :- intervals_union([], [(1,5)], Union).
test(nothing_right, Union == [(1,5)]) :- intervals_union([(1,5)], [], Union).
test(nothing, Union == []) :- intervals_union([], [], Union).

:- end_tests(intervals_union).

:- begin_tests(intervals_intersection).

%   [------)   [---)
%      [---------)
test(overlapping, Is == [(4,8),(12,14)]) :-
    intervals_intersection([(1,8),(12,16)], [(4,14)], Is).

%   [---)
%       [--)        nothing in common
test(touching, Is == []) :-
    intervals_intersection([(1,5)], [(5,8)], Is).

%   [---------------->
%      [--)      [--->
test(open, Is == [(4,6),(9,inf)]) :-
    intervals_intersection([(1,inf)], [(4,6),(9,inf)], Is).

%   [---)   [---)
%   [---)   [---)
test(same, Is == [(1,5),(9,12)]) :-
    intervals_intersection([(1,5),(9,12)], [(1,5),(9,12)], Is).

test(nothing, Is == []) :- intervals_intersection([(1,5)], [], Is).

:- end_tests(intervals_intersection).

:- begin_tests(intervals_subtract).

%   [-----------)
%      [---)
test(hole, Is == [(1,4),(8,13)]) :-
    intervals_subtract([(1,13)], [(4,8)], Is).

%      [-----)
%   [-----------)
test(covered, Is == []) :-
    intervals_subtract([(4,9)], [(1,13)], Is).

%   [-----)  [-----)
%      [--------)
test(edges, Is == [(1,4),(13,15)]) :-
    intervals_subtract([(1,7),(9,15)], [(4,13)], Is).

%   [---------------->
%      [--)      [--->
test(open, Is == [(1,4),(6,9)]) :-
    intervals_subtract([(1,inf)], [(4,6),(9,inf)], Is).

%   [---------------->
%      [--)             what is open stays open
test(stays_open, Is == [(1,4),(6,inf)]) :-
    intervals_subtract([(1,inf)], [(4,6)], Is).

test(nothing, Is == [(1,5)]) :- intervals_subtract([(1,5)], [], Is).

:- end_tests(intervals_subtract).

:- begin_tests(intervals_of_lists).

%   [---)
%       [---)
%              [--->
test(union_all, Is == [(1,8),(10,inf)]) :-
    union_all([[(1,5)],[(5,8)],[(10,inf)]], Is).

test(union_of_no_lists, Is == []) :- union_all([], Is).
test(union_of_one_list, Is == [(1,5)]) :- union_all([[(1,5)]], Is).

%   [---------)
%      [---------)
%         [---------->
test(intersect_all, Is == [(7,10)]) :-
    intersect_all([[(1,10)],[(4,13)],[(7,inf)]], Is).

test(intersection_of_no_lists, Is == []) :- intersect_all([], Is).
test(intersection_of_one_list, Is == [(1,5)]) :- intersect_all([[(1,5)]], Is).

%   [------------------)
%      [--)
%              [--)
test(relative_complement_all, Is == [(1,4),(6,12),(14,20)]) :-
    relative_complement_all([(1,20)], [[(4,6)],[(12,14)]], Is).

test(relative_complement_of_no_lists, Is == [(1,5)]) :-
    relative_complement_all([(1,5)], [], Is).

%   [----)
%     [-------)
%             [--)      sorted, but neither disjoint nor apart
test(coalesce, Is == [(1,14)]) :-
    coalesce([(1,6),(3,10),(10,14)], Is).

test(coalesce_keeps_the_longer, Is == [(1,10)]) :-
    coalesce([(1,10),(1,4),(3,5)], Is).

:- end_tests(intervals_of_lists).

:- begin_tests(intervals_points).

%    1 2 3 4 5 6
%   [------)  [--->
test(holds_at, all(T == [1,2,3,6,7])) :-
    between(0, 7, T),
    holds_at([(1,4),(6,inf)], T).

%       |
%   [------)  [---)
test(from_inside, Is == [(3,5),(7,9)]) :- once(from_point(3, [(1,5),(7,9)], Is)).
test(from_between, Is == [(7,9)]) :- once(from_point(5, [(1,5),(7,9)], Is)).
test(from_the_start, Is == [(1,5),(7,9)]) :- once(from_point(1, [(1,5),(7,9)], Is)).
test(from_after, Is == []) :- once(from_point(9, [(1,5),(7,9)], Is)).
test(from_inside_open, Is == [(8,inf)]) :- once(from_point(8, [(1,inf)], Is)).

%   start(F=V) happens one tick before an interval starts
%   |  [------)  |  [--->
test(starts, all(T == [0,5])) :-
    starts_within([(1,4),(6,inf)], -1, 1, T).
test(starts_after, all(T == [5])) :-
    starts_within([(1,4),(6,inf)], 0, 1, T).
test(starts_with_ticks, all(T == [-4,1])) :-
    starts_within([(1,4),(6,inf)], -5, 5, T).

%   end(F=V) happens one tick before it ends; an open interval has no end
test(ends, all(T == [3])) :-
    ends_within([(1,4),(6,inf)], 0, 1, T).
test(ends_after, all(T == [8])) :-
    ends_within([(1,4),(6,9)], 3, 1, T).

:- end_tests(intervals_points).

:- begin_tests(intervals_laws).

%   Every operation is that on sets of time-points, and its answer is an
%   interval list again.

last(30).

test(union, [forall(between(1, 300, _)), true(Union == Expected)]) :-
    two(A, B, As, Bs, Last),
    intervals_union(A, B, Union),
    is_interval_list(Union),
    ord_union(As, Bs, Ts),
    from_time_points(Ts, Last, Expected).
test(intersection, [forall(between(1, 300, _)), true(Is == Expected)]) :-
    two(A, B, As, Bs, Last),
    intervals_intersection(A, B, Is),
    is_interval_list(Is),
    ord_intersection(As, Bs, Ts),
    from_time_points(Ts, Last, Expected).
test(subtract, [forall(between(1, 300, _)), true(Is == Expected)]) :-
    two(A, B, As, Bs, Last),
    intervals_subtract(A, B, Is),
    is_interval_list(Is),
    ord_subtract(As, Bs, Ts),
    from_time_points(Ts, Last, Expected).

test(lists, [forall(between(1, 100, _)), true([Union,Both,Left] == Expected)]) :-
    last(Last),
    length(Lists, 4),
    maplist(random_intervals(Last), Lists),
    Lists = [First|Others],
    union_all(Lists, Union),
    intersect_all(Lists, Both),
    relative_complement_all(First, Others, Left),
    maplist(points_of(Last), Lists, [P|Ps]),
    foldl(ord_union, Ps, P, Us),
    foldl(ord_intersection, Ps, P, Bs),
    foldl(without, Ps, P, Ls),
    maplist(list_of(Last), [Us,Bs,Ls], Expected).

test(suffix, [forall(between(1, 100, _)), true(Is == Expected)]) :-
    last(Last),
    random_intervals(Last, A),
    random_between(0, Last, T),
    once(from_point(T, A, Is)),
    intervals_intersection(A, [(T,inf)], Expected).

two(A, B, As, Bs, Last) :-
    last(Last),
    random_intervals(Last, A),
    random_intervals(Last, B),
    time_points(A, Last, As),
    time_points(B, Last, Bs).

points_of(Last, Is, Ts) :- time_points(Is, Last, Ts).

list_of(Last, Ts, Is) :- from_time_points(Ts, Last, Is).

without(Bs, As, Cs) :- ord_subtract(As, Bs, Cs).

:- end_tests(intervals_laws).

:- begin_tests(ending_after).

%   [-)  [---)  [---->
%     3
test(some, Is == [(5,9),(11,inf)]) :-
    ending_after([(1,3),(5,9),(11,inf)], 3, Is).

test(none, Is == []) :-
    ending_after([(1,3)], 3, Is).

:- end_tests(ending_after).

:- begin_tests(spans).

%   Is        [-)  [---)
%   spans           |--)   and others
test(touches, all(Span == [8-inf,8-10,1-2,3-6,0-9])) :-
    member(Span, [8-inf,8-10,9-inf,9-10,1-2,3-5,3-6,0-1,0-9]),
    touches_span([(1,3),(5,9)], Span).

test(within, Parts == [[(2,3),(5,7)],[(8,9)],[],[(6,8)],[(5,9),(12,inf)]]) :-
    findall(Part,
            ( member(Span, [2-7,8-11,3-5,6-8,4-inf]),
              within_span(Span, [(1,3),(5,9),(12,inf)], Part)
            ),
            Parts).

:- end_tests(spans).
