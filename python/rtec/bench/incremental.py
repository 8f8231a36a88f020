"""`rtec bench incremental`: reasoning by changes against reasoning from scratch.

The set-up of Figure 5 of the RTECinc paper: maritime situations, a step of one hour, windows of
1 to 16 hours, and a share of the records late by a Gamma distribution with shape 2 and scale 2
hours (section 5.2); then a share of the records taken back instead. Sessions of both kinds get
the same records and are asked side by side, so what is compared was measured under the same
load; their answers have to be equal.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from rtec import bridge
from rtec.bench.growth import application
from rtec.bench.report import Column, Report, json_option, median, ms, ratio, seed_option
from rtec.bench.windows import write_stream
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.errors import EngineError
from rtec.generate import generate
from rtec.generate.delays import HOUR, Delays
from rtec.runtime.answers import Recognitions
from rtec.runtime.buffer import Due
from rtec.runtime.run import plan_run, run_stream
from rtec.runtime.session import Session
from rtec.runtime.settings import Policy, RunSettings
from rtec.runtime.streams import read_stream
from rtec.runtime.windows import Window

WINDOWS = (1, 2, 4, 8, 16)
LATE = (0.05, 0.1, 0.2, 0.4, 0.8)
RETRACTED = (0.01, 0.05, 0.1, 0.2)
POLICIES: tuple[Policy, ...] = ("never", "auto", "always")
COLUMNS = [
    Column("share", "share", "{:.0%}"),
    Column("window_hours", "window, h", "{:g}"),
    Column("records", "records", "{:,}"),
    Column("changed", "came or went", "{:,}"),
    Column("scratch_ms", "from scratch, ms", "{:.1f}"),
    Column("incremental_ms", "incremental, ms", "{:.1f}"),
    Column("speed_up", "times faster", "{:.2f}"),
    Column("by_changes", "by changes", "{:.0%}"),
    Column("forced_ms", "always by changes, ms", "{:.1f}"),
    Column("scratch_all_ms", "all phases, from scratch, ms", "{:.1f}"),
    Column("incremental_all_ms", "incremental, ms", "{:.1f}"),
]


@dataclass(frozen=True, slots=True)
class Scale:
    """How large a benchmark is: records an hour, query times to measure, and how often."""

    rate: float = 2000 / HOUR
    queries: int = 6
    seed: int = 1
    repeat: int = 1


@dataclass(slots=True)
class SideBySide:
    """Sessions of every policy over the same records."""

    sessions: dict[Policy, Session]
    seconds: dict[Policy, list[float]] = field(default_factory=dict)
    all_seconds: dict[Policy, list[float]] = field(default_factory=dict)
    by_changes: list[bool] = field(default_factory=list)
    changed: list[int] = field(default_factory=list)

    def advance(self, window: Window, due: Due) -> Recognitions:
        """Ask every session; all have to say the same."""
        found: Recognitions | None = None
        for policy, session in self.sessions.items():
            answers = session.advance(window, due)
            spent, garbage = session.timings, _collect_garbage()
            self.seconds.setdefault(policy, []).append(spent.recognise_cpu + garbage)
            self.all_seconds.setdefault(policy, []).append(
                spent.hand_over_cpu + spent.recognise_cpu + spent.collect_cpu + garbage
            )
            if found is not None and list(answers) != list(found):
                raise EngineError(f"at query time {window.query_time}, {policy} differs from never")
            found = answers
        assert found is not None
        self.by_changes.append(self.sessions["auto"].mode == "changes")
        self.changed.append(due.records)
        return found


def _collect_garbage() -> float:
    """Give back the facts that were erased; return the CPU seconds that it took.

    Prolog does so now and then, for all sessions at once: one would pay for what another has
    left. Here each pays for its own.
    """
    start = time.process_time()
    bridge.command("garbage_collect_clauses")
    return time.process_time() - start


def series(
    report: Report,
    key: str,
    title: str,
    scale: Scale,
    windows: Sequence[float],
    shares: Sequence[float],
) -> None:
    """Measure every window over streams of which a share of the records is late or retracted."""
    program = compile_description(*application("maritime"))
    rows: list[dict[str, Any]] = []
    hours = max(windows) + scale.queries
    with tempfile.TemporaryDirectory(prefix="rtec-bench-") as folder:
        for share in shares:
            path = Path(folder) / "stream.csv"
            size = round(scale.rate * hours * HOUR * 1.05)
            unsteady: dict[str, Any] = (
                {"delays": Delays(share)} if key == "late" else {"retract": share}
            )
            blocks = generate("maritime", size, scale.seed, rate=scale.rate, **unsteady)
            write_stream(path, blocks)
            for window in windows:
                rows.append({"share": share, **_row(program, path, window, hours, scale)})
    report.add(key, title, COLUMNS, rows)


def _row(program: Program, path: Path, window: float, hours: float, scale: Scale) -> dict[str, Any]:
    size = round(window * HOUR)
    settings = RunSettings(window=size, step=HOUR, start=0, end=round(hours) * HOUR)
    runs = []
    for _ in range(scale.repeat):
        plan = plan_run(read_stream([str(path)], program.inputs), settings)
        both = SideBySide({p: Session(program, window=size, incremental=p) for p in POLICIES})
        for _ in run_stream(both, plan):
            pass
        for session in both.sessions.values():
            session.close()
        runs.append(both)
    last = slice(-scale.queries, None)
    seconds = {p: median(_least([run.seconds[p] for run in runs])[last]) for p in POLICIES}
    all_seconds = {p: median(_least([run.all_seconds[p] for run in runs])[last]) for p in POLICIES}
    changed = both.changed[last]
    return {
        "window_hours": window,
        "records": round(scale.rate * size),
        "changed": round(median(changed)),
        "scratch_ms": ms(seconds["never"]),
        "incremental_ms": ms(seconds["auto"]),
        "speed_up": ratio(seconds["never"], seconds["auto"]),
        "by_changes": sum(both.by_changes[last]) / len(changed),
        "forced_ms": ms(seconds["always"]),
        "scratch_all_ms": ms(all_seconds["never"]),
        "incremental_all_ms": ms(all_seconds["auto"]),
    }


def _least(runs: Sequence[Sequence[float]]) -> list[float]:
    """Of each query time the least: the work is the same each time, and others only add to it.

    >>> _least([[3, 2], [1, 4]])
    [1, 2]
    """
    return [min(times) for times in zip(*runs, strict=True)]


def draw(report: Report, path: str) -> None:
    """Draw recognition time against the window: one panel for each share of late records."""
    from matplotlib.figure import Figure

    rows = report.figures["late"]
    shares = sorted({row["share"] for row in rows})
    figure = Figure(figsize=(3 * len(shares), 3.2), layout="constrained")
    panels = figure.subplots(1, len(shares), sharey=True, squeeze=False)[0]
    for panel, share in zip(panels, shares, strict=True):
        of = [row for row in rows if row["share"] == share]
        hours = [row["window_hours"] for row in of]
        panel.plot(hours, [row["scratch_ms"] for row in of], "o-", label="from scratch")
        panel.plot(hours, [row["incremental_ms"] for row in of], "s-", label="incremental")
        panel.set(title=f"{share:.0%} late", xlabel="window, hours")
        panel.set_xticks(hours)
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("recognition, ms")
    panels[0].set_ylim(bottom=0)  # they share it, so only once all is drawn
    panels[0].legend()
    figure.savefig(path)


def _floats(text: str) -> list[float]:
    """Read a list of numbers.

    >>> _floats("0.5,16")
    [0.5, 16.0]
    """
    try:
        return [float(part) for part in text.split(",") if part]
    except ValueError:
        raise click.BadParameter(f"`{text}` is not a list of numbers") from None


@click.command("incremental")
@click.option(
    "--windows",
    default=",".join(map(str, WINDOWS)),
    show_default=True,
    help="Windows, in hours; the step is one hour.",
)
@click.option(
    "--late",
    default=",".join(map(str, LATE)),
    show_default=True,
    help="Shares of the records that are late.",
)
@click.option(
    "--retracted",
    default=",".join(map(str, RETRACTED)),
    show_default=True,
    help="Shares of the records that are taken back.",
)
@click.option(
    "--rate",
    type=click.FloatRange(min=1),
    default=2000.0,
    show_default=True,
    help="Records an hour.",
)
@click.option(
    "--queries",
    type=click.IntRange(min=1),
    default=6,
    show_default=True,
    help="Query times to measure in each case.",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Run each case so often, and take the least time of each query time.",
)
@click.option("--plot", metavar="FILE", help="Draw the times by window here, as SVG or PNG.")
@seed_option
@json_option
def command(
    windows: str,
    late: str,
    retracted: str,
    rate: float,
    queries: int,
    repeat: int,
    plot: str | None,
    seed: int,
    json_file: str | None,
) -> None:
    """Compare reasoning by changes with reasoning from scratch.

    Maritime situations in windows of several sizes, while a part of the records comes late, or
    is taken back. Times are medians of CPU milliseconds of recognition at one query time; all
    phases are with handing records over, forgetting them, and collecting the answers.
    """
    report = Report("incremental")
    scale = Scale(rate / HOUR, queries, seed, repeat)
    hours = _floats(windows)
    title = f"maritime, {rate:,.0f} records an hour, step 1 hour, a share of them"
    if shares := _floats(late):
        series(report, "late", f"{title} late", scale, hours, shares)
        if plot is not None:
            draw(report, plot)
    if shares := _floats(retracted):
        series(report, "retracted", f"{title} taken back", scale, hours, shares)
    report.write(json_file)
