"""Probabilistic maximal intervals as columns, and as an Arrow table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rtec.prob.credibility import credible
from rtec.prob.scale import FloatArray, IntArray, Scale


class Pmis:
    """Probabilistic maximal intervals, sorted by series, then by start and by end.

    Both ends of an interval are inside it, as in the thesis.

    >>> from rtec.prob import piec
    >>> found = piec([0, 0.5, 0.7, 0.9, 0.4, 0.1, 0, 0, 0.5, 1], 0.5)
    >>> list(found)
    [(1, 5), (2, 6), (8, 10)]
    >>> found.prob.round(3).tolist(), found.credible.tolist()
    ([0.5, 0.52, 0.5], [False, True, True])
    """

    def __init__(
        self,
        start: Any,
        end: Any,
        total: Any,
        scale: Scale,
        tick: int = 1,
        series: Any = None,
        labels: pa.Array | None = None,
    ) -> None:
        """Take columns: arrays, or anything that shows 64-bit integers as a buffer.

        Args:
            start: First time-points.
            end: Last time-points.
            total: Sums of scores, in units of `scale`.
            scale: How scores were counted.
            tick: How far apart two consecutive time-points are.
            series: Positions in `labels`; nothing if there is one series.
            labels: The names of the series.
        """
        self._columns = start, end, total, series
        self.scale = scale
        self.tick = tick
        self.labels = labels

    @cached_property
    def start(self) -> IntArray:
        """The first time-points."""
        return _integers(self._columns[0])

    @cached_property
    def end(self) -> IntArray:
        """The last time-points."""
        return _integers(self._columns[1])

    @cached_property
    def total(self) -> IntArray:
        """The sums of scores: how far above the threshold each is, times its length."""
        return _integers(self._columns[2])

    @cached_property
    def series(self) -> IntArray:
        """To which series each belongs, as a position in `labels`."""
        codes = self._columns[3]
        return np.zeros(len(self), dtype=np.int64) if codes is None else _integers(codes)

    @property
    def length(self) -> IntArray:
        """How many time-points each has."""
        return (self.end - self.start) // self.tick + 1

    @property
    def prob(self) -> FloatArray:
        """The probability of each: the mean over its time-points (Definition 20)."""
        length = self.length
        return (self.total / length + self.scale.threshold) / self.scale.unit

    @cached_property
    def credible(self) -> npt.NDArray[np.bool_]:
        """Which ones are chosen among those they overlap."""
        return credible(self.series, self.start, self.end, self.total, self.length)

    def of_series(self, code: int) -> Pmis:
        """Pick those of one series."""
        first, last = np.searchsorted(self.series, [code, code + 1])
        part = slice(int(first), int(last))
        picked = Pmis(self.start[part], self.end[part], self.total[part], self.scale, self.tick)
        picked.credible = self.credible[part]
        return picked

    def to_arrow(self) -> pa.Table:
        """Make a table of `series, start, end, prob, credible`, one row per interval."""
        if self.labels is None:
            series = pa.nulls(len(self), pa.string())
        else:
            series = self.labels.take(pa.array(self.series))
        return pa.table(
            {
                "series": series,
                "start": pa.array(self.start),
                "end": pa.array(self.end),
                "prob": pa.array(self.prob),
                "credible": pa.array(self.credible),
            }
        )

    def __len__(self) -> int:
        return len(self._columns[0])

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.start.tolist(), self.end.tolist(), strict=True)

    def __repr__(self) -> str:
        shown = ", ".join(f"[{s}, {e}]" for s, e in list(self)[:8])
        return f"<{len(self)} intervals: {shown}{', ...' if len(self) > 8 else ''}>"


def _integers(column: Any) -> IntArray:
    if isinstance(column, np.ndarray):
        return column.astype(np.int64, copy=False)
    return np.frombuffer(column, dtype=np.int64) if len(column) else np.zeros(0, dtype=np.int64)
