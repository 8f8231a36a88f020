"""What fluents hold, on its way from one stage to the next as columns.

It is copied out of the memory of the first stage's engine (`prolog/native/answers.c`), sorted out
by the part that needs it, and copied into the memory of the second stage's (`given.c`): nobody
makes terms or objects of intervals in between.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtec.model import Scalar
from rtec.runtime.records import Ints
from rtec.spark.routing import pair_key

_ENTRY, _INTERVAL = 16, 16
"""Bytes: four numbers of 32 bits, two of 64."""
_OPEN = np.iinfo(np.int64).max
_FEW = 8
"""So many values are sent whether all of them are needed or not."""


class Columns(NamedTuple):
    """Some of what a store holds.

    Attributes:
        predicate: Which store.
        args: The arguments of all instances in a row.
        values: The values that they have.
        cells: For each instance which of these is its own, and how many intervals it has.
        spans: The intervals of all of them.
    """

    predicate: str
    args: list[Scalar]
    values: list[Scalar]
    cells: bytes
    spans: bytes

    def addresses(self) -> list[Any]:
        """What Prolog needs to read it; this has to be kept until it has."""
        return [self.predicate, self.args, self.values, _address(self.cells), _address(self.spans)]

    def rows(self) -> Iterator[list[Any]]:
        """The same as the arguments of facts, for an engine that cannot read columns."""
        cells = np.frombuffer(self.cells, np.uint32).reshape(-1, 2).tolist()
        flat: list[Any] = np.frombuffer(self.spans, np.int64).tolist()
        width, at = len(self.args) // max(len(cells), 1), 0
        for row, (value, count) in enumerate(cells):
            times = ["inf" if t == _OPEN else t for t in flat[at : at + 2 * count]]
            yield [*self.args[row * width : (row + 1) * width], self.values[value], times]
            at += 2 * count


def _address(data: bytes) -> int:
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


class Whereabouts:
    """Which parts of the second stage have to know of an object or a pair."""

    def __init__(self, targets: int, everyone: Iterable[int]) -> None:
        """Begin without meetings; what is about nobody goes to `everyone`."""
        self._numbers: dict[Any, int] = {}
        self._parts = np.zeros((64, targets), np.bool_)
        self._parts[self.number(()), list(everyone)] = True

    def number(self, items: tuple[Any, ...]) -> int:
        """The number of an object or a pair."""
        key = pair_key(items)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._numbers)
            if found == len(self._parts):
                self._parts = np.concatenate([self._parts, np.zeros_like(self._parts)])
        return found

    def add(self, items: tuple[Any, ...], target: int) -> None:
        """Let a part know of an object or a pair from now on."""
        number = self.number(items)
        self._parts[number, target] = True

    def parts(self, numbers: Ints) -> NDArray[np.bool_]:
        """For each part a row that says which of the numbers it has to know of."""
        return self._parts[numbers].T


@dataclass
class _Names:
    """What the numbers of one store stand for, as long as its epoch lasts."""

    args: dict[int, list[Scalar]] = field(default_factory=dict)
    where: Ints = field(default_factory=lambda: np.zeros(64, np.int64))
    values: list[Scalar] = field(default_factory=list)
    places: Ints = field(default_factory=lambda: np.zeros(64, np.int64))  # among the values


def _with_room(numbers: Ints, place: int) -> Ints:
    while place >= len(numbers):
        numbers = np.concatenate([numbers, np.zeros_like(numbers)])
    return numbers


class ColumnReader:
    """Reads the stores of one session, and sorts what they hold out by parts."""

    def __init__(self, keys: dict[str, list[int]], where: Whereabouts) -> None:
        """Begin without names.

        Args:
            keys: For each store which of its arguments are keys, from 0 on.
            where: Who has to know of what.
        """
        self._keys = keys
        self._where = where
        self._names: dict[int, _Names] = {}

    def read(self, stores: Sequence[Sequence[Any]]) -> list[_Read]:
        """Copy what stores hold, which are as `stage_columns/4` in stages.pl says.

        This is for the thread of Prolog, right after the call that gave them.
        """
        self._names = {store[1]: self._names.get(store[1]) or _Names() for store in stores}
        return [found for store in stores if (found := self._read(*store)) is not None]

    def _read(
        self,
        predicate: str,
        epoch: int,
        count: int,
        entries: int,
        spans: int,
        keys: list[Any],
        values: list[Any],
    ) -> _Read | None:
        names = self._names[epoch]
        self._place(names, self._keys[predicate], keys)
        for number, value in zip(values[::2], values[1::2], strict=True):
            names.places = _with_room(names.places, number)
            names.places[number] = len(names.values)
            names.values.append(value)
        if not count:
            return None
        cells = np.frombuffer(ctypes.string_at(entries, count * _ENTRY), np.uint32)
        table = cells.reshape(count, 4)
        total = int((table[:, 2] + table[:, 3]).max())
        times = np.frombuffer(ctypes.string_at(spans, total * _INTERVAL), np.int64)
        return _Read(predicate, names, table, times.reshape(total, 2))

    def _place(self, names: _Names, keys: list[int], told: list[Any]) -> None:
        """Remember new instances, and who has to know of them."""
        for number, args in zip(told[::2], told[1::2], strict=True):
            names.args[number] = args
            names.where = _with_room(names.where, number)
            names.where[number] = self._where.number(tuple([args[key] for key in keys]))

    def sorted_out(self, stores: Iterable[_Read]) -> dict[int, list[Columns]]:
        """What each part has to know."""
        found: dict[int, list[Columns]] = {}
        for store in stores:
            whole: Columns | None = None
            for target, wanted in enumerate(self._where.parts(store.where())):
                if wanted.all():
                    whole = whole or store.columns(np.arange(len(wanted)))
                    found.setdefault(target, []).append(whole)
                elif wanted.any():
                    found.setdefault(target, []).append(store.columns(np.flatnonzero(wanted)))
        return found


@dataclass(frozen=True, slots=True)
class _Read:
    """What one store holds: entries of key, value, first interval and their number."""

    predicate: str
    names: _Names
    entries: NDArray[np.uint32]
    spans: Ints

    def where(self) -> Ints:
        """Which object or pair each entry is about."""
        return self.names.where[self.entries[:, 0]]

    def columns(self, rows: Ints) -> Columns:
        """Take some entries out."""
        key, value, first, length = self.entries[rows].T
        cells = np.empty((len(rows), 2), np.uint32)
        values, cells[:, 0], cells[:, 1] = self.names.values, self.names.places[value], length
        if len(values) > _FEW:
            wanted, cells[:, 0] = np.unique(cells[:, 0], return_inverse=True)
            values = [values[place] for place in wanted.tolist()]
        ends = np.cumsum(length, dtype=np.int64)
        places = np.repeat(first - ends + length, length)
        places += np.arange(len(places))
        return Columns(
            self.predicate,
            list(chain.from_iterable(map(self.names.args.__getitem__, key.tolist()))),
            values,
            cells.tobytes(),
            self.spans[places].tobytes(),
        )
