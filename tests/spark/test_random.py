"""Random descriptions and streams: split over partitions = a local run.

The parts are made as the driver makes them, but in this process and without Spark, so that many
descriptions can be tried; a few dozen of these go through Spark itself.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import rtec
from equations.engine import engine_records
from hypothesis import HealthCheck, given, settings
from reference import to_lines
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.runtime.records import Record
from rtec.spark.assign import deal, groups
from rtec.spark.batch import recognise
from rtec.spark.objects import key_argument, object_name
from rtec.spark.package import Moves, pack
from rtec.spark.plan import PartitionPlan, plan
from rtec.spark.worker import LINE, Ownership, Runner
from strategies import Case, cases

from spark.local import Row, collected, rows

FEATURES: dict[str, dict[str, Any]] = {
    "plain": {},
    "groundings": {"groundings": True},
    "both": {"cycles": True, "delays": True, "open_initially": False},
    "allen": {"allen": True},
}
FEW = settings(
    max_examples=max(1, settings.default.max_examples // 5),
    suppress_health_check=list(HealthCheck),
)
RARE = settings(
    max_examples=max(1, settings.default.max_examples // 8),
    suppress_health_check=list(HealthCheck),
)


def compiled(case: Case, folder: str) -> Program:
    rules, background = Path(folder) / "random.prolog", Path(folder) / "background.prolog"
    rules.write_text(case.description.text)
    background.write_text(case.description.background_text)
    return compile_description(rules, [background], cached=False)


def moves(case: Case) -> dict[str, Any]:
    run = case.run
    return {
        "window": run.window, "step": run.step, "start": run.start, "end": run.end,
        "tick": run.tick,
    }  # fmt: skip


def local(case: Case, program: Program) -> list[Row]:
    found = rtec.run(program, engine_records(case.records), **moves(case))
    return rows(found.to_arrow().to_pylist())


def parts(records: list[Record], how: PartitionPlan, count: int) -> tuple[Any, dict[str, int]]:
    """Deal records out to partitions, as the driver does."""
    if how.whole:
        return [records, *[[] for _ in range(count - 1)]], {}
    named = []
    for record in records:
        is_event = record.value is None
        paths = how.paths(record.name, len(record.args), is_event)
        found = [key_argument(record.args, path) for path in paths]
        named.append([object_name(item) for item in found if item is not None])
    weights: dict[str, int] = {}
    for names in named:
        for name in names:
            weights[name] = weights.get(name, 0) + 1
    placed = deal(weights, groups(weights, [n for n in named if n]), count)
    made: list[list[Record]] = [[] for _ in range(count)]
    for record, names in zip(records, named, strict=True):
        for number in [placed[names[0]]] if names else range(count):
            made[number].append(record)
    return made, placed


def table(records: list[Record]) -> pa.Table:
    text = [
        {
            "name": r.name, "time": r.time, "arrival": r.time if r.arrival is None else r.arrival,
            "end": r.end, "value": None if r.value is None else str(r.value),
            "args": [str(a) for a in r.args], "op": r.op,
        }
        for r in sorted(records, key=lambda r: r.time if r.arrival is None else r.arrival)
    ]  # fmt: skip
    kinds = pa.schema([
        ("name", pa.string()), ("time", pa.int64()), ("arrival", pa.int64()),
        ("end", pa.int64()), ("value", pa.string()), ("args", pa.list_(pa.string())),
        ("op", pa.string()),
    ])  # fmt: skip
    return pa.Table.from_pylist(text, kinds)


_seen = {"split": 0, "whole": 0}


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES)
def test_parts_as_local(features: dict[str, Any]) -> None:
    @FEW
    @given(case=cases(retractions=True, **features))
    def check(case: Case) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = compiled(case, folder)
            how = plan(program)
            _seen["whole" if how.whole else "split"] += 1
            run = case.run
            settled = Moves(run.window, run.step, run.start, run.end, run.tick)
            made, placed = parts(engine_records(case.records), how, 3)
            found: list[dict[str, Any]] = []
            for number, records in enumerate(made[:1] if how.whole else made):
                owned = None if how.whole else Ownership(how, placed)
                runner = Runner(
                    pack(program), settled, "table",
                    None if owned is None else lambda o=owned: o, None, lambda n=number: n,
                )  # fmt: skip
                for batch in runner(iter(table(records).to_batches())):
                    found += batch.to_pylist()
            assert rows(found) == local(case, program)

    check()


def test_spark_as_local(spark: Any) -> None:
    @RARE
    @given(case=cases(retractions=True, groundings=True))
    def check(case: Case) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = compiled(case, folder)
            lines = [(line,) for line in to_lines(case.records).splitlines() if line]
            frame = spark.createDataFrame(lines, f"{LINE} string")
            found = recognise(frame, program, form="lines", partitions=2, **moves(case))
            assert collected(found) == local(case, program)

    check()
