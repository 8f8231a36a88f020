"""The loop of a run, with an engine that only counts."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from rtec.errors import ConfigError
from rtec.runtime.answers import Recognitions
from rtec.runtime.buffer import Counts, Due
from rtec.runtime.outputs import Output
from rtec.runtime.records import Input, Record
from rtec.runtime.run import LateFile, plan_run, run_stream
from rtec.runtime.settings import RunSettings
from rtec.runtime.stats import Stats
from rtec.runtime.streams import read_stream
from rtec.runtime.windows import Window

INPUTS = {"e": (Input("e", 1, "event"),)}


@dataclass
class Counter:
    """An engine that recognises `seen` with the number of records that are new."""

    windows: list[Window] = field(default_factory=list)
    taken: list[list[int]] = field(default_factory=list)

    def advance(self, window: Window, due: Due) -> Recognitions:
        self.windows.append(window)
        self.taken.append(sorted(t for b in due.insert for t in b.time.tolist()))
        rows: list[Any] = [("seen", [due.records], "true", [window.query_time, "inf"])]
        return Recognitions(window.query_time, rows if due.records else [])


def run(
    records: list[Record], stats: Stats | None = None, **settings: Any
) -> tuple[Counter, list[Recognitions]]:
    engine = Counter()
    plan = plan_run(read_stream(records, INPUTS), RunSettings(**settings), stats)
    return engine, list(run_stream(engine, plan))


def events(*times: int) -> list[Record]:
    return [Record("e", t, ("a",)) for t in times]


def test_start_and_end_follow_from_the_stream() -> None:
    engine, _ = run(events(23, 31, 44), window=10, step=10)
    assert engine.windows == [Window(19, 30), Window(30, 40), Window(34, 44)]
    assert engine.taken == [[23], [31], [44]]


def test_start_and_end_may_be_given() -> None:
    engine, _ = run(events(5, 15, 25), window=10, step=10, start=0, end=20)
    assert [w.query_time for w in engine.windows] == [10, 20]
    assert engine.taken == [[5], [15]]


def test_a_record_at_the_start_is_seen() -> None:
    engine, _ = run(events(0, 10), window=10, step=10, start=0)
    assert engine.taken == [[0, 10]]


def test_the_end_may_lie_after_the_stream() -> None:
    engine, _ = run(events(5), window=10, step=10, start=0, end=35)
    assert [w.query_time for w in engine.windows] == [10, 20, 30, 35]


def test_a_late_arrival_makes_the_run_longer() -> None:
    engine, _ = run([Record("e", 5, ("a",), 33)], window=50, step=10, start=0)
    assert [w.query_time for w in engine.windows] == [10, 20, 30, 33]
    assert engine.taken == [[], [], [], [5]]


def test_window_or_step_alone_are_both() -> None:
    for settings in ({"window": 10}, {"step": 10}):
        engine, _ = run(events(5, 15), **settings)
        assert engine.windows == [Window(-1, 10), Window(5, 15)]


def test_without_either_the_stream_is_one_window() -> None:
    engine, _ = run(events(7, 90, 45))
    assert engine.windows == [Window(5, 90)] and engine.taken == [[7, 45, 90]]
    engine, _ = run(events(7, 90, 45), start=0, end=50)
    assert engine.windows == [Window(-1, 50)] and engine.taken == [[7, 45]]


def test_no_records_no_query_times() -> None:
    for settings in ({}, {"window": 5}, {"end": 9}, {"window": 5, "end": 9}):
        engine, answers = run([], **settings)
        assert engine.windows == [] and answers == []


def test_no_records_but_a_start_and_an_end() -> None:
    engine, _ = run([], window=10, start=0, end=20)
    assert [w.query_time for w in engine.windows] == [10, 20]


@pytest.mark.parametrize(
    "settings", [{"window": 0}, {"step": -1}, {"tick": 0}, {"start": 5, "end": 4, "step": 1}]
)
def test_settings_that_make_no_sense(settings: dict[str, int]) -> None:
    with pytest.raises(ConfigError):
        RunSettings(**settings)


def test_answers_come_one_by_one_or_merged() -> None:
    engine, answers = run(events(5, 15), window=10)
    assert [a.query_time for a in answers] == [10, 15]
    plan = plan_run(read_stream(events(5, 20), INPUTS), RunSettings(10))
    [merged] = run_stream(Counter(), plan, merge=True)
    assert merged.query_time == 20
    assert [r.intervals for r in merged] == [((10, 11), (20, None))]  # type: ignore[union-attr]


def test_figures_of_a_run() -> None:
    stats = Stats(keep_windows=True)
    records = [*events(5, 15), Record("e", 3, ("a",), 35), Record("e", 16, ("a",), 25)]
    run([*records, Record("e", 16, ("a",), 31, op="-")], stats, window=30, step=10, start=0, end=40)
    assert stats.counts == Counts(on_time=2, late=1, lost=1, retracted=1)
    written = json.loads(stats.to_json())
    assert [w["query_time"] for w in written["windows"]] == [10, 20, 30, 40]
    assert [w["records"] for w in written["windows"]] == [1, 1, 1, 1]
    assert set(written["windows"][0]) == {"query_time", "records", "recognitions", "recognise_ms"}
    totals = written["totals"]
    assert totals["records"] == {"on_time": 2, "late": 1, "lost": 1, "retracted": 1}
    for seconds in (totals["wall_seconds"], totals["cpu_seconds"]):
        assert set(seconds) == {"read", "hand_over", "recognise", "collect", "write", "total"}
    assert totals["peak_rss_mb"] > 1
    assert "4 query times, 4 records" in stats.summary()
    assert "2 on time, 1 late but used, 1 lost, 1 retracted" in stats.summary()


def test_lost_records_are_written_and_can_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "late.jsonl"
    lost = [Record("e", 3, ("a b",), 25), Record("e", 4, (2.5,), 25, op="-", prob=0.5)]
    with Output(path) as output:
        plan = plan_run(read_stream([*events(1), *lost], INPUTS), RunSettings(10, start=0, end=40))
        list(run_stream(Counter(), plan, late=LateFile(output)))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["query_time"] for line in lines] == [30, 30]
    again = [r for b in read_stream(path, INPUTS) for x in b.batches for r in x.records()]
    assert [replace(r, prob=r.prob if r.op == "-" else None) for r in again] == lost


def test_how_much_is_done() -> None:
    plan = plan_run(read_stream(events(5, 95), INPUTS), RunSettings(10, start=0, end=100))
    seen = []
    for _ in run_stream(Counter(), plan):
        seen.append(plan.done)
    assert seen == sorted(seen) and seen[0] == pytest.approx(0.1) and seen[-1] == 1
