"""`rtec bench tradeoff`: what a longer window and a shorter step buy, and what they cost.

A long window catches records that come late; a short step says sooner what has happened. Both
make more work: a record is reasoned over once at each query time whose window shows it. The
stream is maritime, with the delays of the RTECinc paper (section 5.2): extents by a Gamma
distribution with shape 2 and scale 2 hours.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from rtec.bench.growth import application
from rtec.bench.report import Column, Report, json_option, seed_option
from rtec.bench.windows import write_stream
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.generate import generate
from rtec.generate.delays import HOUR, Delays
from rtec.runtime.run import plan_run, run_stream
from rtec.runtime.session import Session
from rtec.runtime.settings import RunSettings
from rtec.runtime.streams import read_stream

WINDOWS = (1, 2, 4, 8, 16)
STEPS = (0.25, 0.5, 1.0)
COLUMNS = [
    Column("window_hours", "window, h", "{:g}"),
    Column("step_hours", "step, h", "{:g}"),
    Column("late_share", "late but used", "{:.1%}"),
    Column("lost_share", "lost", "{:.1%}"),
    Column("known_after_minutes", "known after, min", "{:.0f}"),
    Column("times_seen", "times seen", "{:.1f}"),
    Column("cpu_ms_per_hour", "CPU ms per hour of stream", "{:,.0f}"),
]


@dataclass(frozen=True, slots=True)
class Scale:
    """How large a benchmark is: hours of stream, and which part of it is late."""

    hours: int = 48
    late: float = 0.2
    rate: float = 1500 / HOUR
    seed: int = 1


def run(
    report: Report,
    scale: Scale,
    windows: Sequence[float] = WINDOWS,
    steps: Sequence[float] = STEPS,
) -> None:
    """Measure each window and step over one stream."""
    program = compile_description(*application("maritime"))
    with tempfile.TemporaryDirectory(prefix="rtec-bench-") as folder:
        path = Path(folder) / "stream.csv"
        size = round(scale.rate * scale.hours * HOUR)
        delays = Delays(scale.late)
        blocks = generate("maritime", size, scale.seed, rate=scale.rate, delays=delays)
        write_stream(path, blocks)
        rows = list(_rows(program, path, scale, windows, steps))
    report.add(
        "tradeoff",
        f"{scale.hours} hours of ships, {scale.rate * HOUR:,.0f} records an hour, "
        f"{scale.late:.0%} of them late",
        COLUMNS,
        rows,
    )


def _rows(
    program: Program, path: Path, scale: Scale, windows: Sequence[float], steps: Sequence[float]
) -> Iterator[dict[str, Any]]:
    for window in windows:
        for step in steps:
            if step <= window:
                yield _row(program, path, scale, window, step)


def _row(program: Program, path: Path, scale: Scale, window: float, step: float) -> dict[str, Any]:
    settings = RunSettings(round(window * HOUR), round(step * HOUR), 0, scale.hours * HOUR)
    plan = plan_run(read_stream(str(path), program.inputs), settings)
    with Session(program, window=plan.windowing.size, start=plan.start) as session:
        for _ in run_stream(session, plan):
            pass
    stats = plan.stats
    counts = stats.counts
    records = counts.on_time + counts.late + counts.lost
    spent = stats.cpu["hand_over"] + stats.cpu["recognise"] + stats.cpu["collect"]
    return {
        "window_hours": window,
        "step_hours": step,
        "records": records,
        "late_share": counts.late / records,
        "lost_share": counts.lost / records,
        # A record that comes in time waits for the next query time, half a step on average.
        "known_after_minutes": step * 60 / 2,
        "times_seen": window / step,
        "cpu_ms_per_hour": spent * 1000 / scale.hours,
    }


@click.command("tradeoff")
@click.option(
    "--hours",
    type=click.IntRange(17),
    default=48,
    show_default=True,
    help="How long the stream is; the longest window is 16 hours.",
)
@click.option(
    "--late",
    type=click.FloatRange(0, 1),
    default=0.2,
    show_default=True,
    help="Which part of the records is late.",
)
@seed_option
@json_option
def command(hours: int, late: float, seed: int, json_file: str | None) -> None:
    """Measure windows and steps over ships whose records come late.

    A longer window loses fewer records, a shorter step knows sooner; both cost time.
    """
    report = Report("tradeoff")
    run(report, Scale(hours, late, seed=seed))
    report.write(json_file)
