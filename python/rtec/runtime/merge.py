"""The answers of a whole run: what each query time said, revised by those that came after.

At a query time the engine says everything about the time-points of its window, so that what was
known of them before is replaced; what lies before the window stays.

    known      [-----------------)         said at an earlier query time
    window             (--------------]
    said       [-----------)     [----     the interval that was cut, and a new one
    now known  [-----------)     [----
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

from rtec.runtime.answers import EventRow, FluentRow, Recognitions
from rtec.runtime.windows import Window

Key: TypeAlias = tuple[Hashable, ...]
Ends: TypeAlias = list[int | str]


class Merged:
    """What is known of each fluent and each output event so far."""

    def __init__(self, tick: int = 1) -> None:
        """Begin with nothing known.

        Args:
            tick: How far apart consecutive time-points are.
        """
        self._tick = tick
        self._fluents: dict[Key, FluentRow] = {}
        self._events: dict[Key, EventRow] = {}
        self._open_fluents: set[Key] = set()
        self._open_events: set[Key] = set()
        self.query_time: int | None = None

    def add(self, window: Window, answers: Recognitions) -> None:
        """Take the answers of the next query time."""
        self.query_time = window.query_time
        self._add_fluents(window.start, answers.fluents)
        self._add_events(window.start, answers.events)

    def note_fluent(self, known: FluentRow | None, now: FluentRow) -> None:  # noqa: B027
        """Take note that a query time spoke of a fluent; nothing more is done about it here."""

    def note_event(self, known: EventRow | None, now: EventRow) -> None:  # noqa: B027
        """Take note that a query time spoke of an event; nothing more is done about it here."""

    def result(self) -> Recognitions:
        """Return everything known, as the answers of the last query time."""
        assert self.query_time is not None
        fluents = [row for row in self._fluents.values() if row[3]]
        events = [row for row in self._events.values() if row[2]]
        return Recognitions(self.query_time, fluents, events)

    def _add_fluents(self, until: int, rows: Sequence[FluentRow]) -> None:
        silent = self._open_fluents
        still_open = set()
        for row in rows:
            key = _key(row[0], row[1], row[2])
            known = self._fluents.get(key)
            if known is not None:
                silent.discard(key)
                row = (row[0], row[1], row[2], joined(known[3], row[3], until, self._tick))
            self.note_fluent(known, row)
            self._fluents[key] = row
            still_open.add(key)
        for key in silent:  # holds nowhere in the window
            known = self._fluents[key]
            row = (known[0], known[1], known[2], cut(known[3], until, self._tick))
            self.note_fluent(known, row)
            self._fluents[key] = row
        self._open_fluents = still_open

    def _add_events(self, until: int, rows: Sequence[EventRow]) -> None:
        silent = self._open_events
        still_open = set()
        for row in rows:
            key = _key(row[0], row[1])
            known = self._events.get(key)
            if known is not None:
                silent.discard(key)
                row = (row[0], row[1], [t for t in known[2] if t <= until] + list(row[2]))
            self.note_event(known, row)
            self._events[key] = row
            still_open.add(key)
        for key in silent:
            known = self._events[key]
            row = (known[0], known[1], [t for t in known[2] if t <= until])
            self.note_event(known, row)
            self._events[key] = row
        self._open_events = still_open


def cut(ends: Ends, until: int, tick: int) -> Ends:
    """Keep of intervals (starts and ends in a row) the time-points up to `until`.

    >>> cut([1, 4, 6, "inf", ], 7, 1), cut([1, 4, 9, 12], 8, 1), cut([0, 40], 25, 10)
    ([1, 4, 6, 8], [1, 4], [0, 30])
    """
    while ends and ends[-2] > until:  # type: ignore[operator]
        ends = ends[:-2]
    if not ends:
        return ends
    start, end = ends[-2:]
    assert isinstance(start, int)
    last = start + (until - start) // tick * tick + tick
    if end == "inf" or end > last:  # type: ignore[operator]
        ends = [*ends[:-1], last]
    return ends


def joined(known: Ends, said: Ends, until: int, tick: int) -> Ends:
    """Replace what is known of the time-points after `until`.

    An interval that began before is said with its real start, and replaces what was known of it.

    >>> joined([1, 4, 8, "inf"], [8, 30], 20, 1), joined([1, 4, 8, 15], [15, 30], 14, 1)
    ([1, 4, 8, 30], [1, 4, 8, 30])
    """
    if not said:
        return cut(known, until, tick)
    start = said[0]
    ends = cut(known, until, tick)
    while ends and ends[-1] > start:  # type: ignore[operator]
        ends = ends[:-2]
    if ends and ends[-1] == start:
        return [*ends[:-1], *said[1:]]
    return [*ends, *said]


def _key(name: str, args: Sequence[Any], *value: Any) -> Key:
    """Make a key in which 1 and 1.0 differ, as they do in Prolog."""
    return name, *[(item,) if type(item) is float else item for item in (*args, *value)]
