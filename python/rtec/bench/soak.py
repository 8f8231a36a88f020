"""`rtec bench soak`: a run that goes on and on, and what it holds meanwhile.

Everything that `rtec run` does with a live source is done, in this process: lines are read by a
thread, cut into windows, reasoned over, and written (to nowhere). Unless it is asked for, nothing
is collected for the sake of the figures: garbage that a run lets lie counts.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import click
import numpy as np
from numpy.typing import NDArray

from rtec import bridge
from rtec.bench.floor import load_prolog
from rtec.bench.jobs import AT_ONCE, JOBS, STEP, WINDOW, JobWire
from rtec.bench.report import Column, Report, json_option, seed_option
from rtec.compiler import compile_description
from rtec.runtime.checkpoint import Checkpoints
from rtec.runtime.faults import Faults
from rtec.runtime.layouts import Layouts
from rtec.runtime.live import LiveSettings, LiveSource
from rtec.runtime.modes import choose_mode
from rtec.runtime.recovery import Recovery
from rtec.runtime.run import plan_run, run_windows
from rtec.runtime.session import Session
from rtec.runtime.settings import Policy, RunSettings
from rtec.runtime.sinks import open_sink
from rtec.runtime.stats import rss_mb
from rtec.runtime.streams import Stream

LOOKS = 1000
PARTS = 10
ALLOWED = 0.05
MEASURES = {
    "rss_mb": Column("rss_mb", "RSS, MB", "{:,.1f}"),
    "atoms": Column("atoms", "atoms", "{:,.0f}"),
    "clauses": Column("clauses", "clauses", "{:,.0f}"),
    "objects": Column("objects", "Python objects", "{:,.0f}"),
}


@dataclass(frozen=True, slots=True)
class Soak:
    """How long, and over what.

    Attributes:
        query_times: How many.
        jobs: How many are alive at a time.
        seed: Of the stream.
        changes: Whether only changes are reported.
        checkpoint_every: Write a checkpoint after so many query times; None for none.
        incremental: Whether what is known is updated rather than computed anew.
        collect: Whether garbage is collected before each look, to see in a short run what stays.
    """

    query_times: int = 100_000
    jobs: int = 10
    seed: int = 1
    changes: bool = False
    checkpoint_every: int | None = None
    incremental: Policy = "never"
    collect: bool = False


def soak(settings: Soak) -> list[dict[str, Any]]:
    """Run, looking from time to time; return what was held on average in each tenth."""
    load_prolog("sizes")
    program = compile_description(JOBS)
    bell, faults = threading.Condition(), Faults()
    wire = JobWire(settings.seed, settings.jobs)
    source = LiveSource(wire, bell, Layouts(program.inputs), faults, LiveSettings())
    end = settings.query_times * STEP
    plan = plan_run(Stream([source], faults, bell), RunSettings(WINDOW, STEP, 0, end))
    mode = choose_mode(False, settings.changes, plan.tick)
    samples = Samples(settings.query_times, settings.collect)
    with ExitStack() as stack:
        recovery = _recovery(stack, settings.checkpoint_every)
        sink = stack.enter_context(open_sink(os.devnull, "jsonl", settings.changes))
        session = stack.enter_context(
            Session(program, window=WINDOW, start=0, incremental=settings.incremental)
        )

        def after_step() -> None:
            if recovery is not None:
                recovery.step(session, plan, mode, faults)
            if plan.stats.query_times % AT_ONCE == 0:
                wire.go_on()
            samples.look(plan.stats.query_times, plan.stats.recognise_ms)

        for answers in run_windows(session, plan, mode, after_step=after_step):
            sink.write(answers)
    return samples.tenths()


def _recovery(stack: ExitStack, every: int | None) -> Recovery | None:
    if every is None:
        return None
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rtec-soak-")))
    checkpoints = stack.enter_context(Checkpoints(folder, {"soak": True}, click.echo))
    return Recovery(checkpoints, every)


class Samples:
    """What was held at each look; in one array, so that looking adds nothing to it."""

    def __init__(self, query_times: int, collect: bool = False) -> None:
        """Make room for all of them."""
        self._collect = collect
        self._every = max(query_times // LOOKS, 1)
        self._seen: NDArray[np.float64] = np.zeros((query_times // self._every, len(MEASURES)))
        self._ms = np.zeros(len(self._seen))

    def look(self, query_times: int, recognise_ms: float) -> None:
        """Look, if it is time to."""
        number, left = divmod(query_times, self._every)
        if left == 0 and number <= len(self._seen):
            if self._collect:
                bridge.command("garbage_collect_clauses")
                bridge.command("garbage_collect_atoms")
            atoms, clauses = bridge.call("sizes")
            self._seen[number - 1] = (rss_mb(), atoms, clauses, sys.getallocatedblocks())
            self._ms[number - 1] = recognise_ms

    def tenths(self) -> list[dict[str, Any]]:
        """Return the means of each tenth."""
        spent = np.diff(self._ms, prepend=0.0) / self._every
        ends = [number * len(self._seen) // PARTS for number in range(PARTS + 1)]
        return [
            {
                "query_times": end * self._every,
                **dict(zip(MEASURES, self._seen[start:end].mean(axis=0).tolist(), strict=True)),
                "recognise_ms": float(spent[start:end].mean()),
            }
            for start, end in itertools.pairwise(ends)
        ]


def growth(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Say by which share the last tenth is above the second, the first after the warm-up."""
    return {name: rows[-1][name] / rows[1][name] - 1 for name in MEASURES}


def run(report: Report, settings: Soak) -> None:
    """Soak, and say what was held in each tenth."""
    rows = soak(settings)
    grown = growth(rows)
    columns = [Column("query_times", "query times", "{:,}"), *MEASURES.values()]
    columns.append(Column("recognise_ms", "recognition, ms", "{:.2f}"))
    report.add("tenths", "what was held, on average, in each tenth of the run", columns, rows)
    report.figures["growth"] = grown
    report.figures["flat"] = all(share < ALLOWED for share in grown.values())
    said = ", ".join(f"{MEASURES[name].heading} {share:+.1%}" for name, share in grown.items())
    report.note(f"the last tenth against the second: {said}")
    verdict = "flat: all" if report.figures["flat"] else "NOT flat: not all"
    report.note(f"{verdict} less than {ALLOWED:+.0%}")


@click.command("soak")
@click.option("--query-times", type=click.IntRange(100), default=100_000, show_default=True)
@click.option(
    "--jobs",
    type=click.IntRange(2),
    default=10,
    show_default=True,
    help="How many entities are alive at a time; each has a name of its own.",
)
@click.option("--changes", is_flag=True, help="Report changes only, as `rtec run --changes` does.")
@click.option(
    "--checkpoint-every",
    type=click.IntRange(1),
    metavar="N",
    help="Write a checkpoint after so many query times; none by default.",
)
@click.option(
    "--incremental",
    type=click.Choice(get_args(Policy)),
    default="never",
    show_default=True,
    help="Whether to update what is known by what has changed.",
)
@click.option("--collect", is_flag=True, help="Collect garbage before each look, for short runs.")
@seed_option
@json_option
def command(
    query_times: int,
    jobs: int,
    changes: bool,
    checkpoint_every: int | None,
    incremental: Policy,
    collect: bool,
    seed: int,
    json_file: str | None,
) -> None:
    """Run for very many query times over a small window, and watch what is held.

    RSS, atoms, clauses and Python objects should not grow after the first tenth, though names
    of entities are new all the time.
    """
    report = Report("soak")
    run(report, Soak(query_times, jobs, seed, changes, checkpoint_every, incremental, collect))
    report.write(json_file)
