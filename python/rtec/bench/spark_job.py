"""One measurement of `rtec bench spark`, in a process of its own; prints its figures as JSON.

    python -m rtec.bench.spark_job local  STREAM OUT WINDOW STEP END
    python -m rtec.bench.spark_job batch  STREAM OUT WINDOW STEP END MASTER
    python -m rtec.bench.spark_job live   FOLDER OUT WINDOW STEP END MASTER

The time counts from when everything is loaded and has been used once, over the first lines of the
stream: neither the start of Spark is in it, nor Java's finding out what to compile.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
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


def _local(stream: str, out: str, window: str, step: str, end: str) -> dict[str, Any]:
    import rtec

    rtec.compile("maritime.prolog")  # SWI-Prolog is there, and the program in the cache
    asked = ["run", "--desc", "maritime.prolog", "--format", "parquet", "--quiet"]
    asked += _moves(window, step)
    _warm_up(asked, "--stream", stream, "--out")
    found = _timed([*asked, "--end", end, "--stream", stream, "--out", out])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**found, "java_seconds": None, "peak_mb": peak}


def _batch(stream: str, out: str, window: str, step: str, end: str, master: str) -> dict[str, Any]:
    from rtec.spark.session import start_session

    spark = start_session(
        master, batch=True, spark__ui__enabled="false", spark__driver__memory="2g"
    )
    asked = ["spark", "run", "--desc", "maritime.prolog", "--master", master, "--quiet"]
    asked += _moves(window, step)
    _warm_up(asked, "--input", stream, "--output")
    with tempfile.NamedTemporaryFile(suffix=".json") as stats:
        asked += ["--end", end, "--input", stream, "--output", out]
        found = _timed([*asked, "--stats", stats.name])
        figures = json.loads(Path(stats.name).read_text())
    spark.stop()
    return {
        **found,
        "peak_mb": figures["worker_peak_rss_mb"],
        "records": figures["totals"]["records"],
        "recognitions": figures["totals"]["recognitions"],
    }


def _live(folder: str, out: str, window: str, step: str, end: str, master: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as work:
        stats = Path(work) / "stats.json"
        asked = ["spark", "stream", "--desc", "maritime.prolog", "--source", folder]
        asked += ["--files", "1", "--sink", out, "--checkpoint", f"{work}/checkpoint", "--once"]
        asked += ["--window", window, "--step", step, "--buckets", "2", "--master", master, "-q"]
        _timed([*asked, "--stats", str(stats)])
        batches = json.loads(stats.read_text())["micro_batches"]
    return {"micro_batches": batches}


JOBS: dict[str, Callable[..., dict[str, Any]]] = {"local": _local, "batch": _batch, "live": _live}

if __name__ == "__main__":
    print(json.dumps(JOBS[sys.argv[1]](*sys.argv[2:])))
