"""Records of a stream: one at a time for people, in columns for everything else.

A `Record` is what the public API takes. Inside, records travel as `RecordBatch`es: all of one
name, kind and number of arguments, one NumPy array per field. A column is an array of `int64`,
of `float64`, or of objects (`str`, `int`, `float`); the text of a compound term is a `TermText`,
everything else that is a `str` is an atom.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rtec.errors import Problem, StreamError
from rtec.model import Scalar

Kind: TypeAlias = Literal["event", "interval", "point"]
Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]
Column: TypeAlias = NDArray[Any]

LEAST, GREATEST = -(2**63), 2**63 - 1


@dataclass(frozen=True, slots=True)
class Input:
    """What a description reads from streams.

    The kind `fluent` is an input fluent that no declaration describes further: whether a
    record of it is an interval or a point shows in the number of its fields.
    """

    name: str
    arity: int
    kind: Literal["event", "interval", "point", "fluent"]


class TermText(str):
    """The text of a compound Prolog term, to be read by Prolog; other strings are atoms."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One record: an event, or (with a value) an interval or a time-point of an input fluent.

    Attributes:
        name: The event or the fluent.
        time: When it happens, or the start of an interval.
        args: Numbers, and strings for atoms; a string like `f(a,b)` is a compound term.
        arrival: When it becomes known; `time` if nothing is said.
        end: The first time-point after an interval; None for events and points.
        value: The value of the fluent; None for events.
        op: `-` for a record that takes an earlier one back.
        prob: How likely it is, for probabilistic recognition.
    """

    name: str
    time: int
    args: Sequence[Scalar] = ()
    arrival: int | None = None
    end: int | None = None
    value: Scalar | None = None
    op: str = "+"
    prob: float | None = None

    @property
    def kind(self) -> Kind:
        """Which kind of record it is, from the fields that are given."""
        if self.value is None:
            return "event"
        return "point" if self.end is None else "interval"


@dataclass(frozen=True, slots=True, eq=False)
class RecordBatch:
    """Records of one name, kind and number of arguments, a column per field.

    Attributes:
        name: The event or the fluent of all of them.
        kind: Event, interval or point.
        arrival: When each becomes known.
        time: When each happens; the starts of intervals.
        args: A column per argument.
        end: The first time-point after each interval; None for events and points.
        value: The values of fluents; None for events.
        retract: True for records that take an earlier one back; None if there are none.
        prob: Probabilities; None if all records are certain.
    """

    name: str
    kind: Kind
    arrival: Ints
    time: Ints
    args: tuple[Column, ...] = ()
    end: Ints | None = None
    value: Column | None = None
    retract: Bools | None = None
    prob: Floats | None = None

    def __len__(self) -> int:
        return len(self.time)

    @property
    def arity(self) -> int:
        """How many arguments the event or fluent has."""
        return len(self.args)

    @property
    def key(self) -> tuple[str, Kind, int]:
        """What tells batches apart that cannot be joined."""
        return self.name, self.kind, len(self.args)

    def filter(self, rows: Bools | Ints | slice) -> RecordBatch:
        """Keep some rows: a mask, row numbers in the order wanted, or a slice (no copy)."""
        return RecordBatch(
            self.name,
            self.kind,
            self.arrival[rows],
            self.time[rows],
            tuple(column[rows] for column in self.args),
            None if self.end is None else self.end[rows],
            None if self.value is None else self.value[rows],
            None if self.retract is None else self.retract[rows],
            None if self.prob is None else self.prob[rows],
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle columns as lists and bytes, in half the time that NumPy takes."""
        others = (self.end, self.value, self.retract, self.prob)
        columns = [_packed(c) for c in (self.arrival, self.time, *self.args, *others)]
        return _unpickled, (self.name, self.kind, columns)

    def fields(self) -> list[Column]:
        """List the columns that make two records the same: time, end, value, arguments."""
        optional = (self.end, self.value)
        return [self.time, *(c for c in optional if c is not None), *self.args]

    def records(self) -> Iterator[Record]:
        """Yield the records one by one."""
        count = len(self)
        nothing: list[Any] = [None] * count
        ends = nothing if self.end is None else self.end.tolist()
        values = nothing if self.value is None else self.value.tolist()
        probs = nothing if self.prob is None else self.prob.tolist()
        args = zip(*(c.tolist() for c in self.args), strict=True) if self.args else [()] * count
        for arrival, time, end, value, row, taken_back, prob in zip(
            self.arrival.tolist(),
            self.time.tolist(),
            ends,
            values,
            args,
            nothing if self.retract is None else self.retract.tolist(),
            probs,
            strict=True,
        ):
            op = "-" if taken_back else "+"
            yield Record(self.name, time, row, arrival, end, value, op, prob)


def _packed(column: Column | None) -> list[Any] | tuple[str, bytes] | None:
    if column is None:
        return None
    kind = column.dtype.char
    return column.tolist() if kind == "O" else (kind, column.tobytes())


def _unpacked(given: Any) -> Any:
    if given is None:
        return None
    return _objects(given) if isinstance(given, list) else np.frombuffer(given[1], given[0])


def _unpickled(name: str, kind: Kind, columns: list[Any]) -> RecordBatch:
    arrival, time, *args, end, value, retract, prob = map(_unpacked, columns)
    return RecordBatch(name, kind, arrival, time, tuple(args), end, value, retract, prob)


def concat(batches: Sequence[RecordBatch]) -> RecordBatch:
    """Join batches of one key, in the order given."""
    if len(batches) == 1:
        return batches[0]
    first = batches[0]

    def joined(columns: list[Column]) -> Column:
        if len({c.dtype for c in columns}) > 1:  # NumPy would turn integers into floats
            columns = [c.astype(object) for c in columns]
        return np.concatenate(columns)

    def filled(columns: list[Column | None], default: bool | float) -> Column | None:
        if all(c is None for c in columns):
            return None
        return np.concatenate(
            [
                np.full(len(b), default) if c is None else c
                for b, c in zip(batches, columns, strict=True)
            ]
        )

    return RecordBatch(
        first.name,
        first.kind,
        np.concatenate([b.arrival for b in batches]),
        np.concatenate([b.time for b in batches]),
        tuple(joined([b.args[i] for b in batches]) for i in range(first.arity)),
        None if first.end is None else joined([b.end for b in batches if b.end is not None]),
        None if first.value is None else joined([b.value for b in batches if b.value is not None]),
        filled([b.retract for b in batches], False),
        filled([b.prob for b in batches], 1.0),
    )


def batches(records: Iterable[Record]) -> list[RecordBatch]:
    """Put records into columns, a batch for each name, kind and number of arguments.

    >>> [b] = batches([Record("speed", 3, ("tug", 4.5)), Record("speed", 5, ("ferry", 9.0))])
    >>> b.key, b.time.tolist(), [c.tolist() for c in b.args]
    (('speed', 'event', 2), [3, 5], [['tug', 'ferry'], [4.5, 9.0]])
    """
    groups: dict[tuple[str, Kind, int], list[Record]] = {}
    for record in records:
        check(record)
        groups.setdefault((record.name, record.kind, len(record.args)), []).append(record)
    return [_batch(name, kind, arity, rows) for (name, kind, arity), rows in groups.items()]


def _batch(name: str, kind: Kind, arity: int, rows: list[Record]) -> RecordBatch:
    retract = np.array([r.op == "-" for r in rows])
    prob = None
    if any(r.prob is not None for r in rows):
        prob = np.array([1.0 if r.prob is None else r.prob for r in rows], np.float64)
    return RecordBatch(
        name,
        kind,
        np.array([r.time if r.arrival is None else r.arrival for r in rows], np.int64),
        np.array([r.time for r in rows], np.int64),
        tuple(column([scalar(r.args[i]) for r in rows]) for i in range(arity)),
        np.array([r.end for r in rows], np.int64) if kind == "interval" else None,
        None if kind == "event" else column([scalar(r.value) for r in rows]),
        retract if retract.any() else None,
        prob,
    )


def check(record: Record) -> None:
    """Say what is wrong with a record made by hand.

    Raises:
        StreamError: A time is not an integer, an interval ends before it starts, and so on.
    """
    reason = fault(record)
    if reason is not None:
        raise StreamError(Problem(f"record {record}: {reason[0]}", reason[1]))


def fault(record: Record) -> tuple[str, str] | None:
    """Find what is wrong with a record: the reason and its slug, or None."""
    if not isinstance(record.name, str) or not record.name:
        return "its name is not a text", "record-name"
    for what in ("time", "arrival", "end"):
        point = getattr(record, what)
        if point is None and what != "time":
            continue
        if isinstance(point, bool) or not isinstance(point, int | np.integer):
            return f"its {what} is {point!r}, not an integer", "record-time"
        if not LEAST <= point <= GREATEST:
            return f"its {what} {point} does not fit into 64 bits", "record-time"
    if record.end is not None:
        if record.value is None:
            return "it has an end but no value", "record-fields"
        if record.end < record.time:
            return f"it ends at {record.end}, before its start {record.time}", "record-interval"
    if record.op not in ("+", "-"):
        return f"its op is {record.op!r}, neither `+` nor `-`", "record-op"
    prob = record.prob
    if prob is not None and not (isinstance(prob, int | float) and 0 <= prob <= 1):
        return f"its prob is {prob!r}, not a number from 0 to 1", "record-prob"
    if isinstance(record.args, str) or not isinstance(record.args, Sequence):
        return f"its args are {record.args!r}, not a list", "record-args"
    for item in (*record.args, *(() if record.value is None else (record.value,))):
        if not isinstance(item, int | float | str | np.generic):
            return f"{item!r} is neither a number nor a text", "record-args"
        if isinstance(item, float) and not math.isfinite(item):
            return f"{item} is not a number", "record-args"
    return None


def scalar(item: Any) -> Scalar:
    """Make an argument of a Python value: booleans are atoms, compound text is a term."""
    if isinstance(item, np.generic):
        item = item.item()
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, str):
        return TermText(item) if is_compound(item) else item
    assert isinstance(item, int | float)
    return item


def column(values: Sequence[Scalar]) -> Column:
    """Put values into the narrowest column that keeps each as it is.

    >>> column([1, 2]).dtype, column([1, 2.0]).dtype, column(["a", 2]).dtype
    (dtype('int64'), dtype('O'), dtype('O'))
    """
    types = set(map(type, values))
    if types == {int} and min(values) >= LEAST and max(values) <= GREATEST:  # type: ignore[operator]
        return np.array(values, np.int64)
    if types == {float}:
        return np.array(values, np.float64)
    return _objects(values)


def _objects(values: Sequence[Any]) -> Column:
    result = np.empty(len(values), object)
    result[:] = values
    return result


def has_terms(values: Column) -> bool:
    """Whether a column holds the text of compound terms."""
    return values.dtype == object and TermText in set(map(type, values.tolist()))


def all_finite(values: Column) -> bool:
    """Whether no number in a column is infinite or none at all."""
    if values.dtype == object:
        return all(math.isfinite(v) for v in values.tolist() if type(v) is float)
    return values.dtype != np.float64 or bool(np.isfinite(values).all())


# An exponent without a fraction needs a sign, or identifiers such as 12e5 would be numbers.
_NUMBER = re.compile(r"-?[0-9]+(?:(\.[0-9]+(?:[eE][+-]?[0-9]+)?)|([eE][+-][0-9]+))?", re.ASCII)
_COMPOUND = re.compile(r"(?:[a-z]\w*|'(?:[^'\\]|''|\\.)+')\(.*\)|\[.+\]", re.DOTALL)
_QUOTED_OR_BRACKET = re.compile(
    r"'(?:[^'\\]|''|\\.)*'|\"(?:[^\"\\]|\"\"|\\.)*\"|[()\[\]{}]", re.DOTALL
)
_CLOSES = {")": "(", "]": "[", "}": "{"}


def read_field(text: str) -> Scalar:
    """Read one field of a pipe-separated line.

    Integer and decimal literals are numbers, the text of a compound term is a `TermText`,
    and everything else is an atom as it stands.

    >>> [read_field(t) for t in ("007", "-3.5", "1e-07", "12e5", " 7", "f(a,B)", "left (2)")]
    [7, -3.5, 1e-07, '12e5', ' 7', 'f(a,B)', 'left (2)']
    """
    if text[:1] in _NUMERIC:
        match = _NUMBER.fullmatch(text)
        if match is None:
            return text
        if match.lastindex is None:
            return int(text) if len(text) < 4000 else text
        number = float(text)
        return number if abs(number) != np.inf else text
    return TermText(text) if is_compound(text) else text


_NUMERIC = frozenset("-0123456789")
_DEEPEST = 1000
_LONGEST = 20_000


def is_compound(text: str) -> bool:
    """Whether a text is written like a compound term or a list, its brackets in balance.

    One that is nested or long beyond all reason is not: SWI-Prolog could not read it.

    >>> [is_compound(t) for t in ("f(a)", "[a,b]", "f (a)", "f(a", "f(a)(b)", "[]", "F(a)")]
    [True, True, False, False, False, False, False]
    """
    if text[-1:] not in (")", "]") or len(text) > _LONGEST or _COMPOUND.fullmatch(text) is None:
        return False
    stack: list[str] = []
    for match in _QUOTED_OR_BRACKET.finditer(text):
        token = match.group()
        if token in _CLOSES:
            if not stack or stack.pop() != _CLOSES[token]:
                return False
            if not stack and match.end() != len(text):
                return False
        elif len(token) == 1:
            stack.append(token)
            if len(stack) > _DEEPEST:
                return False
    return not stack
