"""PIEC against the thesis and against trying all intervals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_piec import all_pmis, credible, floats, probability, series, thresholds
from rtec.errors import ConfigError, StreamError
from rtec.prob import piec
from rtec.prob.series import RowError

TABLE_5_2 = [0, 0.5, 0.7, 0.9, 0.4, 0.1, 0, 0, 0.5, 1]


def test_table_5_2() -> None:
    found = piec(TABLE_5_2, 0.5)
    assert list(found) == [(1, 5), (2, 6), (8, 10)]
    assert found.prob.tolist() == pytest.approx([0.5, 0.52, 0.5], abs=1e-15)


def test_a_further_zero_gives_one_more_interval() -> None:
    assert list(piec([*TABLE_5_2, 0], 0.5)) == [(1, 5), (2, 6), (8, 10), (9, 11)]


def test_table_6_2() -> None:
    assert list(piec([0, 0.3, 0.3, 0.6, 0.9], 0.5)) == [(2, 5)]


def test_sums_that_are_exactly_zero_meet_the_threshold() -> None:
    # In binary (0.1 + 0.7) / 2 is less than 0.4, and (0.6 + 0.7 + 0.2) / 3 less than 0.5.
    assert list(piec([0.1, 0.7], 0.4)) == [(1, 2)]
    assert list(piec([0.6, 0.7, 0.2], 0.5)) == [(1, 3)]
    # A little less, in the last decimal kept, does not meet the threshold.
    assert list(piec([0.1, 0.699999999], 0.4)) == [(2, 2)]


@given(series(), thresholds)
def test_piec_finds_what_trying_all_intervals_finds(values: list[Fraction], threshold: str) -> None:
    found = piec(floats(values), threshold)
    expected = all_pmis(values, Fraction(threshold))
    assert list(found) == expected
    assert found.prob.tolist() == pytest.approx(
        [float(probability(values, interval)) for interval in expected], abs=1e-12
    )


@given(series(), thresholds)
def test_the_most_probable_of_overlapping_intervals_is_credible(
    values: list[Fraction], threshold: str
) -> None:
    found = piec(floats(values), threshold)
    chosen = {interval for interval, yes in zip(found, found.credible, strict=True) if yes}
    assert chosen == credible(values, list(found))


@given(st.lists(series(12), max_size=8), thresholds, st.randoms(use_true_random=False))
def test_many_series_in_one_call_are_as_each_alone(
    many: list[list[Fraction]], threshold: str, random: object
) -> None:
    rows = [(f"s{k}", t, float(p)) for k, one in enumerate(many) for t, p in enumerate(one, 1)]
    # Interleave the series; the order within each stays.
    rows.sort(key=lambda row: (row[1] * 7 % 5 + 100 * row[1] if len(row[0]) else 0, row[0]))
    names, times, probs = ([row[i] for row in rows] for i in range(3))
    table = piec(probs, threshold, times=times, series=pa.array(names, pa.string())).to_arrow()
    found = {(r["series"], r["start"], r["end"], r["credible"]) for r in table.to_pylist()}
    expected = set()
    for k, one in enumerate(many):
        pmis = all_pmis(one, Fraction(threshold))
        chosen = credible(one, pmis)
        expected |= {(f"s{k}", s, e, (s, e) in chosen) for s, e in pmis}
    assert found == expected
    assert table.num_rows == len(expected)


def test_thousands_of_series_in_a_matrix() -> None:
    rng = np.random.default_rng(4)
    matrix = np.round(rng.random((3000, 60)), 2)
    found = piec(matrix, 0.6)
    for k in (0, 1, 1499, 2999):
        assert list(found.of_series(k)) == list(piec(matrix[k], 0.6))
    one_by_one = sum(len(piec(matrix[k], 0.6)) for k in range(0, 3000, 10))
    assert sum(len(found.of_series(k)) for k in range(0, 3000, 10)) == one_by_one


def test_a_long_series_is_not_cut() -> None:
    values = np.zeros(300_000)
    values[1000:2000] = 1
    values[250_000:251_000] = 1
    found = piec(values, 0.5)
    assert list(found)[0] == (1, 2000)
    assert (250_001 - 1000, 251_000) in list(found)


def test_empty_series() -> None:
    assert len(piec([])) == 0
    assert piec([], series=[], times=[]).to_arrow().num_rows == 0


def test_thresholds_at_the_ends() -> None:
    assert list(piec([0, 1, 0], 0)) == [(1, 3)]
    assert list(piec([0, 1, 1, 0.5], 1)) == [(2, 3)]


def test_results_are_arrow() -> None:
    table = piec(TABLE_5_2, series=["a"] * 10).to_arrow()
    assert table.schema.names == ["series", "start", "end", "prob", "credible"]
    assert [str(field.type) for field in table.schema] == [
        "string",
        "int64",
        "int64",
        "double",
        "bool",
    ]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"probs": [0.5, 1.5]}, r"row 2, column `prob`: 1.5 is not a probability"),
        ({"probs": [0.5, -0.1]}, r"row 2, column `prob`: -0.1 is not"),
        ({"probs": [float("nan")]}, r"row 1, column `prob`: the value is missing"),
        ({"probs": [0.5, 0.5], "times": [3, 3]}, r"row 2, column `time`: time-point 3 is there tw"),
        ({"probs": [0.5, 0.5], "times": [3, 2]}, r"row 2, column `time`: time-point 2 comes after"),
        ({"probs": [0.5], "times": [1.5]}, r"row 1, column `time`: `1.5` is not a whole number"),
        ({"probs": [0.5], "times": ["x"]}, r"row 1, column `time`: `x` is not a whole number"),
        ({"probs": [0.5, 1], "series": ["a", None]}, r"row 2, column `series`: the series is miss"),
        (
            {"probs": [0.5] * 2, "times": [0, 15], "tick": 10},
            r"row 2, .*15 after 0; the tick is 10",
        ),
    ],
)
def test_bad_rows_are_named(columns: dict[str, object], message: str) -> None:
    with pytest.raises(RowError, match=message):
        piec(**columns)


def test_the_first_bad_row_of_the_input_is_named_though_series_are_interleaved() -> None:
    with pytest.raises(RowError, match="row 3, column `time`: time-point 1 comes after 5"):
        piec([0.1] * 5, times=[5, 9, 1, 3, 4], series=["b", "a", "b", "a", "a"])


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(StreamError, match="column `time` has 1 rows, `prob` has 2"):
        piec([0.5, 0.5], times=[1])


def test_unknown_ways_with_gaps_are_refused() -> None:
    with pytest.raises(ConfigError, match="gaps is `fill`; it has to be one of zero, hold, split"):
        piec([0.5], gaps="fill")  # type: ignore[arg-type]
