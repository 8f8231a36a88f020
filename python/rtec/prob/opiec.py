"""oPIEC: probabilistic maximal intervals of one series, while it arrives in batches.

What was seen is forgotten except for the support set and the sum of scores so far. An interval that
ends in the current batch begins either at a start of the support set or inside the batch, so the
support set followed by the batch is, for this purpose, the whole series (thesis, section 6.1).
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import Any

import numpy as np

from rtec.errors import ConfigError, EngineError, Problem
from rtec.prob.blocks import blocks, check_times
from rtec.prob.durations import Durations
from rtec.prob.gaps import Gaps, check_gaps
from rtec.prob.known import Known
from rtec.prob.maximal import maximal_pairs, strict_minima
from rtec.prob.pmis import Pmis
from rtec.prob.scale import (
    DECIMALS,
    LARGEST_SUM,
    FloatArray,
    IntArray,
    Scale,
    Threshold,
    as_floats,
)
from rtec.prob.series import as_times, bad_prob, check_probs, same_length
from rtec.prob.support import DurationBound, ScoreBound, SupportSet

FEW = 40
"""Up to so many points a loop is faster than array operations."""


class Opiec:
    """Probabilistic maximal intervals of a growing series.

    >>> stream = Opiec(0.5)
    >>> stream.update([0, 0.5, 0.7, 0.9])
    <1 intervals: [1, 4]>
    >>> stream.support_set()
    [(1, 0.0), (2, -0.5)]
    >>> stream.update([0.4, 0.1, 0, 0])
    <2 intervals: [1, 5], [2, 6]>
    >>> stream.intervals()
    <2 intervals: [1, 5], [2, 6]>

    Attributes:
        support: The starts that are remembered.
        known: The intervals known so far.
        sum: The sum of all scores so far.
        last: The last time-point and its score.
    """

    def __init__(
        self,
        threshold: Threshold = 0.5,
        *,
        bound: int | None = None,
        durations: Durations | None = None,
        rng: np.random.Generator | int = 0,
        tick: int = 1,
        gaps: Gaps = "zero",
        decimals: int = DECIMALS,
        keep: bool = True,
    ) -> None:
        """Start before the first time-point.

        Args:
            threshold: What the mean over an interval has to reach.
            bound: The most starts to remember (oPIEC^b); all that are needed, if not given.
            durations: How long intervals usually last (oPIEC^bd); needs a bound.
            rng: A generator, or a seed, that decides which starts are dropped for their age.
            tick: How far apart two consecutive time-points are.
            gaps: What missing time-points mean, see `rtec.prob.gaps`.
            decimals: Decimal places of the probabilities to keep; more are rounded.
            keep: Whether to remember the intervals of earlier batches. If not, memory does not
                grow with the stream, and `intervals` only has those of the last batch.

        Raises:
            ConfigError: A setting makes no sense.
        """
        check_gaps(gaps, tick)
        self.scale = Scale.of(threshold, decimals)
        self.tick = tick
        self.gaps: Gaps = gaps
        self.keep = keep
        self.support = support_for(bound, durations, rng)
        self.known = Known()
        self._none = self.known.since(None, self.scale, tick)
        self.sum = 0
        self.last: tuple[int, int] | None = None
        self._tens = float(10**decimals)
        self._finer = self.scale.unit // 10**decimals

    def update(self, probs: Any, times: Any = None) -> Pmis:
        """Take the next batch, of any size.

        Args:
            probs: Probabilities in [0, 1].
            times: Their time-points, ascending and after those of earlier batches; those that
                follow directly, if not given. The first time-point of a series is 1 then.

        Returns:
            The intervals that end in this batch. They replace every earlier interval that does not
            start before the first of them: those are parts of it.

        Raises:
            RowError: A row of the batch cannot be used. Nothing has changed then.
        """
        if isinstance(probs, list) and len(probs) == 1 and times is None:
            return self.push(probs[0])
        values = as_floats(probs)
        at = None if times is None else as_times(times)
        if at is not None:
            same_length("time", len(at), len(values))
        if len(values) == 1:
            return self.push(float(values[0]), None if at is None else int(at[0]))
        check_probs(values)
        if len(values) == 0:
            return self._none
        return self.take_batch(values, at)

    def push(self, prob: float, time: int | None = None) -> Pmis:
        """Take one time-point: a batch of size one, without the cost of arrays."""
        if not 0.0 <= prob <= 1.0:
            raise bad_prob(0, prob)
        last = self.last
        if time is None:
            time = self.tick if last is None else last[0] + self.tick
        elif last is not None and time - last[0] != self.tick:
            return self.take_batch(np.array([prob], dtype=np.float64), np.array([time]))
        if not self.keep:
            self.known.forget()
        if not -LARGEST_SUM < self.sum < LARGEST_SUM:
            self.check_room(1)
        ends = self._take_one(time, round(prob * self._tens) * self._finer - self.scale.threshold)
        return self.known.since(time, self.scale, self.tick) if ends else self._none

    def intervals(self) -> Pmis:
        """Tell the intervals known so far."""
        return self.known.since(None, self.scale, self.tick)

    def support_set(self) -> list[tuple[int, float]]:
        """Tell the starts that are remembered, each with the sum of scores before it."""
        pairs = zip(self.support.times, self.support.depths, strict=True)
        return [(time, self.scale.number(-depth)) for time, depth in pairs]

    def forget(self, before: int) -> None:
        """Drop the known intervals that end before a time-point."""
        self.known.forget(before)

    def take_batch(self, values: FloatArray, times: IntArray | None) -> Pmis:
        """Take a batch whose probabilities are checked."""
        scores = self.scale.scores(values)
        last, tick = self.last, self.tick
        following = tick if last is None else last[0] + tick
        if times is None:
            first, now = following, following + (len(values) - 1) * tick
        else:
            check_times(times, None if last is None else last[0], tick, self.gaps)
            first, now = int(times[0]), int(times[-1])
        self.check_room((now - (first if last is None else following)) // tick + 1)
        if times is None:
            self.take_next(first, scores)
        else:
            if not self.keep:
                self.known.forget()
            for block in blocks(times, scores, last, tick, self.gaps, -self.scale.threshold):
                if block.fresh:
                    self.sum = 0
                    self.support.clear()
                self._take(block.begin, block.scores)
        return self.known.since(first, self.scale, tick)

    def take_next(self, begin: int, scores: IntArray | list[int]) -> None:
        """Take a batch of scores at consecutive time-points, that follow the last one."""
        if not self.keep:
            self.known.forget()
        self._take(begin, scores)

    def _take(self, begin: int, scores: IntArray | list[int]) -> None:
        if len(scores) == 1:
            self._take_one(begin, int(scores[0]))
        elif isinstance(scores, list):
            self._take_few(begin, scores)
        elif len(scores) <= FEW:
            self._take_few(begin, scores.tolist())
        else:
            self._take_many(begin, scores)

    def _take_one(self, time: int, score: int) -> bool:
        """Take a time-point; say whether an interval ends there."""
        support = self.support
        before = self.sum
        after = self.sum = before + score
        self.last = (time, score)
        i = bisect_left(support.depths, -after)
        ends = True
        if i < len(support.depths):
            self.known.add(support.times[i], time, after + support.depths[i])
        elif score >= 0:
            self.known.add(time, time, score)
        else:
            ends = False
        if support.deepest is None or -before > support.deepest:
            support.add(time, -before, time, self.tick)
        return ends

    def _take_few(self, begin: int, scores: list[int]) -> None:
        """Do what Algorithms 10 and 11 do, with ends from a scan and starts by bisection."""
        support, tick = self.support, self.tick
        times, depths = support.times, support.depths
        sums = list(accumulate(scores, initial=self.sum))
        ends: list[int] = []
        highest: int | None = None
        for i in range(len(scores), 0, -1):
            if highest is None or sums[i] > highest:
                highest = sums[i]
                ends.append(i)
        starts: list[int] = []
        lowest = -depths[-1] if depths else None
        for i, total in enumerate(sums[:-1]):
            if lowest is None or total < lowest:
                lowest = total
                starts.append(i)
        held, inside = 0, 0
        for end in reversed(ends):
            total = sums[end]
            held = bisect_left(depths, -total, held)
            if held < len(depths):
                self.known.add(times[held], begin + (end - 1) * tick, total + depths[held])
                continue
            while inside < len(starts) and sums[starts[inside]] > total:
                inside += 1
            if inside < len(starts) and starts[inside] < end:
                start = starts[inside]
                self.known.add(begin + start * tick, begin + (end - 1) * tick, total - sums[start])
        self.sum = sums[-1]
        now = begin + (len(scores) - 1) * tick
        self.last = (now, scores[-1])
        fresh = [i for i in starts if support.deepest is None or -sums[i] > support.deepest]
        if fresh:
            support.extend([begin + i * tick for i in fresh], [-sums[i] for i in fresh], now, tick)

    def _take_many(self, begin: int, scores: IntArray) -> None:
        support, tick = self.support, self.tick
        sums = np.empty(len(scores) + 1, dtype=np.int64)
        sums[0] = self.sum
        np.cumsum(scores, out=sums[1:])
        sums[1:] += self.sum
        first, held = useful(support, int(sums[1:].max()), int(sums[-1]))
        count = len(held)
        whole = np.concatenate((held, sums))
        before, last = maximal_pairs(whole)
        # Ends up to `count` lie before the batch.
        now_ending = last > count
        before, last = before[now_ending], last[now_ending]
        self.known.extend(
            start_times(support, first, count, begin, tick, before),
            begin + (last - count - 1) * tick,
            whole[last] - whole[before],
        )
        minima = strict_minima(sums[:-1])
        if support.deepest is not None:
            minima = minima[-sums[minima] > support.deepest]
        self.sum = int(sums[-1])
        now = begin + (len(scores) - 1) * tick
        self.last = (now, int(scores[-1]))
        support.extend(begin + minima * tick, -sums[minima], now, tick)

    def check_room(self, points: int) -> None:
        """Refuse so many more time-points, if their sums might not fit.

        Raises:
            EngineError: 64 bits are too few.
        """
        if abs(self.sum) + points * self.scale.unit > LARGEST_SUM:
            raise EngineError(
                Problem(
                    f"the sum of scores of this series, {self.scale.number(self.sum)}, has no "
                    f"more room with {self.scale.decimals} decimals",
                    "prob-length",
                    remedy="keep fewer decimals, or start the series anew from time to time",
                )
            )


def support_for(
    bound: int | None, durations: Durations | None, rng: np.random.Generator | int
) -> SupportSet:
    """Make the support set that the settings ask for."""
    if bound is None:
        if durations is not None:
            raise ConfigError(
                Problem(
                    "durations are given without a bound, and decide nothing",
                    "prob-durations",
                    remedy="give the most elements that the support set may have",
                )
            )
        return SupportSet()
    if durations is None:
        return ScoreBound(bound)
    return DurationBound(bound, durations, np.random.default_rng(rng))


def useful(support: SupportSet, highest: int, final: int) -> tuple[int, IntArray]:
    """Pick the starts of a support set that matter to a batch.

    Starts above all sums of the batch begin nothing. The first start that is not above the final
    sum begins an interval up to the end of the batch; later ones would only begin parts of it.

    Returns:
        The position of the first such start, and their sums.
    """
    first = bisect_left(support.depths, -highest)
    last = bisect_left(support.depths, -final, first) + 1
    depths = support.depths[first:last]
    held = np.frombuffer(depths, dtype=np.int64) if depths else np.zeros(0, dtype=np.int64)
    return first, -held


def start_times(
    support: SupportSet, first: int, count: int, begin: int, tick: int, positions: IntArray
) -> IntArray:
    """Turn positions among `count` held starts and the batch after them into time-points."""
    times = begin + (positions - count) * tick
    held = int(np.searchsorted(positions, count))
    if held:
        column = np.frombuffer(support.times[first : first + count], dtype=np.int64)
        times[:held] = column[positions[:held]]
    return times
