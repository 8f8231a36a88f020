"""oPIEC, without a bound: the same as PIEC, whatever the batches are."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_piec import PlainOpiec, all_pmis, batches, credible, floats, series, thresholds
from rtec.errors import ConfigError, EngineError
from rtec.prob import Opiec, piec
from rtec.prob.durations import Durations
from rtec.prob.series import RowError

sizes = st.lists(st.integers(1, 12), min_size=1, max_size=4)


def test_table_6_1() -> None:
    stream = Opiec(0.5)
    assert list(stream.update([0, 0.5, 0.7, 0.9])) == [(1, 4)]
    assert stream.support_set() == [(1, 0), (2, -0.5)]
    assert list(stream.update([0.4, 0.1, 0, 0])) == [(1, 5), (2, 6)]
    assert stream.support_set() == [(1, 0), (2, -0.5), (8, -0.9)]
    assert list(stream.update([0.5, 1])) == [(8, 10)]
    assert stream.support_set() == [(1, 0), (2, -0.5), (8, -0.9), (9, -1.4)]
    assert list(stream.intervals()) == [(1, 5), (2, 6), (8, 10)]
    assert list(stream.update([0])) == [(9, 11)]


def test_an_interval_is_replaced_by_a_longer_one() -> None:
    stream = Opiec(0.5)
    stream.update([0, 0.5, 0.7, 0.9])
    assert list(stream.intervals()) == [(1, 4)]
    stream.update([0.4])
    assert list(stream.intervals()) == [(1, 5)]


@given(series(40), thresholds, sizes)
def test_any_batching_equals_the_whole(
    values: list[Fraction], threshold: str, cut: list[int]
) -> None:
    stream, plain = Opiec(threshold), PlainOpiec(Fraction(threshold))
    seen: list[Fraction] = []
    for batch in batches(values, cut):
        seen += batch
        found = stream.update(floats(batch))
        assert list(found) == plain.update(batch)
        kept = zip(stream.support.times, stream.support.depths, strict=True)
        assert [(t, Fraction(-depth, stream.scale.unit)) for t, depth in kept] == plain.support_set
        known = stream.intervals()
        expected = all_pmis(seen, Fraction(threshold))
        assert list(known) == expected
        chosen = {i for i, yes in zip(known, known.credible, strict=True) if yes}
        assert chosen == credible(seen, expected)


@given(
    st.integers(0, 2**32),
    st.sampled_from([0.3, 0.5, 0.7]),
    st.lists(st.integers(1, 300), min_size=1),
)
def test_large_batches_equal_the_whole(seed: int, level: float, cut: list[int]) -> None:
    rng = np.random.default_rng(seed)
    values = np.round(np.clip(rng.normal(level, 0.3, 400), 0, 1), 2)
    stream, i, k = Opiec(0.5), 0, 0
    while i < len(values):
        size = cut[k % len(cut)]
        stream.update(values[i : i + size])
        i, k = i + size, k + 1
    whole = piec(values, 0.5)
    assert list(stream.intervals()) == list(whole)
    assert stream.intervals().prob.tolist() == whole.prob.tolist()


@given(series(30), thresholds)
def test_one_point_at_a_time(values: list[Fraction], threshold: str) -> None:
    pushed, listed, arrays = Opiec(threshold), Opiec(threshold), Opiec(threshold)
    for time, value in enumerate(floats(values), 1):
        ending = list(pushed.push(value))
        assert ending == list(listed.update([value], [time]))
        assert ending == list(arrays.update(np.array([value])))
    assert list(pushed.intervals()) == list(piec(floats(values), threshold))


@given(series(30), thresholds, sizes)
def test_the_support_set_is_minimal(values: list[Fraction], threshold: str, cut: list[int]) -> None:
    """Each start that is kept begins an interval in some continuation of the series."""
    stream = Opiec(threshold)
    for batch in batches(values, cut):
        stream.update(floats(batch))
    exact = Fraction(threshold)
    if exact == 1:
        return
    for time, depth in zip(stream.support.times, stream.support.depths, strict=True):
        # Just enough to come back to the sum before this start, and not to one before.
        distance = Fraction(-depth - stream.sum, stream.scale.unit)
        if distance <= 0:
            continue
        full = distance // (1 - exact)
        rest = distance - full * (1 - exact) + exact
        ahead = [1.0] * int(full) + [math.ceil(rest * 10**9) / 10**9]
        copy = pickle.loads(pickle.dumps(stream))
        assert time in [start for start, _ in copy.update(ahead)]


def test_without_keeping_only_the_last_batch_is_known() -> None:
    stream = Opiec(0.5, keep=False)
    stream.update([1, 0, 0, 0, 0])
    assert list(stream.intervals()) == [(1, 2)]
    stream.update([0, 0, 1])
    assert list(stream.intervals()) == [(7, 8)]
    stream.push(0)
    assert list(stream.intervals()) == [(8, 9)]


def test_forgetting_old_intervals() -> None:
    stream = Opiec(0.5)
    stream.update([1, 0, 0, 0, 0, 1, 0])
    assert list(stream.intervals()) == [(1, 2), (5, 6), (6, 7)]
    stream.forget(before=6)
    assert list(stream.intervals()) == [(5, 6), (6, 7)]


def test_a_bad_row_changes_nothing() -> None:
    stream = Opiec(0.5)
    stream.update([0, 0.5, 0.7, 0.9])
    before = pickle.dumps(stream)
    for bad in ([0.1, 1.1], [float("nan")], [0.1, -0.2, 0.3]):
        with pytest.raises(RowError, match="column `prob`"):
            stream.update(bad)
    with pytest.raises(RowError, match="row 1, column `time`: time-point 4 is there twice"):
        stream.update([0.1, 0.2], [4, 5])
    with pytest.raises(RowError, match="row 3, column `time`: time-point 6 comes after 7"):
        stream.update([0.1, 0.2, 0.3], [5, 7, 6])
    with pytest.raises(RowError, match="row 1, column `time`: time-point 2 comes after 4"):
        stream.push(0.1, 2)
    assert pickle.dumps(stream) == before


def test_an_empty_batch_changes_nothing() -> None:
    stream = Opiec(0.5)
    stream.update([1.0])
    assert len(stream.update([])) == 0
    assert list(stream.intervals()) == [(1, 1)]


def test_a_stream_survives_pickling() -> None:
    stream = Opiec(0.5, bound=2, durations=Durations(3, 1), rng=np.random.default_rng(5))
    values = [0.1, 0.4, 0.9, 0, 0, 0.2, 0.8, 0.7, 0.3, 0, 0, 0.9]
    for value in values[:6]:
        stream.push(value)
    copy = pickle.loads(pickle.dumps(stream))
    for value in values[6:]:
        assert list(stream.push(value)) == list(copy.push(value))
        assert stream.support_set() == copy.support_set()


def test_sums_without_room_are_refused() -> None:
    stream = Opiec(0.5, decimals=15)
    stream.update(np.zeros(2000))
    with pytest.raises(EngineError, match="no more room with 15 decimals"):
        stream.update(np.zeros(2000))
    assert len(stream.support) == 2000


def test_settings_that_make_no_sense() -> None:
    with pytest.raises(ConfigError, match="bound is 0"):
        Opiec(0.5, bound=0)
    with pytest.raises(ConfigError, match="durations are given without a bound"):
        Opiec(0.5, durations=Durations(3, 1))
    with pytest.raises(ConfigError, match="mean duration is 0"):
        Durations(0, 1)
    with pytest.raises(ConfigError, match="standard deviation of durations is -1"):
        Durations(3, -1)
    with pytest.raises(ConfigError, match="tick is 0"):
        Opiec(0.5, tick=0)
