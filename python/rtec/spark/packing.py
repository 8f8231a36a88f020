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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from rtec.runtime.answers import to_table
from rtec.runtime.faults import Faults
from rtec.runtime.layouts import Layouts
from rtec.runtime.records import LEAST, Input, Ints, RecordBatch
from rtec.spark.aside import received, sending
from rtec.spark.errors import named
from rtec.spark.meetings import Member, Told, by_part, members
from rtec.spark.package import Moves
from rtec.spark.routing import Routes
from rtec.spark.split import PairPlaces, Places
from rtec.spark.worker import (
    ROWS_OUT,
    Adder,
    Runner,
    chunks_of,
    faults_found,
    gathered,
    read_rows,
)
from rtec.spark.written import Folder

BLOCKS = pa.schema([("part", pa.int32()), ("slot", pa.int64()), ("data", pa.binary())])
Reader: TypeAlias = Callable[[Layouts, Faults], Iterator[list[RecordBatch]]]
"""Yields the records of a partition of the input, some at a time."""


def seeds(parts: int) -> pa.RecordBatch:
    """An empty block for each part.

    >>> seeds(2).to_pylist()[1]
    {'part': 1, 'slot': 0, 'data': None}
    """
    return pa.RecordBatch.from_pylist(
        [{"part": part, "slot": 0, "data": None} for part in range(parts)], BLOCKS
    )


@dataclass
class Block:
    """What a part gets to know from some records of one slot.

    Attributes:
        batches: The records.
        met: Objects of this part that have pairs where it was not told of.
    """

    batches: list[RecordBatch] = field(default_factory=list)
    met: list[Member] = field(default_factory=list)


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
        folder: Where blocks go, if not through Spark.
    """

    inputs: Mapping[str, Sequence[Input]]
    moves: Moves
    routes: Routes
    form: str = "table"
    metrics: Adder | None = None
    partition: Callable[[], int] = field(default=lambda: 0)
    folder: Folder | None = None

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Pack, for `mapInArrow`."""
        return self.pack(lambda layouts, faults: self._records(batches, layouts, faults))

    def pack(self, read: Reader) -> Iterator[pa.RecordBatch]:
        """Pack what a reader finds, some records at a time."""
        with named(self.partition()), sending(self.folder) as sent:
            faults, layouts = Faults(self.moves.on_error), Layouts(self.inputs)
            places, pairs, told = self.routes.places(), self.routes.pair_places(), Told()
            for found in read(layouts, faults):
                if blocks := self._blocks(found, places, pairs, told):
                    pickles = [sent(pickle.dumps(b, protocol=5)) for b in blocks.values()]
                    yield pa.RecordBatch.from_arrays(
                        [
                            pa.array([part for part, _ in blocks], pa.int32()),
                            pa.array([slot for _, slot in blocks], pa.int64()),
                            pa.array(pickles, pa.binary()),
                        ],
                        schema=BLOCKS,
                    )
            if self.metrics is not None:
                self.metrics.add(faults_found(faults))

    def _records(
        self, batches: Iterable[pa.RecordBatch], layouts: Layouts, faults: Faults
    ) -> Iterator[list[RecordBatch]]:
        name, first = f"partition {self.partition()}", 1
        for table in gathered(batches):
            yield read_rows(table, self.form, name, first, layouts, faults)
            first += table.num_rows

    def _blocks(
        self, batches: list[RecordBatch], places: Places, pairs: PairPlaces, told: Told
    ) -> dict[tuple[int, int], Block]:
        """Sort records out by part and slot."""
        blocks: dict[tuple[int, int], Block] = {}
        for batch in batches:
            slots = self._slots(batch)
            for slot, part, own in self._split(batch, slots, places):
                blocks.setdefault((part, slot), Block()).batches.append(own)
            for slot, met in self._met(batch, slots, pairs):
                for part, new in by_part(told.new(slot, met), places).items():
                    blocks.setdefault((part, slot), Block()).met.extend(new)
        return blocks

    def _split(
        self, batch: RecordBatch, slots: Ints, places: Places
    ) -> Iterator[tuple[int, int, RecordBatch]]:
        """Cut records up by slot and part; those that no query time will ask for are left out."""
        rows, parts = self.routes.parts_of(batch, places)
        for code, own in _groups(rows, slots[rows] * self.routes.parts + parts):
            slot, part = divmod(code, self.routes.parts)
            if slot >= 0:
                yield slot, part, batch if len(own) == len(batch) else batch.filter(own)

    def _met(
        self, batch: RecordBatch, slots: Ints, places: PairPlaces
    ) -> Iterator[tuple[int, list[Member]]]:
        """Yield for each slot the members of the pairs in it."""
        columns = self.routes.meeting_columns(batch)
        if columns:
            for slot, rows in _groups(np.arange(len(batch)), slots):
                if slot >= 0:
                    yield slot, members([column[rows].tolist() for column in columns], places)

    def _slots(self, batch: RecordBatch) -> Ints:
        """The slot of each record; -1 if no query time will ask for it."""
        due = np.maximum(batch.arrival, batch.time)
        slots: Ints = np.maximum((due - self.moves.start) // self.moves.size, 0)
        slots[due < self.moves.start] = 0  # also where the difference does not fit
        slots[due > self.moves.end] = -1
        return slots


def _groups(rows: Ints, codes: Ints) -> Iterator[tuple[int, Ints]]:
    """Yield each code with the rows that have it, in order."""
    if not len(codes):
        return
    if codes[0] == codes[-1] and (codes == codes[0]).all():
        yield int(codes[0]), rows
        return
    small = codes - codes.min()
    # NumPy sorts numbers of 16 bits by radix, many times faster than longer ones.
    order = np.argsort(small.astype(np.uint16) if small.max() < 1 << 16 else small, kind="stable")
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
                yield received(data)
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
