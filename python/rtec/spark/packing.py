"""Records on their way to their parts: read where they lie, sent in blocks.

    Packer       rows of a DataFrame or lines of a file  ->  blocks of records
    Spark        brings the blocks of a part together, in order
    BlockStream  blocks  ->  records, as far as query times need them

Spark then moves few large rows, instead of many small ones that Java would have to take apart.
A block holds records of one *slot*, a stretch of time as long as a window, by when they are due.
So a part that reads its blocks in the order of slots holds little more than its window, whatever
the order of the records was.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from rtec.runtime.answers import to_table
from rtec.runtime.faults import Faults
from rtec.runtime.layouts import Layouts
from rtec.runtime.records import LEAST, Input, Ints, RecordBatch
from rtec.spark.errors import named
from rtec.spark.package import Moves
from rtec.spark.routing import Routes, pair_key
from rtec.spark.split import Places
from rtec.spark.worker import (
    ROWS_OUT,
    Adder,
    Runner,
    chunks_of,
    faults_found,
    gathered,
    read_rows,
)

SCHEMA = "part int, slot bigint, data binary"
BLOCKS = pa.schema([("part", pa.int32()), ("slot", pa.int64()), ("data", pa.binary())])
Reader: TypeAlias = Callable[[Layouts, Faults], Iterator[list[RecordBatch]]]
"""Yields the records of a partition of the input, some at a time."""


@dataclass
class Block:
    """What a part gets to know from some records of one slot.

    Attributes:
        batches: The records.
        met: Pairs of objects that meet, one of them of this part, and of which it was not told.
    """

    batches: list[RecordBatch] = field(default_factory=list)
    met: list[tuple[Any, ...]] = field(default_factory=list)


class Told:
    """Which pairs each part was told of, and in which slot: it remembers them from there on."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._since: dict[int, dict[Hashable, int]] = {}

    def new(self, part: int, slot: int, pairs: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Keep the pairs that the part does not know of in this slot.

        >>> told = Told()
        >>> [told.new(0, slot, [("a", "b")]) for slot in (5, 6, 4)]
        [[('a', 'b')], [], [('a', 'b')]]
        """
        since = self._since.setdefault(part, {})
        new = []
        for pair in pairs:
            key = pair_key(pair)
            if slot < since.get(key, slot + 1):
                since[key] = slot
                new.append(pair)
        return new


@dataclass(frozen=True)
class Packer:
    """Reads the records of a partition of the input, and packs them by part and slot.

    Attributes:
        inputs: What the program reads.
        moves: Window, step, start and end.
        routes: Who gets what.
        form: How records come: `table`, or one text each as `lines` or `json`.
        metrics: Where figures go.
        partition: Gives the number of the partition.
    """

    inputs: Mapping[str, Sequence[Input]]
    moves: Moves
    routes: Routes
    form: str = "table"
    metrics: Adder | None = None
    partition: Callable[[], int] = field(default=lambda: 0)

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Pack, for `mapInArrow`."""
        return self.pack(lambda layouts, faults: self._records(batches, layouts, faults))

    def pack(self, read: Reader) -> Iterator[pa.RecordBatch]:
        """Pack what a reader finds, some records at a time."""
        with named(self.partition()):
            faults, layouts = Faults(self.moves.on_error), Layouts(self.inputs)
            places, told = self.routes.places(), Told()
            for found in read(layouts, faults):
                yield from self._packed(found, places, told)
            if self.metrics is not None:
                self.metrics.add(faults_found(faults))

    def _records(
        self, batches: Iterable[pa.RecordBatch], layouts: Layouts, faults: Faults
    ) -> Iterator[list[RecordBatch]]:
        name, first = f"partition {self.partition()}", 1
        for table in gathered(batches):
            yield read_rows(table, self.form, name, first, layouts, faults)
            first += table.num_rows

    def _packed(
        self, batches: list[RecordBatch], places: Places, told: Told
    ) -> Iterator[pa.RecordBatch]:
        blocks: dict[tuple[int, int], Block] = {}
        for batch in batches:
            for slot, records in self._by_slot(batch):
                for part, own in self._by_part(records, places):
                    blocks.setdefault((part, slot), Block()).batches.append(own)
                for part, pairs in self.routes.meetings(records, places).items():
                    if new := told.new(part, slot, pairs):
                        blocks.setdefault((part, slot), Block()).met.extend(new)
        if blocks:
            yield pa.RecordBatch.from_arrays(
                [
                    pa.array([part for part, _ in blocks], pa.int32()),
                    pa.array([slot for _, slot in blocks], pa.int64()),
                    pa.array([pickle.dumps(b, protocol=5) for b in blocks.values()], pa.binary()),
                ],
                schema=BLOCKS,
            )

    def _by_slot(self, batch: RecordBatch) -> Iterator[tuple[int, RecordBatch]]:
        """Cut records up by slot; those that no query time will ask for are left out."""
        due = np.maximum(batch.arrival, batch.time)
        slots = np.maximum((due - self.moves.start) // self.moves.size, 0)
        slots[due < self.moves.start] = 0  # also where the difference does not fit
        slots[due > self.moves.end] = -1
        for slot, rows in _groups(np.arange(len(batch)), slots):
            if slot >= 0:
                yield slot, batch if len(rows) == len(batch) else batch.filter(rows)

    def _by_part(self, batch: RecordBatch, places: Places) -> Iterator[tuple[int, RecordBatch]]:
        for part, rows in _groups(*self.routes.parts_of(batch, places)):
            yield part, batch if len(rows) == len(batch) else batch.filter(rows)


def _groups(rows: Ints, codes: Ints) -> Iterator[tuple[int, Ints]]:
    """Yield each code with the rows that have it, in order."""
    if not len(codes):
        return
    if codes[0] == codes[-1] and (codes == codes[0]).all():
        yield int(codes[0]), rows
        return
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    for some in np.split(order, starts):
        yield int(codes[some[0]]), rows[some]


class BlockStream:
    """The blocks of a part, read once, as far as query times need them."""

    def __init__(self, batches: Iterator[pa.RecordBatch], moves: Moves) -> None:
        """Take blocks in the order of their slots; nothing is read yet."""
        self._rows = _rows(batches)
        self._moves = moves
        self._next: tuple[int, Any] | None = (0, None)

    def until(self, query_time: int) -> Iterator[Block]:
        """Yield the blocks with all that may be due at a query time and was not yielded yet."""
        while self._next is not None and self._begin(self._next[0]) <= query_time:
            data = self._next[1]
            if data is not None:
                yield pickle.loads(data)
            self._next = next(self._rows, None)

    def _begin(self, slot: int) -> int:
        return LEAST if slot == 0 else self._moves.start + slot * self._moves.size


def _rows(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, Any]]:
    """Yield slots and contents one by one: together they may be large."""
    for batch in batches:
        slots, contents = batch.column("slot"), batch.column("data")
        for row in range(batch.num_rows):
            content = contents[row]
            yield slots[row].as_py(), content.as_buffer() if content.is_valid else None


def recognised(runner: Runner, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Recognise in a partition that comes in blocks."""
    number = runner.partition()
    stream = BlockStream(batches, runner.moves)

    def until(query_time: int) -> Iterator[RecordBatch]:
        return (batch for block in stream.until(query_time) for batch in block.batches)

    with named(number):
        answers = runner.answers(until, number, Faults(runner.moves.on_error))
        for chunk in chunks_of(answers, ROWS_OUT):
            yield from to_table(chunk).to_batches()
