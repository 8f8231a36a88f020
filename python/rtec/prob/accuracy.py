"""How well intervals agree with others, counted in time-points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rtec.prob.pmis import Pmis
from rtec.prob.scale import IntArray


@dataclass(frozen=True, slots=True)
class Agreement:
    """Time-points that are in both, only in what was found, only in the target."""

    both: int = 0
    only_found: int = 0
    only_target: int = 0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 1 if there is nothing on either side."""
        wrong = self.only_found + self.only_target
        return 2 * self.both / (2 * self.both + wrong) if self.both + wrong else 1.0

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            self.both + other.both,
            self.only_found + other.only_found,
            self.only_target + other.only_target,
        )


def agreement(found: Pmis, target: Pmis) -> Agreement:
    """Compare the credible intervals of one series with those of another run over it.

    >>> from rtec.prob import piec
    >>> whole, half = piec([1, 1, 1, 1]), piec([1, 1, 0, 0], 1)
    >>> agreement(half, whole)
    Agreement(both=2, only_found=0, only_target=2)
    """
    mine, theirs = _credible(found), _credible(target)
    both = _covered(theirs, mine, found.tick)
    return Agreement(both, _size(mine, found.tick) - both, _size(theirs, found.tick) - both)


def _credible(intervals: Pmis) -> tuple[IntArray, IntArray]:
    return intervals.start[intervals.credible], intervals.end[intervals.credible]


def _size(spans: tuple[IntArray, IntArray], tick: int) -> int:
    starts, ends = spans
    return int(((ends - starts) // tick + 1).sum())


def _covered(spans: tuple[IntArray, IntArray], by: tuple[IntArray, IntArray], tick: int) -> int:
    """Count the time-points of spans that are inside others; neither overlap among themselves."""
    starts, ends = by
    if len(starts) == 0 or len(spans[0]) == 0:
        return 0
    before = np.concatenate(([0], np.cumsum((ends - starts) // tick + 1)))

    def up_to(time: IntArray) -> IntArray:
        """Count the time-points of `by` up to a time-point."""
        begun = np.searchsorted(starts, time, side="right")
        last = np.maximum(begun - 1, 0)
        partial = np.minimum(time, ends[last]) - starts[last]
        return np.where(begun > 0, before[last] + partial // tick + 1, 0)

    return int((up_to(spans[1]) - up_to(spans[0] - tick)).sum())
