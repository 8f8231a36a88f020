"""What each query time should report, worked out from scratch (LANGUAGE.md, section 7).

At query time q the window is (q - window, q], and the first window also has the start of
the run. A record becomes known at the first query time that is neither before its arrival nor
before its time; if it lies outside the window then, it is lost for ever. The answer at
q is that of the whole history up to q over the records that were not lost, cut to
the intervals that reach into the window, with their real starts.

Values before the window need no freezing here: a record that counts lies inside the window
of the query time at which it becomes known, and changes only time-points after its own.
The exceptions are conditions that look at whole intervals (durations, `allen`, emptiness): an
interval that is still open at one query time may turn out shorter at the next, and with it
what was concluded about time-points before the window. There the whole history decides,
as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from rtec.compiler.terms import Clause

from .evaluator import Result, evaluate
from .points import Interval
from .records import Record


def query_times(start: int, end: int, step: int) -> list[int]:
    """The query times of a run; the last is cut to its end.

    >>> query_times(0, 25, 10)
    [10, 20, 25]
    """
    times = list(range(start + step, end, step))
    return [*times, end]


def window_floor(q: int, start: int, window: int, first: int, tick: int) -> int:
    """The time-point after which the window at q begins."""
    floor = q - window
    return start - tick if q == first and floor <= start else floor


def counted(
    records: Iterable[Record], times: list[int], window: int, start: int, tick: int
) -> list[tuple[int, Record]]:
    """The records that are not lost, each with the query time at which it becomes known."""
    found = []
    for record in records:
        q = next((q for q in times if q >= max(record.arrival, record.time)), None)
        if q is not None and record.time > window_floor(q, start, window, times[0], tick):
            found.append((q, record))
    return found


def lost(
    records: Iterable[Record], times: list[int], window: int, start: int, tick: int = 1
) -> list[Record]:
    """The records of the run that arrive too late for their window."""
    everything = [r for r in records if r.time >= start and max(r.arrival, r.time) <= times[-1]]
    kept = [r for _, r in counted(everything, times, window, start, tick)]
    return [r for r in everything if r not in kept]


def evaluate_window(
    clauses: list[Clause],
    background: list[Clause],
    records: Iterable[Record],
    start: int,
    tick: int,
    query_times: list[int],
    window: int,
) -> dict[int, Result]:
    """What should be reported at each query time."""
    known = counted(records, query_times, window, start, tick)
    reports = {}
    for q in query_times:
        whole = evaluate(clauses, background, [r for at, r in known if at <= q], start, q, tick)
        floor = window_floor(q, start, window, query_times[0], tick)
        reports[q] = cut_to_window(whole, floor, tick)
    return reports


def cut_to_window(whole: Result, floor: int, tick: int) -> Result:
    """Keep the intervals and time-points that reach beyond `floor`."""
    fluents = {
        fvp: kept
        for fvp, intervals in whole.fluents.items()
        if (kept := [i for i in intervals if _reaches_beyond(i, floor, tick)])
    }
    events = {
        event: inside
        for event, times in whole.events.items()
        if (inside := [t for t in times if t > floor])
    }
    return Result(fluents, events)


def _reaches_beyond(interval: Interval, floor: int, tick: int) -> bool:
    return interval[1] is None or interval[1] - tick > floor
