"""How far a live source has come, and from when on its records count.

The time of a live source is the latest arrival seen in it, less the allowed lateness. A query
time is past once that time is later, so a record that comes out of order counts from the time
of its source on, not from its arrival:

    lateness 10      arrival   5   12   31   24   8
                     time      -5   2   21   21   21    after the record
                     counts    5   12   31   24   21    24 is within the lateness, 8 is not

This depends on nothing but the order of the lines: not on how fast they come, nor on how many
come at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rtec.runtime.records import LEAST, Ints


@dataclass(slots=True)
class Watermark:
    """The time of one live source.

    Attributes:
        lateness: How far behind the latest arrival a record may come and still be in time.
        raises: Whether records count from the time of their source on; if not, a clock decides
            which query times are past, and arrivals stay as they are.
        latest: The latest arrival so far.
        first: The time of the first record that the description reads.
    """

    lateness: int = 0
    raises: bool = True
    latest: int = LEAST
    first: int | None = None

    @property
    def floor(self) -> int:
        """The time of the source: no record after this counts earlier."""
        return max(self.latest - self.lateness, LEAST)

    def move(self, time_point: int) -> None:
        """Move the time on to a time-point, if it has not come so far yet."""
        self.latest = max(self.latest, time_point + self.lateness)

    def known(self, arrival: int) -> int:
        """Let one record pass; return from when on it counts."""
        known = max(arrival, self.floor) if self.raises else arrival
        self.latest = max(self.latest, arrival)
        return known

    def floors(self, arrivals: Ints) -> Ints | None:
        """Let records pass; return the time of the source before each, None if it matters not.

        >>> mark = Watermark(lateness=10)
        >>> mark.floors(np.array([5, 12, 31, 24, 8])).tolist()[1:]
        [-5, 2, 21, 21]
        >>> mark.floors(np.array([31, 31, 40])), mark.latest
        (None, 40)
        """
        if not len(arrivals):
            return None
        latest = np.maximum.accumulate(arrivals)
        before = np.empty_like(latest)
        before[0], before[1:] = self.latest, latest[:-1]
        np.maximum(before, self.latest, out=before)
        self.latest = int(max(self.latest, latest[-1]))
        if not self.raises:
            return None
        floors = np.maximum(before, LEAST + self.lateness) - self.lateness
        return floors if (floors > arrivals).any() else None
