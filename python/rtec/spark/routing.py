"""Which parts a record goes to, found for whole columns of records at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from rtec.runtime.records import Column, Ints, RecordBatch
from rtec.spark.lookup import looked_up
from rtec.spark.positions import Entity, Keys, Path
from rtec.spark.split import PairPlaces, Places, Split


@dataclass(frozen=True)
class Routes:
    """Where the records of a job go, as plain data that travels to every worker.

    A record goes to the part of its first key; to those of all its keys if it is copied; and to
    all parts if it has none.

    Attributes:
        parts: How many parts there are.
        keys: For each event and fluent the paths to its keys.
        given: The parts of objects, by name; None if they go by a hash.
        copied: Records about several objects that the part of each of them needs.
        targets: How many parts there are for pairs, of which those of the objects are told; or 0.
    """

    parts: int = 1
    keys: Keys = field(default_factory=dict)
    given: Mapping[str, int] | None = None
    copied: frozenset[Entity] = frozenset()
    targets: int = 0

    @classmethod
    def of(cls, split: Split) -> Routes:
        """The routes to the parts of the first stage."""
        targets = split.targets if split.by_pairs else 0
        return cls(split.parts, split.keys, None, split.copied, targets)

    def places(self) -> Places:
        """Something that finds the parts of objects, and remembers them."""
        return Places(self.parts, self.given)

    def pair_places(self) -> PairPlaces:
        """Something that finds the parts of pairs, and remembers them."""
        return PairPlaces(self.targets)

    def paths(self, batch: RecordBatch) -> tuple[Path, ...]:
        """The keys of the records in a batch."""
        return self.keys.get(entity_of(batch), ())

    def parts_of(self, batch: RecordBatch, places: Places) -> tuple[Ints, Ints]:
        """List rows of a batch, and for each the part that it goes to; some rows go to several."""
        rows = np.arange(len(batch))
        paths = self.paths(batch)
        if self.parts == 1:
            return rows, np.zeros(len(batch), np.int64)
        if not paths:
            return np.tile(rows, self.parts), np.repeat(np.arange(self.parts), len(batch))
        found = [_column_parts(batch.args[paths[0][0]], places)]
        if entity_of(batch) not in self.copied:
            return rows, found[0]
        found += [_column_parts(batch.args[path[0]], places) for path in paths[1:]]
        targets = np.unique(np.stack([np.tile(rows, len(found)), np.concatenate(found)]), axis=1)
        return targets[0], targets[1]

    def meeting_columns(self, batch: RecordBatch) -> list[Column]:
        """The keys of records about pairs of which parts are told; none if they get the records."""
        paths = self.paths(batch)
        if not self.targets or len(paths) < 2 or entity_of(batch) in self.copied:
            return []
        return [batch.args[path[0]] for path in paths]


def entity_of(batch: RecordBatch) -> Entity:
    """What the records of a batch are."""
    return ("event" if batch.kind == "event" else "fluent", batch.name, batch.arity)


def _column_parts(column: Column, places: Places) -> Ints:
    """The part of each object in a column."""
    if column.dtype != np.int64:
        return np.array(places.of(column.tolist()), np.int64)
    return looked_up(column, places.of)
