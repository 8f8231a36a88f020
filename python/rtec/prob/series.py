"""Rows of many series, put in order: one series after the other, each by time.

All mistakes of an input are found here, and told with the row and the column they are in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rtec.errors import Problem, StreamError
from rtec.prob.scale import FloatArray, IntArray, as_floats


class RowError(StreamError):
    """A value in one row of an input cannot be used.

    Attributes:
        row: The row, counted from 0.
        column: The name of its column.
    """

    row: int = 0
    column: str = ""

    @classmethod
    def at(
        cls, row: int, column: str, reason: str, slug: str, remedy: str | None = None
    ) -> RowError:
        """Say what is wrong in a row, counted from 0, and a column."""
        text = f"row {row + 1}, column `{column}`: {reason}"
        error = cls(Problem(text, slug, remedy=remedy))
        error.row, error.column = row, column
        return error


@dataclass(frozen=True, slots=True)
class Rows:
    """Checked rows, sorted by series and by time.

    Attributes:
        times: Time-points; strictly ascending in each series, whole ticks apart.
        probs: Probabilities in [0, 1].
        offsets: Where each series begins, and the number of rows. No series is empty.
        labels: The names of the series, in the order of their first rows; none if unnamed.
        order: Where each row was in the input; nothing if they were sorted already.
    """

    times: IntArray
    probs: FloatArray
    offsets: IntArray
    labels: pa.Array | None = None
    order: npt.NDArray[np.intp] | None = None

    @property
    def points(self) -> int:
        """The most time-points of one series, missing ones included, in ticks of 1."""
        if len(self.offsets) < 2:
            return 0
        spans = self.times[self.offsets[1:] - 1] - self.times[self.offsets[:-1]]
        return int(spans.max()) + 1


def rows_of(probs: Any, times: Any = None, series: Any = None, tick: int = 1) -> Rows:
    """Check and sort rows.

    Args:
        probs: Probabilities; or a matrix of them, one series in each row of it.
        times: Time-points; 1, 2, ... in each series if not given.
        series: The series of each row: strings, numbers, an Arrow array; one series if not given.
        tick: How far apart two consecutive time-points are.

    Raises:
        RowError: A probability outside [0, 1] or not a number, or a time-point that does not come
            after the one before it in its series, or not by whole ticks.
    """
    values = as_floats(probs)
    if values.ndim == 2 and series is None:
        return _matrix_rows(values, times, tick)
    check_probs(values)
    if series is None:
        offsets = np.array([0, len(values)] if len(values) else [0], dtype=np.int64)
        at = _times(times, offsets, tick)
        order, labels = None, None
    else:
        codes, labels = _encode(series)
        same_length("series", len(codes), len(values))
        counts = np.bincount(codes, minlength=len(labels))
        offsets = np.concatenate(([0], np.cumsum(counts)))
        order = None if np.all(codes[1:] >= codes[:-1]) else np.argsort(codes, kind="stable")
        values = values if order is None else values[order]
        if times is not None:
            times = as_times(times)
            same_length("time", len(times), len(values))
            times = times if order is None else times[order]
        at = _times(times, offsets, tick)
    same_length("time", len(at), len(values))
    _check_order(at, offsets, order, tick)
    return Rows(at, values, offsets, labels, order)


def check_probs(probs: FloatArray) -> None:
    """Refuse a probability that is outside [0, 1] or not a number."""
    if len(probs) and not (probs.min() >= 0.0 and probs.max() <= 1.0):
        row = int(np.argmin((probs >= 0.0) & (probs <= 1.0)))
        raise bad_prob(row, float(probs[row]))


def bad_prob(row: int, value: float) -> RowError:
    """Say that a value is no probability."""
    if value != value:
        return RowError.at(row, "prob", "the value is missing or not a number", "prob-value")
    reason = f"{value} is not a probability; it has to be between 0 and 1"
    return RowError.at(row, "prob", reason, "prob-value")


def bad_order(row: int, time: int, previous: int, tick: int) -> RowError:
    """Say why a time-point may not follow another one in its series."""
    if time == previous:
        reason = f"time-point {time} is there twice in its series"
        return RowError.at(row, "time", reason, "prob-order", "keep one row for each time-point")
    if time < previous:
        reason = f"time-point {time} comes after {previous} in its series; times have to ascend"
    else:
        reason = f"time-point {time} is {time - previous} after {previous}; the tick is {tick}"
        remedy = "time-points of a series are whole ticks apart"
        return RowError.at(row, "time", reason, "prob-tick", remedy)
    return RowError.at(row, "time", reason, "prob-order", "sort the rows of each series by time")


def as_times(times: Any) -> IntArray:
    """Turn any array of whole numbers into 64-bit integers.

    Raises:
        RowError: A time-point is missing or not a whole number.
    """
    if isinstance(times, pa.Array | pa.ChunkedArray) and times.null_count:
        row = pc.index(times.is_null(), True).as_py()
        raise RowError.at(row, "time", "the time-point is missing", "prob-time")
    array = np.asarray(times)
    if array.dtype.kind in "iu" and array.dtype != np.uint64:
        return np.ascontiguousarray(array, dtype=np.int64)
    if len(array) == 0:
        return np.zeros(0, dtype=np.int64)
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError):
        numbers = np.full(len(array), np.nan)
        for row, value in enumerate(array.tolist()):
            if not isinstance(value, int | float):
                raise _bad_time(row, value) from None
    whole = (numbers == np.rint(numbers)) & (np.abs(numbers) < 2.0**53)
    if not whole.all():
        row = int(np.argmin(whole))
        raise _bad_time(row, array[row])
    return numbers.astype(np.int64)


def _bad_time(row: int, value: object) -> RowError:
    return RowError.at(row, "time", f"`{value}` is not a whole number", "prob-time")


def _matrix_rows(values: FloatArray, times: Any, tick: int) -> Rows:
    count, length = values.shape
    flat = values.reshape(-1)
    check_probs(flat)
    labels = pa.array(np.arange(count))
    if length == 0:
        return Rows(np.zeros(0, np.int64), flat, np.zeros(1, np.int64), labels[:0])
    offsets = np.arange(count + 1, dtype=np.int64) * length
    if times is None:
        return Rows(_times(None, offsets, tick), flat, offsets, labels)
    one = as_times(times)
    same_length("time", len(one), length)
    _check_order(one, np.array([0, length]), None, tick)
    return Rows(np.tile(one, count), flat, offsets, labels)


def _encode(series: Any) -> tuple[IntArray, pa.Array]:
    column = series if isinstance(series, pa.Array | pa.ChunkedArray) else pa.array(series)
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if column.null_count:
        row = pc.index(column.is_null(), True).as_py()
        raise RowError.at(row, "series", "the series is missing", "prob-series")
    encoded = column.dictionary_encode()
    return encoded.indices.to_numpy().astype(np.int64), encoded.dictionary


def _times(times: Any, offsets: IntArray, tick: int) -> IntArray:
    if times is not None:
        return as_times(times)
    counts = np.diff(offsets)
    return (np.arange(offsets[-1]) - np.repeat(offsets[:-1], counts) + 1) * tick


def same_length(column: str, length: int, expected: int) -> None:
    """Refuse columns of different lengths."""
    if length != expected:
        raise StreamError(
            Problem(f"column `{column}` has {length} rows, `prob` has {expected}", "prob-columns")
        )


def _check_order(
    times: IntArray, offsets: IntArray, order: npt.NDArray[np.intp] | None, tick: int
) -> None:
    steps = np.diff(times)
    fine = steps > 0
    if tick != 1:
        fine &= steps % tick == 0
    if len(offsets) > 2:
        fine[offsets[1:-1] - 1] = True
    if fine.all():
        return
    wrong = np.flatnonzero(~fine) + 1
    rows = wrong if order is None else order[wrong]
    first = wrong[np.argmin(rows)]
    raise bad_order(int(rows.min()), int(times[first]), int(times[first - 1]), tick)
