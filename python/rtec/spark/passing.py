"""Records that only the second stage reads, passed on to it.

The first stage counts them, and finds out when they are due; its engine never hears of them. A pair
belongs to one part of the second stage for good, so each record is sent once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rtec.runtime.buffer import Due
from rtec.runtime.records import RecordBatch
from rtec.spark.routing import entity_of
from rtec.spark.split import PairPlaces, Split

_LISTS = ("insert", "retract", "rest")
"""Where the records are in what is due."""


class Passing:
    """Takes out of what is due what is passed on."""

    def __init__(self, split: Split) -> None:
        """Begin without pairs."""
        self._split = split
        self._places = PairPlaces(split.targets)

    def apart(self, due: Due) -> tuple[Due, dict[int, Due]]:
        """Return what the first stage reads, and what each part of the second gets."""
        if not self._split.passed:
            return due, {}
        kept, passed = Due(), dict[int, Due]()
        for name in _LISTS:
            for batch in getattr(due, name):
                if entity_of(batch) not in self._split.passed:
                    getattr(kept, name).append(batch)
                    continue
                for target, rows in self._by_part(batch):
                    getattr(passed.setdefault(target, Due()), name).append(rows)
        return kept, passed

    def _by_part(self, batch: RecordBatch) -> Iterator[tuple[int, RecordBatch]]:
        paths = self._split.keys[entity_of(batch)]
        found = self._places.of([batch.args[path[0]] for path in paths])
        for part in set(found.tolist()):
            own = found == part
            yield part, batch if own.all() else batch.filter(own)


def together(several: Iterable[Due]) -> Due:
    """What is due, of what several have passed on."""
    joined = Due()
    for due in several:
        for name in _LISTS:
            getattr(joined, name).extend(getattr(due, name))
    return joined
