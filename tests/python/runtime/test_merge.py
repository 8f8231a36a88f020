"""Answers merged over a run, against sets of time-points."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rtec.model import EventRecognition, FluentRecognition
from rtec.runtime.answers import Recognitions
from rtec.runtime.changes import Changes
from rtec.runtime.merge import Merged
from rtec.runtime.windows import Window


def merged(*steps: tuple[int, int, list[int | str]]) -> list[object]:
    """Merge what is said of one fluent: window start, query time, intervals."""
    result = Merged()
    for start, query_time, ends in steps:
        rows = [("f", ["a"], "true", ends)] if ends else []
        result.add(Window(start, query_time), Recognitions(query_time, rows))
    return [r.intervals for r in result.result() if isinstance(r, FluentRecognition)]


def test_an_open_interval_is_closed_later() -> None:
    assert merged((0, 10, [5, "inf"]), (10, 20, [5, 15])) == [((5, 15),)]


def test_an_interval_that_ended_stays() -> None:
    assert merged((0, 10, [5, 8]), (10, 20, []), (20, 30, [25, 27])) == [((5, 8), (25, 27))]


def test_an_interval_is_withdrawn() -> None:
    assert merged((0, 10, [5, "inf"]), (0, 12, [])) == []


def test_what_lies_before_the_window_cannot_be_withdrawn() -> None:
    assert merged((0, 10, [5, "inf"]), (7, 17, [])) == [((5, 8),)]


def test_a_late_record_cuts_an_interval_in_two() -> None:
    assert merged((0, 10, [2, "inf"]), (5, 15, [2, 7, 9, "inf"])) == [((2, 7), (9, None))]


def test_the_real_start_replaces_what_was_known() -> None:
    assert merged((0, 10, [4, "inf"]), (8, 18, [6, "inf"])) == [((6, None),)]


def test_an_interval_that_is_found_late_keeps_its_real_start() -> None:
    assert merged((0, 10, []), (10, 20, [3, 15])) == [((3, 15),)]


def test_numbers_of_two_kinds_are_two_fluents() -> None:
    result = Merged()
    result.add(Window(0, 9), Recognitions(9, [("f", [1], "v", [1, 2]), ("f", [1.0], "v", [3, 4])]))
    assert len(result.result()) == 2


def test_events() -> None:
    result = Merged()
    result.add(Window(0, 10), Recognitions(10, [], [("e", [], [3, 8]), ("g", ["x"], [9])]))
    result.add(Window(5, 15), Recognitions(15, [], [("e", [], [7, 12])]))
    assert list(result.result()) == [EventRecognition(15, "e", (), (3, 7, 12))]


_points = st.sets(st.integers(0, 40), max_size=15)


@given(st.lists(_points, min_size=1, max_size=6), st.integers(1, 9), st.integers(1, 12))
def test_equals_sets_of_time_points(said: list[set[int]], step: int, size: int) -> None:
    """Each query time says all about its window; the last word on each time-point counts."""
    result = Merged()
    truth: set[int] = set()
    for number, points in enumerate(said, 1):
        query_time = number * step
        start = query_time - max(size, step)
        truth = {p for p in truth if p <= start} | {p for p in points if start < p <= query_time}
        ends = [e for pair in _intervals(truth) for e in pair]
        # Reported is what overlaps the window, with its real start.
        shown = [e for s, t in _intervals(truth) if t > start + 1 for e in (s, t)]
        rows = [("f", [], "v", shown)] if shown else []
        result.add(Window(start, query_time), Recognitions(query_time, rows))
        found = [e for row in result.result().fluents for e in row[3]]
        assert found == ends


def _intervals(points: set[int]) -> list[tuple[int, int]]:
    made: list[tuple[int, int]] = []
    for point in sorted(points):
        if made and made[-1][1] == point:
            made[-1] = (made[-1][0], point + 1)
        else:
            made.append((point, point + 1))
    return made


def _random_report(points: set[int], start: int) -> list[Any]:
    shown = [e for s, t in _intervals(points) if t > start + 1 for e in (s, t)]
    return [("f", [], "v", shown)] if shown else []


@given(
    st.lists(st.tuples(_points, _points), min_size=1, max_size=6),
    st.integers(1, 9),
    st.integers(1, 12),
)
def test_changes_in_order_give_the_full_report(
    said: list[tuple[set[int], set[int]]], step: int, size: int
) -> None:
    """Who applies all changes has the merged answer, and the full report inside the window."""
    changes, merged = Changes(), Merged()
    kept: set[tuple[str, Any, Any]] = set()
    truth: set[int] = set()
    for number, (points, times) in enumerate(said, 1):
        query_time = number * step
        start = query_time - max(size, step)
        window = Window(start, query_time)
        truth = {p for p in truth if p <= start} | {p for p in points if start < p <= query_time}
        happened = sorted(t for t in times if t in window)
        report = Recognitions(
            query_time, _random_report(truth, start), [("e", [], happened)] if happened else []
        )
        merged.add(window, report)
        for change in changes.take(window, report):
            rows = _flat(change)
            assert rows and len(rows) == len(set(rows))
            if change.op == "-":
                assert kept.issuperset(rows)
                kept.difference_update(rows)
            else:
                assert kept.isdisjoint(rows)
                kept.update(rows)
        assert kept == set(_flat(merged.result()))
        inside = {r for r in kept if (r[1] in window if r[0] == "e" else r[2] > start + 1)}
        assert inside == set(_flat(report))


def _flat(answers: Recognitions) -> list[tuple[str, Any, Any]]:
    fluents = [
        ("f", s, e)
        for row in answers.fluents
        for s, e in zip(row[3][::2], row[3][1::2], strict=True)
    ]
    return fluents + [("e", t, t) for row in answers.events for t in row[2]]
