"""A block of pipe-separated lines, read into batches without a loop over its lines.

The positions of all separators are found at once. Between them lie the fields; laid out as an
Arrow string array in which fields and separators alternate, they need not be copied until a
column is taken out of it: the k-th field of all lines of one name. A line may begin with how likely
its record is, as in `0.8::name|...`; that is a field before the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rtec.errors import Place, Problem
from rtec.runtime.columns import from_numpy, text_column, time_column, to_numpy
from rtec.runtime.faults import Faults, printable
from rtec.runtime.layouts import Layout, Layouts
from rtec.runtime.records import LEAST, Bools, Floats, Ints, RecordBatch, read_field
from rtec.runtime.watermark import Watermark

_NEWLINE, _BAR, _COLON = b"\n|:"


@dataclass(frozen=True, slots=True)
class Lines:
    """Some whole lines of a file, and the number of the first."""

    data: bytes
    path: str
    first_line: int = 1


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of a block.

    Attributes:
        data: The text, each line with its newline.
        array: All fields (even positions) and separators (odd positions).
        first: For each line, which field its name is.
        count: For each line, how many fields it has from its name on.
        likely: For each line, whether its probability stands before its name; None if none has.
    """

    data: bytes
    array: pa.StringArray
    first: Ints
    count: Ints
    likely: Bools | None = None

    def take(self, rows: Ints, position: int) -> pa.StringArray:
        """Copy one field of some lines."""
        return self.array.take(from_numpy((self.first[rows] + position) * 2))

    def line(self, row: int) -> str:
        """Return the text of one line."""
        before = 0 if self.likely is None else int(self.likely[row])
        start = self.array.offset + (int(self.first[row]) - before) * 2
        offsets = np.frombuffer(self.array.buffers()[1], np.int32)
        end = self.data.index(b"\n", offsets[start])
        return self.data[offsets[start] : end].decode("utf-8", "replace")


def read_lines(
    lines: Lines, layouts: Layouts, faults: Faults, order: Watermark | None = None
) -> list[RecordBatch]:
    """Read the records of a block, a batch for each name, layout and operation.

    Args:
        lines: The block.
        layouts: What the description reads.
        faults: Where malformed records and unknown names go.
        order: The time of a live source, where the order of lines matters.

    Raises:
        StreamError: A record is malformed, and that stops the run.
    """
    fields = _split(lines.data)
    if fields is None:
        return []
    bad: dict[int, tuple[str, str]] = {}
    rows = _usable_rows(fields, bad)
    known = None if order is None else _known(fields, rows, layouts, order)
    result = []
    for name, count, group in _groups(fields, rows):
        plain = name[1:] if name.startswith("-") else name
        if plain not in layouts:
            faults.unknown_name(plain, len(group))
            continue
        layout = layouts.of_line(plain, count)
        if layout is None:
            reason = f"`{plain}` has {count} fields; it needs {layouts.expected(plain)}"
            bad.update(dict.fromkeys(group.tolist(), (reason, "record-fields")))
            continue
        batch = _batch(fields, plain, layout, group, name is not plain, bad, known)
        if len(batch):
            result.append(batch)
    faults.malformed([_problem(lines, fields, row, *bad[row]) for row in sorted(bad)])
    return result


def arrivals(data: bytes) -> Ints:
    """Read the arrival of each line, leaving out lines that have none."""
    fields = _split(data)
    if fields is None:
        return np.empty(0, np.int64)
    points, bad = time_column(fields.take(_usable_rows(fields, {}), 1))
    return points if bad is None else points[~bad]


def _known(fields: _Fields, rows: Ints, layouts: Layouts, order: Watermark) -> Ints | None:
    """Return for each line from when on it counts at the earliest, None if that matters not."""
    points, bad = time_column(fields.take(rows, 1))
    if bad is not None:
        rows, points = rows[~bad], points[~bad]
    if order.first is None:
        order.first = _first_time(fields, rows, layouts)
    floors = order.floors(points)
    if floors is None:
        return None
    known = np.full(len(fields.count), LEAST)
    known[rows] = floors
    return known


def _first_time(fields: _Fields, rows: Ints, layouts: Layouts) -> int | None:
    """Return the time of the first record that the description reads."""
    for row in rows.tolist():
        name, time = (fields.take(np.array([row]), k)[0].as_py() for k in (0, 2))
        point = read_field(time)
        if name.removeprefix("-") in layouts and isinstance(point, int):
            return point
    return None


def _split(data: bytes) -> _Fields | None:
    """Find the fields of all lines."""
    if not data:
        return None
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if not data.endswith(b"\n"):
        data += b"\n"
    text = np.frombuffer(data, np.uint8)
    separators = np.flatnonzero((text == _BAR) | (text == _NEWLINE))
    # One byte is found many times faster than two.
    colons = _colons(text, separators) if b":" in data and b"::" in data else None
    if colons is not None:
        separators = np.sort(np.concatenate([separators, colons]))
    last = np.flatnonzero(text[separators] == _NEWLINE)
    separators = separators.astype(np.int32)
    first = np.empty_like(last)
    first[0] = 0
    first[1:] = last[:-1] + 1
    offsets = np.empty(2 * len(separators) + 1, np.int32)
    offsets[0] = 0
    offsets[1::2] = separators
    offsets[2::2] = separators + 1
    likely = None
    if colons is not None:
        likely = text[separators[first]] == _COLON
        offsets[2::2][first[likely]] += 1  # of two colons
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    array = pa.Array.from_buffers(pa.string(), 2 * len(separators), buffers)
    count = last - first + 1
    # A bar right before the newline ends the last field; it does not begin an empty one.
    ends_with_bar = (count > 1) & (separators[last] == separators[last - 1] + 1)
    if likely is None:
        return _Fields(data, array, first, count - ends_with_bar)
    return _Fields(data, array, first + likely, count - ends_with_bar - likely, likely)


def _colons(text: NDArray[np.uint8], separators: Ints) -> Ints | None:
    """Find the two colons after the probability of each line that has one."""
    pairs = np.flatnonzero((text[:-1] == _COLON) & (text[1:] == _COLON))
    before = np.searchsorted(separators, pairs) - 1
    # In the first field of a line, the separator before is a newline; of several pairs the first.
    leads = (before < 0) | (text[separators[before]] == _NEWLINE)
    pairs, before = pairs[leads], before[leads]
    return pairs[np.flatnonzero(np.diff(before, prepend=-2))] if len(pairs) else None


def _usable_rows(fields: _Fields, bad: dict[int, tuple[str, str]]) -> Ints:
    """Number the lines that are text with enough fields; note others that are not blank."""
    usable = fields.count >= 3
    if not usable.all():
        for row in np.flatnonzero(~usable).tolist():
            text = fields.line(row)
            if text and not text.isspace():
                count = int(fields.count[row])
                reason = f"{count} field{'s' if count > 1 else ''} only: a record has at least "
                bad[row] = (f"{reason}name, arrival and time", "record-fields")
    for row in _not_text(fields.data):
        usable[row] = False
        bad[row] = ("this is not text in UTF-8", "record-encoding")
    return np.flatnonzero(usable)


def _not_text(data: bytes) -> Iterator[int]:
    """Yield the numbers of lines with bytes that are no text."""
    if b"\0" not in data:
        if data.isascii():
            return
        try:
            data.decode()
        except UnicodeDecodeError:
            pass
        else:
            return
    for row, line in enumerate(data.split(b"\n")):
        try:
            if "\0" in line.decode():
                yield row
        except UnicodeDecodeError:
            yield row


def _groups(fields: _Fields, rows: Ints) -> Iterator[tuple[str, int, Ints]]:
    """Yield the name, number of fields and line numbers of lines that have these in common."""
    if not len(rows):
        return
    encoded = fields.take(rows, 0).dictionary_encode()
    names = encoded.dictionary.to_pylist()
    counts = fields.count[rows]
    width = int(counts.max()) + 1
    codes = to_numpy(encoded.indices, np.int32).astype(np.int64) * width + counts
    if len(names) * width < 2**16:
        codes = codes.astype(np.uint16)  # for which NumPy has a radix sort
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1 - int(ordered[0])))
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        code, count = divmod(int(ordered[start]), width)
        yield names[code], count, rows[order[start:end]]


def _batch(
    fields: _Fields,
    name: str,
    layout: Layout,
    rows: Ints,
    retract: bool,
    bad: dict[int, tuple[str, str]],
    known: Ints | None = None,
) -> RecordBatch:
    """Read the lines of one name and layout, noting those that are malformed."""
    times = ["arrival", "start", "end"] if layout.kind == "interval" else ["arrival", "time"]
    columns: list[Ints] = []
    wrong = np.zeros(len(rows), np.bool_)
    for position, what in enumerate(times, 1):
        texts = fields.take(rows, position)
        points, not_points = time_column(texts)
        columns.append(points)
        if not_points is not None:
            for i in np.flatnonzero(not_points & ~wrong).tolist():
                reason = (
                    f"the {what} of `{name}` is `{printable(texts[i].as_py())}`, not an integer"
                )
                bad[int(rows[i])] = (reason, "record-time")
            wrong |= not_points
    if layout.kind == "interval":
        backwards: Bools = (columns[2] < columns[1]) & ~wrong
        for i in np.flatnonzero(backwards).tolist():
            reason = f"`{name}` ends at {columns[2][i]}, before its start {columns[1][i]}"
            bad[int(rows[i])] = (reason, "record-interval")
        wrong |= backwards
    probs = _probabilities(fields, name, rows, wrong, bad)
    if wrong.any():
        rows = rows[~wrong]
        columns = [c[~wrong] for c in columns]
        probs = None if probs is None else probs[~wrong]
    if known is not None:
        columns[0] = np.maximum(columns[0], known[rows])
    position = 1 + len(times)
    has_value = layout.kind != "event"
    rest = [text_column(fields.take(rows, p)) for p in range(position, layout.fields)]
    return RecordBatch(
        name,
        layout.kind,
        columns[0],
        columns[1],
        tuple(rest[has_value:]),
        columns[2] if layout.kind == "interval" else None,
        rest[0] if has_value else None,
        np.ones(len(rows), np.bool_) if retract else None,
        probs,
    )


def _probabilities(
    fields: _Fields, name: str, rows: Ints, wrong: Bools, bad: dict[int, tuple[str, str]]
) -> Floats | None:
    """Read how likely some lines are; None if all are certain. Mark those that are wrong."""
    if fields.likely is None or not fields.likely[rows].any():
        return None
    likely = np.flatnonzero(fields.likely[rows])
    texts = fields.take(rows[likely], -1)
    values = text_column(texts)
    if values.dtype == object:
        values = np.array([np.nan if isinstance(v, str) else v for v in values.tolist()], float)
    probs = np.ones(len(rows))
    probs[likely] = values
    for i in np.flatnonzero(~((values >= 0) & (values <= 1))).tolist():
        row = int(likely[i])
        wrong[row] = True
        shown = printable(texts[i].as_py())
        reason = f"the prob of `{name}` is `{shown}`, not a number from 0 to 1"
        bad.setdefault(int(rows[row]), (reason, "record-prob"))
    return probs


def _problem(lines: Lines, fields: _Fields, row: int, reason: str, slug: str) -> Problem:
    text = printable(fields.line(row), 200)
    width = text.index("::") if slug == "record-prob" else len(text)
    place = Place(lines.path, lines.first_line + row, 1, width + 1, text)
    return Problem(reason, slug, place)
