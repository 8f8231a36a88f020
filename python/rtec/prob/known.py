"""The intervals of one series that are known so far."""

from __future__ import annotations

from array import array
from bisect import bisect_left

from rtec.prob.pmis import Pmis
from rtec.prob.scale import IntArray, Scale


class Known:
    """Intervals sorted by start and by end; what comes later ends later.

    Since new intervals end after all others, one that starts no later than an old one contains
    it: the old one is no longer maximal and goes.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._starts: array[int] = array("q")
        self._ends: array[int] = array("q")
        self._totals: array[int] = array("q")

    def add(self, start: int, end: int, total: int) -> None:
        """Add an interval that ends after all others."""
        starts = self._starts
        if starts and starts[-1] >= start:
            self._cut(bisect_left(starts, start))
        starts.append(start)
        self._ends.append(end)
        self._totals.append(total)

    def extend(self, starts: IntArray, ends: IntArray, totals: IntArray) -> None:
        """Add several intervals at once, sorted by start and end."""
        if len(starts):
            self._cut(bisect_left(self._starts, int(starts[0])))
            self._starts.frombytes(starts.tobytes())
            self._ends.frombytes(ends.tobytes())
            self._totals.frombytes(totals.tobytes())

    def since(self, time: int | None, scale: Scale, tick: int) -> Pmis:
        """Show those that end at a time-point or after it, or all."""
        first = 0 if time is None else bisect_left(self._ends, time)
        return Pmis(self._starts[first:], self._ends[first:], self._totals[first:], scale, tick)

    def append_to(self, columns: tuple[array[int], ...], time: int | None) -> int:
        """Copy those that end at a time-point or after it, or all; say how many."""
        first = 0 if time is None else bisect_left(self._ends, time)
        count = len(self._ends) - first
        if count:
            for column, own in zip(columns, (self._starts, self._ends, self._totals), strict=True):
                column.extend(own[first:])
        return count

    def forget(self, before: int | None = None) -> None:
        """Drop those that end before a time-point, or all."""
        count = len(self._ends) if before is None else bisect_left(self._ends, before)
        if count:
            for column in (self._starts, self._ends, self._totals):
                del column[:count]

    def _cut(self, position: int) -> None:
        for column in (self._starts, self._ends, self._totals):
            del column[position:]
