"""What a run answers: recognitions, as frozen dataclasses.

An argument or value is an `int`, a `float` or a `str`: atoms are strings, and a
compound argument is its Prolog text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Scalar: TypeAlias = int | float | str
Interval: TypeAlias = tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class FluentRecognition:
    """A fluent-value pair and its maximal intervals at one query time.

    An interval `(start, end)` holds `start` and leaves `end` out; an interval that has
    not ended has `None` for its end.
    """

    query_time: int
    fluent: str
    args: tuple[Scalar, ...]
    value: Scalar
    intervals: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class EventRecognition:
    """An output event and the time-points in the window at which it happened."""

    query_time: int
    event: str
    args: tuple[Scalar, ...]
    times: tuple[int, ...]


Recognition: TypeAlias = FluentRecognition | EventRecognition
