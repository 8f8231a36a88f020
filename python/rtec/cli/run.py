"""`rtec run`: a description, a stream, and what is recognised in it."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from typing import Any, get_args

import click

from rtec.cli.job import Job
from rtec.cli.live_options import LiveOptions, live_options
from rtec.cli.options import choose, description_options, need_stream, stream_options
from rtec.cli.prob_options import ProbOptions, prob_options
from rtec.runtime.faults import OnError
from rtec.runtime.garbage import few_collections
from rtec.runtime.outputs import check_apart
from rtec.runtime.settings import Policy
from rtec.runtime.sinks import Format


@click.command("run")
@description_options
@stream_options
@click.option("--merge", is_flag=True, help="Report each fluent once, over the whole run.")
@click.option(
    "--changes",
    is_flag=True,
    help="Report what is added and withdrawn at each query time, not all that is known.",
)
@click.option(
    "--incremental",
    is_flag=False,
    flag_value="auto",
    default="never",
    type=click.Choice(get_args(Policy)),
    help="Update what is known by what has changed since the last query time, where that is "
    "cheaper than reasoning from scratch (auto), or always. The answers are the same.",
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
@prob_options
@live_options
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
    incremental: Policy,
    out: str | None,
    form: Format | None,
    late: str | None,
    stats: str | None,
    time_limit: float | None,
    quiet: bool,
    progress: bool | None,
    **others: Any,
) -> None:
    """Recognise the fluents and events of a description in a stream.

    What flags do not say comes from the TOML file beside the description, if there is one. If
    that names a stream, its start and end belong to that stream, and do not count with --stream.

    Ctrl-C ends a run after the query time that it is at; what is complete is written.
    """
    if merge and changes:
        raise click.UsageError("--merge and --changes exclude each other")
    likely = ProbOptions(**{o.name: others.pop(o.name) for o in fields(ProbOptions)})
    given = LiveOptions(**others)
    if likely.prob and (changes or given.checkpoint):
        flag = "--changes" if changes else "--checkpoint"
        raise click.UsageError(f"--prob and {flag} exclude each other")
    if likely.prob and incremental != "never":
        raise click.UsageError("--prob and --incremental exclude each other")
    chosen = choose(desc, background, (*stream, *given.follow), window, step, start, end, tick)
    need_stream(chosen)
    if given.follow:
        chosen = replace(chosen, streams=stream)
    given.check_windows(chosen.streams, chosen.settings)
    files = [str(path) for path in (chosen.description, *chosen.background)]
    check_apart((out, late, stats), [*files, *chosen.streams, *given.follow])
    show = not quiet and (sys.stderr.isatty() if progress is None else progress)
    if likely.prob:
        from rtec.cli.prob_job import ProbJob

        prob_job = ProbJob(
            chosen,
            given,
            likely,
            trust,
            on_error,
            merge,
            out,
            form,
            late,
            stats,
            time_limit,
            quiet,
            show,
        )
        with few_collections():
            prob_job.run()
        return
    job = Job(
        chosen,
        given,
        trust,
        on_error,
        merge,
        changes,
        incremental,
        out,
        form,
        late,
        stats,
        time_limit,
        quiet,
        show,
    )
    with few_collections():
        job.run()
