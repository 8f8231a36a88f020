"""Query times, and the window that each one looks back over.

At query time `q` a window of size `w` shows the engine the time-points `q - w < t <= q`. The
first window shows the start of the run too. This file is the only place that does this
arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rtec.errors import ConfigError, Problem

_LARGEST = 2**62


@dataclass(frozen=True, slots=True)
class Window:
    """The time-points seen at one query time: after `start`, up to `query_time`."""

    start: int
    query_time: int

    def __contains__(self, time_point: int) -> bool:
        return self.start < time_point <= self.query_time


@dataclass(frozen=True, slots=True)
class Windowing:
    """How a run moves over its stream.

    Attributes:
        size: How far back each window reaches, in time-points.
        step: How far apart two consecutive query times are.
    """

    size: int
    step: int

    def __post_init__(self) -> None:
        check_length("window", self.size)
        check_length("step", self.step)

    def warning(self) -> Problem | None:
        """Say so if windows leave gaps between them."""
        if self.step <= self.size:
            return None
        return Problem(
            f"the step {self.step} is longer than the window {self.size}: "
            "what happens between two windows is never seen",
            "step-over-window",
            remedy="make the window at least as long as the step",
            severity="warning",
        )

    def windows(self, start: int, end: int | None = None) -> Iterator[Window]:
        """Yield the windows of a run from `start` to `end`; without an end, for ever.

        >>> [w.query_time for w in Windowing(size=20, step=10).windows(0, 35)]
        [10, 20, 30, 35]
        """
        query_time = start
        while True:
            query_time = self.next(query_time, end)
            yield self.window(start, query_time)
            if end is not None and query_time >= end:
                return

    def next(self, query_time: int, end: int | None = None) -> int:
        """Return the query time after another one, cut to the end of the run."""
        following = query_time + self.step
        return following if end is None else min(following, end)

    def window(self, start: int, query_time: int) -> Window:
        """Return the window of one query time of a run that begins at `start`.

        A record stamped with the start itself belongs to the first window:

        >>> 0 in Windowing(10, 10).window(0, 10), 10 in Windowing(10, 10).window(0, 20)
        (True, False)
        """
        window = Window(query_time - self.size, query_time)
        return first_window(window, start) if query_time - start <= self.step else window


def first_window(window: Window, start: int) -> Window:
    """Let the first window of a run show the start, if it reaches back that far.

    >>> first_window(Window(0, 10), 0), first_window(Window(5, 10), 0)
    (Window(start=-1, query_time=10), Window(start=5, query_time=10))
    """
    return Window(start - 1, window.query_time) if window.start == start else window


def default_start(first: int, step: int) -> int:
    """Begin a run at the last multiple of `step` before its first time-point.

    >>> default_start(25, 10), default_start(20, 10), default_start(-3, 10)
    (20, 10, -10)
    """
    return (first - 1) // step * step


def check_length(what: str, length: int) -> None:
    """Refuse a window, step or tick of no length, and one that nobody could count with."""
    if length < 1:
        raise ConfigError(Problem(f"the {what} is {length}; it has to be at least 1", "bad-window"))
    check_number(what, length)


def check_number(what: str, number: int) -> None:
    """Refuse what does not fit into 64 bits, with room to add and subtract."""
    if abs(number) > _LARGEST:
        raise ConfigError(
            Problem(f"the {what} is {number}; that is beyond 2^62, too far to count", "bad-window")
        )


def check_range(start: int | None, end: int | None) -> None:
    """Refuse a run that ends before it starts."""
    for what, point in (("start", start), ("end", end)):
        if point is not None:
            check_number(what, point)
    if start is not None and end is not None and end < start:
        raise ConfigError(Problem(f"the run ends at {end}, before its start {start}", "bad-window"))
