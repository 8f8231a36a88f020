"""What fluents hold, read from the memory of the library in C (`prolog/native/answers.c`).

A store is an array of entries, each with the numbers of its key and its value, and an array of
intervals. What a number stands for comes with the first entry that has it, and is remembered as
long as the epoch of the store lasts.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import add
from typing import Any

from rtec.model import Scalar
from rtec.runtime.answers import FluentRow
from rtec.runtime.records import GREATEST

OPEN = GREATEST
"""The end of an interval that has not ended."""
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
        # Lists, not arrays: most stores hold little, and there are many of them.
        cells = memoryview(ctypes.string_at(entries, count * _ENTRY)).cast("I").tolist()
        ends = list(map(add, cells[2::4], cells[3::4]))
        flat = _flat(spans, ends)
        return [
            (name, names.keys[key], v, flat[2 * i : 2 * j])
            for key, value, i, j in zip(cells[::4], cells[1::4], cells[2::4], ends, strict=True)
            if i < j and (v := names.values[value]) is not None
        ]


def _flat(spans: int, ends: list[int]) -> list[int | str]:
    """Intervals as start, end, start, end ...; where the last one of an entry is open, `inf`."""
    times = memoryview(ctypes.string_at(spans, max(ends) * _INTERVAL)).cast("q")
    flat: list[int | str] = times.tolist()  # type: ignore[assignment]
    for place in [2 * end - 1 for end in ends if end and flat[2 * end - 1] == OPEN]:
        flat[place] = "inf"
    return flat
