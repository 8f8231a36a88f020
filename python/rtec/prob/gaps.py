"""Time-points that a series leaves out.

Three readings of a gap, chosen by the caller:

- `zero`: nothing was observed, so the probability is 0 at the missing time-points;
- `hold`: inertia, the last probability before the gap still holds in it;
- `split`: nothing is known, so no interval crosses the gap.

A gap may be far longer than the series has rows. Over its missing time-points the sum of scores
moves in a straight line, so only those near its borders can begin or end an interval; what lies
between them is kept as one row that stands for many time-points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from rtec.errors import ConfigError, Problem
from rtec.prob.maximal import sums_of
from rtec.prob.scale import IntArray, Scale

Gaps: TypeAlias = Literal["zero", "hold", "split"]
GAPS: tuple[Gaps, ...] = get_args(Gaps)


@dataclass(frozen=True, slots=True)
class Laid:
    """Rows of scores without gaps.

    Attributes:
        first: The first time-point that each row stands for.
        last: The last one.
        scores: The sum of scores over them.
        offsets: Where each stretch begins, and the number of rows.
        owner: The series of each stretch.
    """

    first: IntArray
    last: IntArray
    scores: IntArray
    offsets: IntArray
    owner: IntArray


def check_gaps(gaps: str, tick: int) -> None:
    """Refuse a reading of gaps that is not known, or a tick below 1."""
    if gaps not in GAPS:
        raise ConfigError(
            Problem(f"gaps is `{gaps}`; it has to be one of {', '.join(GAPS)}", "prob-gaps")
        )
    if tick < 1:
        raise ConfigError(Problem(f"tick is {tick}; it has to be at least 1", "prob-tick"))


def lay_out(
    times: IntArray, scores: IntArray, offsets: IntArray, scale: Scale, tick: int, gaps: Gaps
) -> Laid:
    """Fill or split the gaps of series whose time-points ascend in steps of whole ticks.

    Series `k` has the rows `offsets[k]` to `offsets[k + 1]`, at least one.
    """
    missing = np.zeros(len(times), dtype=np.int64)
    missing[:-1] = np.diff(times) // tick - 1
    missing[offsets[1:] - 1] = 0
    owner = np.arange(len(offsets) - 1)
    before = np.flatnonzero(missing)
    if len(before) == 0:
        return Laid(times, times, scores, offsets, owner)
    if gaps == "split":
        cut = np.union1d(offsets, before + 1)
        return Laid(times, times, scores, cut, np.searchsorted(offsets, cut[:-1], "right") - 1)
    held = scores[before] if gaps == "hold" else np.full(len(before), -scale.threshold)
    return _fill(times, scores, offsets, owner, tick, before, missing[before], held)


def _fill(
    times: IntArray,
    scores: IntArray,
    offsets: IntArray,
    owner: IntArray,
    tick: int,
    before: IntArray,
    missing: IntArray,
    held: IntArray,
) -> Laid:
    """Put rows into the gap after each row in `before`, of `missing` points that score `held`."""
    left, middle, right = _border_points(scores, offsets, before, missing, held)
    in_gap = left + (middle > 0) + right
    rows = np.ones(len(times), dtype=np.int64)
    rows[before] += in_gap
    ends = np.cumsum(rows)
    begins = ends - rows

    first = np.repeat(times, rows)
    filled = np.repeat(scores, rows)
    gap = np.repeat(np.arange(len(before)), in_gap)
    place = np.arange(len(gap)) - np.repeat(np.cumsum(in_gap) - in_gap, in_gap)
    position = begins[before][gap] + 1 + place
    # How many of the missing points precede this row, and how many it stands for.
    folded = np.maximum(middle[gap], 1)
    skipped = np.where(place > left[gap], place + folded - 1, place)
    points = np.where(place == left[gap], folded, 1)
    first[position] += (skipped + 1) * tick
    filled[position] = held[gap] * points
    last = first.copy()
    last[position] += (points - 1) * tick
    return Laid(first, last, filled, np.concatenate(([0], ends))[offsets], owner)


def _border_points(
    scores: IntArray, offsets: IntArray, before: IntArray, missing: IntArray, held: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Count the missing points that can end an interval, begin one, or neither.

    A gap that scores below zero falls by `-held` a point. Intervals that end in it need a sum not
    below the lowest one before it; intervals that begin in it need one not above the highest one
    after it. A gap that does not fall has neither, and is one row.
    """
    rows = np.ones(len(scores), dtype=np.int64)
    rows[before] = 2
    ends = np.cumsum(rows)
    steps = np.repeat(scores, rows)
    gap_rows = ends[before] - 1
    steps[gap_rows] = held * missing
    new_offsets = np.concatenate(([0], ends))[offsets]
    sums = sums_of(steps, new_offsets)
    lowest = np.minimum.accumulate(sums)
    highest = np.maximum.accumulate(sums[::-1])[::-1]
    top = gap_rows + np.searchsorted(new_offsets, gap_rows, "right") - 1
    fall = np.maximum(-held, 1)
    falling = held < 0
    left = np.minimum((sums[top] - lowest[top]) // fall, missing) * falling
    right = np.minimum((highest[top + 1] - sums[top + 1]) // fall, missing - left) * falling
    return left, missing - left - right, right
