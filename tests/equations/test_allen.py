"""Allen's relations: the single pass over both lists, and the memory between windows.

Whatever the lists, one pass finds what trying every pair finds; and in windows the intervals
that a window no longer sees still form their pairs.
"""

from __future__ import annotations

import itertools

from hypothesis import given, note, settings
from hypothesis import strategies as st
from interval_lists import (
    TIMELINE,
    IntervalList,
    ask_allen,
    interval_lists,
    quadratic,
    related_lists,
)
from reference.allen import MODES, RELATIONS
from rtec.model import Interval
from rtec.runtime.records import Record

from equations.described import answers


@given(lists=st.one_of(related_lists(), st.tuples(interval_lists, interval_lists)))
def test_one_pass_finds_what_every_pair_finds(lists: tuple[IntervalList, IntervalList]) -> None:
    """All thirteen relations in all modes, each mode under all its names."""
    expected = quadratic(*lists)
    found = ask_allen(list(expected), *lists)
    assert dict(zip(expected, found, strict=True)) == expected


# Every relation in every mode is a fluent of one description, so that a random stream of the
# two inputs tests all of them.

RULES = "\n".join(
    f"holdsFor(f({r},{m})=true, I) :- "
    f"holdsFor(s=true, S), holdsFor(t=true, T), allen({r}, S, T, {m}, I)."
    for r, m in itertools.product(RELATIONS, MODES)
)
RULES += "\ncollectIntervals(s=true).\ncollectIntervals(t=true).\n"


def records_of(name: str, intervals: IntervalList) -> list[Record]:
    last = TIMELINE.beyond + 10
    return [Record(name, s, (), end=last if e is None else e, value="true") for s, e in intervals]


def known_at(intervals: IntervalList, q: int) -> IntervalList:
    """What can be known of intervals at a query time: those that go beyond it are open."""
    return [(s, None if e is None or e > q + 1 else e) for s, e in intervals if s <= q]


def reaches(interval: Interval, floor: int) -> bool:
    return interval[1] is None or interval[1] - 1 > floor


@settings(max_examples=settings.default.max_examples // 3)
@given(
    lists=st.one_of(related_lists(), st.tuples(interval_lists, interval_lists)),
    windows=st.tuples(st.integers(2, 26), st.integers(2, 26)),
)
def test_windows_find_what_the_whole_stream_has(
    lists: tuple[IntervalList, IntervalList], windows: tuple[int, int]
) -> None:
    step, window = sorted(windows)
    source, target = lists
    query_times = [*range(step, TIMELINE.end, step), TIMELINE.end]
    records = records_of("s", source) + records_of("t", target)
    found = answers(RULES, records, query_times, window=window)
    for q in query_times:
        floor = -1 if q == query_times[0] else q - window
        known = known_at(source, q), known_at(target, q)
        expected = {
            ("f", names, "true"): kept
            for names, intervals in quadratic(*known).items()
            if names[1] in MODES and (kept := [i for i in intervals if reaches(i, floor)])
        }
        note(f"query time {q}: {known}")
        assert found[q] == expected
