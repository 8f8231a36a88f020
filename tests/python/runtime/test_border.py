"""What starts and ends at the border of a window is seen there, too."""

from __future__ import annotations

from pathlib import Path

import pytest
import rtec

RULES = """
initiatedAt(lit(X)=true, T) :- happensAt(start(power(X)=true), T).
terminatedAt(lit(X)=true, T) :- happensAt(end(power(X)=true), T).
happensAt(up(X), T) :- happensAt(start(power(X)=true), T).
collectIntervals(power(_)=true).
"""


@pytest.fixture
def program(tmp_path: Path) -> rtec.Program:
    (tmp_path / "lamps.prolog").write_text(RULES)
    return rtec.compile(tmp_path / "lamps.prolog")


def power(start: int, end: int, arrival: int | None = None, op: str = "+") -> rtec.Record:
    return rtec.Record("power", start, ("a",), arrival, end, "true", op)


def fluents(program: rtec.Program, *records: rtec.Record, window: int) -> dict[int, object]:
    run = rtec.run(program, list(records), window=window, step=10, start=0, end=40)
    return {
        answers.query_time: [r.intervals for r in answers if isinstance(r, rtec.FluentRecognition)]
        for answers in run.query_times()
    }


def test_an_interval_that_begins_with_its_window(program: rtec.Program) -> None:
    """
    window 1   (----------]10
    window 2              (----------]20
    power                  [11     25)
    """
    found = fluents(program, power(11, 25), window=10)
    assert found == {10: [], 20: [((11, None),)], 30: [((11, 25),)], 40: []}


def test_an_interval_that_comes_late(program: rtec.Program) -> None:
    """Of one that began before the window, the part inside it counts."""
    for start in (5, 11):
        found = fluents(program, power(start, 25, 21), window=20)
        assert found == {10: [], 20: [], 30: [((11, 25),)], 40: [((11, 25),)]}


def test_an_interval_that_is_taken_back(program: rtec.Program) -> None:
    """What lies before the window stays: at 30 that is (..., 10], at 40 (..., 20]."""
    whole, back = power(5, 35), power(5, 35, 32, "-")
    found = fluents(program, whole, back, window=20)
    assert found == {10: [((5, None),)], 20: [((5, None),)], 30: [((5, None),)], 40: []}
    merged = list(rtec.run(program, [whole, back], window=20, step=10, start=0, end=40, merge=True))
    assert [r.intervals for r in merged if isinstance(r, rtec.FluentRecognition)] == [((5, 21),)]


def test_events_before_the_window_are_not_reported(program: rtec.Program) -> None:
    run = rtec.run(program, [power(11, 25), power(15, 28)], window=10, step=10, start=0, end=20)
    assert [r for r in run if isinstance(r, rtec.EventRecognition)] == []
    run = rtec.run(program, [power(12, 25)], window=10, step=10, start=0, end=20)
    assert [r.times for r in run if isinstance(r, rtec.EventRecognition)] == [(11,)]
