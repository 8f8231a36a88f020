"""`rtec run`: a description, a stream, and what is recognised in it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import get_args

import click

from rtec.cli.options import Chosen, choose, description_options, need_stream, stream_options
from rtec.errors import Problem
from rtec.runtime.faults import Faults, OnError
from rtec.runtime.outputs import Output
from rtec.runtime.progress import Progress
from rtec.runtime.run import LateFile, RunPlan, plan_run, run_stream
from rtec.runtime.sinks import Format, open_sink
from rtec.runtime.stats import Stats
from rtec.runtime.streams import read_stream


@click.command("run")
@description_options
@stream_options
@click.option("--merge", is_flag=True, help="Report each fluent once, over the whole run.")
@click.option(
    "--changes",
    is_flag=True,
    help="Report what is added and withdrawn at each query time, not all that is known.",
)
@click.option("--out", metavar="FILE", help="Where to write; standard output by default.")
@click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Format)),
    help="By default it follows from the ending of --out, else it is jsonl.",
)
@click.option(
    "--late", metavar="FILE", help="Write records that came too late here, as JSON lines."
)
@click.option("--stats", metavar="FILE", help="Write the figures of the run here, as JSON.")
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="How long one query time may take.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress, no summary.")
@click.option(
    "--progress/--no-progress",
    default=None,
    help="Show progress on standard error; by default if that is a terminal.",
)
def command(
    desc: str,
    background: tuple[str, ...],
    trust: bool,
    stream: tuple[str, ...],
    window: int | None,
    step: int | None,
    start: int | None,
    end: int | None,
    tick: int | None,
    on_error: OnError,
    merge: bool,
    changes: bool,
    out: str | None,
    form: Format | None,
    late: str | None,
    stats: str | None,
    time_limit: float | None,
    quiet: bool,
    progress: bool | None,
) -> None:
    """Recognise the fluents and events of a description in a stream.

    What flags do not say comes from the TOML file beside the description, if there is one. If
    that names a stream, its start and end belong to that stream, and do not count with --stream.
    """
    if merge and changes:
        raise click.UsageError("--merge and --changes exclude each other")
    chosen = choose(desc, background, stream, window, step, start, end, tick)
    need_stream(chosen)
    show = not quiet and (sys.stderr.isatty() if progress is None else progress)
    job = _Job(
        chosen, trust, on_error, merge, changes, out, form, late, stats, time_limit, quiet, show
    )
    with _few_collections():
        job.run()


@dataclass(frozen=True, slots=True)
class _Job:
    """One call of the command, its settings made up."""

    chosen: Chosen
    trust: bool
    on_error: OnError
    merge: bool
    changes: bool
    out: str | None
    form: Format | None
    late: str | None
    stats: str | None
    time_limit: float | None
    quiet: bool
    progress: bool

    def run(self) -> None:
        """Open everything that is written before anything is read, then go."""
        from rtec.compiler import compile_description
        from rtec.runtime.session import Session

        figures = Stats(keep_windows=self.stats is not None)
        with ExitStack() as stack:
            sink = stack.enter_context(open_sink(self.out, self.form, self.changes))
            late = LateFile(stack.enter_context(Output(self.late))) if self.late else None
            stats_file = stack.enter_context(Output(self.stats)) if self.stats else None
            program = compile_description(
                self.chosen.description, self.chosen.background, trust=self.trust
            )
            self._warn(*program.warnings)
            faults = Faults(self.on_error)
            with figures.phase("read"):
                stream = read_stream(list(self.chosen.streams), program.inputs, faults)
            plan = plan_run(stream, self.chosen.settings, figures)
            self._warn(plan.windowing.warning())
            session = stack.enter_context(
                Session(
                    program,
                    window=plan.windowing.size,
                    start=plan.start,
                    tick=plan.tick,
                    time_limit=self.time_limit,
                )
            )
            with self._bar(plan) as bar:
                for answers in run_stream(
                    session,
                    plan,
                    merge=self.merge,
                    changes=self.changes,
                    late=late,
                    on_step=bar.update,
                ):
                    with figures.phase("write"):
                        sink.write(answers)
            self._warn(*faults.warnings(program.inputs))
            if stats_file is not None:
                stats_file.write(figures.to_json())
        if not self.quiet:
            click.echo(figures.summary(), err=True)

    def _bar(self, plan: RunPlan) -> Progress:
        return Progress(plan, shown=self.progress)

    def _warn(self, *problems: Problem | None) -> None:
        for problem in problems:
            if problem is not None:
                click.echo(str(problem), err=True)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for garbage in cycles rarely: answers hold none, and are many."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(200_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
