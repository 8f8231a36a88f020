"""The border of a window: what starts with its first time-point, started one tick before.

`start(F=V)` happens one tick before the interval, so for an interval of the stream that begins
with the window, it happens where the window does not reach. The engine is therefore given a
window that is longer by a tick; the records of that tick stay as they were, so that all it adds
are the starts and ends, and what follows from them. Of its answers, those inside the window count.

    window                (--------------]
    engine            (------------------]
    input fluent          [------)
    start, end           s      e
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rtec.runtime.answers import EventRow, FluentRow
from rtec.runtime.records import Input
from rtec.runtime.windows import Window


def reach(inputs: Mapping[str, Sequence[Input]], tick: int) -> int:
    """Return how much further back the engine looks; events have neither start nor end.

    >>> reach({"go": [Input("go", 2, "event")]}, 5), reach({"on": [Input("on", 1, "point")]}, 5)
    (0, 5)
    """
    return tick if any(each.kind != "event" for given in inputs.values() for each in given) else 0


def shown_fluents(rows: Iterable[FluentRow], window: Window, tick: int) -> Iterator[FluentRow]:
    """Leave out intervals that end before the window.

    >>> rows = [("on", ["a"], "true", [2, 11, 15, "inf"]), ("on", ["b"], "true", [9, 11])]
    >>> list(shown_fluents(rows, Window(10, 20), 1))
    [('on', ['a'], 'true', [15, 'inf'])]
    """
    first = window.start + tick
    for row in rows:
        end = row[3][1]
        if end == "inf" or end > first:  # type: ignore[operator]
            yield row
        elif len(row[3]) > 2:
            yield (row[0], row[1], row[2], row[3][2:])


def shown_events(rows: Iterable[EventRow], window: Window) -> Iterator[EventRow]:
    """Leave out what happens before the window.

    >>> list(shown_events([("out", ["a"], [10, 12]), ("out", ["b"], [10])], Window(10, 20)))
    [('out', ['a'], [12])]
    """
    for row in rows:
        if row[2][0] > window.start:
            yield row
        elif len(row[2]) > 1:
            yield (row[0], row[1], [t for t in row[2] if t > window.start])
