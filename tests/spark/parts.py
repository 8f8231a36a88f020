"""A job split into parts as Spark does it, but in this process: many descriptions can be tried."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rtec.compiler.program import Program
from rtec.runtime.answers import Recognitions, to_table
from rtec.runtime.records import Record, batches
from rtec.runtime.windows import Windowing
from rtec.spark.objects import key_argument, object_name
from rtec.spark.package import Moves
from rtec.spark.plan import PartitionPlan
from rtec.spark.split import Split, part_of
from rtec.spark.staging import FirstPart, Intake, SecondPart

from spark.local import Row, rows


def destinations(split: Split, record: Record) -> Iterable[int]:
    """The parts that a record is sent to, as `frames.parts` says it to Spark."""
    paths = split.paths(record.name, len(record.args), record.value is None)
    if not paths:
        return range(split.parts)
    items = [key_argument(record.args, path) for path in paths]
    return {part_of(object_name(item), split.parts) for item in items if item is not None}


def in_parts(
    program: Program, plan: PartitionPlan, records: list[Record], moves: Moves, count: int
) -> list[Row]:
    """What all parts together report."""
    split = Split.of(plan, count)
    first = [FirstPart(program, moves, split, number) for number in range(count)]
    known = {(i.name, i.arity) for inputs in program.inputs.values() for i in inputs}
    records = [r for r in records if (r.name, len(r.args)) in known]
    second = {n: SecondPart(program, moves, split) for n in range(split.targets)}
    intakes = [Intake.empty(split, number, moves) for number in range(count)]
    for number, intake in enumerate(intakes):
        for batch in batches(r for r in records if number in destinations(split, r)):
            intake.add(batch)
    found: list[Recognitions] = []
    for window in Windowing(moves.size, moves.step).windows(moves.start, moves.end):
        pairs = list(zip(first, intakes, strict=True))
        found += [part.query(window, intake)[0] for part, intake in pairs]
        sent = [part.facts(intake, is_first=False) for part, intake in pairs]
        for n, each in second.items():
            found.append(each.query(window, [s[n] for s in sent if n in s]))
    for part in [*first, *second.values()]:
        part.close()
    table: Any = to_table(found)
    return rows(table.to_pylist())
