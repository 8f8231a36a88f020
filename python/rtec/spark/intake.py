"""The records of a part of the first stage, before the engine gets them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from rtec.runtime.buffer import Buffer
from rtec.runtime.records import RecordBatch
from rtec.spark.meetings import Member, by_part, member_key, members
from rtec.spark.package import Moves
from rtec.spark.routing import entity_of
from rtec.spark.split import PairPlaces, Places, Split


@dataclass
class Intake:
    """What a part of the first stage has been sent.

    Attributes:
        split: What is done in which part.
        number: Which part this is.
        buffer: Records of its own.
        copies: Records that belong to another part, of pairs with an object of its own.
        met: Objects of this part that have pairs, with the part of the pair, in the order in
            which that became known.
        known: The keys of these.
    """

    split: Split
    number: int
    buffer: Buffer
    copies: Buffer
    met: list[Member] = field(default_factory=list)
    known: set[Hashable] = field(default_factory=set)

    @classmethod
    def empty(cls, split: Split, number: int, moves: Moves) -> Intake:
        """Begin without records."""
        own, copies = (Buffer(start=moves.start, tick=moves.tick) for _ in range(2))
        return cls(split, number, own, copies)

    def add(self, batch: RecordBatch) -> None:
        """Take records; each counts from the first query time at or after its arrival."""
        split = self.split
        paths = split.paths(batch.name, batch.arity, batch.kind == "event")
        if len(paths) < 2 or (split.parts == 1 and not split.second):
            self.buffer.add(batch)
            return
        places, columns = _places(split.parts), [batch.args[path[0]].tolist() for path in paths]
        own = np.array(places.of(columns[0])) == self.number
        if split.second and split.by_pairs:
            met = members(columns, _pair_places(split.targets))
            self._note(by_part(met, places).get(self.number, []))
        if own.all():
            self.buffer.add(batch)
            return
        if own.any():
            self.buffer.add(batch.filter(own))
        if entity_of(batch) in split.copied:
            self.copies.add(batch.filter(~own))

    def take(self, batches: Iterable[RecordBatch], met: Iterable[Member]) -> None:
        """Take records that were sent here alone, unless they are copied; and who has pairs."""
        for batch in batches:
            if entity_of(batch) in self.split.copied:
                self.add(batch)
            else:
                self.buffer.add(batch)
        self._note(met)

    def _note(self, met: Iterable[Member]) -> None:
        for member in met:
            key = member_key(member)
            if key not in self.known:
                self.known.add(key)
                self.met.append(member)


@cache
def _places(parts: int) -> Places:
    """The parts of objects, which several intakes may find out together."""
    return Places(parts)


@cache
def _pair_places(targets: int) -> PairPlaces:
    """The parts of pairs, likewise."""
    return PairPlaces(targets)
