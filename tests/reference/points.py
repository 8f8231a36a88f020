"""Sets of time-points, and the interval lists that show them.

A fluent is the set of the time-points at which it holds. The time-points of a run are
`start, start+tick, ..., end`; the one after `end` stands for everything later, so a set that
has it is shown with an open last interval. Each construct of the language is then the
set operation of the same name, and maximality of intervals needs no care at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Interval: TypeAlias = tuple[int, int | None]
Points: TypeAlias = frozenset[int]

NO_POINTS: Points = frozenset()


@dataclass(frozen=True)
class Timeline:
    """The time-points of a run."""

    start: int
    end: int
    tick: int

    def __post_init__(self) -> None:
        if self.tick < 1 or self.end < self.start or (self.end - self.start) % self.tick:
            raise ValueError(f"no whole number of ticks from start to end: {self}")

    @property
    def points(self) -> range:
        """All time-points of the run."""
        return range(self.start, self.end + 1, self.tick)

    @property
    def before(self) -> int:
        """The time-point at which `initially` counts as having initiated."""
        return self.start - self.tick

    @property
    def beyond(self) -> int:
        """The time-point that stands for everything after the end."""
        return self.end + self.tick

    @property
    def everything(self) -> Points:
        """The whole run and what comes after it."""
        return frozenset(range(self.start, self.beyond + 1, self.tick))

    def __contains__(self, point: int) -> bool:
        return point in self.points

    def on_grid(self, point: int) -> bool:
        """Whether a time-point is a whole number of ticks from the start."""
        return (point - self.start) % self.tick == 0

    def to_intervals(self, points: Points) -> list[Interval]:
        """The maximal intervals of a set.

        >>> Timeline(0, 9, 1).to_intervals(frozenset([1, 2, 5, 9, 10]))
        [(1, 3), (5, 6), (9, None)]
        """
        intervals: list[Interval] = []
        for point in sorted(points):
            if intervals and intervals[-1][1] == point:
                intervals[-1] = (intervals[-1][0], point + self.tick)
            else:
                intervals.append((point, point + self.tick))
        if self.beyond in points:
            intervals[-1] = (intervals[-1][0], None)
        return intervals

    def to_points(self, intervals: Iterable[Interval]) -> Points:
        """The time-points of some intervals, maximal or not.

        >>> sorted(Timeline(0, 9, 1).to_points([(1, 3), (2, 4), (8, None)]))
        [1, 2, 3, 8, 9, 10]
        """
        pairs = list(intervals)
        return frozenset(p for p in self.everything for s, e in pairs if s <= p < _infinite(e))


def _infinite(end: int | None) -> float:
    return float("inf") if end is None else end


def union(lists: Iterable[Points]) -> Points:
    """The time-points in at least one set."""
    return frozenset().union(*lists)


def intersection(lists: Iterable[Points]) -> Points:
    """The time-points in every set; of no sets at all, none."""
    sets = list(lists)
    return frozenset.intersection(*sets) if sets else NO_POINTS
