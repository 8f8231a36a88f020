"""The measurements of `rtec bench spark` in a process of their own; prints figures as JSON.

    python -m rtec.bench.spark_job local  STREAM WINDOW STEP END
    python -m rtec.bench.spark_job batch  STREAM WINDOW STEP END MASTER
    python -m rtec.bench.spark_job live   FOLDER OUT WINDOW STEP MASTER

The first two get ready and say so; then they measure once for each line that they read, the name
of an output that is not there yet. The time counts from when everything is loaded and has been
used once, over the first lines of the stream: neither the start of Spark is in it, nor Java's
finding out what to compile.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from rtec.cli import execute

_FEW = 100_000


def _timed(arguments: list[str]) -> dict[str, float]:
    """Run a command; give its wall time, and the CPU time of all processes that worked for it."""
    began, used, java = time.perf_counter(), family_cpu(), family_cpu("java")
    if execute(arguments) != 0:
        raise SystemExit(f"failed: rtec {' '.join(arguments)}")
    return {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": family_cpu() - used,
        "java_seconds": family_cpu("java") - java,
    }


def family_cpu(name: str = "") -> float:
    """The CPU seconds of this process and of all that it started, directly or not, by name."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "stat").read_text()
        except OSError:  # it has ended meanwhile
            continue
        before, _, after = text.rpartition(")")
        fields = after.split()
        parents[int(folder.name)] = int(fields[1])
        if not name or before.endswith(f"({name}"):
            ticks[int(folder.name)] = sum(map(int, fields[11:15]))  # with children that ended
    ours = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks.get(pid, 0) for pid in ours) / os.sysconf("SC_CLK_TCK")


def _warm_up(arguments: list[str], flag: str, stream: str, out: str) -> None:
    """Run a command over the first lines of a stream, to the last of which it takes an --end."""
    with tempfile.TemporaryDirectory() as work:
        few = Path(work) / "few.csv"
        with Path(stream).open() as lines:
            first = list(islice(lines, _FEW))
        few.write_text("".join(first))
        end = first[-1].split("|")[1]
        _timed([*arguments, "--end", end, flag, str(few), out, f"{work}/out"])


def _moves(window: str, step: str) -> list[str]:
    return ["--window", window, "--step", step, "--start", "0"]


def _local(stream: str, window: str, step: str, end: str) -> Iterator[dict[str, Any]]:
    import rtec

    rtec.compile("maritime.prolog")  # SWI-Prolog is there, and the program in the cache
    asked = ["run", "--desc", "maritime.prolog", "--format", "parquet", "--quiet"]
    asked += _moves(window, step)
    _warm_up(asked, "--stream", stream, "--out")
    for out in _outputs():
        found = _timed([*asked, "--end", end, "--stream", stream, "--out", out])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        yield {**found, "java_seconds": None, "peak_mb": peak}


def _batch(stream: str, window: str, step: str, end: str, master: str) -> Iterator[dict[str, Any]]:
    from rtec.spark.session import start_session

    spark = start_session(
        master, batch=True, spark__ui__enabled="false", spark__driver__memory="2g"
    )
    asked = ["spark", "run", "--desc", "maritime.prolog", "--master", master, "--quiet"]
    asked += _moves(window, step)
    _warm_up(asked, "--input", stream, "--output")
    asked += ["--end", end, "--input", stream]
    for out in _outputs():
        with tempfile.NamedTemporaryFile(suffix=".json") as stats:
            found = _timed([*asked, "--output", out, "--stats", stats.name])
            figures = json.loads(Path(stats.name).read_text())
        yield {
            **found,
            "peak_mb": figures["worker_peak_rss_mb"],
            "records": figures["totals"]["records"],
            "recognitions": figures["totals"]["recognitions"],
        }
    spark.stop()


def _outputs() -> Iterator[str]:
    """Yield the outputs that are asked for, from when everything is ready."""
    print("ready", flush=True)
    return (line.rstrip("\n") for line in sys.stdin)


def _live(folder: str, out: str, window: str, step: str, master: str) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as work:
        stats = Path(work) / "stats.json"
        asked = ["spark", "stream", "--desc", "maritime.prolog", "--source", folder]
        asked += ["--files", "1", "--sink", out, "--checkpoint", f"{work}/checkpoint", "--once"]
        asked += ["--window", window, "--step", step, "--buckets", "2", "--master", master, "-q"]
        _timed([*asked, "--stats", str(stats)])
        batches = json.loads(stats.read_text())["micro_batches"]
    yield {"micro_batches": batches}


JOBS: dict[str, Callable[..., Iterator[dict[str, Any]]]] = {
    "local": _local, "batch": _batch, "live": _live,
}  # fmt: skip

if __name__ == "__main__":
    for figures in JOBS[sys.argv[1]](*sys.argv[2:]):
        print(json.dumps(figures), flush=True)
