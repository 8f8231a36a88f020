"""Records in tables: Arrow, Parquet, and pandas DataFrames.

A table has the columns `name` and `time`, and as needed `arrival`, `end`, `value`, `args`,
`op` and `prob`. Where `value` and `end` are null shows which kind of record a row is. The
arguments are a list, the text of a JSON list, or columns `arg1`, `arg2`, ... of their own; rows
with fewer arguments have nulls at the end. Text is read like a field of a pipe-separated line,
since a list in Arrow has one type for all its items: `"12"` is a number. Only JSON keeps numbers
and texts apart.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rtec.errors import Place, Problem, StreamError
from rtec.model import Scalar
from rtec.runtime.columns import from_numpy, text_column, time_column, to_numpy
from rtec.runtime.faults import Faults
from rtec.runtime.layouts import Layouts
from rtec.runtime.records import (
    Bools,
    Column,
    Floats,
    Ints,
    Kind,
    RecordBatch,
    all_finite,
    column,
    read_field,
    scalar,
)

_KINDS: tuple[Kind, ...] = ("event", "point", "interval")


def arrivals(table: pa.Table, path: str) -> Ints:
    """Return when each row arrives, its time if nothing else is said."""
    points, missing, _ = _times(table, "arrival", path)
    if missing.any():
        times, _, _ = _times(table, "time", path)
        points = np.where(missing, times, points)
    return points


def from_pandas(frame: Any) -> tuple[pa.Table, list[Any] | None]:
    """Make an Arrow table of a DataFrame, and a list of its arguments if they are lists.

    Arrow has no columns of mixed types; such a column becomes text, from which numbers are
    read again.
    """
    args = None
    columns = {}
    for name in frame.columns:
        items = frame[name]
        if name == "args" and items.dtype == object:
            args = items.tolist()
            if all(a is None or isinstance(a, str) for a in args):
                args = None
        if name == "args" and args is not None:
            continue
        try:
            columns[str(name)] = pa.Array.from_pandas(items)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            texts = [None if v is None or v != v else str(scalar(v)) for v in items.tolist()]
            columns[str(name)] = pa.array(texts, pa.string())
    return pa.table(columns), args


def read_table(
    table: pa.Table,
    path: str,
    numbers: Ints,
    layouts: Layouts,
    faults: Faults,
    args: Sequence[Any] | None = None,
) -> list[RecordBatch]:
    """Read the records of a table, a batch for each name, kind and number of arguments.

    Args:
        table: The rows.
        path: What to call the table in messages.
        numbers: The number of each row in the whole table, from 1.
        layouts: What the description reads.
        faults: Where malformed rows and unknown names go.
        args: The arguments of the rows as Python lists, if the table does not have them.

    Raises:
        StreamError: A column is missing or of no use, or a row is malformed and stops the run.
    """
    if not len(table):
        return []
    rows = _Rows(table, path, args)
    result = []
    for name, kind, retract, arity, group in rows.groups():
        if name not in layouts:
            faults.unknown_name(name, len(group))
            continue
        if not layouts.fits(name, kind, arity):
            have, need = layouts.describe(kind, arity), layouts.expected(name)
            rows.reject(group, f"`{name}` has {have}; it needs {need}", "record-fields")
            continue
        batch = rows.batch(name, kind, retract, arity, group)
        if batch is not None:
            result.append(batch)
    faults.malformed(
        [Problem(*rows.bad[row], Place(path, int(numbers[row]))) for row in sorted(rows.bad)]
    )
    return result


class _Rows:
    """The columns of a table, with a note of the rows that are malformed."""

    def __init__(self, table: pa.Table, path: str, args: Sequence[Any] | None) -> None:
        self.bad: dict[int, tuple[str, str]] = {}
        count = len(table)
        self._names = _encoded(table, "name", path)
        names = len(self._names.dictionary)
        codes = to_numpy(self._names.indices.fill_null(names), np.int32)
        self.reject(codes == names, "it has no name", "record-name")
        self._time, no_time, bad_time = _times(table, "time", path)
        self.reject(no_time | bad_time, "its time is not an integer", "record-time")
        _, _, bad_arrival = _times(table, "arrival", path)
        self.reject(bad_arrival, "its arrival is not an integer", "record-time")
        self._arrival = arrivals(table, path)
        self._end, no_end, bad_end = _times(table, "end", path)
        self.reject(bad_end, "its end is not an integer", "record-time")
        self._value = _column(table, "value")
        no_value = _nulls(self._value, count)
        self.reject(~no_end & no_value, "it has an end but no value", "record-fields")
        backwards = ~no_end & (self._end < self._time)
        self.reject(backwards, "it ends before its start", "record-interval")
        retract, bad_op = _retractions(table, path)
        self.reject(bad_op, "its op is neither `+` nor `-`", "record-op")
        self._prob, bad_prob = _probabilities(table, path)
        self.reject(bad_prob, "its prob is not from 0 to 1", "record-prob")
        self._args = _arguments(table, path) if args is None else _PythonArguments(args, field)
        for row, reason in self._args.bad.items():
            self.bad.setdefault(row, (reason, "record-args"))
        self._kind = np.where(no_value, 0, np.where(no_end, 1, 2))
        self._retract = retract
        self._codes = codes.astype(np.int64)

    def reject(self, rows: Bools | Ints, reason: str, slug: str) -> None:
        """Note malformed rows (a mask, or numbers), unless something else is known of them."""
        for row in (np.flatnonzero(rows) if rows.dtype == np.bool_ else rows).tolist():
            self.bad.setdefault(row, (reason, slug))

    def groups(self) -> Iterator[tuple[str, Kind, bool, int, Ints]]:
        """Yield name, kind, operation, number of arguments, and the rows with these."""
        lengths = self._args.lengths
        width = int(lengths.max()) + 1
        codes = ((self._codes * 3 + self._kind) * 2 + self._retract) * width + lengths
        good = np.ones(len(codes), np.bool_)
        good[list(self.bad)] = False
        rows = np.flatnonzero(good)
        if not len(rows):
            return
        codes = codes[rows]
        order = np.argsort(codes, kind="stable")
        ordered = codes[order]
        starts = np.flatnonzero(np.diff(ordered, prepend=-1))
        names = self._names.dictionary.to_pylist()
        for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
            code, arity = divmod(int(ordered[start]), width)
            code, retract = divmod(code, 2)
            name, kind = divmod(code, 3)
            yield names[name], _KINDS[kind], bool(retract), arity, rows[order[start:end]]

    def batch(
        self, name: str, kind: Kind, retract: bool, arity: int, rows: Ints
    ) -> RecordBatch | None:
        """Make a batch of some rows, less those whose value or arguments are malformed."""
        columns = [self._args.column(rows, position) for position in range(arity)]
        if self._value is not None and kind != "event":
            columns.append(arrow_column(self._value.take(from_numpy(rows))))
        wrong = np.zeros(len(rows), np.bool_)
        for items in columns:
            if not all_finite(items):
                wrong |= [type(v) is float and not np.isfinite(v) for v in items.tolist()]
        if wrong.any():
            self.reject(rows[wrong], "an argument or value is not a number", "record-args")
            rows = rows[~wrong]
            columns = [c[~wrong] for c in columns]
        if not len(rows):
            return None
        return RecordBatch(
            name,
            kind,
            self._arrival[rows],
            self._time[rows],
            tuple(columns[:arity]),
            self._end[rows] if kind == "interval" else None,
            columns[arity] if kind != "event" else None,
            np.ones(len(rows), np.bool_) if retract else None,
            None if self._prob is None else self._prob[rows],
        )


def arrow_column(items: pa.Array) -> Column:
    """Make a column of an Arrow array without nulls."""
    kind = items.type
    if pa.types.is_dictionary(kind):
        return arrow_column(items.cast(kind.value_type))
    if pa.types.is_boolean(kind):
        return np.where(items.to_numpy(zero_copy_only=False), "true", "false").astype(object)
    if pa.types.is_integer(kind) and kind != pa.uint64():
        return to_numpy(items.cast(pa.int64()), np.int64)
    if pa.types.is_floating(kind):
        return to_numpy(items.cast(pa.float64()), np.float64)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return text_column(items.cast(pa.string()))
    return column([scalar(item) for item in items.to_pylist()])


class _Arguments(ABC):
    """The arguments of all rows: how many each has, and one position of some of them."""

    lengths: Ints
    bad: dict[int, str]

    @abstractmethod
    def column(self, rows: Ints, position: int) -> Column:
        """Return the arguments at one position, of rows that have it."""


class _ListArguments(_Arguments):
    """Arguments in a column of Arrow lists."""

    def __init__(self, lists: pa.ListArray) -> None:
        offsets = to_numpy(lists.offsets.cast(pa.int64()), np.int64)
        empty = _nulls(lists, len(lists))
        self.lengths = np.where(empty, 0, np.diff(offsets))
        self._starts = offsets[:-1]
        self._values = lists.values
        holes = _nulls(self._values, len(self._values))
        self.bad = {}
        if holes.any():
            per_item = np.flatnonzero(holes)
            rows = np.searchsorted(offsets, per_item, "right") - 1
            self.bad = {int(r): "an argument is null" for r in rows if 0 <= r < len(lists)}

    def column(self, rows: Ints, position: int) -> Column:
        return arrow_column(self._values.take(from_numpy(self._starts[rows] + position)))


class _PythonArguments(_Arguments):
    """Arguments as lists of Python values, and how to read one of them."""

    def __init__(self, lists: Sequence[Any], read: Callable[[Any], Scalar] = scalar) -> None:
        self.bad = {}
        self._read = read
        self._lists: list[Sequence[Any]] = []
        for row, items in enumerate(lists):
            items = () if items is None else items
            if isinstance(items, np.ndarray):
                items = items.tolist()
            if not isinstance(items, list | tuple):
                self.bad[row] = f"its args are {items!r}, not a list"
                items = ()
            for item in items:
                if not isinstance(item, int | float | str | np.generic):
                    self.bad[row] = f"{item!r} is neither a number nor a text"
            self._lists.append(items)
        self.lengths = np.array([len(items) for items in self._lists], np.int64)

    def column(self, rows: Ints, position: int) -> Column:
        return column([self._read(self._lists[row][position]) for row in rows.tolist()])


def field(item: Any) -> Scalar:
    """Read an argument in a DataFrame, where text is read like a field of a line."""
    return read_field(item) if isinstance(item, str) else scalar(item)


class _ColumnArguments(_Arguments):
    """Arguments in columns of their own."""

    def __init__(self, columns: list[pa.Array], count: int) -> None:
        self._columns = columns
        self.bad = {}
        given = np.array([~_nulls(c, count) for c in columns]).reshape(len(columns), count)
        self.lengths = np.zeros(count, np.int64)
        for position, there in enumerate(given, 1):
            self.lengths[there] = position
        for row in np.flatnonzero(given.sum(0) != self.lengths).tolist():
            self.bad[row] = "an argument before another one is null"

    def column(self, rows: Ints, position: int) -> Column:
        return arrow_column(self._columns[position].take(from_numpy(rows)))


def _arguments(table: pa.Table, path: str) -> _Arguments:
    items = _column(table, "args")
    if items is None:
        columns: list[pa.Array] = []
        while (found := _column(table, f"arg{len(columns) + 1}")) is not None:
            columns.append(found)
        return _ColumnArguments(columns, len(table))
    kind = items.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _ListArguments(items)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _json_arguments(items)
    if pa.types.is_null(kind):
        return _PythonArguments([None] * len(table))
    raise _unusable(path, "args", kind, "a list, or the text of a JSON list")


def _json_arguments(texts: pa.Array) -> _Arguments:
    """Read arguments as JSON, each distinct text once."""
    encoded = texts.dictionary_encode()
    parsed: list[Any] = []
    for text in encoded.dictionary.to_pylist():
        try:
            parsed.append(json.loads(text))
        except (ValueError, RecursionError):
            parsed.append(text)
    parsed.append(None)
    codes = encoded.indices.fill_null(len(parsed) - 1).to_pylist()
    return _PythonArguments([parsed[code] for code in codes])


def _column(table: pa.Table, name: str) -> pa.Array | None:
    """Return a column of a table as one array."""
    position = table.schema.get_field_index(name)
    if position < 0:
        return None
    chunks = table.column(position)
    if isinstance(chunks, pa.Array):
        return chunks
    return chunks.combine_chunks() if chunks.num_chunks != 1 else chunks.chunk(0)


def check_columns(names: Sequence[str], path: str) -> None:
    """Refuse a table without names or times."""
    for name in ("name", "time"):
        if name not in names:
            have = ", ".join(f"`{c}`" for c in names)
            raise StreamError(
                Problem(
                    f"{path} has no column `{name}`, only {have or 'none at all'}",
                    "stream-columns",
                    remedy="columns of a stream: name, time, arrival, end, value, args, op, prob",
                )
            )


def _nulls(items: pa.Array | None, count: int) -> Bools:
    """Mark the rows in which there is nothing, not-a-number included."""
    if items is None:
        return np.ones(count, np.bool_)
    missing: Bools = pc.is_null(items, nan_is_null=True).to_numpy(zero_copy_only=False)
    return missing


def _encoded(table: pa.Table, name: str, path: str) -> pa.DictionaryArray:
    items = _column(table, name)
    assert items is not None
    kind = items.type.value_type if pa.types.is_dictionary(items.type) else items.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise _unusable(path, name, kind, "text")
    if not pa.types.is_dictionary(items.type):
        items = items.dictionary_encode()
    return items.cast(pa.dictionary(pa.int32(), pa.string()))


def _times(table: pa.Table, name: str, path: str) -> tuple[Ints, Bools, Bools]:
    """Return a column of time-points, where there is none, and where it is none."""
    items = _column(table, name)
    count = len(table)
    fine = np.zeros(count, np.bool_)
    if items is None or pa.types.is_null(items.type):
        return np.zeros(count, np.int64), ~fine, fine
    missing = _nulls(items, count)
    if pa.types.is_dictionary(items.type):
        items = items.cast(items.type.value_type)
    if pa.types.is_string(items.type) or pa.types.is_large_string(items.type):
        points, wrong = time_column(items.fill_null("0").cast(pa.string()))
        return points, missing, fine if wrong is None else wrong
    if pa.types.is_floating(items.type):  # what pandas makes of integers with gaps
        numbers = np.where(missing, 0.0, to_numpy(items.cast(pa.float64()), np.float64))
        fits = np.abs(numbers) < 2**62
        points = np.where(fits, numbers, 0).astype(np.int64)
        return points, missing, points != numbers
    if pa.types.is_integer(items.type):
        try:
            return to_numpy(items.fill_null(0).cast(pa.int64()), np.int64), missing, fine
        except pa.ArrowInvalid:
            pass
    raise _unusable(path, name, items.type, "integers of 64 bits")


def _retractions(table: pa.Table, path: str) -> tuple[Bools, Bools]:
    """Mark the rows that retract, and those whose operation is neither of the two."""
    count = len(table)
    items = _column(table, "op")
    if items is None or pa.types.is_null(items.type):
        return np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    try:
        ops = items.cast(pa.string()).to_pylist()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise _unusable(path, "op", items.type, "text") from None
    retract = np.array([op == "-" for op in ops], np.bool_)
    return retract, np.array([op not in ("+", "-", None) for op in ops], np.bool_)


def _probabilities(table: pa.Table, path: str) -> tuple[Floats | None, Bools]:
    """Return the probabilities, if any, and mark what is none."""
    count = len(table)
    items = _column(table, "prob")
    if items is None or pa.types.is_null(items.type):
        return None, np.zeros(count, np.bool_)
    if not (pa.types.is_floating(items.type) or pa.types.is_integer(items.type)):
        raise _unusable(path, "prob", items.type, "numbers")
    missing = _nulls(items, count)
    if missing.all():
        return None, np.zeros(count, np.bool_)
    numbers = to_numpy(items.cast(pa.float64()).fill_null(1.0), np.float64)
    numbers = np.where(missing, 1.0, numbers)
    return numbers, ~((numbers >= 0) & (numbers <= 1))


def _unusable(path: str, name: str, kind: pa.DataType, wanted: str) -> StreamError:
    message = f"the column `{name}` of {path} holds {kind}; it has to hold {wanted}"
    return StreamError(Problem(message, "stream-columns"))
