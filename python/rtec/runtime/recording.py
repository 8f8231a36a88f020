"""A stored stream as lines in the order of their arrival, to be played again."""

from __future__ import annotations

import gzip
import json
import math
import mmap
from array import array
from collections.abc import Iterator
from typing import Any

import numpy as np

from rtec.errors import Problem, StreamError
from rtec.runtime.blocks import unreadable
from rtec.runtime.files import BOM, JSON, READ_ERRORS, format_of, open_file
from rtec.runtime.records import LEAST, Ints, read_field

_CHUNK = 1 << 16
_TOGETHER = 0.005  # seconds within which lines are sent at once


class Recording:
    """The lines of a stored stream."""

    def __init__(self, path: str) -> None:
        """Read when each line arrives; the lines of a plain file stay on disk.

        Raises:
            StreamError: It cannot be read, or there is no record in it.
        """
        try:
            self._data, self._starts = _load(path)
            arrivals = np.array(self._arrivals(), np.int64)
        except (*READ_ERRORS, ValueError) as error:
            raise unreadable(path, error) from None
        # A line without an arrival, which nobody will be able to use, stays behind the one before.
        arrivals = np.where(arrivals == LEAST, np.maximum.accumulate(arrivals), arrivals)
        if not len(arrivals) or arrivals[-1] == LEAST:
            raise StreamError(Problem(f"there is no record in {path}", "unreadable-stream"))
        arrivals = np.maximum(arrivals, arrivals[arrivals != LEAST].min())
        self._order: Ints = np.argsort(arrivals, kind="stable")
        self._arrival: Ints = arrivals[self._order]

    def __len__(self) -> int:
        return len(self._order)

    def line(self, number: int) -> bytes:
        """Return a line, counted from 0 in the order of arrival."""
        place = int(self._order[number])
        line = bytes(self._data[self._starts[place] : self._starts[place + 1]])
        return line if line.endswith(b"\n") else line + b"\n"

    def chunks(self, start: int, rate: float) -> Iterator[tuple[float, bytes]]:
        """Yield seconds since the first line, and the lines that are due by then.

        Args:
            start: How many lines to leave out.
            rate: Time-points per second; `inf` sends all at once.
        """
        seconds = (self._arrival - self._arrival[0]) / rate if math.isfinite(rate) else None
        held: list[bytes] = []
        size, due = 0, 0.0
        for number in range(start, len(self)):
            at = 0.0 if seconds is None else float(seconds[number])
            if held and (at > due + _TOGETHER or size >= _CHUNK):
                yield due, b"".join(held)
                held, size = [], 0
            if not held:
                due = at
            line = self.line(number)
            held.append(line)
            size += len(line)
        if held:
            yield due, b"".join(held)

    def _arrivals(self) -> Iterator[int] | array[int]:
        found = array("q")
        is_json = format_of(bytes(self._data[:_CHUNK])) is JSON
        for number in range(len(self._starts) - 1):
            line = bytes(self._data[self._starts[number] : self._starts[number + 1]])
            found.append(_json_arrival(line) if is_json else _arrival(line))
        return found


def _arrival(line: bytes) -> int:
    """Read the arrival of a pipe-separated line, the least number if it has none.

    >>> _arrival(b"press|12|10|a"), _arrival(b"press") == LEAST
    (12, True)
    """
    fields = line.split(b"|", 2)
    try:
        return max(int(fields[1]), LEAST) if len(fields) > 1 else LEAST
    except ValueError:
        return LEAST


def _json_arrival(line: bytes) -> int:
    try:
        item = json.loads(line)
        point = item.get("arrival")
        point = item.get("time") if point is None else point
    except (ValueError, AttributeError, RecursionError):
        return LEAST
    return point if type(point) is int and abs(point) < 2**63 else LEAST


def _load(path: str) -> tuple[bytes | mmap.mmap, Ints]:
    """Return the text of a stream, and where its lines start; last, where it ends."""
    data: bytes | mmap.mmap
    with open_file(path) as handle:
        if handle.peek(4)[:4] == b"PAR1":  # type: ignore[attr-defined]
            data = _from_parquet(path)
        elif isinstance(handle, gzip.GzipFile):
            data = handle.read()
        elif handle.seek(0, 2):
            data = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)
        else:
            data = b""
    starts = [len(BOM) if data[: len(BOM)] == BOM else 0]
    ends = []
    step = 1 << 24
    for first in range(0, len(data), step):
        piece = np.frombuffer(data, np.uint8, min(step, len(data) - first), first)
        ends.append(np.flatnonzero(piece == 10) + (first + 1))
    points = np.concatenate([np.array(starts), *ends])
    if points[-1] < len(data):
        points = np.append(points, len(data))
    return data, points


def _from_parquet(path: str) -> bytes:
    """Write the rows of a Parquet file as JSON lines."""
    import pyarrow.parquet as pq

    from rtec.runtime.tables import check_columns

    table = pq.read_table(path)
    check_columns(table.column_names, path)
    return "".join(json.dumps(_item(row)) + "\n" for row in table.to_pylist()).encode()


def _item(row: dict[str, Any]) -> dict[str, Any]:
    """Make a record of a row, in which text is read like a field of a line."""
    fields = ("name", "arrival", "time", "end", "op", "prob")
    item = {k: row[k] for k in fields if row.get(k) is not None}
    if row.get("value") is not None:
        item["value"] = _scalar(row["value"])
    args = row.get("args")
    if isinstance(args, str):
        item["args"] = json.loads(args)
    else:
        columns = [row[k] for k in (f"arg{i}" for i in range(1, len(row))) if k in row]
        given = columns if args is None else args
        item["args"] = [_scalar(arg) for arg in given if arg is not None]
    return item


def _scalar(item: Any) -> Any:
    return read_field(item) if isinstance(item, str) else item
