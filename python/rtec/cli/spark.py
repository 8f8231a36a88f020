"""`rtec spark`: the partition plan of a description, and recognition on Spark."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rtec.cli.live_options import memory_option
from rtec.cli.options import Chosen, choose, description_options, need_stream, stream_options
from rtec.errors import ConfigError, Problem
from rtec.runtime.faults import OnError

if TYPE_CHECKING:
    from rtec.compiler.program import Program
    from rtec.spark.plan import PartitionPlan


@click.group("spark")
def command() -> None:
    """Recognise on Spark, in batches or continuously."""


@command.command("plan")
@description_options
def plan_command(desc: str, background: tuple[str, ...], trust: bool) -> None:
    """Say what the stream of a description can be split by, and which rules decide it."""
    from rtec.spark.plan import plan
    from rtec.spark.show import show

    chosen = choose(desc, background)
    click.echo(show(plan(_compiled(chosen, trust))), nl=False)


@command.command("run")
@description_options
@stream_options
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="PATH",
    help="Records: files or folders of Parquet, JSON lines or pipe-separated text, all of one "
    "form. The same as --stream. May be repeated.",
)
@click.option("--merge", is_flag=True, help="Report each fluent once, over the whole run.")
@click.option("--output", required=True, metavar="PATH", help="The folder to write; a new one.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["parquet", "jsonl", "csv"]),
    default="parquet",
    show_default=True,
    help="What to write.",
)
@click.option("--overwrite", is_flag=True, help="Replace the folder if it exists.")
@click.option("--master", metavar="URL", help="Where Spark runs, such as local[2].")
@click.option(
    "--partitions",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many parts to split the stream into; as many as there are cores by default.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="How long one query time may take.",
)
@memory_option
@click.option("--stats", metavar="FILE", help="Write the figures of the job here, as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No summary.")
def run_command(
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
    inputs: tuple[str, ...],
    merge: bool,
    output: str,
    form: str,
    overwrite: bool,
    master: str | None,
    partitions: int | None,
    time_limit: float | None,
    memory: int | None,
    stats: str | None,
    quiet: bool,
) -> None:
    """Recognise the fluents and events of a description in files, on Spark.

    Takes the settings of `rtec run`, and the defaults from the same TOML file.
    """
    chosen = choose(desc, background, (*stream, *inputs), window, step, start, end, tick)
    need_stream(chosen)
    _check_output(output, overwrite)
    program = _compiled(chosen, trust)
    from rtec.spark.plan import plan

    how = plan(program)
    _warn(program, how)

    from rtec.spark.batch import recognise, recognise_into
    from rtec.spark.errors import plain_errors
    from rtec.spark.masters import runs_here
    from rtec.spark.metrics import Metrics
    from rtec.spark.session import start_session

    spark = start_session(master, batch=True)
    frame, shape = _open(spark, chosen)
    metrics = Metrics(spark.sparkContext)
    began = time.perf_counter()
    settings = chosen.settings
    with plain_errors():
        job: dict[str, Any] = dict(
            window=settings.window,
            step=settings.step,
            start=settings.start,
            end=settings.end,
            tick=settings.tick,
            merge=merge,
            on_error=on_error,
            time_limit=time_limit,
            memory=memory,
            partitions=partitions,
            metrics=metrics,
            form=shape,
            partition_plan=how,
            files=chosen.streams,
        )
        if form == "parquet" and "://" not in output and runs_here(spark.sparkContext.master):
            recognise_into(output, frame, program, overwrite=overwrite, **job)
        else:
            _write(recognise(frame, program, **job), output, form, overwrite)
    seconds = time.perf_counter() - began
    for problem in metrics.warnings(program.inputs):
        click.echo(str(problem), err=True)
    if stats:
        _write_stats(stats, metrics, seconds)
    if not quiet:
        click.echo(f"{metrics.summary()}\n{seconds:.2f} s, start of Spark not counted", err=True)


@command.command("stream")
@description_options
@click.option(
    "--source",
    required=True,
    metavar="PLACE",
    help="A folder where files of records appear, or a topic: mqtt://host:port/topic.",
)
@click.option(
    "--source-format",
    type=click.Choice(["csv", "jsonl", "parquet"]),
    default="csv",
    show_default=True,
    help="Pipe-separated text, JSON lines, or Parquet with the columns of a stream.",
)
@click.option(
    "--sink",
    required=True,
    metavar="PLACE",
    help="Where changes are written: a folder, or mqtt://host:port/topic.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["parquet", "jsonl", "csv"]),
    default="parquet",
    show_default=True,
    help="What to write.",
)
@click.option(
    "--checkpoint", required=True, metavar="FOLDER", help="What a run that is killed goes on from."
)
@click.option("--window", type=int, metavar="N", help="How far back each query time looks.")
@click.option("--step", type=int, metavar="N", help="How far apart query times are.")
@click.option("--start", type=int, metavar="T", help="Where the run starts; 0 by default.")
@click.option("--tick", type=int, metavar="N", help="How far apart time-points are; 1 by default.")
@click.option(
    "--disorder",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="How many time-points to wait for records that arrive out of order.",
)
@click.option(
    "--buckets",
    type=click.IntRange(min=1),
    default=8,
    show_default=True,
    help="Parts of the state.",
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="What to do about a malformed record.",
)
@memory_option
@click.option("--late", metavar="FOLDER", help="Where records go that came too late to count.")
@click.option(
    "--spool",
    metavar="FOLDER",
    help="Where messages of MQTT are kept until they are used; by default in the checkpoint.",
)
@click.option("--files", type=click.IntRange(min=1), metavar="N", help="Files in a micro-batch.")
@click.option(
    "--every",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="How long a micro-batch gathers; by default it begins when the last one is done.",
)
@click.option("--once", is_flag=True, help="Stop when all files that are there have been read.")
@click.option("--stats", metavar="FILE", help="Write the figures of the query here, as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No summary.")
@click.option("--master", metavar="URL", help="Where Spark runs, such as local[2].")
def stream_command(
    desc: str,
    background: tuple[str, ...],
    trust: bool,
    source: str,
    source_format: str,
    sink: str,
    form: str,
    checkpoint: str,
    window: int | None,
    step: int | None,
    start: int | None,
    tick: int | None,
    disorder: int,
    buckets: int,
    on_error: OnError,
    memory: int | None,
    late: str | None,
    spool: str | None,
    files: int | None,
    every: float | None,
    once: bool,
    stats: str | None,
    quiet: bool,
    master: str | None,
) -> None:
    """Recognise continuously in files that appear in a folder, or in messages; write changes.

    Each row has an `op`: `+` for an interval that is new or longer, `-` for one withdrawn. A
    query time is worked out when a later record has arrived.
    """
    chosen = choose(desc, background, (source,), window, step, start, None, tick)
    settings = chosen.settings
    size = settings.window if settings.window is not None else settings.step
    if size is None:
        raise click.UsageError("a run without end needs --window")
    from_topic = source.startswith(("mqtt://", "mqtts://"))
    if not from_topic and not Path(source).is_dir() and "://" not in source:
        raise ConfigError(Problem(f"{source} is not a folder", "unreadable-stream"))
    program = _compiled(chosen, trust)
    from rtec.spark.plan import plan

    how = plan(program, groups=False)
    _warn(program, how)

    from rtec.spark.errors import plain_errors
    from rtec.spark.files import watch_frame, watch_topic
    from rtec.spark.live import STATE_STORE, stream
    from rtec.spark.metrics import Metrics
    from rtec.spark.session import start_session
    from rtec.spark.sinks import Sinks

    for place in (source, sink):
        _check_broker(place)
    # A task for each bucket; by default Spark would open 200 stores for each micro-batch.
    spark = start_session(
        master,
        spark__sql__streaming__stateStore__providerClass=STATE_STORE,
        spark__sql__shuffle__partitions=str(1 if how.stages is None else buckets),
    )
    if from_topic:
        kept = spool or str(Path(checkpoint) / "mqtt")
        frame, shape = watch_topic(spark, source, source_format, kept)
    else:
        frame, shape = watch_frame(spark, source, source_format, files)
    metrics = Metrics(spark.sparkContext)
    with plain_errors():
        changes = stream(
            frame,
            program,
            window=size,
            step=settings.step,
            start=settings.start or 0,
            tick=settings.tick,
            disorder=disorder,
            buckets=buckets,
            late=late is not None,
            on_error=on_error,
            memory=memory,
            metrics=metrics,
            form=shape,
            partition_plan=how,
        )
        query = Sinks(sink, form, late).start(changes, checkpoint, once, every)
        try:
            query.awaitTermination()
        except KeyboardInterrupt:
            query.stop()
    if stats:
        _write_live_stats(stats, metrics, query)
    if not quiet:
        click.echo(metrics.live_summary(), err=True)


def _check_broker(place: str) -> None:
    """Find out before anything starts whether a broker answers."""
    if place.startswith(("mqtt://", "mqtts://")):
        from rtec.spark.mqtt import Broker

        Broker.of(place).check()


def _warn(program: Program, how: PartitionPlan) -> None:
    for problem in (*program.warnings, how.warning):
        if problem is not None:
            click.echo(str(problem), err=True)


def _compiled(chosen: Chosen, trust: bool) -> Program:
    from rtec.compiler import compile_description

    program = compile_description(chosen.description, chosen.background, trust=trust)
    return replace(program, deltas="")  # nobody reasons by changes


def _open(spark: Any, chosen: Chosen) -> tuple[Any, Any]:
    from rtec.spark.files import read_frame
    from rtec.spark.worker import LINE

    if chosen.streams:
        return read_frame(spark, chosen.streams)
    return spark.createDataFrame([], f"{LINE} string"), "lines"


def _check_output(output: str, overwrite: bool) -> None:
    if not overwrite and "://" not in output and Path(output).exists():
        from rtec.runtime.outputs import output_exists

        raise output_exists(output)


def _write(frame: Any, output: str, form: str, overwrite: bool) -> None:
    writer = frame.write.mode("overwrite" if overwrite else "error")
    if form == "csv":
        writer.option("header", True).csv(output)
    elif form == "jsonl":
        writer.option("ignoreNullFields", False).json(output)
    else:
        writer.parquet(output)


def _write_stats(path: str, metrics: Any, seconds: float) -> None:
    from rtec.runtime.outputs import Output

    figures = {
        "totals": {**metrics.figures, "wall_seconds": round(seconds, 3)},
        "partitions": {str(k): v for k, v in metrics.partitions.items()},
        "worker_peak_rss_mb": metrics.peak_mb,
    }
    with Output(path) as out:
        out.write(json.dumps(figures, indent=1) + "\n")


def _write_live_stats(path: str, metrics: Any, query: Any) -> None:
    from rtec.runtime.outputs import Output

    batches = [
        {
            "batch": p["batchId"],
            "records": p["numInputRows"],
            "milliseconds": p["durationMs"].get("triggerExecution", 0),
        }
        for p in map(dict, query.recentProgress)
    ]
    figures = {"totals": metrics.figures, "micro_batches": batches}
    with Output(path) as out:
        out.write(json.dumps(figures, indent=1) + "\n")
