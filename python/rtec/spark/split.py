"""Which part of a job has what: objects and pairs go by a hash of their names.

Spark's expressions in `frames.py` send records by the same hash, so that every part knows by
itself what is its own, of objects too that no record mentions.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from typing import Any

import numpy as np

from rtec.runtime.answers import Recognitions
from rtec.runtime.records import Column, Ints
from rtec.spark.lookup import looked_up
from rtec.spark.objects import are_exact, key_argument, object_name
from rtec.spark.plan import PartitionPlan
from rtec.spark.positions import Entity, Keys, Path

_MOST_KNOWN = 100_000


def part_of(name: str, count: int) -> int:
    """The part that an object belongs to."""
    return _hash(name) % count


def part_of_pair(names: Iterable[str], count: int) -> int:
    """The part of the second stage that a pair belongs to, whatever its order."""
    return sum(map(_hash, names)) % count


def _hash(name: str) -> int:
    return zlib.crc32(name.encode())


@dataclass(frozen=True)
class Split:
    """How a job is split, as plain data that travels to every part.

    Attributes:
        keys: For each event and fluent the paths to its keys.
        parts: How many parts the first stage has.
        second: The outputs of the second stage.
        feeds: What the second stage gets from the first at each query time.
        passed: Records about pairs that only the second stage reads: they are passed on to it.
        copied: Records about pairs that the first stage reads too, for each member.
        by_pairs: Whether the second stage goes by pairs; otherwise it has one part.
        shared: Whether a part of the first stage may find what another one has to report.
    """

    keys: Keys
    parts: int
    second: frozenset[Entity] = frozenset()
    feeds: tuple[Entity, ...] = ()
    passed: frozenset[Entity] = frozenset()
    copied: frozenset[Entity] = frozenset()
    by_pairs: bool = True
    shared: bool = True

    @classmethod
    def of(cls, plan: PartitionPlan, parts: int) -> Split:
        """Take what workers need from a plan that has stages."""
        stages = plan.stages
        assert stages is not None
        by_pairs = stages.alone is None
        everybody = not all(plan.keys[entity] for entity in stages.first)
        shared = plan.spontaneous or everybody or bool(stages.copied)
        passed = frozenset(
            feed
            for feed in stages.feeds
            if by_pairs and feed in plan.inputs and len(plan.keys[feed]) > 1
        ) - stages.copied
        feeds = tuple(feed for feed in stages.feeds if feed not in passed)
        return cls(
            plan.keys, parts, stages.second, feeds, passed, stages.copied, by_pairs, shared
        )

    @property
    def targets(self) -> int:
        """How many parts the second stage has."""
        return (self.parts if self.by_pairs else 1) if self.second else 0

    def paths(self, name: str, arity: int, is_event: bool) -> tuple[Path, ...]:
        """The keys of an input record or of an answer."""
        return self.keys.get(("event" if is_event else "fluent", name, arity), ())

    def owner(self, args: Sequence[Any], paths: Sequence[Path]) -> int:
        """The part that reports something: that of the first key, or the first part."""
        for path in paths[:1]:
            item = key_argument(args, path)
            if item is not None:
                return part_of(object_name(item), self.parts)
        return 0

    def own_answers(self, answers: Recognitions, number: int, places: Places) -> Recognitions:
        """Keep the answers that a part reports."""
        if self.parts == 1 or not self.shared:
            return answers
        return Recognitions(
            answers.query_time,
            self._own(answers.fluents, False, number, places),
            self._own(answers.events, True, number, places),
            answers.op,
        )

    def _own(self, rows: Sequence[Any], is_event: bool, number: int, places: Places) -> list[Any]:
        """Keep the rows of one part; those of one name are looked at together."""
        kept: list[Any] = []
        for (name, arity), group in groupby(rows, lambda row: (row[0], len(row[1]))):
            some = list(group)
            paths = self.paths(name, arity, is_event)
            if not paths:
                kept += some if number == 0 else []
            elif len(paths[0]) > 1:
                kept += [row for row in some if self.owner(row[1], paths) == number]
            else:
                at = paths[0][0]
                parts = places.of([row[1][at] for row in some])
                kept += [row for row, part in zip(some, parts, strict=True) if part == number]
        return kept


class Places(dict[Any, int]):
    """The parts of objects, found out once for each."""

    def __init__(self, count: int, given: Mapping[str, int] | None = None) -> None:
        """Deal objects out to so many parts, by a hash of their names or as it is given."""
        super().__init__()
        self._count = count
        self._given = given

    def of(self, items: Sequence[Any]) -> Sequence[int]:
        """The part of each object.

        >>> Places(4).of(["tug", 7, 7.0, 7]) == [
        ...     part_of(name, 4) for name in ("tug", "7", "float", "7")
        ... ]
        True
        """
        if float in set(map(type, items)):  # a dictionary takes 7 and 7.0 for the same
            return [self._part(item) for item in items]
        return [self[item] for item in items]

    def __missing__(self, item: Any) -> int:
        if len(self) > _MOST_KNOWN:
            self.clear()
        self[item] = part = self._part(item)
        return part

    def _part(self, item: Any) -> int:
        name = object_name(item)
        return part_of(name, self._count) if self._given is None else self._given.get(name, 0)


class PairPlaces(dict[Any, int]):
    """The parts of pairs in the second stage; what it takes to know of an object is found once."""

    def __init__(self, count: int) -> None:
        """Deal pairs out to so many parts."""
        super().__init__()
        self._count = count

    def of(self, columns: Sequence[Column | Sequence[Any]]) -> Ints:
        """The part of each pair, whose objects stand in columns.

        >>> PairPlaces(4).of([["tug", 7.0], ["ferry", 7]]).tolist() == [
        ...     part_of_pair(names, 4) for names in (("tug", "ferry"), ("float", "7"))
        ... ]
        True
        """
        return reduce(np.add, map(self._hashes, columns)) % self._count

    def _hashes(self, items: Column | Sequence[Any]) -> Ints:
        if isinstance(items, np.ndarray):
            if items.dtype == np.int64:
                return looked_up(items, lambda found: [self[item] for item in found])
            items = items.tolist()
        find = self.__getitem__ if are_exact(items) else _object_hash
        return np.fromiter(map(find, items), np.int64, len(items))

    def __missing__(self, item: Any) -> int:
        if len(self) > _MOST_KNOWN:
            self.clear()
        self[item] = found = _object_hash(item)
        return found


def _object_hash(item: Any) -> int:
    return _hash(object_name(item))
