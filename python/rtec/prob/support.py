"""The support set: starting points that intervals of the future may need.

A starting point is kept with the sum of scores before it (`prev_prefix` in the thesis). Later
elements have lower sums, so the set is sorted both ways, and the earliest start that a sum reaches
is found by bisection. Sums are stored negated, as depths, to make them ascend.

`SupportSet` keeps every start that condition 6.2 asks for. `ScoreBound` (oPIEC^b) keeps at most so
many, those with the longest score ranges. `DurationBound` (oPIEC^bd) first drops starts that are
too old for usual intervals.
"""

from __future__ import annotations

import heapq
import math
from array import array
from bisect import bisect_left
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rtec.errors import ConfigError, Problem
from rtec.prob.durations import Durations
from rtec.prob.scale import IntArray

Column: TypeAlias = list[int] | IntArray

_STALE = 64
_ENDLESS = 2**63 - 1
_DRAWN_AHEAD = 256
_NEGLIGIBLE = 1e-12


class SupportSet:
    """Starting points in the order of time, without a bound.

    Attributes:
        times: The starting points.
        depths: The negated sums of scores before them, ascending.
        deepest: The largest depth that was ever added, also if its start was dropped.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.times: array[int] = array("q")
        self.depths: array[int] = array("q")
        self.deepest: int | None = None

    def __len__(self) -> int:
        return len(self.times)

    def clear(self) -> None:
        """Forget everything, as at the start of a series."""
        del self.times[:]
        del self.depths[:]
        self.deepest = None

    def add(self, time: int, depth: int, now: int, tick: int) -> None:
        """Add a start that is deeper than all that were ever added.

        Args:
            time: The starting point.
            depth: The negated sum of scores before it.
            now: The last time-point seen.
            tick: How far apart two time-points are.
        """
        self.deepest = depth
        self.times.append(time)
        self.depths.append(depth)

    def extend(self, times: Column, depths: Column, now: int, tick: int) -> None:
        """Add several starts at once, each deeper than the one before."""
        if len(times) == 0:
            return
        self.deepest = int(depths[-1])
        if isinstance(times, np.ndarray) and isinstance(depths, np.ndarray):
            self.times.frombytes(times.tobytes())
            self.depths.frombytes(depths.tobytes())
        else:
            self.times.extend(times)
            self.depths.extend(depths)


class ScoreBound(SupportSet):
    """At most `bound` starts: those with the shortest score ranges are dropped (section 6.2.1).

    The score range of a start reaches from its sum to that of the start before it; the longer it
    is, the more sums of the future make this start the one they need. The first start's range has
    no end, so it stays. Of equally short ranges the earlier goes first.

    A heap of score ranges finds the shortest without a scan. Dropping a start makes its
    successor's range longer; the old entry of the successor stays in the heap and is seen to be
    stale when it comes up.
    """

    def __init__(self, bound: int) -> None:
        """Start empty, to hold at most `bound` starts."""
        if bound < 1:
            raise ConfigError(
                Problem(
                    f"bound is {bound}; the support set needs room for at least 1 start",
                    "prob-bound",
                )
            )
        super().__init__()
        self.bound = bound
        self._heap: list[tuple[int, int]] | None = None

    def clear(self) -> None:
        """Forget everything, as at the start of a series."""
        super().clear()
        self._heap = None

    def add(self, time: int, depth: int, now: int, tick: int) -> None:
        """Add a start that is deeper than all that were ever added, and keep to the bound."""
        depths = self.depths
        if self._heap is not None and depths:
            heapq.heappush(self._heap, (depth - depths[-1], time))
        self.deepest = depth
        self.times.append(time)
        depths.append(depth)
        if len(depths) > self.bound:
            self._drop_one(now, tick)

    def extend(self, times: Column, depths: Column, now: int, tick: int) -> None:
        """Add several starts at once, each deeper than the one before, and keep to the bound."""
        super().extend(times, depths, now, tick)
        self._heap = None
        excess = len(self.times) - self.bound
        if excess > 0:
            self._drop_several(excess, now, tick)

    def _drop_one(self, now: int, tick: int) -> None:
        self._remove(self._shortest())

    def _drop_several(self, excess: int, now: int, tick: int) -> None:
        depths = np.array(self.depths, dtype=np.int64)
        ranges = np.empty(len(depths), dtype=np.int64)
        ranges[0] = _ENDLESS
        np.subtract(depths[1:], depths[:-1], out=ranges[1:])
        limit = np.partition(ranges, excess - 1)[excess - 1]
        short = ranges < limit
        short[np.flatnonzero(ranges == limit)[: excess - np.count_nonzero(short)]] = True
        self._keep(~short)

    def _shortest(self) -> int:
        """Find the start with the shortest score range."""
        times, depths = self.times, self.depths
        heap = self._heap
        if heap is None or len(heap) > 4 * len(times) + _STALE:
            heap = [(depths[i] - depths[i - 1], times[i]) for i in range(1, len(depths))]
            heapq.heapify(heap)
            self._heap = heap
        while True:
            size, time = heapq.heappop(heap)
            i = bisect_left(times, time)
            if 0 < i < len(times) and times[i] == time and depths[i] - depths[i - 1] == size:
                return i

    def _remove(self, i: int) -> None:
        times, depths = self.times, self.depths
        del times[i]
        del depths[i]
        if self._heap is not None and 0 < i < len(times):
            heapq.heappush(self._heap, (depths[i] - depths[i - 1], times[i]))

    def _keep(self, kept: npt.NDArray[np.bool_]) -> None:
        self.times = array("q", np.array(self.times, dtype=np.int64)[kept].tobytes())
        self.depths = array("q", np.array(self.depths, dtype=np.int64)[kept].tobytes())


class DurationBound(ScoreBound):
    """At most `bound` starts: those too old for usual intervals are dropped first (Algorithm 12).

    From the oldest on, as long as there are too many, each start is dropped with the probability
    that `Durations` gives; what is too many then goes by score range. Random numbers come from
    the caller's generator, some ahead of their use.
    """

    def __init__(self, bound: int, durations: Durations, rng: np.random.Generator) -> None:
        """Start empty, to hold at most `bound` starts."""
        super().__init__(bound)
        self.durations = durations
        self._rng = rng
        self._drawn: list[float] = []

    def _drop_one(self, now: int, tick: int) -> None:
        i = self._outdated(now, tick)
        self._remove(self._shortest() if i is None else i)

    def _drop_several(self, excess: int, now: int, tick: int) -> None:
        least = (now - np.array(self.times, dtype=np.int64)) // tick + 1
        old = least[least > self.durations.mean]
        chance = self.durations.deletion_probabilities(old)
        outdated = np.flatnonzero(chance > self._rng.random(len(old)))[:excess]
        kept = np.ones(len(least), dtype=np.bool_)
        kept[outdated] = False
        self._keep(kept)
        if len(outdated) < excess:
            super()._drop_several(excess - len(outdated), now, tick)

    def _outdated(self, now: int, tick: int) -> int | None:
        """Draw the first start that is dropped for its age, without asking all of them.

        Deletion probabilities fall from start to start. So the next candidate can be drawn as if
        all had the probability of the current one, and is then spared with what its own lacks of
        that.
        """
        times, durations = self.times, self.durations
        old = bisect_left(times, now + tick - durations.mean * tick)
        i = 0
        while i < old:
            highest = durations.deletion_probability((now - times[i]) // tick + 1)
            if highest >= 1.0:
                return i
            if highest < _NEGLIGIBLE:
                break
            skipped = int(math.log(1.0 - self._uniform()) / math.log1p(-highest))
            if skipped == 0:
                return i
            i += skipped
            if i >= old:
                break
            actual = durations.deletion_probability((now - times[i]) // tick + 1)
            if self._uniform() * highest < actual:
                return i
            i += 1
        return None

    def _uniform(self) -> float:
        if not self._drawn:
            self._drawn = self._rng.random(_DRAWN_AHEAD).tolist()
        return self._drawn.pop()
