"""Which of several overlapping intervals to believe: the one of the highest probability.

Of overlapping intervals, the most probable is credible, and what overlaps it is not; the rest is
decided in the same way. So credible intervals never overlap, and every other one overlaps a
credible one that is at least as probable. Where probabilities are equal, the longer interval is
taken, then the earlier.
"""

from __future__ import annotations

from functools import cmp_to_key

import numpy as np
import numpy.typing as npt

from rtec.prob.scale import IntArray

_NEAR = 1e-14


def credible(
    series: IntArray, start: IntArray, end: IntArray, total: IntArray, length: IntArray
) -> npt.NDArray[np.bool_]:
    """Mark the credible ones among intervals sorted by series, start and end.

    Args:
        series: To which series each interval belongs.
        start: The first time-point of each.
        end: The last time-point of each.
        total: The sum of its scores: how far its probability is above the threshold, times length.
        length: How many time-points it has.
    """
    count = len(start)
    if count == 0:
        return np.zeros(0, dtype=np.bool_)
    joined = (series[1:] == series[:-1]) & (start[1:] <= end[:-1])
    alone = np.ones(count, dtype=np.bool_)
    alone[1:] &= ~joined
    alone[:-1] &= ~joined
    chosen = alone.copy()
    contested = np.flatnonzero(~alone)
    if len(contested):
        order = contested[_best_first(total[contested], length[contested], start[contested])]
        _choose(order, joined, start, end, chosen)
    return chosen


def _choose(
    order: IntArray,
    joined: npt.NDArray[np.bool_],
    start: IntArray,
    end: IntArray,
    chosen: npt.NDArray[np.bool_],
) -> None:
    """Take intervals from the best to the worst, each ruling out what overlaps it."""
    linked = bytearray(joined.tobytes())
    starts, ends = start.tolist(), end.tolist()
    ruled_out = bytearray(len(starts))
    for i in order.tolist():
        if ruled_out[i]:
            continue
        chosen[i] = True
        j = i
        while j > 0 and linked[j - 1] and ends[j - 1] >= starts[i]:
            j -= 1
            ruled_out[j] = 1
        j = i
        while j < len(linked) and linked[j] and starts[j + 1] <= ends[i]:
            j += 1
            ruled_out[j] = 1


def _best_first(total: IntArray, length: IntArray, start: IntArray) -> IntArray:
    """Sort by total / length, downwards, exactly: doubles decide only where they are sure."""
    mean = total / length
    order = np.lexsort((start, -length, -mean))
    ranked = mean[order]
    near = ranked[:-1] - ranked[1:] <= _NEAR * np.maximum(np.abs(ranked[:-1]), np.abs(ranked[1:]))
    divisor = np.gcd(total, length)
    over, under = (total // divisor)[order], (length // divisor)[order]
    unsure = near & ((over[:-1] != over[1:]) | (under[:-1] != under[1:]))
    if unsure.any():
        # Runs of nearly equal values that are not all equal: compare as fractions.
        borders = np.flatnonzero(np.diff(np.concatenate(([False], near, [False])).astype(np.int8)))
        for first, last in borders.reshape(-1, 2).tolist():
            if unsure[first:last].any():
                order[first : last + 1] = _exactly(order[first : last + 1], total, length, start)
    return order


def _exactly(order: IntArray, total: IntArray, length: IntArray, start: IntArray) -> list[int]:
    def compare(i: int, j: int) -> int:
        left, right = int(total[j]) * int(length[i]), int(total[i]) * int(length[j])
        if left != right:
            return -1 if left < right else 1
        return int(length[j]) - int(length[i]) or int(start[i]) - int(start[j])

    return sorted(order.tolist(), key=cmp_to_key(compare))
