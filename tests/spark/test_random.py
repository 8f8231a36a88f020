"""Random descriptions and streams: split over partitions = a local run.

The parts are made as Spark makes them, but in this process, so that many descriptions can be
tried; a few of these go through Spark itself.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import rtec
from equations.engine import engine_records
from hypothesis import HealthCheck, given, settings
from reference import to_lines
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.runtime.records import Record
from rtec.spark.batch import recognise
from rtec.spark.package import Moves
from rtec.spark.plan import plan
from rtec.spark.worker import LINE
from strategies import Case, Meetings, Run, cases, meetings

from spark.local import Row, collected, rows
from spark.parts import in_parts

FEATURES: dict[str, dict[str, Any]] = {
    "plain": {},
    "groundings": {"groundings": True},
    "both": {"cycles": True, "delays": True, "open_initially": False},
    "allen": {"allen": True},
}
MANY = settings(suppress_health_check=list(HealthCheck))
FEW = settings(MANY, max_examples=max(1, settings.default.max_examples // 5))
RARE = settings(MANY, max_examples=max(1, settings.default.max_examples // 10))


def compiled(text: str, folder: str, background: str = "") -> Program:
    rules, facts = Path(folder) / "random.prolog", Path(folder) / "background.prolog"
    rules.write_text(text)
    facts.write_text(background)
    return compile_description(rules, [facts], cached=False)


def settled(run: Run) -> Moves:
    return Moves(run.window, run.step, run.start, run.end, run.tick)


def local(program: Program, records: list[Record], run: Run) -> list[Row]:
    found = rtec.run(
        program, records, window=run.window, step=run.step, start=run.start, end=run.end,
        tick=run.tick,
    )  # fmt: skip
    return rows(found.to_arrow().to_pylist())


@pytest.mark.parametrize("alone", [False, True], ids=["pairs", "joined pairs"])
def test_two_stages_as_local(alone: bool) -> None:
    seen: Counter[str] = Counter()

    @MANY
    @given(case=meetings(alone=alone))
    def check(case: Meetings) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = compiled(case.text, folder)
            how = plan(program, groups=False)
            if how.stages is None:
                seen["not in stages"] += 1
                return
            seen["pairs" if how.stages.alone is None else "alone"] += 1
            expected = local(program, case.records, case.run)
            second = {name for _, name, _ in how.stages.second}
            seen["answers"] += any(row[1] in second for row in expected)
            for count in (2, 7):
                assert in_parts(program, how, case.records, settled(case.run), count) == expected

    check()
    total = settings.default.max_examples
    assert seen["not in stages"] < total / 10
    assert seen["alone" if alone else "pairs"] > total / 2
    assert seen["answers"] > total / 3  # of the second stage


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES)
def test_any_description_as_local(features: dict[str, Any]) -> None:
    @FEW
    @given(case=cases(retractions=True, **features))
    def check(case: Case) -> None:
        with tempfile.TemporaryDirectory() as folder:
            described = case.description
            program = compiled(described.text, folder, described.background_text)
            how = plan(program)
            records = engine_records(case.records)
            if how.stages is not None:
                expected = local(program, records, case.run)
                assert in_parts(program, how, records, settled(case.run), 3) == expected

    check()


def test_spark_as_local(spark: Any) -> None:
    @RARE
    @given(case=meetings())
    def check(case: Meetings) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = compiled(case.text, folder)
            lines = [(line,) for line in to_lines(case.records).splitlines() if line]
            frame = spark.createDataFrame(lines, f"{LINE} string")
            expected = local(program, case.records, case.run)
            run = case.run
            for partitions in (1, 2, 7):
                found = recognise(
                    frame, program, form="lines", partitions=partitions, window=run.window,
                    step=run.step, start=run.start, end=run.end, tick=run.tick,
                )  # fmt: skip
                assert collected(found) == expected

    check()
