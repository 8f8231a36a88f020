"""Batches of a growing series, cut into blocks of consecutive time-points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rtec.prob.gaps import Gaps
from rtec.prob.scale import IntArray
from rtec.prob.series import RowError, bad_order

LONGEST_GAP = 10_000_000
"""Missing time-points of a growing series are visited one by one, so there is a limit to them."""

_FILLED_AT_ONCE = 1 << 16


class Block(NamedTuple):
    """Scores at consecutive time-points.

    Attributes:
        begin: The first time-point.
        scores: One for each time-point.
        fresh: Whether a new stretch begins here, that no interval from before may reach.
    """

    begin: int
    scores: IntArray
    fresh: bool


def check_times(times: IntArray, last: int | None, tick: int, gaps: Gaps) -> None:
    """Refuse time-points that cannot follow `last`, in steps of whole ticks."""
    before = np.concatenate(([times[0] - tick if last is None else last], times[:-1]))
    steps = times - before
    wrong = (steps <= 0) | (steps % tick != 0)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise bad_order(row, int(times[row]), int(before[row]), tick)
    if gaps != "split" and steps.max() > LONGEST_GAP * tick:
        row = int(np.argmax(steps))
        raise too_long(row, int(times[row]), int(before[row]), tick)


def too_long(row: int, time: int, previous: int, tick: int) -> RowError:
    """Say that a gap has more time-points than can be visited."""
    reason = f"{(time - previous) // tick - 1} time-points are missing before {time}"
    remedy = f"split at gaps, or give a larger tick; up to {LONGEST_GAP} can be filled"
    return RowError.at(row, "time", reason, "prob-gaps", remedy)


def blocks(
    times: IntArray,
    scores: IntArray,
    last: tuple[int, int] | None,
    tick: int,
    gaps: Gaps,
    absent: int,
) -> Iterator[Block]:
    """Fill or split the gaps in a batch, and the one before it.

    Args:
        times: Checked time-points of the batch.
        scores: Their scores.
        last: The last time-point before the batch, and its score.
        tick: How far apart two consecutive time-points are.
        gaps: What missing time-points mean.
        absent: The score of a time-point whose probability is 0.
    """
    previous = times[0] - tick if last is None else last[0]
    missing = np.diff(times, prepend=previous) // tick - 1
    borders = np.flatnonzero(missing)
    if len(borders) == 0:
        yield Block(int(times[0]), scores, fresh=False)
        return
    if gaps == "split":
        if borders[0] > 0:
            yield Block(int(times[0]), scores[: borders[0]], fresh=False)
        for first, end in zip(borders, [*borders[1:], len(times)], strict=True):
            yield Block(int(times[first]), scores[first:end], fresh=True)
        return
    held = absent if gaps == "zero" or last is None else last[1]
    yield from _filled(times, scores, missing, borders, held, tick, gaps)


def _filled(
    times: IntArray,
    scores: IntArray,
    missing: IntArray,
    borders: IntArray,
    held: int,
    tick: int,
    gaps: Gaps,
) -> Iterator[Block]:
    begin = int(times[0]) - int(missing[0]) * tick
    pieces: list[IntArray] = [scores[: borders[0]]]
    filled = 0
    for first, end in zip(borders, [*borders[1:], len(times)], strict=True):
        if gaps == "hold" and first > 0:
            held = int(scores[first - 1])
        left = int(missing[first])
        while left:
            count = min(left, _FILLED_AT_ONCE - filled)
            pieces.append(np.full(count, held, dtype=np.int64))
            filled += count
            left -= count
            if filled == _FILLED_AT_ONCE:
                whole = np.concatenate(pieces)
                yield Block(begin, whole, fresh=False)
                begin += len(whole) * tick
                pieces, filled = [], 0
        pieces.append(scores[first:end])
    yield Block(begin, np.concatenate(pieces), fresh=False)
