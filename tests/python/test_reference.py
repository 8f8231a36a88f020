"""The reference evaluator against the worked examples of the papers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import (
    NotStratified,
    Record,
    Result,
    Windowing,
    evaluate,
    evaluate_window,
    parse,
    query_times,
    to_lines,
    to_prolog,
)
from reference.allen import MODES, RELATIONS, allen, holds_between
from reference.evaluator import FluentName
from reference.points import Interval, Points, Timeline


def event(time: int, name: str, *args: str | int, arrival: int | None = None) -> Record:
    return Record(name, time if arrival is None else arrival, time, args)


def interval(name: str, start: int, end: int, value: str = "true", *args: str) -> Record:
    return Record(name, start, start, args, value, end)


def point(name: str, time: int, value: str = "true", *args: str) -> Record:
    return Record(name, time, time, args, value)


def run(rules: str, records: list[Record], end: int, start: int = 0, tick: int = 1) -> Result:
    return evaluate(parse(rules), [], records, start, end, tick)


def intervals(result: Result, name: str, value: str = "true", *args: str) -> list[Interval]:
    return result.fluents.get((name, args, value), [])


# The manual, section 1.2

TOY = """
initiatedAt(rich(X)=true, T) :- happensAt(win_lottery(X), T).
terminatedAt(rich(X)=true, T) :- happensAt(lose_wallet(X), T).
initiatedAt(location(X)=Y, T) :- happensAt(go_to(X,Y), T).
holdsFor(happy(X)=true, I) :-
    holdsFor(rich(X)=true, I1),
    holdsFor(location(X)=pub, I2),
    union_all([I1,I2], I).
"""

STORY = [
    event(9, "go_to", "chris", "work"),
    event(13, "win_lottery", "chris"),
    event(17, "go_to", "chris", "pub"),
    event(19, "lose_wallet", "chris"),
    event(21, "go_to", "chris", "home"),
]

DAY: dict[FluentName, list[Interval]] = {
    ("location", ("chris",), "home"): [(22, None)],
    ("location", ("chris",), "pub"): [(18, 22)],
    ("location", ("chris",), "work"): [(10, 18)],
    ("rich", ("chris",), "true"): [(14, 20)],
    ("happy", ("chris",), "true"): [(14, 22)],
}


def test_the_story_of_the_manual() -> None:
    assert run(TOY, STORY, end=21) == Result(DAY, {})


def test_the_rewritten_happy_of_the_manual_is_the_same() -> None:
    # Section 2.1.2 rewrites the union as a simple fluent over initiations and terminations.
    rules = TOY.split("holdsFor(happy")[0] + """
    initiatedAt(happy(X)=true, T) :- initiatedAt(rich(X)=true, T).
    initiatedAt(happy(X)=true, T) :- initiatedAt(location(X)=pub, T).
    terminatedAt(happy(X)=true, T) :-
        terminatedAt(rich(X)=true, T), not holdsAt(location(X)=pub, T).
    terminatedAt(happy(X)=true, T) :-
        terminatedAt(location(X)=pub, T), not holdsAt(rich(X)=true, T).
    """
    assert run(rules, STORY, end=21).fluents == DAY


def test_the_story_window_by_window() -> None:
    reports = evaluate_window(parse(TOY), [], STORY, 0, 1, query_times(0, 21, 7), 7)
    assert list(reports) == [7, 14, 21]
    assert reports[7].fluents == {}
    assert reports[14].fluents == {
        ("location", ("chris",), "work"): [(10, None)],
        ("rich", ("chris",), "true"): [(14, None)],
        ("happy", ("chris",), "true"): [(14, None)],
    }
    assert reports[21].fluents == DAY


# Inertia

SWITCH = """
initiatedAt(f=true, T) :- happensAt(on, T).
terminatedAt(f=true, T) :- happensAt(off, T).
"""


def test_the_first_termination_after_the_first_initiation_counts() -> None:
    # The manual's makeIntervals: initiated at 10 and 20, terminated at 25 and 30: (10,25].
    records = [event(10, "on"), event(20, "on"), event(25, "off"), event(30, "off")]
    assert intervals(run(SWITCH, records, end=40), "f") == [(11, 26)]


def test_the_same_for_the_thesis() -> None:
    # Section 2.2: initiated at 50 and 65, terminated at 75 and 86: 50 < T =< 75.
    records = [event(50, "on"), event(65, "on"), event(75, "off"), event(86, "off")]
    assert intervals(run(SWITCH, records, end=100), "f") == [(51, 76)]


def test_a_break_beats_an_initiation_at_the_same_time() -> None:
    records = [event(3, "on"), event(3, "off"), event(5, "on"), event(7, "on"), event(7, "off")]
    assert intervals(run(SWITCH, records, end=9), "f") == [(6, 8)]


def test_two_values_at_once_break_each_other() -> None:
    rules = "initiatedAt(f=V, T) :- happensAt(set(V), T)."
    records = [event(2, "set", "a"), event(5, "set", "b"), event(5, "set", "c")]
    assert run(rules, records, end=9).fluents == {("f", (), "a"): [(3, 6)]}


def test_an_initiation_at_the_end_is_open_after_it() -> None:
    assert intervals(run(SWITCH, [event(9, "on")], end=9), "f") == [(10, None)]


def test_ticks_and_a_start() -> None:
    records = [event(0, "on"), event(10, "on"), event(25, "off"), event(40, "on")]
    result = run(SWITCH, records, start=5, end=50, tick=5)
    assert intervals(result, "f") == [(15, 30), (45, None)]


def test_records_between_two_ticks_are_refused() -> None:
    with pytest.raises(ValueError, match="between two ticks"):
        run(SWITCH, [event(7, "on")], start=0, end=50, tick=5)


def test_a_free_variable_in_a_termination_matches_everything() -> None:
    rules = """
    initiatedAt(f(X)=V, T) :- happensAt(set(X,V), T).
    terminatedAt(f(X)=_, T) :- happensAt(clear(X), T).
    terminatedAt(f(_)=b, T) :- happensAt(no_b, T).
    """
    records = [
        event(1, "set", "x", "a"),
        event(1, "set", "y", "b"),
        event(1, "set", "z", "b"),
        event(4, "clear", "x"),
        event(6, "no_b"),
    ]
    assert run(rules, records, end=9).fluents == {
        ("f", ("x",), "a"): [(2, 5)],
        ("f", ("y",), "b"): [(2, 7)],
        ("f", ("z",), "b"): [(2, 7)],
    }


def test_initially_holds_from_the_start_and_can_be_broken_there() -> None:
    rules = SWITCH + "initially(f=true). initially(g=low). " + (
        "initiatedAt(g=high, T) :- happensAt(up, T)."
    )
    result = run(rules, [event(5, "off"), event(5, "up")], start=5, end=9)
    assert result.fluents == {
        ("f", (), "true"): [(5, 6)],
        ("g", (), "low"): [(5, 6)],
        ("g", (), "high"): [(6, None)],
    }


OPEN = """
initially(f(_)=low).
initiatedAt(f(X)=high, T) :- happensAt(up(X), T).
initiatedAt(f(X)=low, T) :- happensAt(down(X), T).
terminatedAt(f(X)=low, T) :- happensAt(out(X), T).
initiatedAt(seen(X)=true, T) :- happensAt(see(X), T), holdsAt(f(X)=low, T).
"""


def test_an_open_initially_is_true_of_every_instance() -> None:
    records = [event(2, "see", "x"), event(6, "up", "y"), event(7, "out", "z")]
    assert run(OPEN, records, end=9).fluents == {
        ("seen", ("x",), "true"): [(3, None)],
        ("f", ("y",), "low"): [(0, 7)],
        ("f", ("y",), "high"): [(7, None)],
        ("f", ("z",), "low"): [(0, 8)],
    }


def test_a_grounding_supplies_the_instances_of_an_open_initially() -> None:
    rules = OPEN + "grounding(f(X)=_) :- person(X). person(x). person(y)."
    result = run(rules, [event(6, "up", "y"), event(6, "up", "z")], end=9)
    assert result.fluents == {
        ("f", ("x",), "low"): [(0, None)],
        ("f", ("y",), "low"): [(0, 7)],
        ("f", ("y",), "high"): [(7, None)],
    }


def test_what_a_grounding_leaves_out_never_holds_but_breaks() -> None:
    rules = """
    initiatedAt(f(X)=V, T) :- happensAt(set(X,V), T).
    initiatedAt(g(X)=true, T) :- happensAt(look(X), T), holdsAt(f(X)=high, T).
    grounding(f(X)=V) :- person(X), level(V).
    person(x). level(low).
    """
    records = [event(1, "set", "x", "low"), event(4, "set", "x", "high"), event(6, "look", "x")]
    records.append(event(1, "set", "y", "low"))
    assert run(rules, records, end=9).fluents == {("f", ("x",), "low"): [(2, 5)]}


# Intervals

SETS = """
collectIntervals(a(_)=true).
holdsFor(u=true, I) :- holdsFor(a(1)=true, I1), holdsFor(a(2)=true, I2), union_all([I1,I2], I).
holdsFor(i=true, I) :-
    holdsFor(a(1)=true, I1), holdsFor(a(2)=true, I2), intersect_all([I1,I2], I).
holdsFor(r=true, I) :-
    holdsFor(a(1)=true, I1), holdsFor(a(2)=true, I2), holdsFor(a(3)=true, I3),
    relative_complement_all(I1, [I2,I3], I).
holdsFor(c=true, I) :- holdsFor(a(1)=true, I1), complement_all([I1], I).
"""


def sets(*lists: list[tuple[int, int]]) -> Result:
    records = [
        Record("a", s, s, (n,), "true", e) for n, pairs in enumerate(lists, 1) for s, e in pairs
    ]
    return run(SETS, records, end=60)


def test_the_union_of_the_manual() -> None:
    assert intervals(sets([(5, 20), (26, 30)], [(28, 35)]), "u") == [(5, 20), (26, 35)]


def test_the_intersection_of_the_manual() -> None:
    assert intervals(sets([(26, 31)], [(21, 26), (30, 40)]), "i") == [(30, 31)]


def test_the_relative_complement_of_the_manual() -> None:
    result = sets([(5, 20), (26, 50)], [(1, 4), (18, 22)], [(28, 35)])
    assert intervals(result, "r") == [(5, 18), (26, 28), (35, 50)]


def test_the_complement_is_relative_to_the_whole_run() -> None:
    assert intervals(sets([(5, 20), (26, 50)]), "c") == [(0, 5), (20, 26), (50, None)]


def test_touching_intervals_are_one() -> None:
    assert intervals(sets([(1, 3), (3, 5)], [(5, 7)]), "u") == [(1, 7)]


def test_moving_of_example_2() -> None:
    rules = """
    holdsFor(moving(P1,P2)=true, I) :-
        holdsFor(walking(P1)=true, I1),
        holdsFor(walking(P2)=true, I2),
        holdsFor(close(P1,P2)=true, I3),
        intersect_all([I1,I2,I3], I).
    """
    records = [
        interval("walking", 1, 20, "true", "p"),
        interval("walking", 5, 30, "true", "q"),
        interval("close", 10, 25, "true", "p", "q"),
    ]
    assert run(rules, records, end=40).fluents == {("moving", ("p", "q"), "true"): [(10, 20)]}


def test_the_first_clause_that_succeeds_gives_the_intervals() -> None:
    rules = """
    holdsFor(f(X)=true, I) :- kind(X, left), !, holdsFor(a(X)=true, I), I \\= [].
    holdsFor(f(X)=true, I) :- \\+ kind(X, none), holdsFor(b(X)=true, I).
    holdsFor(f(X)=true, I) :- holdsFor(c(X)=true, I).
    kind(x, left). kind(y, right). kind(z, none). kind(w, left).
    """
    records = [
        interval(name, start, start + 2, "true", instance)
        for instance in "xyz"
        for name, start in (("a", 1), ("b", 4), ("c", 7))
    ] + [interval("b", 4, 6, "true", "w")]
    assert run(rules, records, end=9).fluents == {
        ("f", ("x",), "true"): [(1, 3)],
        ("f", ("y",), "true"): [(4, 6)],
        ("f", ("z",), "true"): [(7, 9)],
    }


def test_a_value_may_be_simple_and_another_static() -> None:
    rules = """
    initiatedAt(punctuality=punctual, T) :- happensAt(on_time, T).
    terminatedAt(punctuality=punctual, T) :- happensAt(late, T).
    holdsFor(punctuality=non_punctual, I) :-
        holdsFor(punctuality=punctual, I1), complement_all([I1], I).
    """
    result = run(rules, [event(2, "on_time"), event(6, "late")], end=9)
    assert intervals(result, "punctuality", "punctual") == [(3, 7)]
    assert intervals(result, "punctuality", "non_punctual") == [(0, 3), (7, None)]


def test_duration_filters_keep_open_intervals() -> None:
    rules = "holdsFor(long=true, I) :- holdsFor(a=true, I0), intDurGreater(I0, 3, I)."
    records = [interval("a", 0, 3), interval("a", 5, 9), interval("a", 12, 40)]
    assert intervals(run(rules, records, end=13), "long") == [(5, 9), (12, None)]


def test_a_description_may_define_its_own_predicates_over_intervals() -> None:
    rules = """
    holdsFor(long=true, I) :- holdsFor(a=true, I0), atLeast(I0, 3, I).
    atLeast([], _, []).
    atLeast([(S,E)|R], D, [(S,E)|I]) :- E - S >= D, !, atLeast(R, D, I).
    atLeast([_|R], D, I) :- atLeast(R, D, I).
    """
    records = [interval("a", 0, 3), interval("a", 5, 7), interval("a", 12, 40)]
    assert intervals(run(rules, records, end=13), "long") == [(0, 3), (12, None)]


# Input fluents

COPY = "holdsFor(f=true, I) :- holdsFor(a=true, I).\n"


def test_an_interval_that_ends_after_the_run_is_open() -> None:
    records = [interval("a", 2, 5), interval("a", 8, 12)]
    assert intervals(run(COPY, records, end=10), "f") == [(2, 5), (8, None)]
    assert intervals(run(COPY, records, end=11), "f") == [(2, 5), (8, 12)]


def test_points_at_most_one_tick_apart_are_one_interval() -> None:
    points = [point("a", t) for t in (10, 15, 20, 30, 50)]
    built = COPY + "buildFromPoints(a=true)."
    assert intervals(run(built, points, 50, tick=5), "f") == [(10, 25), (30, 35), (50, None)]
    assert intervals(run(built, points, 55, tick=5), "f") == [(10, 25), (30, 35), (50, 55)]
    plain = COPY + "points(a=true)."
    assert intervals(run(plain, points, 50, tick=5), "f") == [(10, 25), (30, 35), (50, 55)]


# Events

def test_output_events_and_conditions_on_them() -> None:
    rules = """
    happensAt(jump(X), T) :- happensAt(up(X), T), \\+ happensAt(down(X), T).
    initiatedAt(high(X)=true, T) :- happensAt(jump(X), T).
    """
    records = [event(2, "up", "x"), event(4, "up", "y"), event(4, "down", "y")]
    result = run(rules, records, end=5)
    assert result.events == {("jump", ("x",)): [2]}
    assert result.fluents == {("high", ("x",), "true"): [(3, None)]}


def test_what_starts_with_a_fluent_begins_when_it_does() -> None:
    rules = SWITCH + """
    initiatedAt(g=true, T) :- happensAt(start(f=true), T).
    terminatedAt(g=true, T) :- happensAt(end(f=true), T).
    happensAt(started(V), T) :- happensAt(start(f=V), T).
    happensAt(ended(V), T) :- happensAt(end(f=V), T).
    """
    records = [event(2, "on"), event(3, "on"), event(5, "off"), event(9, "on")]
    result = run(rules, records, end=9)
    assert intervals(result, "f") == intervals(result, "g") == [(3, 6), (10, None)]
    assert result.events == {("started", ("true",)): [2, 9], ("ended", ("true",)): [5]}


def test_no_start_event_for_what_holds_from_the_start() -> None:
    rules = SWITCH + """
    initially(f=true).
    happensAt(started(V), T) :- happensAt(start(f=V), T).
    happensAt(ended(V), T) :- happensAt(end(f=V), T).
    """
    assert run(rules, [event(4, "off")], end=9).events == {("ended", ("true",)): [4]}


def test_counting_over_instances() -> None:
    rules = """
    initiatedAt(in(X)=true, T) :- happensAt(enter(X), T).
    terminatedAt(in(X)=true, T) :- happensAt(leave(X), T).
    initiatedAt(crowd=yes, T) :- happensAt(look, T),
        findall(X, holdsAt(in(X)=true, T), L), length(L, N), N >= 2.
    initiatedAt(crowd=no, T) :- happensAt(look, T),
        aggregate_all(count, holdsAt(in(_)=true, T), N), ( N < 2 -> true ; fail ).
    """
    records = [event(t, "enter", x) for t, x in ((1, "x"), (2, "y"))]
    records += [event(6, "leave", "x"), *(event(t, "look") for t in (2, 3, 6, 7))]
    result = run(rules, records, end=9)
    assert intervals(result, "crowd", "no") == [(3, 4), (8, None)]
    assert intervals(result, "crowd", "yes") == [(4, 8)]


def test_both_spellings_of_rules() -> None:
    rules = """
    initiates(set(X,V), f(X)=V, T).
    terminates(clear(X), f(X)=_, T) :- \\+ holdsAt(f(X)=locked, T).
    initiatedAt(g=true, T1, T, T2) :- happensAt(set(_,a), T), T1 =< T, T < T2.
    initiatedAt(h=true, T1, T, T2) :- initiatedAt(g=true, T1, T, T2).
    """
    records = [event(1, "set", "x", "a"), event(3, "clear", "x")]
    records += [event(5, "set", "x", "locked"), event(6, "clear", "x")]
    assert run(rules, records, end=9).fluents == {
        ("f", ("x",), "a"): [(2, 4)],
        ("f", ("x",), "locked"): [(6, None)],
        ("g", (), "true"): [(2, None)],
        ("h", (), "true"): [(2, None)],
    }


# Cycles: Tables 3.1 and 3.2

STATUS = """
initially(status(_)=proposed).
initiatedAt(status(M)=proposed, T) :- happensAt(propose(_P,M), T), holdsAt(status(M)=null, T).
initiatedAt(status(M)=voting, T) :- happensAt(second(_S,M), T), holdsAt(status(M)=proposed, T).
initiatedAt(status(M)=voted, T) :- happensAt(close_ballot(_C,M), T), holdsAt(status(M)=voting, T).
initiatedAt(status(M)=null, T) :- happensAt(declare(_C,M,_R), T), holdsAt(status(M)=voted, T).
"""


def test_the_status_of_tables_3_1_and_3_2() -> None:
    records = [
        event(3, "second", "s", "m"),
        event(6, "close_ballot", "c", "m"),
        event(9, "declare", "c", "m", "not_carried"),
        event(12, "propose", "p", "m"),
        event(15, "propose", "p", "m"),
    ]
    assert run(STATUS, records, end=20).fluents == {
        ("status", ("m",), "proposed"): [(0, 4), (13, None)],
        ("status", ("m",), "voting"): [(4, 7)],
        ("status", ("m",), "voted"): [(7, 10)],
        ("status", ("m",), "null"): [(10, 13)],
    }


def test_negative_cycles_are_stratified_by_time() -> None:
    # Each tick turns the lamp the other way.
    rules = """
    initiatedAt(lamp=on, T) :- happensAt(press, T), \\+ holdsAt(lamp=on, T).
    terminatedAt(lamp=on, T) :- happensAt(press, T), holdsAt(lamp=on, T).
    """
    records = [event(t, "press") for t in (1, 4, 5, 8)]
    assert intervals(run(rules, records, end=9), "lamp", "on") == [(2, 5), (6, 9)]


def test_a_dependency_on_itself_at_the_same_time_is_refused() -> None:
    rules = "initiatedAt(f=true, T) :- happensAt(e, T), \\+ initiatedAt(f=true, T)."
    with pytest.raises(NotStratified):
        run(rules, [event(1, "e")], end=3)


# Delayed effects: Figure 3.2, R = 10, windows of 20; initiations up, terminations down

DELAY = """
initiatedAt(f=v, T) :- happensAt(up, T).
terminatedAt(f=v, T) :- happensAt(down, T).
fi(f=v, f=w, 10).
"""
POSTPONABLE = DELAY + "p(f=v)."


def delayed(rules: str, ups: list[int], downs: list[int], end: int) -> dict[str, list[Interval]]:
    records = [event(t, "up") for t in ups] + [event(t, "down") for t in downs]
    result = run(rules, records, end)
    return {value: intervals(result, "f", value) for value in "vw"}


@pytest.mark.parametrize(
    ("case", "rules", "ups", "downs", "v", "w"),
    [
        # (i) initiations before the window (20, 40], the effect inside it
        ("a i", DELAY, [14, 16, 18], [], [(15, 25)], [(25, None)]),
        ("b i", POSTPONABLE, [14, 16, 18], [], [(15, 29)], [(29, None)]),
        # (ii) three initiations, the last less than R after the first
        ("a ii", DELAY, [22, 25, 28], [], [(23, 33)], [(33, None)]),
        ("b ii", POSTPONABLE, [22, 25, 28], [], [(23, 39)], [(39, None)]),
        # (iii) a termination before the first effect cancels all
        ("a iii", DELAY, [22, 25], [29], [(23, 30)], []),
        ("b iii", POSTPONABLE, [22, 25], [29], [(23, 30)], []),
        # (iv) a termination between the first and the last effect
        ("a iv", DELAY, [22, 25], [33], [(23, 33)], [(33, None)]),
        ("b iv", POSTPONABLE, [22, 25], [33], [(23, 34)], []),
        # (v) the effect falls after the window: open for now
        ("a v", DELAY, [34, 36, 38], [], [(35, None)], []),
        ("b v", POSTPONABLE, [34, 36, 38], [], [(35, None)], []),
    ],
)
def test_figure_3_2(
    case: str, rules: str, ups: list[int], downs: list[int], v: list[Interval], w: list[Interval]
) -> None:
    assert delayed(rules, ups, downs, end=40) == {"v": v, "w": w}
    records = [event(t, "up") for t in ups] + [event(t, "down") for t in downs]
    report = evaluate_window(parse(rules), [], records, 0, 1, [20, 40], 20)[40]
    assert {value: intervals(report, "f", value) for value in "vw"} == {"v": v, "w": w}
    if case.endswith(" v"):
        effect = 44 if case == "a v" else 48
        assert delayed(rules, ups, downs, end=60) == {
            "v": [(35, effect + 1)],
            "w": [(effect + 1, None)],
        }


def test_the_borders_of_a_delay() -> None:
    # Broken exactly at T: cancelled. Broken exactly at T+R: too late to cancel.
    assert delayed(DELAY, [5], [5], end=30) == {"v": [], "w": []}
    assert delayed(DELAY, [5], [15], end=30) == {"v": [(6, 16)], "w": [(16, None)]}
    # Re-initiated exactly at T+R: does not postpone, and both values break each other there.
    assert delayed(POSTPONABLE, [5, 15], [], end=30) == {"v": [(6, 16)], "w": []}


def test_expiring_quotes_of_example_6() -> None:
    rules = """
    initiatedAt(quote(M,C,G)=true, T) :- happensAt(present_quote(M,C,G,_P), T).
    initiatedAt(quote(M,C,G)=false, T) :- happensAt(accept_quote(C,M,G), T).
    fi(quote(M,C,G)=true, quote(M,C,G)=expiring, R) :- warning_after(R).
    fi(quote(M,C,G)=expiring, quote(M,C,G)=false, 3).
    warning_after(5).
    """
    presented = [event(2, "present_quote", "m", "c", "g", 10)]
    result = run(rules, presented, end=20)
    assert result.fluents == {
        ("quote", ("m", "c", "g"), "true"): [(3, 8)],
        ("quote", ("m", "c", "g"), "expiring"): [(8, 11)],
        ("quote", ("m", "c", "g"), "false"): [(11, None)],
    }
    accepted = run(rules, [*presented, event(4, "accept_quote", "c", "m", "g")], end=20)
    assert intervals(accepted, "quote", "false", "m", "c", "g") == [(5, None)]
    assert intervals(accepted, "quote", "expiring", "m", "c", "g") == []


def test_an_initial_value_and_delays_alone_make_a_clock() -> None:
    rules = "initially(c=a). fi(c=a, c=b, 3). fi(c=b, c=a, 2)."
    result = run(rules, [], end=11)
    assert intervals(result, "c", "a") == [(0, 3), (5, 8), (10, None)]
    assert intervals(result, "c", "b") == [(3, 5), (8, 10)]


def test_only_the_shortest_of_several_delays_takes_effect() -> None:
    rules = DELAY + "fi(f=v, f=w2, 4)."
    result = run(rules, [event(1, "up")], end=30)
    assert result.fluents == {("f", (), "v"): [(2, 6)], ("f", (), "w2"): [(6, None)]}


# Allen relations: Tables 2.2 and 3.3

@pytest.mark.parametrize(
    ("relation", "i", "j"),
    [
        ("before", (1, 3), (4, 6)),
        ("meets", (1, 4), (4, 6)),
        ("starts", (1, 3), (1, 6)),
        ("finishes", (4, 6), (1, 6)),
        ("during", (2, 3), (1, 6)),
        ("overlaps", (1, 4), (3, 6)),
        ("equal", (1, 4), (1, 4)),
        ("before", (1, 3), (4, None)),
        ("starts", (1, 3), (1, None)),
        ("finishes", (4, None), (1, None)),
        ("overlaps", (1, 4), (3, None)),
        ("equal", (1, None), (1, None)),
    ],
)
def test_table_2_2(relation: str, i: Interval, j: Interval) -> None:
    assert [r for r in RELATIONS if holds_between(r, i, j)] == [relation]
    inverses = ("after", "met_by", "started_by", "finished_by", "contains", "overlapped_by")
    (inverse,) = [r for r in RELATIONS if holds_between(r, j, i)]
    assert inverse == "equal" if relation == "equal" else inverse in inverses


bounds = st.tuples(st.integers(0, 9), st.integers(1, 9)).map(lambda p: (p[0], p[0] + p[1]))
ends = st.one_of(bounds, st.integers(0, 9).map(lambda s: (s, None)))


@given(ends, ends)
def test_exactly_one_relation_holds_between_two_intervals(i: Interval, j: Interval) -> None:
    assert sum(holds_between(r, i, j) for r in RELATIONS) == 1


def test_table_3_3() -> None:
    timeline = Timeline(0, 20, 1)

    def apply(mode: str) -> list[Interval]:
        source = timeline.to_points([(1, 5), (8, 9)])
        target = timeline.to_points([(3, 7), (12, 14)])
        return timeline.to_intervals(allen(timeline, "overlaps", source, target, mode))

    assert {mode: apply(mode) for mode in MODES} == {
        "source": [(1, 5)],
        "target": [(3, 7)],
        "union": [(1, 7)],
        "intersect": [(3, 5)],
        "complement": [(1, 3)],
        "complement_inv": [(5, 7)],
    }
    assert apply("lhs") == apply("source")
    assert apply("relative_complement_inverse") == apply("complement_inv")


def test_disappeared_in_area_of_rule_3_19() -> None:
    # Figure 3.4(a): of two gaps, only the second is met by a stay in the area.
    rules = """
    holdsFor(disappearedInArea(V,A)=true, I) :-
        holdsFor(withinArea(V,A)=true, S), holdsFor(gap(V)=farFromPorts, T),
        allen(meets, S, T, target, I).
    """
    records = [
        interval("withinArea", 5, 12, "true", "v", "natura"),
        interval("withinArea", 20, 25, "true", "v", "natura"),
        interval("gap", 2, 4, "farFromPorts", "v"),
        interval("gap", 12, 18, "farFromPorts", "v"),
    ]
    result = run(rules, records, end=30)
    assert intervals(result, "disappearedInArea", "true", "v", "natura") == [(12, 18)]
    union = run(rules.replace("target", "union"), records, end=30)
    assert intervals(union, "disappearedInArea", "true", "v", "natura") == [(5, 18)]


def test_suspicious_rendez_vous_of_rule_3_20() -> None:
    rules = """
    holdsFor(suspiciousRendezVous(V1,V2)=true, I) :-
        holdsFor(gap(V1)=farFromPorts, I1), holdsFor(gap(V2)=farFromPorts, I2),
        holdsFor(proximity(V1,V2)=true, T),
        union_all([I1,I2], S), during(S, T, target, I).
    """
    records = [
        interval("gap", 1, 4, "farFromPorts", "v"),
        interval("gap", 10, 13, "farFromPorts", "v"),
        interval("gap", 12, 16, "farFromPorts", "w"),
        interval("proximity", 8, 20, "true", "v", "w"),
        interval("proximity", 25, 28, "true", "v", "w"),
    ]
    result = run(rules, records, end=30)
    assert intervals(result, "suspiciousRendezVous", "true", "v", "w") == [(8, 20)]


# Streams and windows

def test_lines_of_a_stream() -> None:
    records = [
        event(3, "e", "a", 1, arrival=5),
        interval("near", 3, 6, "true", "a", "b"),
        point("speed", 4, "low", "v"),
        Record("e", 9, 3, ("a", 1), op="-"),
    ]
    assert to_lines(records) == "e|5|3|a|1\nnear|3|3|6|true|a|b\nspeed|4|4|low|v\n-e|9|3|a|1\n"


def test_a_retracted_record_never_was() -> None:
    records = [event(2, "on"), event(5, "on"), Record("on", 7, 2, op="-")]
    assert intervals(run(SWITCH, records, end=9), "f") == [(6, None)]


def test_a_retraction_takes_one_of_equal_records_back() -> None:
    records = [event(2, "on"), event(2, "on"), Record("on", 7, 2, op="-")]
    assert intervals(run(SWITCH, records, end=9), "f") == [(3, None)]


def windowed(records: list[Record], end: int, step: int, window: int) -> list[list[Interval]]:
    reports = evaluate_window(parse(SWITCH), [], records, 0, 1, query_times(0, end, step), window)
    return [intervals(report, "f") for report in reports.values()]


def test_a_late_record_counts_while_the_window_covers_it() -> None:
    #        on        off, arrives at 14
    #  0     3    |    8       | 10   |  20
    records = [event(3, "on"), event(8, "off", arrival=14)]
    assert windowed(records, 20, 10, window=20) == [[(4, None)], [(4, 9)]]
    assert windowed(records, 20, 10, window=10) == [[(4, None)], [(4, None)]]
    assert Windowing(0, 1, [10, 20], 10).lost(records) == records[1:]
    assert Windowing(0, 1, [10, 20], 20).lost(records) == []


def copied(records: list[Record], end: int, step: int, window: int) -> list[list[Interval]]:
    reports = evaluate_window(parse(COPY), [], records, 0, 1, query_times(0, end, step), window)
    return [intervals(report, "f") for report in reports.values()]


def test_of_a_late_interval_the_part_inside_the_window_counts() -> None:
    #  a    [5          15), arrives at 12      [-----)
    #  q            10           20       window (10,20] or (5,20]
    late = [Record("a", 12, 5, (), "true", 15)]
    assert copied(late, 20, 10, window=10) == [[], [(11, 15)]]
    assert copied(late, 20, 10, window=15) == [[], [(6, 15)]]
    assert copied(late, 20, 10, window=16) == [[], [(5, 15)]]


def test_of_a_retracted_interval_the_part_before_the_window_stays() -> None:
    records = [interval("a", 5, 15), Record("a", 12, 5, (), "true", 15, op="-")]
    assert copied(records, 20, 10, window=13) == [[(5, None)], []]
    assert Windowing(0, 1, [10, 20], 13).known_records(records, 20) == [interval("a", 5, 8)]
    assert Windowing(0, 1, [10, 20], 20).known_records(records, 20) == []


def test_a_retraction_may_come_before_its_record() -> None:
    records = [Record("on", 8, 2, op="-"), event(2, "on", arrival=12)]
    assert windowed(records, 20, 10, window=20) == [[], []]


def test_the_first_window_has_the_start() -> None:
    assert windowed([event(0, "on")], 20, 10, window=10) == [[(1, None)], [(1, None)]]


def test_intervals_that_ended_before_the_window_are_not_reported() -> None:
    records = [event(1, "on"), event(3, "off"), event(9, "on"), event(10, "off"), event(12, "on")]
    # [10,11) has its last time-point at 10, just outside (10,20].
    assert windowed(records, 20, 10, window=10) == [[(2, 4), (10, 11)], [(13, None)]]
    assert windowed(records, 20, 10, window=11)[1] == [(10, 11), (13, None)]


# Printing

def test_what_is_printed_reads_back() -> None:
    text = """
    :- dynamic q/1, r/2.
    initiatedAt(f(X,'two words')=V, T) :-
        happensAt(e(X,V,-3,2.5), T), (p(X) ; \\+ q(V), X \\= V), not holdsAt(g(_)=V, T),
        ( X > 3 -> true ; Y is X * (2 + T) - 1, Y =< 7 ),
        findall(Z, (member(Z,[a,b|L]), Z \\== a), L), \\+ (p(X), q(X)).
    holdsFor(f(X)=true, []).
    holdsFor(g=true, I) :- holdsFor(f(a)=true, I1), \\+ I1=[], !, union_all([I1,[(1,2)]], I).
    """
    clauses = parse(text)
    assert parse(to_prolog(clauses)) == clauses


# The points behind it all

@given(st.frozensets(st.integers(0, 10)), st.integers(1, 3))
def test_intervals_and_points_say_the_same(points: frozenset[int], tick: int) -> None:
    timeline = Timeline(0, 9 * tick, tick)
    scaled: Points = frozenset(p * tick for p in points)
    shown = timeline.to_intervals(scaled)
    assert timeline.to_points(shown) == scaled
    for (_, e), (s, _) in zip(shown, shown[1:], strict=False):
        assert e is not None and e < s
