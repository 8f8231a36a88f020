"""Both stages in steps equal PIEC over the probabilities of the whole, on random descriptions."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from probec_cases import Case, cases
from probec_oracles import compiled, record
from rtec.errors import DescriptionError
from rtec.prob import piec
from rtec.prob.pipeline import ProbRun, ProbSettings
from rtec.prob.probec import probabilities
from rtec.runtime.buffer import Buffer
from rtec.runtime.records import batches
from rtec.runtime.windows import Window

pytest.importorskip("problog.program", reason="ProbLog is not installed")

START, END = 0, 9


@settings(
    max_examples=max(1, settings.default.max_examples // 4),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(cases(), st.sampled_from([1, 2, 4, 9]), st.sampled_from(["0.5", "0.25", "0.9"]))
def test_steps_equal_the_whole(case: Case, step: int, threshold: str) -> None:
    with TemporaryDirectory() as folder:
        program = compiled(case, Path(folder))
        try:
            run = ProbRun(program, ProbSettings(threshold, merge=True), start=START)
        except DescriptionError:
            assume(False)
        with run:
            buffer = Buffer(start=START, tick=1)
            for batch in batches(map(record, case.facts)):
                buffer.add(batch)
            lower = START - 1
            for query_time in sorted({*range(START + step, END, step), END}):
                window = Window(lower, query_time)
                run.advance(window, buffer.take(window))
                lower = query_time
            found = {
                (i.fluent, i.args, i.value, i.start, i.end, i.credible) for i in run.finish()
            }
        whole = probabilities(program, map(record, case.facts), START, END)
    expected = set()
    for series in whole:
        times = list(range(series.times[0], END + 1))
        probs = [round(series.at(time), 9) for time in times]
        pmis = piec(probs, threshold, times=times)
        for (start, end), credible in zip(pmis, pmis.credible.tolist(), strict=True):
            expected.add((series.fluent, series.args, series.value, start, end, credible))
    assert found == expected
