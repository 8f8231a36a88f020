"""What fluents hold, on its way from one stage to the next as columns.

It is copied out of the memory of the first stage's engine (`prolog/native/answers.c`), sorted out
by the part that needs it, and copied into the memory of the second stage's (`given.c`): nobody
makes terms or objects of intervals in between.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rtec.errors import EngineError
from rtec.model import Scalar
from rtec.runtime.held import OPEN
from rtec.runtime.records import Bools, Ints
from rtec.spark.objects import are_exact
from rtec.spark.split import PairPlaces

Cells: TypeAlias = NDArray[np.uint32]
"""For each entry the numbers of its instance and of its value, and how many intervals it has."""


class Columns(NamedTuple):
    """Some of what a store holds.

    Instances and values go by the numbers that their source has for them. It tells once what
    they stand for, and again when a new epoch begins; always if the epoch is 0.

    Attributes:
        predicate: What the facts of the store are called.
        source: Which of all stores with such facts, of all parts.
        epoch: The epoch of this store.
        keys: Instances that are told of: a number and the arguments, and so on.
        values: Values that are told of: a number and the value, and so on.
        cells: The entries, as `Cells`.
        spans: The intervals of all of them.
    """

    predicate: str
    source: int
    epoch: int
    keys: list[Scalar]
    values: list[Scalar]
    cells: bytes
    spans: bytes

    def addresses(self) -> list[Any]:
        """What Prolog needs to read it; this has to be kept until it has."""
        count = len(self.cells) // 12
        return [*self[:5], count, _address(self.cells), _address(self.spans)]


class Learnt:
    """What the numbers of sources stand for, for an engine that cannot read columns."""

    def __init__(self) -> None:
        """Begin without names."""
        self._names: dict[tuple[str, int], _Names] = {}

    def learn(self, columns: Columns, arity: int) -> None:
        """Remember what is told, of instances with so many arguments."""
        if not (columns.keys or columns.values):
            return
        at = columns.predicate, columns.source
        names = self._names.get(at)
        if names is None or names.epoch != columns.epoch or not columns.epoch:
            names = self._names[at] = _Names(columns.epoch)
        keys, values = columns.keys, columns.values
        for n in range(0, len(keys), arity + 1):
            names.args[keys[n]] = keys[n + 1 : n + 1 + arity]
        names.values.update(zip(values[::2], values[1::2], strict=True))

    def rows(self, columns: Columns) -> Iterator[list[Any]]:
        """Columns as the arguments of facts."""
        names = self._names[columns.predicate, columns.source]
        cells = np.frombuffer(columns.cells, np.uint32).reshape(-1, 3).tolist()
        flat: list[Any] = np.frombuffer(columns.spans, np.int64).tolist()
        at = 0
        for key, value, count in cells:
            times = ["inf" if t == OPEN else t for t in flat[at : at + 2 * count]]
            yield [*names.args[key], names.values[value], times]
            at += 2 * count


@dataclass
class _Names:
    """What numbers stand for, as long as an epoch lasts."""

    epoch: int
    args: dict[Any, list[Scalar]] = field(default_factory=dict)
    values: dict[Any, Scalar] = field(default_factory=dict)


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
        self.changes = 0
        """How often parts were let know of an object."""
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
        number = self.number((item,))  # which may make other room for `parts`
        self.parts[number, target] = True
        self.changes += 1


class _Store:
    """A store of this session, as long as its epoch lasts.

    Attributes:
        names: What its numbers stand for.
        where: For each instance its number in `Whereabouts`.
    """

    def __init__(self, epoch: int) -> None:
        self.names = _Names(epoch)
        self.where = np.zeros(64, np.int64)
        self._is_there = np.zeros(64, np.bool_)

    def add(self, instance: int, args: list[Scalar], place: int) -> None:
        """Remember an instance, and who has to know of it."""
        self.names.args[instance] = args
        while instance >= len(self.where):
            self.where, self._is_there = (
                np.concatenate([a, np.zeros_like(a)]) for a in (self.where, self._is_there)
            )
        self.where[instance], self._is_there[instance] = place, True

    def concerning(self, target: int, where: Whereabouts) -> Bools:
        """For each instance whether a part has to know of it."""
        found: Bools = where.parts[self.where, target] & self._is_there
        return found


@dataclass
class _Told:
    """What a part knows of a store.

    Attributes:
        store: The store.
        state: How many instances and changes of whereabouts there were when it was told.
        instances: Which instances it knows; there may be more by now.
        values: Which values it knows.
    """

    store: _Store
    state: tuple[int, int] = (0, 0)
    instances: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    values: set[int] = field(default_factory=set)

    def new_instances(self, target: int, where: Whereabouts) -> list[Scalar]:
        """All that concern the part and that it does not know; from now on it does."""
        names = self.store.names
        state = len(names.args), where.changes
        if state == self.state:
            return []
        instances = self.store.concerning(target, where)
        new = instances.copy()
        new[: len(self.instances)] &= ~self.instances
        self.state, self.instances = state, instances
        return [x for n in np.flatnonzero(new).tolist() for x in (n, *names.args[n])]

    def new_values(self, cells: Cells) -> list[Scalar]:
        """Those that some entries have and that the part does not know; from now on it does."""
        names = self.store.names
        if len(self.values) == len(names.values):
            return []
        new = set(cells[1::3].tolist()) - self.values
        self.values |= new
        return [x for n in new for x in (n, names.values[n])]


class ColumnReader:
    """Reads the stores of one session, and sorts what they hold out by parts."""

    def __init__(
        self,
        keys: dict[str, list[int]],
        where: Whereabouts,
        library: str,
        sender: int = 0,
        is_remembered: bool = False,
    ) -> None:
        """Begin without names.

        Args:
            keys: For each store which of its arguments are keys, from 0 on.
            where: Who has to know of what.
            library: The library in C that Prolog has loaded; without one there are no stores.
            sender: The number of this part.
            is_remembered: Whether all that is sent to a part is read by the same one, in order.
        """
        self._keys = keys
        self._where = where
        self._sender = sender
        self._is_remembered = is_remembered
        self._stores: dict[int, _Store] = {}
        self._told: dict[tuple[str, int, int], _Told] = {}
        self._dealer = Dealer(library, where.targets) if library else None

    def read(self, stores: Sequence[Sequence[Any]]) -> dict[int, list[Columns]]:
        """Copy what each part has to know of stores, which are as `stage_columns/4` says.

        This is for the thread of Prolog, right after the call that gave them.
        """
        known = self._stores
        self._stores = {row[1]: known.get(row[1]) or _Store(row[1]) for row in stores}
        found: dict[int, list[Columns]] = {}
        places: Counter[str] = Counter()
        for predicate, epoch, count, entries, spans, keys, values in stores:
            store, place = self._stores[epoch], places[predicate]
            places[predicate] += 1
            for instance, args in zip(keys[::2], keys[1::2], strict=True):
                items = tuple([args[key] for key in self._keys[predicate]])
                store.add(instance, args, self._where.number(items))
            store.names.values.update(zip(values[::2], values[1::2], strict=True))
            if not count or self._dealer is None:
                continue
            dealt = self._dealer.deal(entries, count, spans, store.where, self._where)
            for target, cells, intervals in dealt:
                columns = self._columns(predicate, place, store, target, cells, intervals)
                found.setdefault(target, []).append(columns)
        return found

    def _columns(
        self, predicate: str, place: int, store: _Store, target: int, cells: Cells, spans: bytes
    ) -> Columns:
        """Say what numbers stand for, as far as the part does not know.

        A predicate may have several stores; this is the one at `place`.
        """
        source, names = (place << 32) + self._sender, store.names
        if not self._is_remembered:
            keys, values = _named(names, cells)
            return Columns(predicate, source, 0, keys, values, cells.tobytes(), spans)
        told = self._told.get((predicate, place, target))
        # A store that had no columns for a while goes on with its epoch, but is read anew.
        if told is None or told.store is not store:
            told = self._told[predicate, place, target] = _Told(store)
        keys, values = told.new_instances(target, self._where), told.new_values(cells)
        return Columns(predicate, source, names.epoch, keys, values, cells.tobytes(), spans)


def _named(names: _Names, cells: Cells) -> tuple[list[Scalar], list[Scalar]]:
    """Instances and values that some entries are about, each once."""
    instances, values = (dict.fromkeys(cells[n::3].tolist()) for n in (0, 1))
    keys = [x for n in instances for x in (n, *names.args[n])]
    return keys, [x for n in values for x in (n, names.values[n])]


class Dealer:
    """Deals entries out to parts, by `rtec_deal` in given.c; owns the room that this takes."""

    def __init__(self, library: str, targets: int) -> None:
        """Begin with little room."""
        self._deal = ctypes.CDLL(library).rtec_deal
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._deal.argtypes = [
            pointer, number, pointer, pointer, number, pointer, number,
            pointer, pointer, pointer, number, number,
        ]  # fmt: skip
        self._deal.restype = number
        self._targets = targets
        self._counts = np.zeros(4 * targets, np.int64)
        self._make_room(1024, 1024)

    def _make_room(self, entries: int, spans: int) -> None:
        self._cells = np.empty(3 * entries, np.uint32)
        self._spans = np.empty(2 * spans, np.int64)
        out = (self._counts, self._cells, self._spans)
        self._out = (*(array.ctypes.data for array in out), entries, spans)

    def deal(
        self, entries: int, count: int, spans: int, places: Ints, where: Whereabouts
    ) -> Iterator[tuple[int, Cells, bytes]]:
        """Yield for each part that gets something its entries and their intervals."""
        targets = self._targets
        given = (entries, count, spans, places.ctypes.data, len(places), where.parts.ctypes.data,
                 targets)  # fmt: skip
        while (done := self._deal(*given, *self._out)) != 1:
            if done < 0:
                raise EngineError("a store has an instance that nobody was told of")
            lengths = self._counts[: 2 * targets].reshape(2, targets).sum(axis=1)
            self._make_room(*(2 * lengths).tolist())
        counts = self._counts[: 2 * targets].tolist()
        first = begin = 0
        for target in range(targets):
            end, until = first + counts[target], begin + counts[targets + target]
            if first < end:
                cells = self._cells[3 * first : 3 * end]
                yield target, cells, self._spans[2 * begin : 2 * until].tobytes()
            first, begin = end, until
