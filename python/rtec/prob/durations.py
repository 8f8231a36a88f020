"""How long intervals usually last, and what that says about old starting points.

Intervals are taken to have normally distributed lengths. A starting point that would only begin
intervals much longer than usual is likely to be dropped (thesis, expression 6.4).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rtec.errors import ConfigError, Problem
from rtec.prob.pmis import Pmis
from rtec.prob.scale import FloatArray, IntArray

_SQRT2 = math.sqrt(2.0)
_CERTAIN = 9.0  # so many deviations from the mean, `math.erf` is 1.0


@dataclass(frozen=True, slots=True)
class Durations:
    """Statistics of the lengths of intervals, counted in time-points.

    Attributes:
        mean: The mean length.
        deviation: The standard deviation.
    """

    mean: float
    deviation: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.mean) and self.mean > 0):
            raise ConfigError(
                Problem(f"mean duration is {self.mean}; it has to be above 0", "prob-durations")
            )
        if not (math.isfinite(self.deviation) and self.deviation >= 0):
            raise ConfigError(
                Problem(
                    f"standard deviation of durations is {self.deviation}; it has to be at least 0",
                    "prob-durations",
                )
            )

    @classmethod
    def learn(cls, intervals: Pmis) -> Durations:
        """Take the statistics from the intervals that PIEC found in training series.

        >>> from rtec.prob import piec
        >>> Durations.learn(piec([0, 0.5, 0.7, 0.9, 0.4, 0.1, 0, 0, 0.5, 1, 0]))
        Durations(mean=4.0, deviation=1.0)
        """
        lengths = intervals.length
        if len(lengths) == 0:
            raise ConfigError(
                Problem(
                    "no interval to learn durations from",
                    "prob-durations",
                    remedy="train on a series in which the threshold is met",
                )
            )
        return cls(float(lengths.mean()), float(lengths.std()))

    def deletion_probability(self, least: float) -> float:
        """Say how readily a start is dropped whose intervals last at least `least` time-points.

        It is the mass of the normal distribution within `least - mean` of the mean, and 0 as long
        as a usual length is still possible.

        >>> usual = Durations(4.3, 2.4)
        >>> [round(usual.deletion_probability(least), 2) for least in (8, 7, 4)]
        [0.88, 0.74, 0.0]
        """
        if least <= self.mean:
            return 0.0
        if self.deviation == 0.0:
            return 1.0
        return math.erf((least - self.mean) / (self.deviation * _SQRT2))

    def deletion_probabilities(self, least: IntArray) -> FloatArray:
        """Do the same for many starts at once.

        Few of them matter one by one: beyond some deviations, all are as good as certain to go.

        >>> Durations(4.3, 2.4).deletion_probabilities(np.array([1000, 8, 7, 4])).round(2).tolist()
        [1.0, 0.88, 0.74, 0.0]
        """
        chance: FloatArray = np.ones(len(least))
        near = np.flatnonzero(least < self.mean + _CERTAIN * self.deviation)
        chance[near] = [self.deletion_probability(each) for each in least[near].tolist()]
        return chance
