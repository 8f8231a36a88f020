"""Live = local: any cut into micro-batches, and a driver that is killed and started again."""

from __future__ import annotations

import os
import shutil
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

FAR = "nothing|1000000|1000000\n"
"""A record that nobody reads, far ahead: it moves the watermark."""


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


def cut(lines: list[str], sizes: list[int], folder: Path) -> None:
    """Write files, one for each micro-batch."""
    folder.mkdir()
    first = 0
    for number, size in enumerate([*sizes, len(lines)]):
        path = folder / f"{number:03}.csv"
        path.write_text("".join(lines[first : first + size]))
        stamp = 1_700_000_000 + number
        os.utime(path, (stamp, stamp))
        first += size
    last = folder / "zzz.csv"
    last.write_text(FAR)
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


@pytest.mark.parametrize("sizes", [[], [1, 1, 3], [2, 2]], ids=str)
def test_toy_as_local(spark: Any, tmp_path: Path, sizes: list[int]) -> None:
    case = bundled("toy")
    lines = Path(case.chosen.streams[0]).read_text().splitlines(keepends=True)
    cut(lines, sizes, tmp_path / "in")
    found = live(spark, case, tmp_path / "in", tmp_path, buckets=2)
    assert folded(found) == expected(case, lines, tmp_path)
