"""From the text of many fields to one column, by the rule of `records.read_field`.

A column of integers or of decimals is recognised by its bytes and converted by Arrow in one
go. Any other column is read once for each distinct text in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import DTypeLike, NDArray

from rtec.runtime.records import GREATEST, LEAST, Bools, Column, Floats, Ints, column, read_field

_MINUS, _DOT, _ZERO, _NINE = b"-.09"
_SAFE_LENGTH = 18  # so many digits always fit into 64 bits


def text_column(texts: pa.StringArray) -> Column:
    """Read fields as numbers, terms and atoms.

    >>> text_column(pa.array(["007", "12"])), text_column(pa.array(["7", "a"]))
    (array([ 7, 12]), array([7, 'a'], dtype=object))
    """
    numbers = _integers(texts)
    if numbers is not None:
        return numbers
    decimals = _decimals(texts)
    if decimals is not None:
        return decimals
    encoded = texts.dictionary_encode()
    distinct = column([read_field(text) for text in encoded.dictionary.to_pylist()])
    return distinct.take(to_numpy(encoded.indices, np.int32))


def time_column(texts: pa.StringArray) -> tuple[Ints, Bools | None]:
    """Read fields as time-points; the mask, if any, shows which are none (they become 0)."""
    numbers = _integers(texts)
    if numbers is not None:
        return numbers, None
    values = [read_field(text) for text in texts.to_pylist()]
    good = np.array([isinstance(v, int) and LEAST <= v <= GREATEST for v in values], np.bool_)
    points = np.array([v if ok else 0 for v, ok in zip(values, good, strict=True)], np.int64)
    return points, None if good.all() else ~good


def _integers(texts: pa.StringArray) -> Ints | None:
    """Convert integer literals; None if there is anything else, or more than 64 bits.

    The bytes are looked at first: Arrow would take `0x1F` too, and is slow to refuse.
    """
    data, ends = _bytes(texts)
    if not len(data) or data.max() > _NINE or data.min() < _MINUS or (data == _DOT).any():
        return None
    lengths = np.diff(ends)
    if not 0 < lengths.min() <= lengths.max() <= _SAFE_LENGTH or not _signs_lead(data, ends):
        return None
    try:
        numbers: Ints = to_numpy(texts.cast(pa.int64()), np.int64)
    except pa.ArrowInvalid:  # a lone minus, or a slash
        return None
    return numbers


def _decimals(texts: pa.StringArray) -> Floats | None:
    """Convert decimals such as -3.5; None if there is anything else, integers included.

    Arrow would also take `.5` and `5.`, so a digit is looked for on both sides of each dot.
    """
    data, ends = _bytes(texts)
    if not len(data) or data.max() > _NINE or data.min() < _MINUS:
        return None
    dots = np.flatnonzero(data == _DOT)
    if len(dots) != len(texts) or not ((dots > ends[:-1]) & (dots < ends[1:] - 1)).all():
        return None
    if data[dots - 1].min() < _ZERO or data[dots + 1].min() < _ZERO:
        return None
    if not _signs_lead(data, ends):
        return None
    try:
        numbers: Floats = to_numpy(texts.cast(pa.float64()), np.float64)
    except pa.ArrowInvalid:  # a slash
        return None
    return numbers if np.isfinite(numbers).all() else None


def _bytes(texts: pa.StringArray) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return the bytes of all fields, one after the other, and the places between fields."""
    _, offsets, data = texts.buffers()
    if data is None or not len(texts):
        return np.empty(0, np.uint8), np.zeros(1, np.int32)
    ends = np.frombuffer(offsets, np.int32, len(texts) + 1, texts.offset * 4)
    return np.frombuffer(data, np.uint8, int(ends[-1] - ends[0]), int(ends[0])), ends - ends[0]


def _signs_lead(data: NDArray[np.uint8], ends: NDArray[np.int32]) -> bool:
    """Whether each minus is the first character of its field, as it is not in 2024-05-01."""
    signs = np.count_nonzero(data == _MINUS)
    return not signs or bool(signs == np.count_nonzero(data[ends[:-1]] == _MINUS))


# `pa.array` and `Array.to_numpy` would do, but import pandas (half a second) when first called.
def from_numpy(numbers: Ints) -> pa.Int64Array:
    """Make an Arrow array of an array, without a copy."""
    return pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(numbers)])


def to_numpy(numbers: pa.Array, dtype: DTypeLike) -> NDArray[Any]:
    """Make an array of an Arrow array of numbers without nulls, without a copy."""
    kind = np.dtype(dtype)
    if not len(numbers):
        return np.empty(0, kind)
    return np.frombuffer(numbers.buffers()[1], kind, len(numbers), numbers.offset * kind.itemsize)
