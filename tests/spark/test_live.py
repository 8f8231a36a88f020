"""Live = local: any cut into micro-batches, and a driver that is killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import rtec
from rtec.spark.live import stream
from rtec.spark.worker import LINE

from spark.local import Bundled, bundled


def folded(changes: list[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    """What is known after all changes."""
    known: Counter[tuple[Any, ...]] = Counter()
    for change in changes:
        row = tuple(change[c] for c in ("fluent", "args", "value", "start", "end"))
        known[row] += 1 if change["op"] == "+" else -1
    assert min(known.values(), default=0) >= 0
    return +known


def expected(case: Bundled, lines: list[str], folder: Path) -> Counter[tuple[Any, ...]]:
    """What a local run knows at its end."""
    file = folder / "whole.csv"
    file.write_text("".join(lines))
    own = {**case.settings, "merge": True}
    found = rtec.run(case.program, file, **own).to_arrow().to_pylist()
    return Counter(
        tuple(row[c] for c in ("fluent", "args", "value", "start", "end")) for row in found
    )


def cut(lines: list[str], sizes: list[int], folder: Path, end: int) -> None:
    """Write files, one for each micro-batch; the last lets time pass beyond the end."""
    folder.mkdir()
    first = 0
    for number, size in enumerate([*sizes, len(lines)]):
        path = folder / f"{number:03}.csv"
        path.write_text("".join(lines[first : first + size]))
        stamp = 1_700_000_000 + number
        os.utime(path, (stamp, stamp))
        first += size
    last = folder / "zzz.csv"
    last.write_text(f"nothing|{end}|{end}\n")
    os.utime(last, (1_800_000_000, 1_800_000_000))


def live(spark: Any, case: Bundled, source: Path, work: Path, **more: Any) -> list[dict[str, Any]]:
    """Run all of a folder through a streaming query; return the changes."""
    lines = (
        spark.readStream.option("maxFilesPerTrigger", 1)
        .text(str(source))
        .withColumnRenamed("value", LINE)
    )
    settings = {k: v for k, v in case.settings.items() if k != "end"}
    found = stream(lines, case.program, form="lines", **settings, **more)
    query = (
        found.writeStream.format("parquet")
        .option("path", str(work / "out"))
        .option("checkpointLocation", str(work / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    table = spark.read.parquet(str(work / "out")).where(f"query_time <= {case.settings['end']}")
    return [row.asDict() for row in table.collect()]


def lines_of(case: Bundled) -> list[str]:
    return Path(case.chosen.streams[0]).read_text().splitlines(keepends=True)


def test_buckets_as_local(spark: Any, tmp_path: Path) -> None:
    case = bundled("transport")
    lines = lines_of(case)
    lines[600:800] = reversed(lines[600:800])  # inside the disorder that is allowed
    cut(lines, [700, 900], tmp_path / "in", 3601 + 300)
    found = live(spark, case, tmp_path / "in", tmp_path, buckets=2, disorder=300)
    assert folded(found) == expected(case, lines, tmp_path)


def test_pairs_as_local(spark: Any, tmp_path: Path) -> None:
    case = bundled("maritime")
    lines = lines_of(case)
    cut(lines, [3000], tmp_path / "in", 28801)
    found = live(spark, case, tmp_path / "in", tmp_path, buckets=2)
    assert any(change["fluent"] == "rendezVous" for change in found)
    assert folded(found) == expected(case, lines, tmp_path)


def test_late_records_withdraw_what_was_reported(spark: Any, tmp_path: Path) -> None:
    case = bundled("toy")
    lines = ["win_lottery|5|5|ann\n", "go_to|12|12|bob|home\n", "lose_wallet|14|8|ann\n"]
    cut(lines, [2], tmp_path / "in", 41)
    source = (
        spark.readStream.option("maxFilesPerTrigger", 1)
        .text(str(tmp_path / "in"))
        .withColumnRenamed("value", LINE)
    )
    changes = stream(
        source, case.program, form="lines", window=20, step=10, disorder=20, buckets=1
    )
    query = (
        changes.writeStream.format("parquet")
        .option("path", str(tmp_path / "out"))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    rich = spark.read.parquet(str(tmp_path / "out")).where("fluent = 'rich'").collect()
    found = sorted((r.query_time, r.op, r.start, r.end or 0) for r in rich)
    assert found == [(10, "+", 6, 0), (20, "+", 6, 9), (20, "-", 6, 0)]


@pytest.mark.skipif(
    os.environ.get("RTEC_DEEP") != "1", reason="starts Spark many times; part of make test-deep"
)
def test_killed_and_started_again(tmp_path: Path, spark: Any) -> None:
    case = bundled("transport")
    lines = lines_of(case)
    cut(lines, [600, 600, 600], tmp_path / "in", 3601)
    command = [
        sys.executable, "-c", "from rtec.cli import main; main()", "spark", "stream",
        "--desc", "transport.prolog", "--source", str(tmp_path / "in"), "--files", "1",
        "--sink", str(tmp_path / "out"), "--checkpoint", str(tmp_path / "checkpoint"),
        "--buckets", "2", "--once", "--master", "local[2]",
    ]  # fmt: skip
    first = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL)
    offsets = tmp_path / "checkpoint" / "offsets" / "2"
    try:
        while first.poll() is None and not offsets.exists():
            time.sleep(0.05)
        assert first.poll() is None, "it ended before it could be killed"
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    table = spark.read.parquet(str(tmp_path / "out")).where(f"query_time <= {case.settings['end']}")
    assert folded([row.asDict() for row in table.collect()]) == expected(case, lines, tmp_path)
