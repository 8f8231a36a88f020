"""`rtec bench spark`: recognition on Spark against `rtec run`, on a generated maritime stream.

Everything that is measured has a process of its own. The start of Spark and of Python is not
counted, nor is a first small run that warms everything up, Java's compiler above all. Ratios are of
wall time, since several processes work at once; where other work goes on, the CPU time of all
processes together says more. How much two cores can gain on this machine at best is measured as
well: two plain runs over half of the objects each, side by side and one after the other.

A machine that others use as well may be half as fast a minute later. So all are started first and
then measured in turn, several times. Other work only ever makes a run slower: of several
measurements the fastest counts, and ratios are of the fastest.
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
from contextlib import ExitStack
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
    default=5,
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
    with ExitStack() as running:
        jobs = [
            running.enter_context(Measured(folder, each, how, master))
            for each, how, master in [
                (stream, "local", ""), (stream, "batch", "local[1]"),
                (stream, "batch", "local[2]"), (halves[0], "local", ""), (halves[1], "local", ""),
            ]
        ]  # fmt: skip
        rounds = [_round(jobs) for _ in range(repeat)]
    rows = [_fastest(several) for several in zip(*rounds, strict=True)]
    local, one, two, alone, beside = rows
    one.update(against="time, to rtec run", ratio=ratio(one["seconds"], local["seconds"]))
    two.update(against="speed, to local[1]", ratio=ratio(one["seconds"], two["seconds"]))
    beside.update(
        against="speed, to one after the other", ratio=ratio(alone["seconds"], beside["seconds"])
    )
    with Measured(folder, quarter, "batch", "local[2]") as job:
        less = job.run()
    less.update(
        name="local[2], a quarter",
        against="memory, of the whole to this",
        ratio=ratio(two["peak_mb"], less["peak_mb"]),
    )
    return [local, one, two, beside, less]


def _round(jobs: Sequence[Measured]) -> list[dict[str, Any]]:
    """Measure `rtec run`, one core and two on Spark, and two halves, alone and side by side."""
    whole, halves = [job.run() for job in jobs[:3]], jobs[3:]
    alone = [half.run() for half in halves]
    with ThreadPoolExecutor(2) as both:
        beside = list(both.map(Measured.run, halves))
    return [*whole, _together(alone, sum), _together(beside, max)]


class Measured:
    """A job in a process of its own, ready to be measured again and again."""

    def __init__(self, folder: Path, stream: Path, how: str, master: str) -> None:
        """Start it, and wait until it is ready."""
        self._folder, self._how = folder, how
        self._name = "rtec run" if how == "local" else f"Spark {master}"
        self._lines, end = _length(stream)
        more = [master] if master else []
        self._errors = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            _command(how, str(stream), str(WINDOW), str(STEP), str(end), *more),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True,
        )  # fmt: skip
        self._answer()

    def run(self) -> dict[str, Any]:
        """Measure once."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{self._folder / f'out-{self._how}-{next(_NUMBERS)}'}\n")
        self._process.stdin.flush()
        found = json.loads(self._answer())
        return {
            "name": self._name,
            "records": self._lines,
            "rate": ratio(self._lines, found["seconds"]),
            **{k: found.get(k) for k in ("seconds", "cpu_seconds", "java_seconds", "peak_mb")},
        }

    def _answer(self) -> str:
        assert self._process.stdout is not None
        if line := self._process.stdout.readline():
            return line
        self._process.wait()  # it has closed its output
        self._errors.seek(0)
        raise _failed(self._errors.read())

    def __enter__(self) -> Measured:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()  # the end of its input is the end of the job
        self._errors.close()


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
    done = subprocess.run(
        _command("live", str(source), out, str(WINDOW), str(STEP), master),
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode != 0:
        raise _failed(done.stderr)
    found = json.loads(done.stdout.strip().splitlines()[-1])["micro_batches"]
    times = [batch["milliseconds"] for batch in found[1:]]  # the first one starts the workers
    return {
        "master": master,
        "batches": len(found),
        "records": size,
        "median_ms": statistics.median(times) if times else None,
        "worst_ms": max(times, default=None),
    }


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "rtec.bench.spark_job", *arguments]


def _failed(errors: str) -> ConfigError:
    said = "\n".join(errors.strip().splitlines()[-5:])
    return ConfigError(Problem(f"a measurement failed: {said}", "bench"))


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
