"""PIEC: all probabilistic maximal intervals of series that are known as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rtec.prob.gaps import Gaps, check_gaps, lay_out
from rtec.prob.maximal import maximal_pairs, sums_of
from rtec.prob.pmis import Pmis
from rtec.prob.scale import IntArray, Scale, Threshold, fitting_decimals
from rtec.prob.series import Rows, rows_of

_TOGETHER = 1 << 17
"""Rows taken together: enough to hide the cost of a call, few enough for the cache."""


def piec(
    probs: Any,
    threshold: Threshold = 0.5,
    *,
    times: Any = None,
    series: Any = None,
    tick: int = 1,
    gaps: Gaps = "zero",
    decimals: int | None = None,
) -> Pmis:
    """Find all probabilistic maximal intervals, in linear time.

    Args:
        probs: Probabilities in [0, 1]; or a matrix of them, one series in each row of it.
        threshold: What the mean over an interval has to reach: a number, or text such as "1/3".
        times: Time-points, ascending in each series; 1, 2, ... if not given.
        series: The series of each row, if there are several; rows may be interleaved.
        tick: How far apart two consecutive time-points are.
        gaps: What missing time-points mean, see `rtec.prob.gaps`.
        decimals: Decimal places of the probabilities to keep; chosen from the input if not given.

    Returns:
        The intervals, sorted by series and start.

    Raises:
        RowError: A row of the input cannot be used.
        ConfigError: A setting makes no sense.

    >>> piec([0, 0.3, 0.3, 0.6, 0.9], 0.5)
    <1 intervals: [2, 5]>
    >>> piec([0.9, 0.2, 0.7], 0.6, series=["a", "b", "a"]).to_arrow().to_pylist()
    [{'series': 'a', 'start': 1, 'end': 2, 'prob': 0.8, 'credible': True}]
    """
    check_gaps(gaps, tick)
    rows = rows_of(probs, times, series, tick)
    return piec_rows(rows, threshold, tick=tick, gaps=gaps, decimals=decimals)


def piec_rows(
    rows: Rows,
    threshold: Threshold,
    *,
    tick: int = 1,
    gaps: Gaps = "zero",
    decimals: int | None = None,
) -> Pmis:
    """Find all probabilistic maximal intervals of rows that are checked and sorted."""
    if decimals is None:
        decimals = fitting_decimals(rows.probs, (rows.points - 1) // tick + 1)
    scale = Scale.of(threshold, decimals)
    columns = [_some_series(rows, part, scale, tick, gaps) for part in _parts(rows, scale, tick)]
    if not columns:
        columns = [tuple(np.zeros(0, dtype=np.int64) for _ in range(4))]
    series, start, end, total = (np.concatenate(column) for column in zip(*columns, strict=True))
    return Pmis(start, end, total, scale, tick, series, rows.labels)


def _parts(rows: Rows, scale: Scale, tick: int) -> Iterator[slice]:
    """Cut the series into runs of moderate size whose sums fit."""
    count = len(rows.offsets) - 1
    scale.check_length((rows.points - 1) // tick + 1)
    if count == 0:
        return
    spans = rows.times[rows.offsets[1:] - 1] - rows.times[rows.offsets[:-1]] + 1
    sizes = rows.offsets[1:] - rows.offsets[:-1]
    # As shares of what may go together; the sum over many long series would not fit an integer.
    load = np.maximum(spans / scale.most_points, sizes / _TOGETHER)
    ends = np.cumsum(load)
    first = 0
    while first < count:
        done = ends[first - 1] if first else 0.0
        last = max(first + 1, int(np.searchsorted(ends, done + 1.0, "right")))
        yield slice(first, last)
        first = last


def _some_series(
    rows: Rows, part: slice, scale: Scale, tick: int, gaps: Gaps
) -> tuple[IntArray, ...]:
    """Return series, start, end and sum of scores of the intervals of some series."""
    offsets = rows.offsets[part.start : part.stop + 1]
    here = slice(int(offsets[0]), int(offsets[-1]))
    scores = scale.scores(rows.probs[here])
    laid = lay_out(rows.times[here], scores, offsets - offsets[0], scale, tick, gaps)
    sums = sums_of(laid.scores, laid.offsets)
    before, last = maximal_pairs(sums)
    stretches = laid.offsets[:-1] + np.arange(len(laid.owner))
    stretch = np.searchsorted(stretches, before, side="right") - 1
    # Sum i of a stretch follows its row i - 1: positions of sums are ahead by the stretches so far.
    start = laid.first[before - stretch]
    end = laid.last[last - stretch - 1]
    return laid.owner[stretch] + part.start, start, end, sums[last] - sums[before]
