"""What fluents hold, read from the memory of the library in C (`prolog/native/answers.c`).

A store is an array of entries, each with the numbers of its key and its value, and an array of
intervals. What a number stands for comes with the first entry that has it, and is remembered as
long as the epoch of the store lasts.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rtec.model import Scalar
from rtec.runtime.answers import FluentRow

_OPEN = np.iinfo(np.int64).max
_ENTRY, _INTERVAL = 16, 16
"""Bytes: four numbers of 32 bits, two of 64."""


@dataclass
class _Names:
    """What the numbers of one epoch stand for; a value of None is not shown."""

    keys: dict[int, list[Scalar]] = field(default_factory=dict)
    values: dict[int, Scalar | None] = field(default_factory=dict)


class HeldStores:
    """Reads the stores of one session."""

    def __init__(self) -> None:
        """Begin without names."""
        self._names: dict[int, _Names] = {}

    def rows(self, stores: Sequence[Sequence[Any]]) -> list[FluentRow]:
        """Copy what all stores hold, as rows of answers.

        This is for the thread of Prolog, right after the call that gave `stores`: they are as
        `answers/4` in query.pl says, and stay where they are until the next one.
        """
        self._names = {
            store[1]: self._names.get(store[1]) or _Names() for store in stores
        }
        return [row for store in stores for row in self._store(*store)]

    def _store(
        self, name: str, epoch: int, count: int, entries: int, spans: int, keys: Any, values: Any
    ) -> list[FluentRow]:
        names = self._names[epoch]
        names.keys.update(zip(keys[::2], keys[1::2], strict=True))
        names.values.update(zip(values[::2], values[1::2], strict=True))
        if not count:
            return []
        cells = np.frombuffer(ctypes.string_at(entries, count * _ENTRY), np.uint32)
        key, value, first, length = cells.reshape(count, 4).T
        ends = 2 * (first + length)
        flat = _flat(spans, int(ends.max()) // 2)
        found = zip(
            map(names.keys.__getitem__, key.tolist()),
            map(names.values.__getitem__, value.tolist()),
            (2 * first).tolist(),
            ends.tolist(),
            strict=True,
        )
        return [(name, args, v, flat[i:j]) for args, v, i, j in found if v is not None and i < j]


def _flat(spans: int, count: int) -> list[int | str]:
    """Intervals as start, end, start, end ...; an open end is `inf`."""
    times = np.frombuffer(ctypes.string_at(spans, count * _INTERVAL), np.int64)
    flat: list[int | str] = times.tolist()
    for place in np.flatnonzero(times == _OPEN).tolist():
        flat[place] = "inf"
    return flat
