"""Answers as changes: what a query time adds to what is known, and what it withdraws.

Who keeps a set of intervals for each fluent, takes out what is withdrawn and then puts in what
is added, has after each query time what is known of the whole run: inside the window exactly
what the full report shows, before it what earlier query times said last. An interval that
became longer or shorter is withdrawn and added anew.

Only what may yet change is remembered, so that a run can go on for ever.
"""

from __future__ import annotations

from rtec.runtime.answers import EventRow, FluentRow, Recognitions
from rtec.runtime.merge import Ends, Merged
from rtec.runtime.windows import Window


class Changes(Merged):
    """What is known so far, and what has just become different."""

    def __init__(self, tick: int = 1) -> None:
        """Begin with nothing known."""
        super().__init__(tick)
        self._clear()

    def take(self, window: Window, answers: Recognitions) -> list[Recognitions]:
        """Take the answers of the next query time; return what is withdrawn, and what added.

        >>> changes = Changes()
        >>> first = Recognitions(10, [("rich", ["al"], "true", [4, "inf"])])
        >>> [(c.op, c.fluents) for c in changes.take(Window(0, 10), first)]
        [('+', [('rich', ['al'], 'true', [4, 'inf'])])]
        >>> second = Recognitions(20, [("rich", ["al"], "true", [4, 16])])
        >>> [(c.op, *c.fluents[0][3]) for c in changes.take(Window(10, 20), second)]
        [('-', 4, 'inf'), ('+', 4, 16)]
        """
        self._clear()
        self.add(window, answers)
        self.forget(window.start)
        at = window.query_time
        made = [
            Recognitions(at, self._gone_fluents, self._gone_events, "-"),
            Recognitions(at, self._new_fluents, self._new_events, "+"),
        ]
        return [each for each in made if len(each)]

    def forget(self, until: int) -> None:
        """Drop what no later query time can change: all that ended up to a time-point."""
        for key, row in list(self._fluents.items()):
            flat = row[3]
            gone = 0
            while gone < len(flat) and flat[gone + 1] != "inf" and flat[gone + 1] <= until:  # type: ignore[operator]
                gone += 2
            if gone == len(flat):
                del self._fluents[key]
                self._open_fluents.discard(key)
            elif gone:
                self._fluents[key] = (row[0], row[1], row[2], flat[gone:])
        for key, event in list(self._events.items()):
            times = [t for t in event[2] if t > until]
            if not times:
                del self._events[key]
                self._open_events.discard(key)
            elif len(times) < len(event[2]):
                self._events[key] = (event[0], event[1], times)

    def note_fluent(self, known: FluentRow | None, now: FluentRow) -> None:
        """Compare the intervals of a fluent with what was known."""
        gone, new = differences([] if known is None else known[3], now[3])
        if gone:
            self._gone_fluents.append((now[0], now[1], now[2], gone))
        if new:
            self._new_fluents.append((now[0], now[1], now[2], new))

    def note_event(self, known: EventRow | None, now: EventRow) -> None:
        """Compare the time-points of an event with what was known."""
        before = set() if known is None else set(known[2])
        gone, new = sorted(before - set(now[2])), [t for t in now[2] if t not in before]
        if gone:
            self._gone_events.append((now[0], now[1], gone))
        if new:
            self._new_events.append((now[0], now[1], new))

    def _clear(self) -> None:
        self._gone_fluents: list[FluentRow] = []
        self._new_fluents: list[FluentRow] = []
        self._gone_events: list[EventRow] = []
        self._new_events: list[EventRow] = []


def differences(known: Ends, now: Ends) -> tuple[Ends, Ends]:
    """Return the intervals (starts and ends in a row) that are only in the one or the other.

    >>> differences([1, 4, 6, 9, 12, "inf"], [1, 4, 6, 10, 12, "inf"])
    ([6, 9], [6, 10])
    """
    if known == now:
        return [], []
    before = list(zip(known[::2], known[1::2], strict=True))
    after = list(zip(now[::2], now[1::2], strict=True))
    kept = set(before) & set(after)
    return (
        [end for pair in before if pair not in kept for end in pair],
        [end for pair in after if pair not in kept for end in pair],
    )
