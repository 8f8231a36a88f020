"""Live = local: any cut into micro-batches, and a driver that is killed and started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import rtec
from rtec.errors import ConfigError
from rtec.spark.buckets import BucketState
from rtec.spark.files import as_lines
from rtec.spark.live import stream
from rtec.spark.metrics import Metrics
from rtec.spark.sinks import Sinks
from rtec.spark.worker import LINE

from spark.broker import wait_for
from spark.local import NAMES, Bundled, bundled


def test_a_state_of_another_version_is_refused() -> None:
    older = zlib.compress(b"crtec.runtime.records\n_unpickled\n(I1\ntR.")  # calls it as it was
    with pytest.raises(ConfigError, match="another version of rtec"):
        BucketState.unpack(older)


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
    """The records of its sample; none if it reads no records."""
    found = "".join(Path(stream).read_text() for stream in case.chosen.streams)
    return found.splitlines(keepends=True)


@pytest.mark.parametrize("name", NAMES)
def test_as_local(spark: Any, tmp_path: Path, name: str) -> None:
    case = bundled(name)
    lines = lines_of(case)
    end = case.settings["end"]
    cut(lines, [len(lines) // 2], tmp_path / "in", end + 1)
    found = live(spark, case, tmp_path / "in", tmp_path, buckets=2)
    assert found
    assert folded(found) == expected(case, lines, tmp_path)


def test_disorder(spark: Any, tmp_path: Path) -> None:
    case = bundled("transport")
    lines = lines_of(case)
    lines[600:800] = reversed(lines[600:800])  # inside the disorder that is allowed
    cut(lines, [700, 900], tmp_path / "in", 3601 + 300)
    found = live(spark, case, tmp_path / "in", tmp_path, buckets=2, disorder=300)
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


def streamed(folder: Path, *more: str) -> list[str]:
    """The command that recognises maritime situations in the files of a folder."""
    return [
        sys.executable, "-c", "from rtec.cli import main; main()", "spark", "stream",
        "--desc", "maritime.prolog", "--source", str(folder / "in"), "--files", "1",
        "--sink", str(folder / "out"), "--checkpoint", str(folder / "checkpoint"),
        "--buckets", "2", "--once", "--master", "local[2]", *more,
    ]  # fmt: skip


DEEP = os.environ.get("RTEC_DEEP") == "1"


@pytest.mark.parametrize("log", ["offsets/0", "commits/0", "offsets/2"] if DEEP else ["offsets/1"])
def test_killed_and_started_again(tmp_path: Path, spark: Any, log: str) -> None:
    """The driver is killed as soon as its checkpoint has a file, in the middle of the work."""
    case = bundled("maritime")
    lines = lines_of(case)
    cut(lines, [2000, 2000], tmp_path / "in", 28801)
    first = subprocess.Popen(
        streamed(tmp_path), start_new_session=True, stderr=subprocess.DEVNULL
    )
    try:
        while first.poll() is None and not (tmp_path / "checkpoint" / log).exists():
            time.sleep(0.02)
        assert first.poll() is None, "it ended before it could be killed"
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
    stats = tmp_path / "stats.json"
    subprocess.run(
        streamed(tmp_path, "--stats", str(stats)), check=True, stderr=subprocess.DEVNULL
    )
    table = spark.read.parquet(str(tmp_path / "out")).where(f"query_time <= {case.settings['end']}")
    assert folded([row.asDict() for row in table.collect()]) == expected(case, lines, tmp_path)
    assert json.loads(stats.read_text())["micro_batches"]


def test_side_table_of_late_records(spark: Any, tmp_path: Path) -> None:
    """Records that the window has left are counted, and written to a table of their own."""
    case = bundled("toy")
    lines = ["win_lottery|5|5|ann\n", "go_to|42|42|bob|home\n", "go_to|43|43|bob|work\n"]
    lines += ["lose_wallet|9|8|ann\n"]  # by then 40 has been worked out
    cut(lines, [1, 1, 1], tmp_path / "in", 70)
    source = spark.readStream.option("maxFilesPerTrigger", 1).text(str(tmp_path / "in"))
    metrics = Metrics(spark.sparkContext)
    changes = stream(
        as_lines(source), case.program, form="lines", window=20, step=10, late=True, buckets=1,
        metrics=metrics,
    )  # fmt: skip
    sinks = Sinks(str(tmp_path / "out"), late=str(tmp_path / "late"))
    sinks.start(changes, str(tmp_path / "checkpoint"), once=True).awaitTermination()
    late = spark.read.parquet(str(tmp_path / "late")).collect()
    assert [(r.name, r.time, r.args) for r in late] == [("lose_wallet", 8, '["ann"]')]
    assert metrics.figures["lost"] == 1
    rich = spark.read.parquet(str(tmp_path / "out")).where("fluent = 'rich'").collect()
    assert {(r.op, r.start, r.end) for r in rich} == {("+", 6, None)}


def batches_of(query: Any) -> int:
    assert query.exception() is None
    return len(query.recentProgress)


def test_rate_source_and_memory_sink(spark: Any) -> None:
    """Any streaming DataFrame will do: here a counter, of which every fifth wins the lottery."""
    rates = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 30).load()
    records = rates.selectExpr(
        "'win_lottery' as name", "value * 2 as time", "array(cast(value % 5 as string)) as args"
    )
    query = (
        stream(records, bundled("toy").program, window=10, buckets=2)
        .writeStream.format("memory").queryName("rates").start()
    )  # fmt: skip
    try:
        wait_for(lambda: batches_of(query) >= 3, "three micro-batches")
    finally:
        query.stop()
    rich = spark.table("rates").where("fluent = 'rich' and op = '+'").collect()
    assert {(r.args, r.start) for r in rich} == {(f"[{n}]", 2 * n + 1) for n in range(5)}
