"""Probabilities are exactly what all possible streams together make them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from probec_cases import Case, cases
from probec_oracles import by_problog, by_worlds, compiled, differences, points, record
from reference import NotStratified
from rtec.errors import DescriptionError
from rtec.prob.probec import FluentSeries, ProbEC

pytest.importorskip("problog.program", reason="ProbLog is not installed")

END = 8
FEATURES: dict[str, dict[str, Any]] = {
    "plain": {},
    "deep": {"levels": 3, "most": 6},
    "cycles": {"cycles": True},
    "events only": {"inputs": False, "statics": False, "changes": False},
}
few = settings(
    max_examples=max(1, settings.default.max_examples // 5),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def answers(case: Case, query_times: list[int], window: int | None) -> list[FluentSeries]:
    """The product's answers; cases with something that it leaves out do not count."""
    with TemporaryDirectory() as folder:
        program = compiled(case, Path(folder))
        try:
            engine = ProbEC(program, window=window)
        except DescriptionError:
            assume(False)
        with engine:
            assume(not engine.left_out)
            engine.insert(map(record, case.facts))
            return [engine.query(query_time) for query_time in query_times]


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES)
@few
@given(data=st.data())
def test_equals_all_possible_streams(data: st.DataObject, features: dict[str, Any]) -> None:
    """In one window, in steps, and in windows that overlap."""
    case = data.draw(cases(**features))
    step = data.draw(st.sampled_from([END, 1, 2, 3]), label="step")
    window = data.draw(st.sampled_from([None, 2, 4]), label="window")
    query_times = sorted({*range(step, END, step), END})
    found = answers(case, query_times, window)
    try:
        expected = by_worlds(case, 0, END)
    except NotStratified:
        assume(False)
    event(", ".join(sorted(set(found[-1].methods.values()))))
    for answer in found:
        inside = {p: prob for p, prob in expected.items() if answer.start <= p[3] <= answer.end}
        assert differences(points(answer), inside) == {}


@few
@given(cases(inputs=False, statics=False, changes=False, open_negations=False, most=8))
def test_equals_problog(case: Case) -> None:
    """The closed form, and what is carried along with it, is what ProbLog finds from scratch."""
    [answer] = answers(case, [END], None)
    found = points(answer)
    fluents = {(s.fluent, s.args, s.value) for s in answer}
    asked = {(*fvp, t) for fvp in fluents for t in range(END + 1)}
    assume(asked)
    event(", ".join(sorted(set(answer.methods.values()))))
    assert differences(found, by_problog(case, asked)) == {}
