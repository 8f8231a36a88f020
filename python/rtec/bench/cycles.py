"""`rtec bench cycles`: fluents that depend on each other, in windows of 10 to 160 time-points.

The stages of a motion in voting form a cycle (thesis, Figure 3.1). Evaluated by the axioms alone,
cost is exponential in the window (Figure 4.1); here every rule is evaluated at most once per
time-point, so cost per time-point should stay as it is.

With a short step, few of the motions change from one query time to the next. So voting, and
NetBill, whose cycle goes through several fluents and has no key, are also reasoned over by what
has changed, side by side with reasoning from scratch.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from rtec.bench.growth import (
    application,
    queries_option,
    rate_option,
    report_growth,
    sizes,
    windows_option,
)
from rtec.bench.incremental import POLICIES, SideBySide
from rtec.bench.report import Column, Report, json_option, median, ms, ratio, seed_option
from rtec.bench.windows import write_stream
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.generate import generate
from rtec.runtime.run import plan_run, run_stream
from rtec.runtime.session import Session
from rtec.runtime.settings import RunSettings
from rtec.runtime.streams import read_stream

SHORT_STEP = 2
LONGEST = 80
"""With a short step there are many query times, so longer windows are left out."""

COLUMNS = [
    Column("application", "application", "{}"),
    Column("window", "window", "{:,}"),
    Column("records", "events", "{:,}"),
    Column("changed", "came or went", "{:,}"),
    Column("scratch_ms", "from scratch, ms", "{:.1f}"),
    Column("incremental_ms", "incremental, ms", "{:.1f}"),
    Column("speed_up", "times faster", "{:.2f}"),
]


def by_changes(
    name: str, rate: float, seed: int, queries: int, windows: Sequence[int]
) -> list[dict[str, Any]]:
    """Measure windows of each size over one stream, from scratch and by what has changed."""
    last = max(windows) + SHORT_STEP * queries
    program = compile_description(*application(name))
    with tempfile.TemporaryDirectory(prefix="rtec-bench-") as folder:
        path = Path(folder) / "stream.csv"
        write_stream(path, generate(name, round(rate * last * 1.1), seed, rate=rate))
        return [
            {"application": name, **_row(program, path, window, last, queries)}
            for window in windows
        ]


def _row(program: Program, path: Path, window: int, last: int, queries: int) -> dict[str, Any]:
    settings = RunSettings(window=window, step=SHORT_STEP, start=0, end=last)
    plan = plan_run(read_stream([str(path)], program.inputs), settings)
    both = SideBySide({p: Session(program, window=window, incremental=p) for p in POLICIES})
    for _ in run_stream(both, plan):
        pass
    for session in both.sessions.values():
        session.close()
    scratch, incremental = (median(both.seconds[p][-queries:]) for p in ("never", "auto"))
    return {
        "window": window,
        "records": sum(both.changed[-(window // SHORT_STEP) :]),
        "changed": round(median(both.changed[-queries:])),
        "scratch_ms": ms(scratch),
        "incremental_ms": ms(incremental),
        "speed_up": ratio(scratch, incremental),
    }


@click.command("cycles")
@rate_option
@windows_option
@queries_option
@seed_option
@json_option
def command(rate: float, windows: str, queries: int, seed: int, json_file: str | None) -> None:
    """Measure voting, whose fluents depend on each other, in windows of growing size.

    If cost per time-point stays the same, cost is linear in the window. Then voting and NetBill
    by what has changed, with a short step and half the events.
    """
    report = Report("cycles")
    report_growth(report, "voting", "voting", rate, seed, queries, windows)
    short = [size for size in sizes(windows) if size <= LONGEST]
    if short:
        rows = [
            row
            for name in ("voting", "netbill")
            for row in by_changes(name, rate / 2, seed, queries, short)
        ]
        title = f"by changes, {rate / 2:g} events per time-point, step {SHORT_STEP}"
        report.add("by_changes", title, COLUMNS, rows)
    report.write(json_file)
