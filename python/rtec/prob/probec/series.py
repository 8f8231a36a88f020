"""How likely fluents are over time: series that are constant between the points they list."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rtec.model import Scalar
from rtec.prob.probec.ground import Fvp, typed
from rtec.prob.probec.methods import Method
from rtec.prob.scale import FloatArray, IntArray
from rtec.runtime.answers import json_args

SAME = 1e-14
"""Probabilities that differ by no more are the same."""

COLUMNS = ("fluent", "args", "value", "time", "prob")


@dataclass(frozen=True, slots=True)
class Series:
    """One fluent-value pair: from each of `times` on it is as likely as `probs` says.

    Before the first time-point it does not hold.
    """

    fluent: str
    args: tuple[Scalar, ...]
    value: Scalar
    times: tuple[int, ...]
    probs: tuple[float, ...]

    @property
    def name(self) -> str:
        """The pair as text.

        >>> Series("near", ("a", 3), "true", (), ()).name
        'near(a,3)=true'
        """
        args = f"({','.join(map(str, self.args))})" if self.args else ""
        return f"{self.fluent}{args}={self.value}"

    @property
    def identity(self) -> tuple[object, ...]:
        """Something to tell pairs apart by; 1 and 1.0 are different."""
        return self.fluent, typed(self.args), typed((self.value,))

    def at(self, time: int) -> float:
        """How likely it is at a time-point.

        >>> Series("rich", ("ann",), "true", (3, 9), (0.5, 0.2)).at(8)
        0.5
        """
        place = bisect_right(self.times, time) - 1
        return self.probs[place] if place >= 0 else 0.0


@dataclass(frozen=True, slots=True)
class FluentSeries:
    """How likely all fluents are over a run, or over one window of it.

    Attributes:
        start: The first time-point.
        end: The last one.
        tick: How far apart consecutive time-points are.
        series: The pairs that may hold at some time-point, sorted.
        methods: How each fluent was worked out, by its name and arity.
    """

    start: int
    end: int
    tick: int
    series: tuple[Series, ...]
    methods: dict[str, Method] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Series]:
        return iter(self.series)

    def __len__(self) -> int:
        return len(self.series)

    def get(self, fluent: str, args: tuple[Scalar, ...] = (), value: Scalar = "true") -> Series:
        """The series of a fluent-value pair; an empty one if it never holds."""
        for series in self.series:
            if (series.fluent, series.args, series.value) == (fluent, tuple(args), value):
                return series
        return Series(fluent, tuple(args), value, (), ())

    def time_points(self) -> IntArray:
        """All time-points."""
        return np.arange(self.start, self.end + 1, self.tick, dtype=np.int64)

    def dense(self) -> dict[str, FloatArray]:
        """The probability at every time-point, by the name of the pair."""
        points = self.time_points()
        result = {}
        for series in self.series:
            places = np.searchsorted(np.array(series.times, np.int64), points, "right")
            result[series.name] = np.array((0.0, *series.probs))[places]
        return result

    def to_arrow(self) -> Any:
        """Make a table with a row for each change: see `COLUMNS`; `args` is a JSON list."""
        import pyarrow as pa

        rows = [
            (series.fluent, json_args(series.args), str(series.value), time, prob)
            for series in self.series
            for time, prob in zip(series.times, series.probs, strict=True)
        ]
        types = (pa.string(), pa.string(), pa.string(), pa.int64(), pa.float64())
        columns = list(zip(*rows, strict=True)) or [()] * len(COLUMNS)
        return pa.table(
            {
                name: pa.array(column, kind)
                for name, column, kind in zip(COLUMNS, columns, types, strict=True)
            }
        )


def joined(parts: Sequence[FluentSeries]) -> FluentSeries:
    """Join the series of windows in order; where they overlap, the later one counts."""
    found: dict[tuple[object, ...], tuple[Series, list[int], list[float]]] = {}
    for part in parts:
        here = {series.identity: series for series in part}
        for name, (_, times, probs) in found.items():
            kept = bisect_left(times, part.start)
            del times[kept:], probs[kept:]
            if name not in here and probs and probs[-1] != 0.0:
                times.append(part.start)
                probs.append(0.0)
        for name, series in here.items():
            _, times, probs = found.setdefault(name, (series, [], []))
            if series.times[0] > part.start and probs and probs[-1] != 0.0:
                times.append(part.start)
                probs.append(0.0)
            for time, prob in zip(series.times, series.probs, strict=True):
                if not probs or probs[-1] != prob:
                    times.append(time)
                    probs.append(prob)
    together = [
        Series(one.fluent, one.args, one.value, tuple(times), tuple(probs))
        for one, times, probs in found.values()
        if times
    ]
    first, last = parts[0], parts[-1]
    ordered = tuple(sorted(together, key=order))
    return FluentSeries(first.start, last.end, first.tick, ordered, last.methods)


def order(series: Series) -> tuple[object, ...]:
    """What series are sorted by: names, arguments and values, numbers before text."""
    items = (*series.args, series.value)
    return series.fluent, len(series.args), [(isinstance(i, str), i) for i in items]


class SeriesWriter:
    """Collects what changes into series."""

    def __init__(self) -> None:
        """Begin with none."""
        self._points: dict[Fvp, tuple[list[int], list[float]]] = {}

    def report(self, fvp: Fvp, time: int, prob: float) -> None:
        """Take in that a pair is this likely from a time-point on; time-points ascend."""
        found = self._points.get(fvp)
        if found is None:
            if prob == 0.0:
                return
            found = self._points[fvp] = ([], [])
        times, probs = found
        if times and times[-1] == time:
            times.pop()
            probs.pop()
        if abs((probs[-1] if probs else 0.0) - prob) > SAME:
            times.append(time)
            probs.append(prob)

    def result(self, start: int, end: int, tick: int, methods: dict[str, Method]) -> FluentSeries:
        """Put everything together."""
        series = [
            Series(fvp.key[0], fvp.args, fvp.value, tuple(times), tuple(probs))
            for fvp, (times, probs) in self._points.items()
            if times
        ]
        return FluentSeries(start, end, tick, tuple(sorted(series, key=order)), methods)
