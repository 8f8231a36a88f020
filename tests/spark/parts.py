"""A job split into parts as Spark does it, but in this process: many descriptions can be tried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pyarrow as pa
from rtec.compiler.program import Program
from rtec.runtime.records import Record
from rtec.spark.objects import key_argument, object_name
from rtec.spark.package import Moves, pack
from rtec.spark.packing import Packer
from rtec.spark.plan import PartitionPlan
from rtec.spark.routing import Routes
from rtec.spark.split import Split, part_of
from rtec.spark.stage_workers import FirstStage, SecondStage
from rtec.spark.worker import LINE

from spark.local import Row, rows


def line(record: Record) -> str:
    """A record as pipe-separated text."""
    sign = "-" if record.op == "-" else ""
    arrival = record.time if record.arrival is None else record.arrival
    optional = [f for f in (record.end, record.value) if f is not None]
    fields = [sign + record.name, arrival, record.time, *optional, *record.args]
    return "|".join(map(str, fields))


def destinations(split: Split, record: Record) -> Iterable[int]:
    """The parts that a record is sent to, as `frames.parts` says it to Spark."""
    paths = split.paths(record.name, len(record.args), record.value is None)
    if not paths:
        return range(split.parts)
    items = [key_argument(record.args, path) for path in paths]
    return {part_of(object_name(item), split.parts) for item in items if item is not None}


def in_parts(
    program: Program, plan: PartitionPlan, records: Sequence[Record], moves: Moves, count: int
) -> list[Row]:
    """What all parts together report."""
    split, package = Split.of(plan, count), pack(program)
    packer = Packer(program.inputs, moves, Routes.of(split), "lines")
    random = Random(len(records))
    blocks = _together(packer(_lines(records, random)), random)
    first: list[pa.RecordBatch] = []
    for number in range(count):
        own = _own(blocks, "part", number, "slot")
        first += FirstStage(package, moves, split, None, lambda n=number: n)(own)
    if not split.second:
        return rows(pa.Table.from_batches(first).to_pylist() if first else [])
    sent = _together(first, random)
    found: list[dict[str, Any]] = []
    for number in range(split.targets):
        own = _own(sent, "target", number, "query_time")
        for batch in SecondStage(package, moves, split, None, lambda n=number: n)(own):
            found += batch.to_pylist()
    return rows(found)


def _lines(records: Sequence[Record], random: Random) -> Iterable[pa.RecordBatch]:
    """The lines of records in any order, in several batches."""
    lines = [line(record) for record in records]
    random.shuffle(lines)
    for first in range(0, len(lines), 7):
        yield pa.RecordBatch.from_arrays([pa.array(lines[first : first + 7])], [LINE])


def _together(batches: Iterable[pa.RecordBatch], random: Random) -> list[dict[str, Any]]:
    """All rows, in any order, as a shuffle of Spark leaves them."""
    found = [row for batch in batches for row in batch.to_pylist()]
    random.shuffle(found)
    return found


def _own(
    found: list[dict[str, Any]], key: str, number: int, order: str
) -> Iterable[pa.RecordBatch]:
    """The rows of one part, sorted, a few at a time."""
    own = sorted((row for row in found if row[key] == number), key=lambda row: row[order])
    for first in range(0, len(own), 3):
        yield pa.RecordBatch.from_pylist(own[first : first + 3])
