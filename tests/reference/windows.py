"""What each query time should report, worked out from scratch (LANGUAGE.md, section 7).

At query time q the window is (q - window, q], and the first window also has the start of
the run. A record becomes known at the first query time that is neither before its arrival nor
before its time; what lies before the window then is lost for ever: all of it, or, of an
interval, the part before the window. The answer at q is that of the whole history up to q over
what was not lost, cut to the intervals that reach into the window, with their real starts.

Values before the window need no freezing here: what counts of a record lies inside the window
of the query time at which it becomes known, and changes only time-points after its own.
The exceptions are conditions that look at whole intervals (durations, `allen`, emptiness): an
interval that is still open at one query time may turn out shorter at the next, and with it
what was concluded about time-points before the window. There the whole history decides,
as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

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


@dataclass(frozen=True)
class Windowing:
    """The windows of a run."""

    start: int
    tick: int
    query_times: list[int]
    window: int

    def floor(self, q: int) -> int:
        """The time-point after which the window at q begins."""
        floor = q - self.window
        return self.start - self.tick if q == self.query_times[0] and floor <= self.start else floor

    def first_point(self, q: int) -> int:
        """The first time-point inside the window at q."""
        return self.start + ((self.floor(q) - self.start) // self.tick + 1) * self.tick

    def known_at(self, record: Record) -> int | None:
        """The query time at which a record becomes known; None if it is lost or never does."""
        due = max(record.arrival, record.time)
        q = next((q for q in self.query_times if q >= due), None)
        return q if q is not None and record.last_point(self.tick) > self.floor(q) else None

    def lost(self, records: Iterable[Record]) -> list[Record]:
        """The records that come too late for their window, or for all of it that they speak of."""
        last = self.query_times[-1]
        due = [r for r in records if r.time >= self.start and max(r.arrival, r.time) <= last]
        return [r for r in due if not self._arrives_in_full(r)]

    def _arrives_in_full(self, record: Record) -> bool:
        q = self.known_at(record)
        return q is not None and record.time > self.floor(q)

    def known_records(self, records: Iterable[Record], q: int) -> list[Record]:
        """What is known at q of each record, retractions applied."""
        equals: dict[str, list[Record]] = {}
        for record in records:
            equals.setdefault(record.identity, []).append(record)
        return [part for group in equals.values() for part in self._known_parts(group, q)]

    def _known_parts(self, equals: list[Record], q: int) -> list[Record]:
        """The same for equal records, each a part [from, to) of the interval they speak of.

        A record counts from the first time-point of the window at which it becomes known; one
        that is taken back keeps what lies before the window by then. A retraction that
        comes first waits for its record.
        """
        example = equals[0]
        active: list[int] = []
        parts: list[tuple[int, int | None]] = []
        owed = 0
        for at in [t for t in self.query_times if t <= q]:
            border = self.first_point(at)
            known = [r.op for r in equals if self.known_at(r) == at]
            active += [max(example.time, border)] * known.count("+")
            owed += known.count("-")
            while owed and active:
                owed -= 1
                parts.append((active.pop(), border))
        parts += [(begin, example.end) for begin in active]
        if example.end is None:
            return [replace(example, op="+") for _ in active]
        return [
            replace(example, op="+", time=begin, end=end)
            for begin, end in parts
            if end is not None and begin < end
        ]


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
    windowing = Windowing(start, tick, query_times, window)
    everything = list(records)
    reports = {}
    for q in query_times:
        known = windowing.known_records(everything, q)
        whole = evaluate(clauses, background, known, start, q, tick)
        reports[q] = cut_to_window(whole, windowing.floor(q), tick)
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
