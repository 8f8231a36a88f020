"""A vessel's plan: where it is when, leg by leg, and how it behaves on each leg.

A plan is a list of knots in time with straight legs between them. Plans only grow at their
end; what lies in the past is forgotten, so a plan of any length needs little memory.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rtec.generate.maritime.geography import Bools, Floats, Spot

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Track:
    """A vessel at each of the times asked for."""

    x: Floats
    y: Floats
    speed: Floats
    course: Floats
    heading: Floats
    transmits: Bools


class Plan:
    """Where one vessel is, from the start of the stream to `end`."""

    def __init__(self, time: float, spot: Spot) -> None:
        """Put the vessel somewhere at a time."""
        self._time = [time]
        self._x = [spot[0]]
        self._y = [spot[1]]
        # Of the leg that ends at each knot: the angle between bow and course, and the AIS.
        self._offset = [0.0]
        self._transmits = [True]
        self.transmits = True
        self.offset = 0.0

    @property
    def end(self) -> float:
        """How far in time the plan reaches."""
        return self._time[-1]

    @property
    def spot(self) -> Spot:
        """Where the plan ends."""
        return self._x[-1], self._y[-1]

    def go(self, spot: Spot, knots: float) -> float:
        """Sail straight to a place, and return the time of arrival."""
        distance = math.dist(self.spot, spot)
        return self.reach(spot, self.end + max(1.0, distance / knots * HOUR))

    def reach(self, spot: Spot, time: float) -> float:
        """Sail straight to a place so as to be there at a time."""
        self._time.append(max(time, self.end + 1.0))
        self._x.append(spot[0])
        self._y.append(spot[1])
        self._offset.append(self.offset)
        self._transmits.append(self.transmits)
        return self.end

    def wait(self, seconds: float) -> float:
        """Stay where it is."""
        return self.reach(self.spot, self.end + seconds)

    def wait_until(self, time: float) -> float:
        """Stay where it is until a time, if that lies ahead."""
        return self.reach(self.spot, time) if time > self.end else self.end

    def track(self, times: Floats) -> Track:
        """Follow the plan; `times` rise and do not lie beyond its end."""
        knots: NDArray[np.float64] = np.array(self._time)
        xs, ys = np.array(self._x), np.array(self._y)
        hours = np.diff(knots, prepend=knots[0] - HOUR) / HOUR
        dx, dy = np.diff(xs, prepend=xs[0]), np.diff(ys, prepend=ys[0])
        leg = np.minimum(np.searchsorted(knots, times), len(knots) - 1)
        course = np.degrees(np.arctan2(dx, dy)) % 360.0
        return Track(
            np.interp(times, knots, xs),
            np.interp(times, knots, ys),
            (np.hypot(dx, dy) / hours)[leg],
            course[leg],
            (course[leg] + np.array(self._offset)[leg]) % 360.0,
            np.array(self._transmits)[leg],
        )

    def forget_before(self, time: float) -> None:
        """Drop the legs that ended before a time."""
        keep = max(0, int(np.searchsorted(self._time, time)) - 2)
        for column in (self._time, self._x, self._y, self._offset, self._transmits):
            del column[:keep]
