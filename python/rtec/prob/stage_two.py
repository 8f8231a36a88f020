"""The second stage over windows: series of probabilities go to oPIEC as far as they are known.

Where windows overlap, late records may change how likely fluents were. So oPIEC goes back to where
the window begins, with what was known when that time-point left the window before, and takes the
window's probabilities anew. Otherwise it just takes what is new.

The series of a fluent begins where it may hold for the first time, and has a value at every
time-point since then.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

import pyarrow as pa

from rtec.prob.blocks import LONGEST_GAP
from rtec.prob.many import OpiecMany
from rtec.prob.pmis import Pmis
from rtec.prob.probec import FluentSeries, Series
from rtec.prob.scale import DECIMALS

SCHEMA = pa.schema([("series", pa.string()), ("time", pa.int64()), ("prob", pa.float64())])
"""The columns of series of probabilities."""


@dataclass(slots=True)
class _Fed:
    """oPIEC, and the last time-point that it was given."""

    streams: OpiecMany
    last: int | None = None


class StageTwo:
    """Finds intervals in what the first stage says, window by window.

    Attributes:
        points: What became final with the last window: `series`, `time` and `prob`; between two
            points of a series, the first one counts.
    """

    def __init__(self, streams: OpiecMany, tick: int, overlap: bool) -> None:
        """Begin with no series; `overlap` says whether windows do."""
        self._tick = tick
        self._overlap = overlap
        self._final = self._known = _Fed(streams)
        self._answer: FluentSeries | None = None
        self._labels: dict[tuple[object, ...], int] = {}
        self._names: list[Series] = []
        self.points = SCHEMA.empty_table()

    def take(self, answer: FluentSeries) -> Pmis | None:
        """Take the probabilities of a window; give the intervals that end in it, if any do."""
        if not self._overlap:
            found, self.points = self._give(self._final, answer, answer.end)
            return found
        before, lower = self._answer, answer.start - self._tick
        if before is None:
            self.points = SCHEMA.empty_table()
        elif lower >= before.end:
            self.points = self._table(self._rows(self._final, before, before.end))
            self._final = self._known
        else:
            _, self.points = self._give(self._final, before, lower)
        self._answer = answer
        self._known = deepcopy(self._final)
        return self._give(self._known, answer, answer.end)[0]

    def finish(self) -> Pmis:
        """Take what is known as final; give all intervals that are remembered."""
        self.points = SCHEMA.empty_table()
        if self._answer is not None:
            self.points = self._table(self._rows(self._final, self._answer, self._answer.end))
        return self._known.streams.intervals()

    def series(self, label: int) -> Series:
        """The fluent and value that a label stands for, without its probabilities."""
        return self._names[label]

    def _give(self, to: _Fed, answer: FluentSeries, until: int) -> tuple[Pmis | None, pa.Table]:
        """Let oPIEC go on up to a time-point; give what it finds, and what it was given."""
        labels, times, probs = rows = self._rows(to, answer, until)
        after = answer.start - self._tick if to.last is None else to.last
        to.last = after + (until - after) // self._tick * self._tick
        if not labels:
            return None, SCHEMA.empty_table()
        batch = {"series": pa.array(labels, pa.int64()), "time": times, "prob": probs}
        return to.streams.update(batch), self._table(rows)

    def _table(self, rows: tuple[list[int], list[int], list[float]]) -> pa.Table:
        labels, times, probs = rows
        return pa.table([[self._names[n].name for n in labels], times, probs], schema=SCHEMA)

    def _rows(
        self, to: _Fed, answer: FluentSeries, until: int
    ) -> tuple[list[int], list[int], list[float]]:
        """The points of all series from where oPIEC is, up to a time-point."""
        after = answer.start - self._tick if to.last is None else to.last
        labels: list[int] = []
        times: list[int] = []
        probs: list[float] = []
        seen = set()
        for series in answer:
            label = self._label(series)
            seen.add(label)
            begun = label in to.streams
            for at, prob in self._points_of(series, after, until, answer.start, begun):
                labels.append(label)
                times.append(at)
                probs.append(round(prob, DECIMALS))
        for label in range(len(self._names)):
            if label not in seen and label in to.streams:
                for at in self._bounds(after + self._tick, until):
                    labels.append(label)
                    times.append(at)
                    probs.append(0.0)
        return labels, times, probs

    def _label(self, series: Series) -> int:
        label = self._labels.setdefault(series.identity, len(self._names))
        if label == len(self._names):
            self._names.append(Series(series.fluent, series.args, series.value, (), ()))
        return label

    def _points_of(
        self, series: Series, after: int, until: int, start: int, begun: bool
    ) -> Iterator[tuple[int, float]]:
        """Points where a series changes, with one at the beginning and one at the end."""
        tick = self._tick
        # A window that begins between two time-points tells what holds since the one before.
        changes = [t - (t - after) % tick for t in series.times]
        first = after + tick
        if not begun:
            first = max(first, next(t for t, p in zip(changes, series.probs, strict=True) if p > 0))
        bounds = self._bounds(first, until)
        for at in sorted({*bounds, *(t for t in changes if first < t <= until)}):
            yield at, series.at(max(at, start))

    def _bounds(self, first: int, until: int) -> list[int]:
        """The first and the last time-point, and some between them: gaps have a limit."""
        if first > until:
            return []
        last = first + (until - first) // self._tick * self._tick
        return [*range(first, last, LONGEST_GAP * self._tick), last]
