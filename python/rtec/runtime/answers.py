"""What the engine answers at one query time.

The answers are kept as the rows that came from the engine, and made into dataclasses, Arrow or
pandas when somebody asks. Their order is that of name, arguments and value, compared from left
to right: numbers by size and before texts, texts by their characters. An event comes after a
fluent of the same name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any, TypeAlias

from rtec.model import EventRecognition, FluentRecognition, Interval, Recognition, Scalar

FluentRow: TypeAlias = tuple[str, list[Scalar], Scalar, list[int | str]]
"""Name, arguments, value, and intervals as start, end, start, end ...; `inf` is an open end."""
EventRow: TypeAlias = tuple[str, list[Scalar], list[int]]
"""Name, arguments, time-points."""

COLUMNS = ("query_time", "fluent", "args", "value", "start", "end")
"""The columns of CSV, Parquet, Arrow and pandas: a row for each interval or time-point.

`args` is the text of a JSON list, so that numbers stay apart from texts. An `end` of null is an
interval that has not ended. An output event has its name in `fluent`, a null as its `value`,
and the same `start` and `end`.
"""


class Recognitions:
    """The fluents and output events of one query time, in order.

    >>> answers = Recognitions(21, [("rich", ["chris"], "true", [14, 20, 30, "inf"])], [])
    >>> [(r.fluent, r.intervals) for r in answers]
    [('rich', ((14, 20), (30, None)))]
    """

    __slots__ = ("op", "query_time", "_events", "_fluents", "_ordered")

    def __init__(
        self,
        query_time: int,
        fluents: Sequence[FluentRow],
        events: Sequence[EventRow] = (),
        op: str | None = None,
    ) -> None:
        """Take the rows of the engine, in any order.

        Args:
            query_time: When all of it was found out.
            fluents: The rows of fluents.
            events: The rows of output events.
            op: In a report of changes, whether these were added (`+`) or withdrawn (`-`).
        """
        self.op = op
        self.query_time = query_time
        self._fluents: Sequence[FluentRow] = fluents
        self._events: Sequence[EventRow] = events
        self._ordered = False

    @property
    def fluents(self) -> Sequence[FluentRow]:
        """The rows of fluents, in order."""
        self._order()
        return self._fluents

    @property
    def events(self) -> Sequence[EventRow]:
        """The rows of output events, in order."""
        self._order()
        return self._events

    def rows(self) -> Sequence[FluentRow | EventRow]:
        """Return all rows in order; those of fluents are longer by one."""
        if not self.events:
            return self.fluents
        rows: list[FluentRow | EventRow] = [*self.fluents, *self.events]
        rows.sort(key=itemgetter(0))
        return rows

    def __iter__(self) -> Iterator[Recognition]:
        for row in self.rows():
            yield _recognition(self.query_time, row)

    def __len__(self) -> int:
        return len(self._fluents) + len(self._events)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Recognitions)
            and (self.query_time, self.op) == (other.query_time, other.op)
            and list(self) == list(other)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = f"fluents: {len(self._fluents)}, events: {len(self._events)}"
        return f"<Recognitions at {self.query_time}: {counts}>"

    def to_arrow(self) -> Any:
        """Make an Arrow table with a row for each interval and each event; see `COLUMNS`."""
        return to_table([self])

    def to_pandas(self) -> Any:
        """Make a DataFrame with a row for each interval and each event; see `COLUMNS`."""
        return self.to_arrow().to_pandas()

    def _order(self) -> None:
        if not self._ordered:
            self._fluents = ordered(self._fluents)
            self._events = ordered(self._events)
            self._ordered = True


def ordered(rows: Sequence[Any]) -> Sequence[Any]:
    """Sort rows by name, arguments and value.

    >>> [r[1] for r in ordered([("f", ["b"], 1, []), ("f", [10], 1, []), ("f", [9.5], 1, [])])]
    [[9.5], [10], ['b']]
    """
    try:
        return sorted(rows)
    except TypeError:  # numbers and texts at one position
        return sorted(rows, key=_sort_key)


def _sort_key(row: Sequence[Any]) -> tuple[Any, ...]:
    name, args, *rest = row
    return name, [_rank(a) for a in args], [_rank(v) for v in rest[:-1]]


def _rank(item: Scalar) -> tuple[bool, Scalar]:
    return isinstance(item, str), item


def _recognition(query_time: int, row: FluentRow | EventRow) -> Recognition:
    if len(row) == 3:
        name, args, times = row
        return EventRecognition(query_time, name, tuple(args), tuple(times))
    name, args, value, flat = row
    return FluentRecognition(query_time, name, tuple(args), value, pairs(flat))


def pairs(flat: Sequence[int | str]) -> tuple[Interval, ...]:
    """Make intervals of starts and ends in a row.

    >>> pairs([1, 4, 9, "inf"])
    ((1, 4), (9, None))
    """
    ends = [None if e == "inf" else e for e in flat[1::2]]
    return tuple(zip(flat[::2], ends, strict=True))  # type: ignore[arg-type]


def json_args(args: Sequence[Scalar]) -> str:
    """Write arguments as a JSON list.

    >>> json_args([3, 2.5, "carried"])
    '[3, 2.5, "carried"]'
    """
    return f"[{', '.join([json_scalar(a) for a in args])}]"


def json_scalar(item: Scalar) -> str:
    """Write an argument or value in JSON; a number that JSON does not have becomes a text."""
    if type(item) is str:
        return encode_basestring(item)
    text = repr(item)
    return text if text[-1] in "0123456789" else f'"{text}"'


def to_table(answers: Sequence[Recognitions], ops: bool = False) -> Any:
    """Make one Arrow table of the answers of several query times.

    Args:
        answers: What to put into it.
        ops: Whether these are changes; then a last column `op` says which.
    """
    import numpy as np
    import pyarrow as pa

    names: list[str] = []
    args: list[str] = []
    values: list[str | None] = []
    starts: list[Any] = []
    ends: list[Any] = []
    counts: list[int] = []
    lengths: list[int] = []
    texts: dict[int, str] = {}  # the arguments of an instance are one list at all query times
    for at in answers:
        before = len(starts)
        for row in at.rows():
            names.append(row[0])
            text = texts.get(id(row[1]))
            if text is None:
                text = texts[id(row[1])] = json_args(row[1])
            args.append(text)
            if len(row) == 3:
                values.append(None)
                counts.append(len(row[2]))
                starts += row[2]
                ends += row[2]
            else:
                values.append(str(row[2]))
                flat = row[3]
                counts.append(len(flat) // 2)
                starts += flat[::2]
                ends += flat[1::2]
                if ends[-1] == "inf":
                    ends[-1] = None
        lengths.append(len(starts) - before)
    rows = pa.array(np.repeat(np.arange(len(counts)), counts))
    columns = [
        pa.array(np.repeat(np.array([at.query_time for at in answers], np.int64), lengths)),
        *(pa.array(column, pa.string()).take(rows) for column in (names, args, values)),
        pa.array(starts, pa.int64()),
        pa.array(ends, pa.int64()),
    ]
    if ops:
        columns.append(pa.array([at.op for at in answers], pa.string()).take(
            pa.array(np.repeat(np.arange(len(lengths)), lengths))
        ))  # fmt: skip
    return pa.table(columns, schema(ops))


def schema(ops: bool = False) -> Any:
    """Return the Arrow schema of tables of recognitions, or of changes."""
    import pyarrow as pa

    number, text = pa.int64(), pa.string()
    types = (number, text, text, text, number, number, text)
    return pa.schema(list(zip((*COLUMNS, "op") if ops else COLUMNS, types, strict=False)))
