"""Each benchmark at a tiny size: it runs, and its figures have their parts. No times are judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from rtec.bench import core, soak, tradeoff
from rtec.bench.fleet import FLEET, LEVELS, SHARES, stream
from rtec.bench.floor import measure_floor
from rtec.bench.report import Report
from rtec.bench.windows import Subject, measure, typical, write_stream
from rtec.cli import execute
from rtec.compiler import compile_description
from rtec.errors import ConfigError
from rtec.runtime.records import Record
from rtec.runtime.session import Session
from rtec.runtime.settings import RunSettings


def bench(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    path = tmp_path / "figures.json"
    assert execute(["bench", *arguments, "--json", str(path)]) == 0
    figures: dict[str, Any] = json.loads(path.read_text())
    return figures


def test_core(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = bench(
        tmp_path, "core", "--events", "400", "--entities", "5", "--windows", "2", "--repeat", "1"
    )
    phases = [row["phase"] for row in figures["whole_command"]]
    assert phases == [*core.PHASES, "all phases", "whole process"]
    assert figures["whole_command_peak_rss_mb"] > 0
    levels, dozen = figures["against_floor"]
    assert levels["description"] == "three levels"
    assert dozen["records"] == 400
    assert dozen["answers"] > levels["answers"] > 0
    windows = figures["doubled_window"]
    assert [row["window"] for row in windows] == [3600, 7200, 14400]
    assert windows[1]["records"] == 2 * windows[0]["records"]
    crowded = figures["many_intervals"]
    assert [row["records"] for row in crowded] == [100, 200, 400]
    few, many = figures["idle_entities"]
    assert (few["entities"], many["entities"]) == (5, 500)
    assert few["answers"] == many["answers"]
    shown = capsys.readouterr().out
    assert "rtec run, a dozen fluents: 800 events of 5 vessels" in shown
    assert "peak memory" in shown


def test_a_failing_command_is_not_overlooked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.prolog"
    broken.write_text("initiatedAt(.")
    monkeypatch.setattr(core, "FLEET", broken)
    assert execute(["bench", "core", "--events", "100", "--repeat", "1"]) == 1
    assert "`rtec run` failed" in capsys.readouterr().err


def test_cycles(tmp_path: Path) -> None:
    figures = bench(tmp_path, "cycles", "--rate", "3", "--queries", "2", "--windows", "10,20")
    small, large = figures["voting"]
    assert (small["window"], large["window"]) == (10, 20)
    assert large["records"] > small["records"] > 0
    assert small["growth"] == 1
    changes = figures["by_changes"]
    assert [row["application"] for row in changes] == ["voting"] * 2 + ["netbill"] * 2
    assert all(row["records"] >= row["changed"] for row in changes)


def test_delays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rtec.bench import delays

    monkeypatch.setattr(delays.by_initiations, "__defaults__", ((50,),))
    monkeypatch.setattr(delays.against_rules, "__defaults__", ((4, 8),))
    figures = bench(
        tmp_path, "delays", "--rate", "3", "--queries", "1", "--windows", "10,20", "--repeat", "1"
    )
    assert [row["window"] for row in figures["netbill"]] == [10, 20]
    assert [row["delay"] for row in figures["by_initiations"]] == ["fixed", "postponable"]
    assert [row["initiations"] for row in figures["against_rules"]] == [4, 8, 4, 8]


def test_allen(tmp_path: Path) -> None:
    figures = bench(tmp_path, "allen", "--most", "2000", "--repeat", "1")
    assert [row["intervals"] for row in figures["allen"]] == [200, 2000]
    assert figures["allen"][0]["published_ms"] == 1
    assert set(figures["allen"][1]["found"]) == {
        "before", "meets", "starts", "finishes", "during", "overlaps", "equal",
    }  # fmt: skip


def test_apps(tmp_path: Path) -> None:
    only = [f"--only={name}" for name in ("voting", "transport", "netbill")]
    figures = bench(tmp_path, "apps", "--scale", "0.05", "--repeat", "1", *only)
    rows = {row["name"]: row for row in figures["apps"]}
    assert list(rows) == ["voting", "transport", "netbill, 100 agents", "netbill, 300 agents"]
    assert rows["netbill, 300 agents"]["original_ms"] == 11_200
    assert all(row["records"] > 0 and row["answers"] > 0 for row in rows.values())


@pytest.mark.parametrize(
    "arguments",
    [["apps", "--only", "chess"], ["cycles", "--windows", "ten"], ["cycles", "--windows", "5"]],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["bench", *arguments]) == 2
    assert "Usage" in capsys.readouterr().err


# The parts


def test_the_fleet_is_seeded_and_has_the_size_asked_for() -> None:
    def texts(seed: int) -> list[bytes]:
        return [block.text() for block in stream(seed, 10, 1000, 2, 3600)]

    assert texts(1) == texts(1) != texts(2)
    first, second = stream(1, 10, 1000, 2, 3600)
    assert len(first) == len(second) == 1000
    assert first.arrival.min() >= 1 and first.arrival.max() <= 3600 < second.arrival.min()
    assert sum(SHARES.values()) == pytest.approx(1)


@pytest.mark.parametrize("description", [FLEET, LEVELS], ids=["fleet", "levels"])
def test_every_fluent_of_the_descriptions_occurs(description: Path, tmp_path: Path) -> None:
    path = tmp_path / "stream.csv"
    write_stream(path, stream(1, 20, 2000, 1, 3600))
    program = compile_description(description)
    from rtec.runtime.run import plan_run, run_stream
    from rtec.runtime.streams import read_stream

    plan = plan_run(read_stream([str(path)], program.inputs), RunSettings(window=3600, start=0))
    with Session(program, window=3600) as session:
        found = {row[0] for answers in run_stream(session, plan) for row in answers.rows()}
    dozen = {
        "moving", "zone", "fast", "slow", "alarmed", "silent", "speeding", "lost", "cruising",
        "busy", "danger", "drifting", "incident",
    }  # fmt: skip
    levels = {"zone", "fast", "silent", "alarmed", "racing", "danger"}
    assert found == (dozen if description == FLEET else levels)


def test_the_floor_counts_what_the_session_has(tmp_path: Path) -> None:
    rules = tmp_path / "rules.prolog"
    rules.write_text("initiatedAt(f(X)=true, T) :- happensAt(e(X), T).\n")
    with Session(compile_description(rules), window=10) as session:
        session.insert([Record("e", t, (x,)) for t, x in ((1, "a"), (2, "b"), (3, "a"))])
        session.query(10)
        floor = measure_floor(session)
    assert (floor.records, floor.answers) == (3, 2)
    assert floor.seconds >= 0


def test_windows_are_measured_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "stream.csv"
    assert write_stream(path, stream(1, 20, 500, 3, 100)) == 1500
    settings = RunSettings(window=100, step=100, start=0)
    subject = Subject(LEVELS, (), (path,))
    figures = measure(subject, settings)
    assert [f.query_time for f in figures] == [100, 200, 300]
    assert all(f.recognise > 0 and f.floor >= 0 for f in figures)
    assert typical(figures).records == sorted(f.records for f in figures)[1]
    assert [f.query_time for f in measure(subject, settings, only=[200])] == [200]


def test_tradeoff(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report("tradeoff")
    tradeoff.run(report, tradeoff.Scale(5, 0.5, 200 / 3600), windows=(0.5, 4), steps=(0.5, 1))
    short, long, slow = report.figures["tradeoff"]
    assert (short["times_seen"], long["times_seen"], slow["times_seen"]) == (1, 8, 4)
    assert short["late_share"] < long["late_share"] and short["lost_share"] > long["lost_share"]
    assert slow["known_after_minutes"] == 30
    assert "5 hours of ships, 200 records an hour, 50% of them late" in capsys.readouterr().out


@pytest.mark.parametrize("incremental", ["never", "always"])
def test_soak(tmp_path: Path, incremental: str) -> None:
    """The short form: in a process of its own, so that nobody else's memory is looked at."""
    path = tmp_path / "figures.json"
    line = "from rtec.cli import main; main()"
    arguments = ["bench", "soak", "--query-times", "2000", "--jobs", "6", "--changes"]
    arguments += ["--checkpoint-every", "50", "--incremental", incremental, "--collect"]
    arguments += ["--json", str(path)]
    ended = subprocess.run(
        [sys.executable, "-c", line, *arguments], capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 0, ended.stderr
    figures = json.loads(path.read_text())
    assert [row["query_times"] for row in figures["tenths"]] == list(range(200, 2001, 200))
    grown = figures["growth"]
    assert grown["rss_mb"] < 0.1, figures  # memory comes in pages
    assert grown["objects"] < 0.05, figures
    # A clause that each query time leaves behind would be +25%, an atom +19%.
    assert grown["atoms"] < 0.05 and grown["clauses"] < 0.05, figures
    assert "the last tenth against the second: RSS" in ended.stdout


def test_soak_notices_growth() -> None:
    rows = [dict.fromkeys(soak.MEASURES, 100.0 + number) for number in range(soak.PARTS)]
    assert soak.growth(rows) == dict.fromkeys(soak.MEASURES, 109 / 101 - 1)


def test_spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The jobs on Spark have tests of their own; here they all are local ones."""
    spark = pytest.importorskip("rtec.bench.spark")
    real = spark._command
    batches = json.dumps({"micro_batches": [{"milliseconds": n} for n in (900, 20, 30, 40)]})

    def command(how: str, *more: str) -> list[str]:
        if how == "live":
            return [sys.executable, "-c", f"print({batches!r})"]
        return cast("list[str]", real("local", *more[:4]))

    monkeypatch.setattr(spark, "_command", command)
    figures = bench(tmp_path, "spark", "--events", "2000", "--live-events", "100", "--repeat", "2")
    local, one, two, best, quarter = figures["runs"]
    assert [row["records"] for row in figures["runs"]] == [2000, 2000, 2000, 2000, 500]
    assert local["cpu_seconds"] > 0 and one["ratio"] > 0 and two["peak_mb"] > 0
    assert best["ratio"] > 0 and quarter["ratio"] > 0
    assert [row["median_ms"] for row in figures["live"]] == [30, 30]


def test_spark_says_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spark = pytest.importorskip("rtec.bench.spark")
    stream = tmp_path / "stream.csv"
    stream.write_text("velocity|5|5|7\n")
    monkeypatch.setattr(spark, "_command", lambda *_: [sys.executable, "-c", "1 / 0"])
    with pytest.raises(ConfigError, match="ZeroDivisionError"):
        spark.Measured(tmp_path, stream, "local", "")
