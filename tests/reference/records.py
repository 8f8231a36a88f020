"""Records of a stream, and which of them are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Scalar: TypeAlias = int | float | str


@dataclass(frozen=True)
class Record:
    """One line of a stream.

    Without `value` it is an event at `time`; with `value` and `end` an interval
    [time, end) of an input fluent; with `value` alone a time-point of one.
    """

    name: str
    arrival: int
    time: int
    args: tuple[Scalar, ...] = ()
    value: Scalar | None = None
    end: int | None = None
    op: str = "+"

    def __post_init__(self) -> None:
        if self.op not in ("+", "-"):
            raise ValueError(f"op is {self.op!r}")
        if self.end is not None and self.value is None:
            raise ValueError("an interval needs a value")

    @property
    def is_event(self) -> bool:
        """Whether it is an event rather than part of a fluent."""
        return self.value is None

    @property
    def identity(self) -> str:
        """What makes two records equal; text, because 1 and 1.0 are equal in Python."""
        return repr((self.name, self.time, self.end, self.value, self.args))

    def last_point(self, tick: int) -> int:
        """The last time-point that it speaks of."""
        return self.time if self.end is None else max(self.time, self.end - tick)

    def to_line(self) -> str:
        """The record as pipe-separated text.

        >>> Record("near", 7, 3, ("a", "b"), "true", end=6).to_line()
        'near|7|3|6|true|a|b'
        >>> Record("speed", 5, 5, ("v", 3.5), op="-").to_line()
        '-speed|5|5|v|3.5'
        """
        sign = "-" if self.op == "-" else ""
        fields: list[Scalar] = [sign + self.name, self.arrival, self.time]
        if self.end is not None:
            fields.append(self.end)
        if self.value is not None:
            fields.append(self.value)
        return "|".join(str(f) for f in (*fields, *self.args))


def to_lines(records: Iterable[Record]) -> str:
    """The text of a stream file."""
    return "".join(r.to_line() + "\n" for r in records)


def apply_retractions(records: Iterable[Record]) -> list[Record]:
    """The records that remain when all have arrived: each retraction takes one equal one back.

    >>> e = Record("e", 1, 1)
    >>> apply_retractions([e, e, Record("f", 2, 2), Record("e", 3, 1, op="-")])
    [Record(name='e', arrival=1, time=1, args=(), value=None, end=None, op='+'),
     Record(name='f', arrival=2, time=2, args=(), value=None, end=None, op='+')]
    """
    everything = list(records)
    taken_back = Counter(r.identity for r in everything if r.op == "-")
    kept = []
    for record in everything:
        if record.op == "+" and taken_back[record.identity] > 0:
            taken_back[record.identity] -= 1
        elif record.op == "+":
            kept.append(record)
    return kept
