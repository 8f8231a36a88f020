"""Records that come as Python values: from lines of JSON, or made by a program.

Each says by itself which kind it is: with a `value` and an `end` an interval, with a `value`
alone a time-point of a fluent, else an event. Numbers are numbers, texts are atoms (`"7"` too)
or, if they look like it, compound terms.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from rtec.errors import Place, Problem, StreamError
from rtec.runtime.faults import Faults, printable
from rtec.runtime.layouts import Layouts
from rtec.runtime.lines import Lines
from rtec.runtime.records import (
    GREATEST,
    LEAST,
    Ints,
    Kind,
    Record,
    RecordBatch,
    all_finite,
    batches,
    column,
    fault,
    scalar,
)
from rtec.runtime.watermark import Watermark

_ARRIVAL = re.compile(rb'"arrival"\s*:\s*(-?[0-9]{1,18})(?![0-9.eE])')
_FIELDS = ("name", "time", "args", "arrival", "end", "value", "op", "prob")
_ARGUMENTS = {int, float, str}
_scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]

Item: TypeAlias = dict[str, Any]
_Group: TypeAlias = tuple[str, str | None, bool, bool, int]


def read_json_lines(
    lines: Lines, layouts: Layouts, faults: Faults, order: Watermark | None = None
) -> list[RecordBatch]:
    """Read a block of lines with a JSON object each.

    Args:
        lines: The block.
        layouts: What the description reads.
        faults: Where malformed records and unknown names go.
        order: The time of a live source, where the order of lines matters.

    Raises:
        StreamError: A record is malformed, and that stops the run.
    """
    problems: list[Problem] = []
    odd: list[tuple[int, Any]] = []
    groups: dict[_Group, list[tuple[int, Item]]] = {}
    for row, line in enumerate(_text_lines(lines, problems), lines.first_line):
        if not line or line.isspace():
            continue
        try:
            item = _object(line)
        except (ValueError, RecursionError) as error:
            problems.append(Problem(f"not JSON: {error}", "record-json", _place(lines, row, line)))
            continue
        name, args = item.get("name"), item.get("args", ())
        if order is not None:
            _let_pass(item, order, layouts)
        if type(name) is str and type(args) in (list, tuple):
            op = item.get("op")
            key = (name, op if op != "+" else None, "end" in item, "value" in item, len(args))
            groups.setdefault(key, []).append((row, item))
        else:
            odd.append((row, item))
    result = []
    for (name, op, has_end, has_value, arity), rows in groups.items():
        if name not in layouts:
            faults.unknown_name(name, len(rows))
            continue
        kind: Kind = "event" if not has_value else "interval" if has_end else "point"
        batch = None
        if has_value >= has_end and layouts.fits(name, kind, arity):
            batch = _columns(name, kind, op, [item for _, item in rows])
        if batch is None:
            odd.extend(rows)
        else:
            result.append(batch)
    records = ((row, _record(item)) for row, item in odd)
    return result + _sort_out(records, lines.path, layouts, faults, problems)


def _let_pass(item: Item, order: Watermark, layouts: Layouts) -> None:
    """Write into a record of a live source from when on it counts."""
    time = item.get("time")
    arrival = item.get("arrival")
    point = time if arrival is None else arrival
    if type(time) is int and type(point) is int and LEAST <= point <= GREATEST:
        item["arrival"] = order.known(point)
        name = item.get("name")
        if order.first is None and type(name) is str and name in layouts:
            order.first = time


def read_records(
    records: Iterable[tuple[int, Record]], layouts: Layouts, faults: Faults
) -> list[RecordBatch]:
    """Put records that a program made, each with its number, into columns."""
    return _sort_out(records, "<records>", layouts, faults, [])


def json_arrivals(data: bytes) -> Ints:
    """Find the arrivals in a block of JSON lines; where one is missing, its time counts."""
    points = [int(m) for m in _ARRIVAL.findall(data)]
    if len(points) != data.count(b"\n") + (not data.endswith(b"\n")):
        points = []
        for line in data.decode("utf-8", "replace").split("\n"):
            try:
                item = _object(line)
            except (ValueError, RecursionError):
                continue  # reported when the block is read
            point = item.get("arrival")
            point = item.get("time") if point is None else point
            if type(point) is int and abs(point) < 2**63:
                points.append(point)
    return np.array(points, np.int64)


def _text_lines(lines: Lines, problems: list[Problem]) -> list[str]:
    """Split a block into lines of text; those that are no text are reported and left blank."""
    try:
        return lines.data.decode().split("\n")
    except UnicodeDecodeError:
        pass
    texts = []
    for row, line in enumerate(lines.data.split(b"\n"), lines.first_line):
        try:
            texts.append(line.decode())
        except UnicodeDecodeError:
            shown = line.decode("utf-8", "replace")
            place = _place(lines, row, shown)
            problems.append(Problem("this is not text in UTF-8", "record-encoding", place))
            texts.append("")
    return texts


def _object(line: str) -> Item:
    """Read one JSON object that is all of a line."""
    try:
        item, end = _scan(line, 0)
    except StopIteration:
        item, end = json.loads(line), len(line)  # white space first, or a good message
    if end != len(line) and not line[end:].isspace():
        raise ValueError(f"something follows after column {end}")
    if type(item) is not dict:
        raise ValueError("a record is an object")
    return item


def _columns(name: str, kind: Kind, op: str | None, items: list[Item]) -> RecordBatch | None:
    """Make a batch of records with the same fields; None if they are not all in order."""
    times = [item.get("time") for item in items]
    arrivals = [item.get("arrival", time) for item, time in zip(items, times, strict=True)]
    ends = [item["end"] for item in items] if kind == "interval" else times
    values = [item["value"] for item in items] if kind != "event" else []
    rows = [item.get("args", ()) for item in items]
    if set(map(type, times)) | set(map(type, arrivals)) | set(map(type, ends)) != {int}:
        return None
    texts = [values, *zip(*rows, strict=True)]
    if any(set(map(type, c)) - _ARGUMENTS for c in texts) or op not in (None, "-"):
        return None
    probs = [item.get("prob", 1) for item in items] if any("prob" in i for i in items) else None
    if probs is not None and not all(type(p) in (int, float) and 0 <= p <= 1 for p in probs):
        return None
    try:
        start, arrival, end = (np.array(c, np.int64) for c in (times, arrivals, ends))
    except OverflowError:
        return None
    columns = [_column(c) for c in texts]
    if (end < start).any() or not all(map(all_finite, columns)):
        return None
    return RecordBatch(
        name,
        kind,
        arrival,
        start,
        tuple(columns[1:]),
        end if kind == "interval" else None,
        columns[0] if kind != "event" else None,
        np.ones(len(items), np.bool_) if op == "-" else None,
        None if probs is None else np.array(probs, np.float64),
    )


def _column(values: Sequence[Any]) -> Any:
    return column([scalar(v) for v in values] if str in set(map(type, values)) else values)


def _record(item: Item) -> Record:
    """Make a record of any JSON object; what is wrong with it is found later."""
    given = {f: item[f] for f in _FIELDS if item.get(f) is not None}
    return Record(**{"name": None, "time": None, **given})


def _sort_out(
    found: Iterable[tuple[int, Record]],
    path: str,
    layouts: Layouts,
    faults: Faults,
    problems: list[Problem],
) -> list[RecordBatch]:
    """Make batches of the records that a description reads; report the malformed ones."""
    good: list[Record] = []
    for line, record in found:
        if not isinstance(record, Record):
            raise StreamError(f"cannot read a record from {type(record).__name__}")
        reason = fault(record)
        if reason is None:
            if record.name not in layouts:
                faults.unknown_name(record.name, 1)
                continue
            if layouts.fits(record.name, record.kind, len(record.args)):
                good.append(record)
                continue
            kind = layouts.describe(record.kind, len(record.args))
            need = layouts.expected(record.name)
            reason = (f"`{record.name}` has {kind}; it needs {need}", "record-fields")
        problems.append(Problem(*reason, Place(path, line)))
    problems.sort(key=lambda p: p.place.line if p.place else 0)
    faults.malformed(problems)
    return batches(good)


def _place(lines: Lines, row: int, line: str) -> Place:
    text = printable(line, 200)
    return Place(lines.path, row, 1, len(text) + 1, text)
