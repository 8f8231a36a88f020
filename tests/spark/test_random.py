"""Random descriptions and streams: split over partitions = a local run.

The parts are made as Spark makes them, but in this process, so that many descriptions can be
tried; a few of these go through Spark itself.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import rtec
from equations.engine import engine_records
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.runtime.faults import Faults
from rtec.runtime.layouts import Layouts
from rtec.runtime.lines import Lines, read_lines
from rtec.runtime.records import Record
from rtec.spark.batch import recognise
from rtec.spark.package import Moves
from rtec.spark.plan import plan
from rtec.spark.worker import LINE
from strategies import Case, Meetings, Run, cases, meetings

from spark.local import Bundled, Row, bundled, collected, rows
from spark.micro_batches import MicroBatches, as_known
from spark.parts import in_parts, line

FEATURES: dict[str, dict[str, Any]] = {
    "plain": {},
    "groundings": {"groundings": True},
    "both": {"cycles": True, "delays": True, "open_initially": False},
    "allen": {"allen": True},
}
MANY = settings(suppress_health_check=list(HealthCheck))
FEW = settings(MANY, max_examples=max(1, settings.default.max_examples // 5))
RARE = settings(MANY, max_examples=max(1, settings.default.max_examples // 25))


def compiled(text: str, folder: str, background: str = "") -> Program:
    rules, facts = Path(folder) / "random.prolog", Path(folder) / "background.prolog"
    rules.write_text(text)
    facts.write_text(background)
    return compile_description(rules, [facts], cached=False)


def settled(run: Run, memory: int | None = None) -> Moves:
    return Moves(run.window, run.step, run.start, run.end, run.tick, memory=memory)


def local(
    program: Program, records: list[Record], run: Run, memory: int | None = None
) -> list[Row]:
    found = rtec.run(
        program, records, window=run.window, step=run.step, start=run.start, end=run.end,
        tick=run.tick, memory=memory,
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
    assert seen["not in stages"] < total / 10, seen
    assert seen["alone" if alone else "pairs"] > total / 4, seen
    assert seen["answers"] > total / 5, seen  # of the second stage


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES)
def test_any_description_as_local(features: dict[str, Any]) -> None:
    @FEW
    @given(case=cases(retractions=True, **features), memory=st.sampled_from([None, 0, 5]))
    def check(case: Case, memory: int | None) -> None:
        with tempfile.TemporaryDirectory() as folder:
            described = case.description
            program = compiled(described.text, folder, described.background_text)
            how = plan(program)
            records = engine_records(case.records)
            if how.stages is not None:
                expected = local(program, records, case.run, memory)
                moves = settled(case.run, memory)
                assert in_parts(program, how, records, moves, 3) == expected

    check()


@pytest.mark.parametrize("buckets", [1, 3])
def test_micro_batches_as_local(buckets: int) -> None:
    """Any cut into micro-batches, any order inside the window, and restarts from the state."""

    @FEW
    @given(case=meetings(lasting=True), data=st.data())
    def check(case: Meetings, data: st.DataObject) -> None:
        tick = case.run.tick
        slack = data.draw(st.integers(0, 10), "slack") * tick
        run = replace(case.run, window=case.run.window + case.run.step + slack + 2 * tick)
        delays = st.integers(0, slack)
        shuffled = sorted(case.records, key=lambda r: (r.arrival or 0) + data.draw(delays))
        cuts = data.draw(st.lists(st.integers(0, len(shuffled)), max_size=5), "cuts")
        with tempfile.TemporaryDirectory() as folder:
            program = compiled(case.text, folder)
            live = MicroBatches(program, settled(run), buckets, disorder=data.draw(delays))
            for first, last in pairwise([0, *sorted(cuts), len(shuffled)]):
                live.take(shuffled[first:last])
            live.pass_time(run.end)
            merged = rtec.run(
                program, case.records, window=run.window, step=run.step, start=run.start,
                end=run.end, tick=run.tick, merge=True,
            )  # fmt: skip
            assert live.known(run.end) == as_known(merged.to_arrow().to_pylist())

    check()


@pytest.mark.parametrize("name", ["toy", "transport", "maritime", "netbill", "voting", "activity"])
def test_bundled_in_micro_batches_as_local(name: str) -> None:
    """Cut into uneven micro-batches, each of them shuffled."""
    case = bundled(name)
    s = case.chosen.settings
    assert s.window is not None and s.end is not None
    longer = 3 * s.window  # what is shuffled is never too late
    moves = Moves(longer, s.step or s.window, s.start or 0, s.end, s.tick)
    records = records_of(case)
    live = MicroBatches(case.program, moves, buckets=3)
    random, first = Random(7), 0
    while first < len(records):
        size = random.randint(1, len(records) // 3)
        piece = records[first : first + size]
        random.shuffle(piece)
        live.take(piece)
        first += size
    live.pass_time(s.end)
    assert live.known(s.end)
    expected = case.local(window=longer, merge=True)
    assert live.known(s.end) == Counter(row[1:] for row in expected)


def records_of(case: Bundled) -> list[Record]:
    """The records of a bundled sample, in the order of their arrival."""
    found: list[Record] = []
    for path in case.chosen.streams:
        lines = Lines(Path(path).read_bytes(), str(path))
        for batch in read_lines(lines, Layouts(case.program.inputs), Faults("stop")):
            found += batch.records()
    return sorted(found, key=lambda r: r.time if r.arrival is None else r.arrival)


def test_spark_as_local(spark: Any) -> None:
    @RARE
    @given(case=meetings())
    def check(case: Meetings) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = compiled(case.text, folder)
            frame = spark.createDataFrame([(line(r),) for r in case.records], f"{LINE} string")
            expected = local(program, case.records, case.run)
            run = case.run
            for partitions in (2, 7):
                found = recognise(
                    frame, program, form="lines", partitions=partitions, window=run.window,
                    step=run.step, start=run.start, end=run.end, tick=run.tick,
                )  # fmt: skip
                assert collected(found) == expected

    check()
