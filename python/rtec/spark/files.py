"""Files of records for Spark: which form they have, and a DataFrame of them."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import functions as F

from rtec.errors import ConfigError, Problem, StreamError
from rtec.spark.frames import Form
from rtec.spark.worker import LINE


def read_frame(spark: Any, paths: Sequence[str]) -> tuple[Any, Form]:
    """Open files or folders, all of one form.

    Raises:
        StreamError: One does not exist or cannot be read.
        ConfigError: They are of different forms.
    """
    found = {path: form_of(path) for path in paths}
    kinds = set(found.values())
    if len(kinds) > 1:
        listed = ", ".join(f"{p} is {k}" for p, k in found.items())
        raise ConfigError(
            Problem(
                f"inputs of different forms: {listed}",
                "mixed-inputs",
                remedy="run them one by one, or convert them to one form",
            )  # fmt: skip
        )
    kind = kinds.pop()
    from pyspark.errors import AnalysisException

    try:
        if kind == "parquet":
            return spark.read.parquet(*paths), "table"
        lines = spark.read.text(list(paths)).select(F.col("value").alias(LINE))
    except AnalysisException as error:
        raise _unreadable(", ".join(paths), str(error).split("\n")[0]) from None
    return lines, "json" if kind == "jsonl" else "lines"


def watch_frame(spark: Any, folder: str, kind: str, files: int | None = None) -> tuple[Any, Form]:
    """Watch a folder for files of one form; `files` is how many make a micro-batch."""
    reader = spark.readStream
    if files is not None:
        reader = reader.option("maxFilesPerTrigger", files)
    if kind == "parquet":
        columns = (
            "name string, arrival bigint, time bigint, end bigint, value string, "
            "args array<string>, op string, prob double"
        )
        return reader.schema(columns).parquet(folder), "table"
    return as_lines(reader.text(folder)), "json" if kind == "jsonl" else "lines"


def watch_topic(spark: Any, url: str, kind: str, spool: str) -> tuple[Any, Form]:
    """Listen to a topic of MQTT, whose messages have lines of one form.

    Raises:
        ConfigError: The form has no lines.
    """
    from rtec.spark.mqtt import MqttSource

    if kind == "parquet":
        raise ConfigError(
            Problem("messages are csv or jsonl, not parquet", "mqtt", remedy="--source-format csv")
        )
    spark.dataSource.register(MqttSource)
    lines = spark.readStream.format("mqtt").options(url=url, spool=spool).load()
    return as_lines(lines), "json" if kind == "jsonl" else "lines"


def as_lines(frame: Any) -> Any:
    """Take the column `value` of a DataFrame for lines of records, for the forms of lines."""
    return frame.select(F.col("value").alias(LINE)).where(f"trim({LINE}) != ''")


def form_of(path: str) -> str:
    """Tell `parquet`, `jsonl` and `csv` apart: by the first bytes, or by name where remote.

    Raises:
        StreamError: There is no such file, or it cannot be read.
    """
    if "://" in path:
        return _by_name(path)
    file = Path(path)
    try:
        if file.is_dir():
            inside = sorted(f for f in file.rglob("*") if f.is_file() and f.name[0] not in "._")
            if not inside:
                raise _unreadable(path, "the folder is empty")
            return form_of(str(inside[0]))
        with file.open("rb") as handle:
            start = handle.read(4096)
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from None
    if start[:4] == b"PAR1":
        try:
            pq.read_schema(file)
        except pa.ArrowException as error:
            raise _unreadable(path, str(error).split("\n")[0]) from None
        return "parquet"
    if start[:2] == b"\x1f\x8b":
        if not path.endswith(".gz"):
            raise _unreadable(path, "it is gzip'd; Spark wants its name to end in .gz")
        with gzip.open(file) as handle:
            start = handle.read(4096)
    return "jsonl" if start.lstrip()[:1] == b"{" else "csv"


def _by_name(path: str) -> str:
    plain = path.removesuffix(".gz").rstrip("/")
    if plain.endswith(".parquet"):
        return "parquet"
    return "jsonl" if plain.endswith((".jsonl", ".json", ".ndjson")) else "csv"


def _unreadable(path: str, reason: str) -> StreamError:
    return StreamError(Problem(f"cannot read the stream {path}: {reason}", "unreadable-stream"))
