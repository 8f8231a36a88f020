"""Exact numbers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtec.errors import ConfigError, EngineError
from rtec.prob.scale import Scale, as_floats, as_fraction, decimals_of, fitting_decimals


@given(st.lists(st.integers(0, 10**9), min_size=1), st.integers(0, 9))
def test_decimals_of_the_input_are_kept_exactly(numbers: list[int], decimals: int) -> None:
    exact = [Fraction(n % (10**decimals + 1), 10**decimals) for n in numbers]
    scale = Scale.of("0.123456789")
    scores = scale.scores(np.array([float(value) for value in exact]))
    assert [Fraction(int(score), scale.unit) for score in scores] == [
        value - Fraction(123456789, 10**9) for value in exact
    ]


@given(st.lists(st.floats(0, 1), min_size=1))
def test_other_values_are_rounded_by_less_than_one_unit(values: list[float]) -> None:
    scale = Scale.of(0)
    for score, value in zip(scale.scores(np.array(values)).tolist(), values, strict=True):
        assert abs(Fraction(score, scale.unit) - Fraction(value)) <= Fraction(51, 100 * 10**9)


def test_a_threshold_is_read_as_it_is_written() -> None:
    assert as_fraction(0.1) == as_fraction("0.1") == as_fraction(Decimal("0.1")) == Fraction(1, 10)
    assert as_fraction("1/3") == Fraction(1, 3)
    assert as_fraction(np.float64(0.7)) == Fraction(7, 10)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan"), float("inf"), "x", "1/0", "1.01"])
def test_a_threshold_out_of_range_is_refused(threshold: float | str) -> None:
    with pytest.raises(ConfigError, match="threshold is .*between 0 and 1"):
        Scale.of(threshold)


def test_a_threshold_too_fine_is_refused() -> None:
    with pytest.raises(ConfigError, match="too fine"):
        Scale.of("0.12345678901234567")


@pytest.mark.parametrize("decimals", [-1, 16])
def test_decimals_out_of_range_are_refused(decimals: int) -> None:
    with pytest.raises(ConfigError, match="decimals is"):
        Scale.of(0.5, decimals)


def test_single_precision_keeps_its_decimals() -> None:
    assert as_floats(np.array([0.7, 0.123456], dtype=np.float32)).tolist() == [0.7, 0.123456]


def test_decimals_are_counted() -> None:
    assert decimals_of(np.array([0.0, 1.0])) == 0
    assert decimals_of(np.array([0.5, 0.125])) == 3
    assert decimals_of(np.array([0.1 + 0.2])) is None


def test_decimals_are_chosen_from_the_input() -> None:
    assert fitting_decimals(np.array([0.5]), 10) == 9
    assert fitting_decimals(np.array([0.1234567890123]), 10) == 13
    assert fitting_decimals(np.array([1 / 3]), 10) == 9
    # Thirteen decimals over so many points would not fit 64 bits.
    assert fitting_decimals(np.array([0.1234567890123]), 10**6) == 9
    assert fitting_decimals(np.array([0.25]), 10**12) == 2


def test_too_long_a_series_is_refused_with_a_way_out() -> None:
    with pytest.raises(EngineError, match="too many to sum exactly") as refused:
        Scale.of(0.5).check_length(10**10)
    assert "fewer decimals" in str(refused.value)
