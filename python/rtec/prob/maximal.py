"""Probabilistic maximal intervals from sums of scores, for many series in a few array passes.

Write `q[0], q[1], ...` for the sums of scores up to each time-point, with `q[0] = 0` before the
first. The interval from time-point `a + 1` to `b` has a probability of at least the threshold iff
`q[a] <= q[b]` (thesis, expression 5.11). It can only be maximal if `q[a]` is lower than everything
before it (Proposition 11), and its end is the last `b` with `q[b] >= q[a]`. Of starts with the same
last end, the first is the longest. So it is enough to keep

    the strict minima seen from the left      possible starts, from high to low
    the strict maxima seen from the right     possible ends, from high to low

and to look up each start among the ends: linear time, no loop over time-points.
"""

from __future__ import annotations

import numpy as np

from rtec.prob.scale import IntArray


def maximal_pairs(sums: IntArray) -> tuple[IntArray, IntArray]:
    """Find the pairs (a, b) whose intervals, from time-point a + 1 to b, are maximal.

    Both come in ascending order. Several series may follow each other, if the sums of each lie
    below those of the one before it (see `sums_of`): then no pair crosses a border, for each
    series begins with a new minimum, and nothing behind it reaches its sums.

    >>> [pair.tolist() for pair in maximal_pairs(np.array([0, -5, -5, -3, 1, 0, -4, -9]))]
    [[0, 1], [5, 6]]
    """
    starts = strict_minima(sums)
    highest_after = np.maximum.accumulate(sums[::-1])[::-1]
    starts = starts[starts < len(sums) - 1]
    # A start is of use only if a later sum comes back up to it.
    starts = starts[highest_after[starts + 1] >= sums[starts]]
    ends = np.flatnonzero(sums[:-1] > highest_after[1:])
    ends = np.append(ends, len(sums) - 1)
    reached = np.searchsorted(-sums[ends], -sums[starts], side="right") - 1
    last = ends[reached]
    keep = np.empty(len(starts), dtype=np.bool_)
    keep[:1] = True
    np.greater(last[1:], last[:-1], out=keep[1:])
    return starts[keep], last[keep]


def strict_minima(sums: IntArray) -> IntArray:
    """Find the positions whose sum is lower than all before it.

    >>> strict_minima(np.array([0, -5, -5, -3, -6])).tolist()
    [0, 1, 4]
    """
    lowest = np.minimum.accumulate(sums)
    fresh = np.empty(len(sums), dtype=np.bool_)
    fresh[:1] = True
    np.less(sums[1:], lowest[:-1], out=fresh[1:])
    return np.flatnonzero(fresh)


def sums_of(scores: IntArray, offsets: IntArray) -> IntArray:
    """Add up the scores of several series, so that each lies below the one before it.

    Series `k` has the scores `offsets[k]` to `offsets[k + 1]`, at least one. Its sums are at
    `offsets[k] + k` and following, one more than it has scores: the first is the sum before the
    first time-point.

    >>> sums_of(np.array([-5, 3, 2, 2]), np.array([0, 2, 4])).tolist()
    [0, -5, -2, -13, -11, -9]
    """
    if len(offsets) == 2:
        sums = np.empty(len(scores) + 1, dtype=np.int64)
        sums[0] = 0
        np.cumsum(scores, out=sums[1:])
        return sums
    firsts = offsets[:-1]
    ways = np.add.reduceat(np.abs(scores), firsts)
    totals = np.add.reduceat(scores, firsts)
    leads = np.zeros(len(firsts), dtype=np.int64)
    leads[1:] = -totals[:-1] - ways[:-1] - ways[1:] - 1
    steps = np.empty(len(scores) + len(firsts), dtype=np.int64)
    origins = firsts + np.arange(len(firsts))
    from_scores = np.ones(len(steps), dtype=np.bool_)
    from_scores[origins] = False
    steps[origins] = leads
    steps[from_scores] = scores
    return np.asarray(np.cumsum(steps, out=steps))
