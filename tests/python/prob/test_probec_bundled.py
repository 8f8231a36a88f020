"""Without uncertainty, probabilities are 0 and 1 where the ordinary engine says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rtec.compiler import compile_description
from rtec.model import FluentRecognition, Scalar
from rtec.prob.probec import FluentSeries, ProbEC
from rtec.prob.probec.series import joined
from rtec.runtime.run import RunPlan, plan_run
from rtec.runtime.session import Session
from rtec.runtime.settings import RunSettings
from rtec.runtime.sidecar import find_description, read_sidecar
from rtec.runtime.streams import read_stream

Held = dict[tuple[str, tuple[Scalar, ...], Scalar], list[tuple[int, int]]]


@pytest.mark.parametrize(
    ("name", "end"), [("toy", 21), ("activity", 20_000), ("transport", 1_200), ("maritime", 7_200)]
)
def test_certain_streams(name: str, end: int) -> None:
    description = find_description(f"{name}.prolog")
    sidecar = read_sidecar(description)
    program = compile_description(description, sidecar.background, cached=False)

    def plan(step: int) -> RunPlan:
        stream = read_stream([str(path) for path in sidecar.stream], program.inputs)
        return plan_run(stream, RunSettings(step, step, 0, end, sidecar.tick or 1))

    in_steps = plan(max(end // 4, 1))
    with ProbEC(program, tick=in_steps.tick) as engine:
        parts = [engine.advance(w, in_steps.feed.buffer.take(w)) for w in in_steps.windows()]
        outputs = engine._outputs
    whole = plan(end + 1)
    with Session(program, window=end + 1, tick=whole.tick) as session:
        [answers] = [session.advance(w, whole.feed.buffer.take(w)) for w in whole.windows()]
    expected: Held = {
        (r.fluent, r.args, r.value): [(s, end + 1 if e is None else min(e, end + 1))
                                      for s, e in r.intervals if s <= end]
        for r in answers
        if isinstance(r, FluentRecognition) and (r.fluent, len(r.args)) in outputs
    }  # fmt: skip
    answer = joined(parts)
    assert set(answer.methods.values()) == {"certain"}
    assert held(answer) == {key: spans for key, spans in expected.items() if spans}


def held(answer: FluentSeries) -> Held:
    """Where each pair holds; all probabilities are 0 or 1."""
    return {(s.fluent, s.args, s.value): list(spans(s.times, s.probs, answer.end)) for s in answer}


def spans(times: tuple[int, ...], probs: tuple[float, ...], end: int) -> Iterator[tuple[int, int]]:
    for i, (time, prob) in enumerate(zip(times, probs, strict=True)):
        assert prob == (1.0 if i % 2 == 0 else 0.0)
        if prob:
            yield time, times[i + 1] if i + 1 < len(times) else end + 1
