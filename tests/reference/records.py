"""Records of a stream, and which of them are known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
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
    """The records that remain when all have arrived.

    In order of arrival (and of the file, where arrivals are equal) the last word on a record
    counts; how often it was said does not.

    >>> e = Record("e", 1, 1)
    >>> apply_retractions([e, Record("f", 2, 2), Record("e", 3, 1, op="-")])
    [Record(name='f', arrival=2, time=2, args=(), value=None, end=None, op='+')]
    """
    last: dict[str, Record] = {}
    for record in sorted(records, key=lambda r: r.arrival):
        # The text tells 1 from 1.0, which are equal in Python.
        last[repr(replace(record, arrival=0, op="+"))] = record
    return [record for record in last.values() if record.op == "+"]
