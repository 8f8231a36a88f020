"""Both stages together over a stream, and what is written."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.errors import ConfigError
from rtec.prob import Durations, piec
from rtec.prob.pipeline import ProbRun, ProbSettings, methods_text, run_prob
from rtec.prob.probec import probabilities
from rtec.prob.sink import ProbInterval, ProbSink, to_table
from rtec.runtime.records import Record
from rtec.runtime.run import RunPlan, plan_run
from rtec.runtime.settings import RunSettings
from rtec.runtime.streams import read_stream

RULES = """
points(walking(_)=true).
holdsFor(moving(P, Q)=true, I) :-
    holdsFor(walking(P)=true, I1), holdsFor(walking(Q)=true, I2),
    pair(P, Q),
    intersect_all([I1, I2], I).
initiatedAt(tired(P)=2, T) :- happensAt(run(P), T).
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    (tmp_path / "rules.prolog").write_text(RULES)
    (tmp_path / "pairs.prolog").write_text("pair(ann, bob).\n")
    return compile_description(tmp_path / "rules.prolog", [tmp_path / "pairs.prolog"], cached=False)


def walks(probs: list[float]) -> list[Record]:
    """Bob walks for certain, Ann with these probabilities, from time-point 1 on."""
    certain = [Record("walking", t, ("bob",), value="true") for t in range(1, len(probs) + 1)]
    return certain + [
        Record("walking", t, ("ann",), value="true", prob=p) for t, p in enumerate(probs, 1) if p
    ]


def plan_of(program: Program, records: list[Record], settings: RunSettings) -> RunPlan:
    return plan_run(read_stream([records], program.inputs), settings)


def found(
    program: Program, records: list[Record], step: int, settings: ProbSettings, end: int
) -> list[ProbInterval]:
    plan = plan_of(program, records, RunSettings(step, step, 0, end))
    with ProbRun(program, settings, start=plan.start, tick=plan.tick) as run:
        return [interval for at in run_prob(run, plan) for interval in at]


TABLE_5_2 = [0, 0.5, 0.7, 0.9, 0.4, 0.1, 0, 0, 0.5, 1]


@pytest.mark.parametrize("step", [1, 3, 10])
def test_table_5_2_through_both_stages(program: Program, step: int) -> None:
    """The series begins where the fluent may hold, so the interval from 1 on is not there."""
    intervals = found(program, walks(TABLE_5_2), step, ProbSettings(0.5), 10)
    ends = [(i.start, i.end) for i in intervals]
    assert ends[-1] == (8, 10)
    assert (2, 6) in ends
    whole = piec(TABLE_5_2[1:], 0.5, times=list(range(2, 11)))
    assert set(whole) <= set(ends)


def test_bounded_support_sets(program: Program) -> None:
    settings = ProbSettings(0.5, support_set=2, durations=Durations(3.0, 1.0))
    assert found(program, walks(TABLE_5_2), 5, settings, 10)
    with pytest.raises(ConfigError, match="durations only matter for a bounded support set"):
        ProbSettings(0.5, durations=Durations(3.0, 1.0))


def test_a_fluent_that_comes_and_goes_is_one_series(program: Program) -> None:
    """Zeros in windows in which nothing holds count as well."""
    probs = [1.0, 1.0, 0, 0, 0, 0, 0, 0, 1.0, 1.0]
    in_steps = found(program, walks(probs), 2, ProbSettings(0.4), 10)
    at_once = found(program, walks(probs), 10, ProbSettings(0.4), 10)
    assert [(i.start, i.end) for i in at_once] == [(1, 10)]
    assert (in_steps[-1].start, in_steps[-1].end, in_steps[-1].prob) == (1, 10, 0.4)


def test_long_times_without_change_are_fed_in_pieces(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    probs = [0.9] * 20 + [0.0] * 30 + [0.9] * 20
    wanted = found(program, walks(probs), 70, ProbSettings(0.5), 90)
    for module in ("stage_two", "blocks", "many"):
        monkeypatch.setattr(f"rtec.prob.{module}.LONGEST_GAP", 7)
    assert found(program, walks(probs), 70, ProbSettings(0.5), 90) == wanted
    assert len(wanted) > 3


def test_figures_and_methods(program: Program) -> None:
    plan = plan_of(program, walks(TABLE_5_2), RunSettings(5, 5, 0, 10))
    with ProbRun(program, ProbSettings(), start=plan.start) as run:
        intervals = [len(at) for at in run_prob(run, plan)]
        assert methods_text(run.engine) == (
            "probabilities, certain: tired/1\nprobabilities, closed form: moving/2"
        )
    assert plan.stats.query_times == 2
    assert plan.stats.recognitions == sum(intervals)
    assert plan.stats.counts.on_time == 17


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet", "table"])
def test_written_in_every_format(tmp_path: Path, form: str) -> None:
    intervals = [
        ProbInterval(5, "f", ("a", 3), 2, 1, 4, 0.75, True),
        ProbInterval(9, "f", (), "true", 2, 9, 0.5, False),
    ]
    out = tmp_path / f"out.{'txt' if form == 'table' else form}"
    with ProbSink(str(out)) as sink:
        assert not out.exists()
        sink.write(intervals[:1])
        sink.write([])
        sink.write(intervals[1:])
    if form == "jsonl":
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        assert rows[0] == {
            "query_time": 5, "fluent": "f", "args": ["a", 3], "value": 2,
            "intervals": [{"start": 1, "end": 4, "prob": 0.75, "credible": True}],
        }  # fmt: skip
    elif form == "table":
        assert out.read_text() == (
            "query time 5\n  f(a, 3) = 2   [1, 4] 0.7500\n"
            "query time 9\n  f = true   (1 overlaps)\n"
        )
    else:
        read = pyarrow.csv.read_csv(out) if form == "csv" else pyarrow.parquet.read_table(out)
        assert read["prob"].to_pylist() == [0.75, 0.5]
        assert read["args"].to_pylist() == ['["a", 3]', "[]"]


def test_nothing_is_left_after_an_error(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    with pytest.raises(ZeroDivisionError), ProbSink(str(out)) as sink:
        sink.write([ProbInterval(5, "f", (), "true", 1, 4, 0.75, True)])
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_series_as_arrow_and_dense(program: Program) -> None:
    answer = probabilities(program, walks([0.5, 0.5, 0, 0.25]), 0, 6)
    table = answer.to_arrow()
    assert table.column_names == ["fluent", "args", "value", "time", "prob"]
    assert table["time"].to_pylist() == [1, 3, 4, 5]
    assert answer.dense()["moving(ann,bob)=true"].tolist() == [0, 0.5, 0.5, 0, 0.25, 0, 0]
    assert to_table([]).num_rows == 0
