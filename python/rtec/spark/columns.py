"""What fluents hold, on its way from one stage to the next as columns.

It is copied out of the memory of the first stage's engine (`prolog/native/answers.c`), sorted out
by the part that needs it, and copied into the memory of the second stage's (`given.c`): nobody
makes terms or objects of intervals in between.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rtec.model import Scalar
from rtec.runtime.held import OPEN
from rtec.runtime.records import Ints
from rtec.spark.objects import are_exact
from rtec.spark.split import PairPlaces

Numbers: TypeAlias = NDArray[np.uint32]
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
            times = ["inf" if t == OPEN else t for t in flat[at : at + 2 * count]]
            yield [*self.args[row * width : (row + 1) * width], self.values[value], times]
            at += 2 * count


def _address(data: bytes) -> int:
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


class Whereabouts:
    """Which parts of the second stage have to know of an object or a pair."""

    def __init__(
        self, targets: int, everyone: Iterable[int], owns: Callable[[Sequence[Any]], bool]
    ) -> None:
        """Begin without meetings.

        Args:
            targets: How many parts there are.
            everyone: Those that get what is about nobody.
            owns: Whether what is about a pair is handed on from here.
        """
        self.targets = targets
        self._owns = owns
        self._pairs = PairPlaces(targets)
        self.parts = np.zeros((64, targets), np.bool_)
        """For each object or pair a row that says which parts have to know of it."""
        self._numbers: dict[Any, int] = {}
        self.parts[self.number(()), list(everyone)] = True

    def number(self, items: tuple[Any, ...]) -> int:
        """The number of an object or a pair."""
        key = items if are_exact(items) else (items, *map(type, items))
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._numbers)
            if found == len(self.parts):
                self.parts = np.concatenate([self.parts, np.zeros_like(self.parts)])
            if len(items) > 1 and self._owns(items):
                self.parts[found, self._pairs.of([[item] for item in items])] = True
        return found

    def add(self, item: Any, target: int) -> None:
        """Let a part know of an object from now on."""
        number = self.number((item,))
        self.parts[number, target] = True


@dataclass
class _Names:
    """What the numbers of one store stand for, as long as its epoch lasts."""

    args: dict[int, list[Scalar]] = field(default_factory=dict)
    where: Ints = field(default_factory=lambda: np.zeros(64, np.int64))
    values: list[Scalar] = field(default_factory=list)
    places: Ints = field(default_factory=lambda: np.zeros(64, np.int64))  # among the values

    def note_values(self, told: list[Any]) -> None:
        """Remember new values."""
        for number, value in zip(told[::2], told[1::2], strict=True):
            self.places = _with_room(self.places, number)
            self.places[number] = len(self.values)
            self.values.append(value)

    def columns(self, predicate: str, keys: Numbers, cells: Numbers, spans: bytes) -> Columns:
        """Say what numbers stand for."""
        values = self.values
        if len(values) > _FEW:
            wanted, cells[::2] = np.unique(cells[::2], return_inverse=True)
            values = [values[place] for place in wanted.tolist()]
        args = list(chain.from_iterable(map(self.args.__getitem__, keys.tolist())))
        return Columns(predicate, args, values, cells.tobytes(), spans)


def _with_room(numbers: Ints, place: int) -> Ints:
    while place >= len(numbers):
        numbers = np.concatenate([numbers, np.zeros_like(numbers)])
    return numbers


class ColumnReader:
    """Reads the stores of one session, and sorts what they hold out by parts."""

    def __init__(self, keys: dict[str, list[int]], where: Whereabouts, library: str) -> None:
        """Begin without names.

        Args:
            keys: For each store which of its arguments are keys, from 0 on.
            where: Who has to know of what.
            library: The library in C that Prolog has loaded; without one there are no stores.
        """
        self._keys = keys
        self._where = where
        self._names: dict[int, _Names] = {}
        self._dealer = Dealer(library, where.targets) if library else None

    def read(self, stores: Sequence[Sequence[Any]]) -> dict[int, list[Columns]]:
        """Copy what each part has to know of stores, which are as `stage_columns/4` says.

        This is for the thread of Prolog, right after the call that gave them.
        """
        self._names = {store[1]: self._names.get(store[1]) or _Names() for store in stores}
        found: dict[int, list[Columns]] = {}
        for predicate, epoch, count, entries, spans, keys, values in stores:
            names = self._names[epoch]
            self._place(names, self._keys[predicate], keys)
            names.note_values(values)
            if not count or self._dealer is None:
                continue
            dealt = self._dealer.deal(entries, count, spans, names, self._where)
            for target, columns in dealt:
                found.setdefault(target, []).append(names.columns(predicate, *columns))
        return found

    def _place(self, names: _Names, keys: list[int], told: list[Any]) -> None:
        """Remember new instances, and who has to know of them."""
        for number, args in zip(told[::2], told[1::2], strict=True):
            names.args[number] = args
            names.where = _with_room(names.where, number)
            names.where[number] = self._where.number(tuple([args[key] for key in keys]))


class Dealer:
    """Deals entries out to parts, by `rtec_deal` in given.c; owns the room that this takes."""

    def __init__(self, library: str, targets: int) -> None:
        """Begin with little room."""
        self._deal = ctypes.CDLL(library).rtec_deal
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._deal.argtypes = [
            pointer, number, pointer, pointer, pointer, number, pointer,
            pointer, pointer, pointer, pointer, number, number,
        ]  # fmt: skip
        self._deal.restype = number
        self._targets = targets
        self._counts = np.zeros(4 * targets, np.int64)
        self._make_room(1024, 1024)

    def _make_room(self, entries: int, spans: int) -> None:
        self._cells = np.empty(2 * entries, np.uint32)
        self._spans = np.empty(2 * spans, np.int64)
        self._keys = np.empty(entries, np.uint32)
        out = (self._counts, self._keys, self._cells, self._spans)
        self._out = (*(array.ctypes.data for array in out), entries, spans)

    def deal(
        self, entries: int, count: int, spans: int, names: _Names, where: Whereabouts
    ) -> Iterator[tuple[int, tuple[Numbers, Numbers, bytes]]]:
        """Yield for each part that gets something its keys, cells and intervals."""
        targets = self._targets
        given = (entries, count, spans, names.where.ctypes.data, where.parts.ctypes.data, targets,
                 names.places.ctypes.data)  # fmt: skip
        while not self._deal(*given, *self._out):
            lengths = self._counts[: 2 * targets].reshape(2, targets).sum(axis=1)
            self._make_room(*(2 * lengths).tolist())
        counts = self._counts[: 2 * targets].tolist()
        first = begin = 0
        for target in range(targets):
            end, until = first + counts[target], begin + counts[targets + target]
            if first < end:
                keys, cells = self._keys[first:end], self._cells[2 * first : 2 * end]
                yield target, (keys, cells, self._spans[2 * begin : 2 * until].tobytes())
            first, begin = end, until
