"""`rtec bench spark`: recognition on Spark against `rtec run`, on a generated maritime stream.

Every measurement has a process of its own. The start of Spark and of Python is not counted, nor
is a first small run that warms everything up, Java's compiler above all. Ratios are of wall time,
since several processes work at once; where other work goes on, the CPU time of all processes
together says more. How much two cores can gain on this machine at best is measured as well: two
plain runs over half of the objects each, side by side and one after the other.

Other work only ever makes a run slower. So of several measurements the fastest counts, and ratios
are of the fastest.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import click

from rtec.bench.report import Column, Report, json_option, ratio, seed_option
from rtec.bench.windows import write_stream
from rtec.errors import ConfigError, Problem
from rtec.generate import generate
from rtec.spark.split import part_of

WINDOW, STEP = 7200, 3600
_NUMBERS = count()

COLUMNS = [
    Column("name", "run"),
    Column("records", "events", "{:,}"),
    Column("seconds", "seconds", "{:.1f}"),
    Column("rate", "events/s", "{:,.0f}"),
    Column("cpu_seconds", "CPU s", "{:.1f}"),
    Column("java_seconds", "of it Java", "{:.1f}"),
    Column("peak_mb", "peak MB per worker", "{:,.0f}"),
    Column("against", "against"),
    Column("ratio", "ratio", "{:.2f}"),
]
LIVE = [
    Column("master", "master"),
    Column("batches", "micro-batches"),
    Column("records", "events each", "{:,}"),
    Column("median_ms", "median ms", "{:,.0f}"),
    Column("worst_ms", "worst ms", "{:,.0f}"),
]


@click.command("spark")
@click.option(
    "--events", type=click.IntRange(1000), default=1_000_000, show_default=True, help="How many."
)
@click.option("--large", is_flag=True, help="5,000,000 events.")
@click.option("--entities", type=click.IntRange(2), help="How many vessels.")
@click.option(
    "--live-events",
    type=click.IntRange(100),
    default=50_000,
    show_default=True,
    help="How many of them go through a live query, in ten files.",
)
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Measure so many times, all runs in turn, and take the fastest of each.",
)
@seed_option
@json_option
def command(
    events: int,
    large: bool,
    entities: int | None,
    live_events: int,
    repeat: int,
    seed: int,
    json_file: str | None,
) -> None:
    """Measure recognition on Spark by number of cores, and the latency of live queries."""
    _need_spark()
    report = Report("spark")
    events = 5_000_000 if large else events
    load = os.getloadavg()[0]
    if load > 0.5:
        report.note(f"note: other work goes on here (load {load:.1f}), which shows in the times\n")
    with tempfile.TemporaryDirectory(prefix="rtec-bench-") as name:
        folder = Path(name)
        stream, quarter = folder / "stream.csv", folder / "quarter.csv"
        write_stream(stream, generate("maritime", events, seed, entities=entities))
        write_stream(quarter, generate("maritime", events // 4, seed, entities=entities))
        report.note(f"maritime, {events:,} events, window {WINDOW}, step {STEP}\n")
        rows = _rows(folder, stream, quarter, repeat)
        report.add("runs", "Batches", COLUMNS, rows)
        report.add("live", "Live", LIVE, [_live(folder, stream, live_events, m) for m in (1, 2)])
    report.write(json_file)


def _rows(folder: Path, stream: Path, quarter: Path, repeat: int) -> list[dict[str, Any]]:
    """Measure all runs in turn, so many times; compare the fastest of each."""
    halves = _halves(folder, stream)
    rounds = [_round(folder, stream, halves, number) for number in range(repeat)]
    rows = [_fastest(several) for several in zip(*rounds, strict=True)]
    local, one, two, alone, beside = rows
    one.update(against="time, to rtec run", ratio=ratio(one["seconds"], local["seconds"]))
    two.update(against="speed, to local[1]", ratio=ratio(one["seconds"], two["seconds"]))
    beside.update(
        against="speed, to one after the other", ratio=ratio(alone["seconds"], beside["seconds"])
    )
    less = _measured(folder, quarter, "batch", "local[2]", 0)
    less.update(
        name="local[2], a quarter",
        against="memory, of the whole to this",
        ratio=ratio(two["peak_mb"], less["peak_mb"]),
    )
    return [local, one, two, beside, less]


def _round(
    folder: Path, stream: Path, halves: tuple[Path, Path], number: int
) -> list[dict[str, Any]]:
    """Measure `rtec run`, one core and two on Spark, and two halves, alone and side by side."""
    local = _measured(folder, stream, "local", "", number)
    one = _measured(folder, stream, "batch", "local[1]", number)
    two = _measured(folder, stream, "batch", "local[2]", number)
    alone = [_measured(folder, half, "local", "", number) for half in halves]
    with ThreadPoolExecutor(2) as both:
        beside = list(both.map(lambda h: _measured(folder, h, "local", "", number), halves))
    return [local, one, two, _together(alone, sum), _together(beside, max)]


def _together(
    runs: Sequence[dict[str, Any]], seconds: Callable[[Iterable[float]], float]
) -> dict[str, Any]:
    """Two runs as one; `seconds` makes its time of theirs."""
    found = {
        **runs[0],
        "name": "two rtec runs at once",
        "seconds": seconds(run["seconds"] for run in runs),
        "records": sum(run["records"] for run in runs),
        "cpu_seconds": sum(run["cpu_seconds"] for run in runs),
        "peak_mb": max(run["peak_mb"] for run in runs),
    }
    found["rate"] = ratio(found["records"], found["seconds"])
    return found


def _fastest(several: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Take the measurement that was disturbed least, and the largest memory of all."""
    found = dict(min(several, key=lambda each: float(each["seconds"])))
    found["peak_mb"] = max(each["peak_mb"] for each in several)
    return found


def _halves(folder: Path, stream: Path) -> tuple[Path, Path]:
    """Split a stream by its objects, as Spark does."""
    parts = (folder / "half-0.csv", folder / "half-1.csv")
    with stream.open() as lines, parts[0].open("w") as one, parts[1].open("w") as other:
        for line in lines:
            fields = line.rstrip("\n").split("|")
            vessel = fields[5 if fields[0] == "proximity" else 3]
            (other if part_of(vessel, 2) else one).write(line)
    return parts


def _measured(folder: Path, stream: Path, how: str, master: str, number: int) -> dict[str, Any]:
    """Run one job."""
    out = str(folder / f"out-{how}-{master}-{stream.stem}-{number}-{next(_NUMBERS)}")
    more = [master] if master else []
    lines, end = _length(stream)
    found = _job(how, str(stream), out, str(WINDOW), str(STEP), str(end), *more)
    return {
        "name": "rtec run" if how == "local" else f"Spark {master}",
        "records": lines,
        "rate": ratio(lines, found["seconds"]),
        **{k: found.get(k) for k in ("seconds", "cpu_seconds", "java_seconds", "peak_mb")},
    }


def _live(folder: Path, stream: Path, events: int, cores: int) -> dict[str, Any]:
    """Send the first events through a live query, a tenth at a time."""
    source = folder / f"live-{cores}"
    source.mkdir()
    size = max(1, events // 10)
    with stream.open() as file:
        for number in range(10):
            lines = [line for line, _ in zip(file, range(size), strict=False)]
            if lines:
                path = source / f"{number}.csv"
                path.write_text("".join(lines))
                os.utime(path, (1_700_000_000 + number,) * 2)
    master = f"local[{cores}]"
    out = str(folder / f"changes-{cores}")
    found = _job("live", str(source), out, str(WINDOW), str(STEP), "0", master)["micro_batches"]
    times = [batch["milliseconds"] for batch in found[1:]]  # the first one starts the workers
    return {
        "master": master,
        "batches": len(found),
        "records": size,
        "median_ms": statistics.median(times) if times else None,
        "worst_ms": max(times, default=None),
    }


def _job(*arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "rtec.bench.spark_job", *arguments], capture_output=True, text=True
    )
    if done.returncode != 0:
        said = "\n".join(done.stderr.strip().splitlines()[-5:])
        raise ConfigError(Problem(f"a measurement failed: {said}", "bench"))
    figures: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return figures


def _length(stream: Path) -> tuple[int, int]:
    """How many lines a generated stream has, and its last arrival; it is in order."""
    lines, last = 0, b""
    with stream.open("rb") as file:
        for line in file:
            lines, last = lines + 1, line
    return lines, int(last.split(b"|")[1])


def _need_spark() -> None:
    try:
        import pyspark  # noqa: F401
    except ImportError as error:
        raise ConfigError(
            Problem(
                f"PySpark cannot be imported: {error}",
                "no-spark",
                remedy="`pip install 'rtec[spark]'` installs it",
            )
        ) from None
