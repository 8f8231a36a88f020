"""Which names streams contain, and with how many fields: a quick look, no parsing of records.

A line of n fields is an event of n-3 arguments, a point of a fluent of n-4, or an
interval of a fluent of n-5.
"""

from __future__ import annotations

import gzip
import json
import stat
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rtec.errors import Problem, StreamError

MOST_RECORDS = 1_000_000
"""How many records of each file are looked at."""

_MAGIC_GZIP = b"\x1f\x8b"
_MAGIC_PARQUET = b"PAR1"


@dataclass
class StreamNames:
    """What streams contain.

    Attributes:
        events: For each name the numbers of arguments it has as an event.
        fluents: For each name the numbers of arguments it has as a fluent.
        complete: Whether the streams were looked through to their end.
    """

    events: dict[str, set[int]] = field(default_factory=dict)
    fluents: dict[str, set[int]] = field(default_factory=dict)
    complete: bool = True

    def add_line(self, name: str, fields: int) -> None:
        """Note a line of text, which may be read as an event or a fluent."""
        self.events.setdefault(name, set()).add(fields - 3)
        self.fluents.setdefault(name, set()).update((fields - 4, fields - 5))

    def add_record(self, name: str, arguments: int, is_fluent: bool) -> None:
        """Note a record that says itself what it is."""
        (self.fluents if is_fluent else self.events).setdefault(name, set()).add(arguments)


def names_of_streams(paths: Sequence[Path]) -> StreamNames | None:
    """Look through files of streams; None if there are none that can be looked through.

    Raises:
        StreamError: A file cannot be read.
    """
    found = StreamNames()
    looked = False
    for path in paths:
        if str(path) == "-":
            continue
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                continue
            looked = True
            _look_through(path, found)
        except (OSError, EOFError, zlib.error, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise StreamError(
                Problem(f"cannot read {path}: {reason}", "file", remedy="check the path")
            ) from None
    return found if looked else None


def _look_through(path: Path, found: StreamNames) -> None:
    with path.open("rb") as file:
        magic = file.read(4)
    if magic == _MAGIC_PARQUET:
        _parquet(path, found)
        return
    opener: Any = gzip.open if magic.startswith(_MAGIC_GZIP) else open
    with opener(path, "rt", encoding="utf-8", errors="replace") as lines:
        _text(lines, found)


def _text(lines: Iterable[str], found: StreamNames) -> None:
    seen: set[tuple[str, int]] = set()
    for number, line in enumerate(lines):
        if number >= MOST_RECORDS:
            found.complete = False
            return
        if line.startswith("{"):
            _json(line, found)
            continue
        name, bar, rest = line.partition("|")
        if not bar:
            continue
        name = name.partition("::")[2] or name  # without its probability
        key = (name, rest.rstrip("\r\n").removesuffix("|").count("|"))
        if key not in seen:
            seen.add(key)
            found.add_line(name.strip().removeprefix("-"), key[1] + 2)


def _json(line: str, found: StreamNames) -> None:
    try:
        item = json.loads(line)
    except ValueError:
        return
    if isinstance(item, dict) and isinstance(item.get("name"), str):
        _add(found, item["name"], item.get("args") or (), item.get("value"))


def _parquet(path: Path, found: StreamNames) -> None:
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    wanted = [c for c in ("name", "args", "value") if c in file.schema_arrow.names]
    left = MOST_RECORDS
    for batch in file.iter_batches(columns=wanted):
        if left <= 0:
            found.complete = False
            return
        left -= len(batch)
        for row in _rows(batch.to_pylist()):
            _add(found, *row)


def _rows(items: list[dict[str, Any]]) -> Iterator[tuple[str, Any, Any]]:
    for item in items:
        if isinstance(item.get("name"), str):
            yield item["name"], item.get("args") or (), item.get("value")


def _add(found: StreamNames, name: str, args: Any, value: Any) -> None:
    if isinstance(args, str):
        try:
            args = json.loads(args)
        except ValueError:
            args = ()
    count = len(args) if isinstance(args, list | tuple) else 1
    found.add_record(name.removeprefix("-"), count, value is not None)
