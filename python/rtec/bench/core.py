"""`rtec bench core`: what the engine costs, phase by phase, and how that grows.

Five questions, each answered over a generated stream of vessels:

- how many events a second the whole of `rtec run` does, and which phase takes the time;
- how many times longer recognition takes than the floor (rtec.bench.floor);
- what doubling the window costs;
- what doubling it costs where a few vessels have many intervals each;
- what entities cost that the description knows of, but that nothing happens to.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from rtec.bench.fleet import FLEET, LEVELS, stream, vessels
from rtec.bench.report import (
    Column,
    Report,
    json_option,
    median,
    ms,
    ratio,
    repeat_option,
    seed_option,
)
from rtec.bench.windows import Figures, Subject, measure, typical, write_stream
from rtec.errors import EngineError
from rtec.runtime.settings import RunSettings

PHASES = ("read", "hand_over", "recognise", "collect", "write")
SIZE = 3600
IDLE = 100
FEW = 100


@dataclass(frozen=True, slots=True)
class Scale:
    """How large a benchmark is.

    Attributes:
        events: Events per window.
        entities: Vessels.
        windows: How many windows the whole command is given.
        seed: Of the stream.
        repeat: How often to measure.
    """

    events: int = 100_000
    entities: int = 1_000
    windows: int = 10
    seed: int = 1
    repeat: int = 3

    def write(self, path: Path, windows: int, *, events: int | None = None) -> Path:
        """Write a stream of some windows."""
        per_window = self.events if events is None else events
        write_stream(path, stream(self.seed, self.entities, per_window, windows, SIZE))
        return path


def run(report: Report, scale: Scale) -> None:
    """Answer the five questions."""
    with tempfile.TemporaryDirectory(prefix="rtec-bench-") as name:
        folder = Path(name)
        whole_command(report, scale, folder)
        against_floor(report, scale, folder)
        doubled_window(report, scale, folder)
        many_intervals(report, scale, folder)
        idle_entities(report, scale, folder)


# -- the whole command -------------------------------------------------------------------------


def whole_command(report: Report, scale: Scale, folder: Path) -> None:
    """Run `rtec run` in a process of its own, and read its own figures."""
    path = scale.write(folder / "whole.csv", scale.windows)
    runs = [_command(path, folder) for _ in range(scale.repeat)]
    rows = []
    for phase in (*PHASES, "all phases", "whole process"):
        cpu = median(r["cpu"][phase] for r in runs)
        rows.append(
            {
                "phase": phase,
                "cpu_ms": ms(cpu),
                "wall_ms": ms(median(r["wall"][phase] for r in runs)),
                "events_per_second": ratio(median(r["events"] for r in runs), cpu),
            }
        )
    events, answers = runs[0]["events"], runs[0]["recognitions"]
    report.add(
        "whole_command",
        f"rtec run, a dozen fluents: {events:,} events of {scale.entities:,} vessels, "
        f"{answers:,} recognitions, {scale.windows} windows of {SIZE}",
        [
            Column("phase", "phase"),
            Column("cpu_ms", "CPU ms", "{:,.0f}"),
            Column("wall_ms", "wall ms", "{:,.0f}"),
            Column("events_per_second", "events/s of CPU", "{:,.0f}"),
        ],
        rows,
    )
    memory = max(r["peak_rss_mb"] for r in runs)
    report.figures["whole_command_peak_rss_mb"] = memory
    report.note(f"peak memory {memory:,.0f} MB")
    report.note("")


def _command(path: Path, folder: Path) -> dict[str, Any]:
    stats = folder / "stats.json"
    arguments = ["run", "--desc", str(FLEET), "--stream", str(path), "--window", str(SIZE)]
    arguments += ["--step", str(SIZE), "--start", "0", "--out", str(folder / "out.jsonl")]
    arguments += ["--stats", str(stats), "--quiet"]
    begin = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, "-c", "from rtec.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
    )
    wall = time.perf_counter() - begin
    if ended.returncode != 0:
        raise EngineError(f"`rtec run` failed: {ended.stderr.strip()}")
    totals = json.loads(stats.read_text())["totals"]
    counts = totals["records"]
    return {
        "cpu": _with_sums(totals["cpu_seconds"], totals["cpu_seconds"]["total"]),
        "wall": _with_sums(totals["wall_seconds"], wall),
        "events": counts["on_time"] + counts["late"] + counts["lost"],
        "recognitions": totals["recognitions"],
        "peak_rss_mb": totals["peak_rss_mb"],
    }


def _with_sums(seconds: dict[str, float], process: float) -> dict[str, float]:
    """Add what the phases come to, and the process with its start and the compiler."""
    return {
        **seconds,
        "all phases": sum(map(seconds.__getitem__, PHASES)),
        "whole process": process,
    }


# -- recognition against the floor -------------------------------------------------------------


def against_floor(report: Report, scale: Scale, folder: Path) -> None:
    """Divide recognition by the floor, both of the same run."""
    path = scale.write(folder / "floor.csv", 1 + scale.repeat)
    rows = []
    for name, description in (("three levels", LEVELS), ("a dozen fluents", FLEET)):
        found = typical(_measured(Subject(description, (), (path,)), SIZE)[1:])
        rows.append({"description": name, **_row(found), "ratio": ratio(*_pair(found))})
    report.add(
        "against_floor",
        f"recognition against the floor, windows of {scale.events:,} events",
        [
            Column("description", "description"),
            Column("records", "records", "{:,}"),
            Column("answers", "answers", "{:,}"),
            Column("recognise_ms", "recognise ms", "{:.1f}"),
            Column("floor_ms", "floor ms", "{:.1f}"),
            Column("ratio", "ratio", "{:.2f}"),
            Column("events_per_second", "events/s", "{:,.0f}"),
        ],
        rows,
    )


# -- larger windows ----------------------------------------------------------------------------


def doubled_window(report: Report, scale: Scale, folder: Path) -> None:
    """Measure windows of one, two and four times the size over the same stream."""
    path = scale.write(folder / "double.csv", 4 * (1 + scale.repeat), events=scale.events // 4)
    _growing(
        report, "doubled_window", "windows of twice the size, three levels", LEVELS, path, SIZE
    )


def many_intervals(report: Report, scale: Scale, folder: Path) -> None:
    """The same with a hundredth of the vessels, so that each has a hundred times the intervals."""
    few = replace(scale, entities=max(1, scale.entities // FEW))
    path = few.write(folder / "few.csv", 4 * (1 + scale.repeat), events=scale.events // 4)
    title = f"windows of twice the size, a dozen fluents of {few.entities:,} vessels"
    _growing(report, "many_intervals", title, FLEET, path, SIZE)


def _growing(
    report: Report, key: str, title: str, description: Path, path: Path, size: int
) -> None:
    rows: list[dict[str, Any]] = []
    before: float | None = None
    for times in (1, 2, 4):
        figures = _measured(Subject(description, (), (path,)), size * times)
        found = typical(figures[1:])
        rows.append(
            {
                "window": size * times,
                **_row(found),
                "growth": None if before is None else ratio(found.recognise, before),
            }
        )
        before = found.recognise
    report.add(
        key,
        title,
        [
            Column("window", "window", "{:,}"),
            Column("records", "records", "{:,}"),
            Column("recognise_ms", "recognise ms", "{:.1f}"),
            Column("growth", "times the one before", "{:.2f}"),
        ],
        rows,
    )


# -- idle entities -----------------------------------------------------------------------------


def idle_entities(report: Report, scale: Scale, folder: Path) -> None:
    """Give the description a domain of vessels, and 100 times as many that nothing happens to."""
    events = scale.events // 4
    path = scale.write(folder / "idle.csv", 1 + scale.repeat, events=events)
    description = folder / "grounded.prolog"
    fluents = ("zone(X)=_", "fast(X)=true", "silent(X)=true", "alarmed(X)=true")
    groundings = "".join(f"grounding({fvp}) :- vessel(X).\n" for fvp in fluents)
    description.write_text(LEVELS.read_text(encoding="utf-8") + groundings, encoding="utf-8")
    rows: list[dict[str, Any]] = []
    for times in (1, IDLE):
        background = folder / f"vessels{times}.prolog"
        names = vessels(scale.entities * times)
        background.write_text("".join(f"vessel({name}).\n" for name in names), encoding="utf-8")
        figures = _measured(Subject(description, (background,), (path,)), SIZE)
        found = typical(figures[1:])
        base = rows[0]["recognise_ms"] if rows else ms(found.recognise)
        rows.append(
            {
                "entities": len(names),
                **_row(found),
                "growth": ratio(ms(found.recognise), base),
            }
        )
    report.add(
        "idle_entities",
        f"entities that are known of but idle: {scale.entities:,} act, {events:,} events a window",
        [
            Column("entities", "entities", "{:,}"),
            Column("answers", "answers", "{:,}"),
            Column("recognise_ms", "recognise ms", "{:.1f}"),
            Column("growth", "times the first", "{:.2f}"),
        ],
        rows,
    )


def _measured(subject: Subject, size: int) -> list[Figures]:
    return measure(subject, RunSettings(window=size, step=size, start=0))


def _row(found: Figures) -> dict[str, Any]:
    return {
        "records": found.records,
        "answers": found.answers,
        "recognise_ms": ms(found.recognise),
        "floor_ms": ms(found.floor),
        "events_per_second": ratio(found.records, found.recognise),
    }


def _pair(found: Figures) -> tuple[float, float]:
    return found.recognise, found.floor


@click.command("core")
@click.option(
    "--events", type=click.IntRange(100), default=100_000, show_default=True, help="Per window."
)
@click.option("--entities", type=click.IntRange(1), default=1_000, show_default=True)
@click.option(
    "--windows",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="How many windows the whole command is given.",
)
@seed_option
@repeat_option
@json_option
def command(
    events: int, entities: int, windows: int, seed: int, repeat: int, json_file: str | None
) -> None:
    """Measure the phases of `rtec run`, and recognition against its floor.

    Times are CPU times, and medians, since machines are noisy. The floor is one pass of Prolog
    over the same records, plus a list of the same answers.
    """
    report = Report("core")
    run(report, Scale(events, entities, windows, seed, repeat))
    report.write(json_file)
