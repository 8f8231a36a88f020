"""Both stages in windows equal PIEC over the probabilities of the whole, on random descriptions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from probec_cases import Case, cases
from probec_oracles import compiled, record
from rtec.compiler.program import Program
from rtec.errors import DescriptionError
from rtec.prob import piec
from rtec.prob.pipeline import ProbRun, ProbSettings
from rtec.prob.probec import probabilities
from rtec.runtime.buffer import Buffer
from rtec.runtime.records import Record, batches
from rtec.runtime.windows import Window

pytest.importorskip("problog.program", reason="ProbLog is not installed")

START, END, LATEST = 0, 9, 3


few = settings(
    max_examples=max(1, settings.default.max_examples // 4),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
Row: TypeAlias = tuple[str, tuple[Any, ...], Any, int, int, bool]


def in_steps(
    program: Program, records: list[Record], threshold: str, step: int, size: int
) -> set[Row]:
    """What both stages say at the end, window by window."""
    try:
        settings = ProbSettings(threshold, merge=True)
        run = ProbRun(program, settings, start=START, overlap=size > step)
    except DescriptionError:
        assume(False)
    with run:
        buffer = Buffer(start=START, tick=1)
        for batch in batches(records):
            buffer.add(batch)
        last = START - 1
        for query_time in sorted({*range(START + step, END, step), END}):
            window = Window(min(last, max(query_time - size, START - 1)), query_time)
            run.advance(window, buffer.take(window))
            last = query_time
        return {(i.fluent, i.args, i.value, i.start, i.end, i.credible) for i in run.finish()}


def as_a_whole(program: Program, records: list[Record], threshold: str) -> set[Row]:
    """The same from all records at once, by PIEC."""
    found = set()
    for series in probabilities(program, records, START, END):
        times = list(range(series.times[0], END + 1))
        pmis = piec([round(series.at(t), 9) for t in times], threshold, times=times)
        for (start, end), credible in zip(pmis, pmis.credible.tolist(), strict=True):
            found.add((series.fluent, series.args, series.value, start, end, credible))
    return found


@few
@given(cases(), st.sampled_from([1, 2, 4, 9]), st.sampled_from(["0.5", "0.25", "0.9"]))
def test_steps_equal_the_whole(case: Case, step: int, threshold: str) -> None:
    records = [record(fact) for fact in case.facts]
    with TemporaryDirectory() as folder:
        program = compiled(case, Path(folder))
        found = in_steps(program, records, threshold, step, step)
        assert found == as_a_whole(program, records, threshold)


@few
@given(cases(most=6), st.sampled_from([1, 2, 3]), st.sampled_from(["0.5", "0.25"]), st.data())
def test_late_records_count_if_the_window_covers_them(
    case: Case, step: int, threshold: str, data: st.DataObject
) -> None:
    delays = [data.draw(st.integers(0, LATEST), label="delay") for _ in case.facts]
    records = [
        replace(one, arrival=one.time + delay)
        for one, delay in zip(map(record, case.facts), delays, strict=True)
    ]
    with TemporaryDirectory() as folder:
        program = compiled(case, Path(folder))
        found = in_steps(program, records, threshold, step, LATEST + step)
        assert found == as_a_whole(program, records, threshold)
