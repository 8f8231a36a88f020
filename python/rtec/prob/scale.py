"""Exact numbers: probabilities and the threshold as whole multiples of one small unit.

An interval is maximal because a sum of differences from the threshold is at least zero, and in
practice such sums often are exactly zero. Binary fractions would decide those cases by chance, so
every probability is read as the decimal number its author wrote, and all sums are sums of
integers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rtec.errors import ConfigError, EngineError, Problem

Threshold: TypeAlias = float | str | Decimal | Fraction
FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

DECIMALS = 9
"""Decimal places kept unless the caller, or the input as a whole, asks for others."""

MOST_DECIMALS = 15
"""A double tells numbers between 0 and 1 apart up to this many decimal places."""

FLOAT32_DECIMALS = 7
"""Single precision tells numbers between 0 and 1 apart up to this many decimal places."""

LARGEST_SUM = 2**61
"""Sums stay below this, so that differences of two of them fit 64 bits."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The unit in which scores are counted.

    A score is what a time-point adds to the sum of an interval: its probability less the
    threshold, in units of `1 / unit`.

    Attributes:
        decimals: Decimal places of the probabilities that are kept.
        unit: How many units make up probability 1.
        threshold: The threshold in units.
    """

    decimals: int
    unit: int
    threshold: int

    @classmethod
    def of(cls, threshold: Threshold, decimals: int = DECIMALS) -> Scale:
        """Make the coarsest unit that has the threshold and all such decimals as multiples.

        >>> Scale.of(0.5, decimals=1)
        Scale(decimals=1, unit=10, threshold=5)
        >>> Scale.of("1/3", decimals=1)
        Scale(decimals=1, unit=30, threshold=10)
        """
        if not 0 <= decimals <= MOST_DECIMALS:
            raise ConfigError(
                Problem(
                    f"decimals is {decimals}; it has to be between 0 and {MOST_DECIMALS}",
                    "prob-decimals",
                )
            )
        exact = as_fraction(threshold, decimals)
        unit = math.lcm(10**decimals, exact.denominator)
        if unit > 10 ** (MOST_DECIMALS + 1):
            raise ConfigError(
                Problem(
                    f"threshold {threshold} needs steps of 1/{unit}, too fine to sum exactly",
                    "prob-threshold",
                    remedy=f"give it with at most {MOST_DECIMALS} decimals",
                )
            )
        return cls(decimals, unit, int(exact * unit))

    @property
    def most_points(self) -> int:
        """How many time-points can be summed before 64 bits are too few."""
        return LARGEST_SUM // self.unit

    def scores(self, probs: FloatArray) -> IntArray:
        """Turn probabilities, already checked to be in [0, 1], into scores."""
        scaled = probs * float(10**self.decimals)
        np.rint(scaled, out=scaled)
        scores = scaled.astype(np.int64)
        finer = self.unit // 10**self.decimals
        if finer != 1:
            scores *= finer
        scores -= self.threshold
        return scores

    def is_exact(self, probs: FloatArray) -> bool:
        """Whether every probability is a number of at most `decimals` decimal places."""
        return _has_decimals(probs, self.decimals)

    def number(self, score: int) -> float:
        """Turn a sum of scores back into a number.

        >>> Scale.of(0.5).number(-1_400_000_000)
        -1.4
        """
        return score / self.unit

    def check_length(self, points: int) -> None:
        """Refuse a series that is too long for exact sums.

        Raises:
            EngineError: The sums over `points` time-points might not fit 64 bits.
        """
        if points > self.most_points:
            raise EngineError(
                Problem(
                    f"{points} time-points with {self.decimals} decimals are too many to sum "
                    f"exactly; {self.most_points} is the most",
                    "prob-length",
                    remedy="keep fewer decimals, give a larger tick, or split series at gaps",
                )
            )


def as_fraction(threshold: Threshold, decimals: int = DECIMALS) -> Fraction:
    """Read a threshold exactly: a float as the decimal it is written as.

    A float of more decimals than doubles can tell apart is the result of arithmetic, and rounded
    like the probabilities are.

    >>> as_fraction(0.7), as_fraction("1/3"), as_fraction(0.1 + 0.2)
    (Fraction(7, 10), Fraction(1, 3), Fraction(3, 10))
    """
    try:
        if isinstance(threshold, float | np.floating):
            decimal = Decimal(repr(float(threshold)))
            exact = Fraction(decimal)
            if exact.denominator > 10**MOST_DECIMALS or 10**MOST_DECIMALS % exact.denominator:
                exact = Fraction(round(decimal, decimals))
        else:
            exact = Fraction(threshold)
    except (ValueError, ZeroDivisionError, OverflowError, ArithmeticError):
        exact = Fraction(-1)
    if not 0 <= exact <= 1:
        raise ConfigError(
            Problem(f"threshold is {threshold}; it has to be between 0 and 1", "prob-threshold")
        )
    return exact


def as_floats(values: Any) -> FloatArray:
    """Turn any array of numbers into doubles that print like the numbers did.

    Single precision holds 0.7 as 0.699999988; such values are rounded to the decimals they have.
    """
    array = np.asarray(values)
    if array.dtype in (np.float32, np.float16):
        tens = float(10**FLOAT32_DECIMALS)
        return np.asarray(np.rint(array.astype(np.float64) * tens) / tens)
    return np.ascontiguousarray(array, dtype=np.float64)


def decimals_of(probs: FloatArray) -> int | None:
    """Count the decimal places that the probabilities have, none if more than doubles hold.

    >>> decimals_of(np.array([0.5, 0.25])), decimals_of(np.array([1 / 3])) is None
    (2, True)
    """
    for decimals in range(MOST_DECIMALS + 1):
        if _has_decimals(probs, decimals):
            return decimals
    return None


def fitting_decimals(probs: FloatArray, points: int) -> int:
    """Choose the decimals for an input that is known as a whole.

    Nine, if they are enough for every value; else as many as make every value exact and still
    allow sums over `points` time-points. Values with more are rounded to nine. Very long series
    get as few as their values need.
    """
    roomy = LARGEST_SUM // max(points, 1)
    if roomy >= 10**DECIMALS:
        for decimals in range(DECIMALS, MOST_DECIMALS + 1):
            if 10**decimals > roomy:
                break
            if _has_decimals(probs, decimals):
                return decimals
        return DECIMALS
    needed = decimals_of(probs)
    return DECIMALS if needed is None else min(needed, DECIMALS)


def _has_decimals(probs: FloatArray, decimals: int) -> bool:
    # An integer divided by a power of ten is rounded once, like a literal: equality is exact.
    tens = float(10**decimals)
    head = probs[:256]
    if not np.array_equal(np.rint(head * tens) / tens, head):
        return False
    scaled = probs * tens
    np.rint(scaled, out=scaled)
    scaled /= tens
    return bool(np.array_equal(scaled, probs))
