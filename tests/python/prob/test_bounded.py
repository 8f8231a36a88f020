"""oPIEC^b and oPIEC^bd: the support set kept to a bound."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_piec import PlainOpiec, batches, floats, series, shortest_score_ranges, thresholds
from rtec.errors import ConfigError
from rtec.prob import Durations, Opiec, piec
from rtec.prob.support import DurationBound

sizes = st.lists(st.integers(1, 12), min_size=1, max_size=4)
bounds = st.integers(1, 6)


def test_example_27() -> None:
    stream = Opiec(0.5, bound=2)
    stream.update([0, 0.3, 0.3, 0.6])
    assert stream.support_set() == [(1, 0), (2, -0.5)]
    assert list(stream.update([0.9])) == [(2, 5)]


def test_example_28_by_score_range() -> None:
    stream = Opiec(0.5, bound=2)
    stream.update([0, 0.5, 0.7, 0.9])
    assert stream.support_set() == [(1, 0), (2, -0.5)]
    assert list(stream.update([0.4, 0.1, 0, 0])) == [(1, 5), (2, 6)]
    assert stream.support_set() == [(1, 0), (2, -0.5)]
    # [8, 10] is lost: its start was not kept.
    assert list(stream.update([0.5, 1])) == [(9, 10)]


def test_example_28_deletion_probabilities() -> None:
    usual = Durations(4.3, 2.4)
    assert round(usual.deletion_probability(8), 2) == 0.88
    assert round(usual.deletion_probability(7), 2) == 0.74
    assert usual.deletion_probability(4.3) == 0
    assert usual.deletion_probability(1) == 0
    assert usual.deletion_probability(1000) == 1
    # Figure 6.4: one deviation above the mean.
    assert round(Durations(10, 2).deletion_probability(12), 2) == 0.68


@pytest.mark.parametrize("size", [4, 1])
def test_example_28_by_duration(size: int) -> None:
    """After In[5..8] one of the three starts goes, with the probabilities of the example."""
    usual = Durations(4.3, 2.4)
    outcomes: Counter[tuple[int, ...]] = Counter()
    found: Counter[bool] = Counter()
    rng = np.random.default_rng(28)
    runs = 2000
    for _ in range(runs):
        stream = Opiec(0.5, bound=2, durations=usual, rng=rng)
        values = [0, 0.5, 0.7, 0.9, 0.4, 0.1, 0, 0]
        for i in range(0, 8, size):
            stream.update(values[i : i + size])
        outcomes[tuple(stream.support.times)] += 1
        found[(8, 10) in list(stream.update([0.5, 1]))] += 1
    first, second = usual.deletion_probability(8), usual.deletion_probability(7)
    shares = {
        (2, 8): first,
        (1, 8): (1 - first) * second,
        (1, 2): (1 - first) * (1 - second),
    }
    assert set(outcomes) == set(shares)
    for starts, share in shares.items():
        spread = 5 * math.sqrt(share * (1 - share) / runs)
        assert abs(outcomes[starts] / runs - share) < spread
    assert found[True] == outcomes[2, 8] + outcomes[1, 8]


@given(series(40), thresholds, sizes, bounds)
def test_score_bound_does_what_the_thesis_says(
    values: list[Fraction], threshold: str, cut: list[int], bound: int
) -> None:
    stream = Opiec(threshold, bound=bound)
    plain = PlainOpiec(Fraction(threshold), shortest_score_ranges(bound))
    for batch in batches(values, cut):
        assert list(stream.update(floats(batch))) == plain.update(batch)
        assert list(stream.support.times) == [t for t, _ in plain.support_set]
    assert list(stream.intervals()) == plain.known


@given(st.integers(0, 2**32), st.lists(st.integers(1, 90), min_size=1, max_size=3), bounds)
def test_score_bound_over_large_batches(seed: int, cut: list[int], bound: int) -> None:
    rng = np.random.default_rng(seed)
    values = [Fraction(int(n), 10) for n in np.clip(rng.normal(3.5, 3, 150), 0, 10)]
    stream = Opiec(0.5, bound=bound)
    plain = PlainOpiec(Fraction(1, 2), shortest_score_ranges(bound))
    for batch in batches(values, cut):
        assert list(stream.update(floats(batch))) == plain.update(batch)
        assert list(stream.support.times) == [t for t, _ in plain.support_set]


@given(series(40), thresholds, sizes, st.integers(1, 30))
def test_a_bound_no_smaller_than_the_support_set_changes_nothing(
    values: list[Fraction], threshold: str, cut: list[int], mean: int
) -> None:
    whole = piec(floats(values), threshold)
    free = Opiec(threshold)
    for batch in batches(values, cut):
        free.update(floats(batch))
    bound = max(1, len(free.support))
    for durations in (None, Durations(mean, 2)):
        stream = Opiec(threshold, bound=bound, durations=durations)
        for batch in batches(values, cut):
            stream.update(floats(batch))
        assert list(stream.intervals()) == list(whole)
        assert stream.support_set() == free.support_set()


@given(series(60), sizes, bounds, st.integers(1, 30), st.integers(0, 9), st.integers(0, 99))
def test_duration_bound_keeps_its_bound_and_repeats_with_its_seed(
    values: list[Fraction], cut: list[int], bound: int, mean: int, deviation: int, seed: int
) -> None:
    durations = Durations(mean, deviation)
    streams = [
        Opiec(0.5, bound=bound, durations=durations, rng=rng)
        for rng in (seed, np.random.default_rng(seed))
    ]
    for batch in batches(values, cut):
        for stream in streams:
            stream.update(floats(batch))
            times, depths = list(stream.support.times), list(stream.support.depths)
            assert 0 < len(times) <= bound
            assert times == sorted(set(times))
            assert depths == sorted(set(depths))
        assert streams[0].support_set() == streams[1].support_set()
    # What is found is likely enough, if perhaps not maximal.
    assert all(streams[0].intervals().total >= 0)


def test_starts_are_dropped_as_often_as_algorithm_12_says() -> None:
    """The sampled skipping has the distribution of asking each start in turn."""
    durations, runs, now = Durations(20, 15), 20000, 100
    times = [3, 40, 55, 60, 61, 62, 70, 75, 79, 85, 99]
    rng = np.random.default_rng(12)
    counted: Counter[int | None] = Counter()
    support = DurationBound(len(times), durations, rng)
    for time in times:
        support.add(time, time, now, 1)
    for _ in range(runs):
        counted[support._outdated(now, 1)] += 1
    left = 1.0
    for i, time in enumerate(times):
        chance = durations.deletion_probability(now - time + 1)
        share = left * chance
        left -= share
        spread = 5 * math.sqrt(share * (1 - share) / runs) + 1e-9
        assert abs(counted[i] / runs - share) < spread
    assert abs(counted[None] / runs - left) < 5 * math.sqrt(left * (1 - left) / runs) + 1e-9


@given(st.lists(st.integers(1, 3000)), st.floats(0.5, 900), st.sampled_from([0.0, 0.3, 22.0, 200]))
def test_deletion_probabilities_of_many(least: list[int], mean: float, deviation: float) -> None:
    usual = Durations(mean, deviation)
    together = usual.deletion_probabilities(np.array(least, dtype=np.int64))
    assert together.tolist() == [usual.deletion_probability(each) for each in least]


def test_old_starts_go_before_short_ranges() -> None:
    usual = Durations(3, 0)
    stream = Opiec(0.5, bound=3, durations=usual)
    stream.update([0.2, 0.4, 0.3, 0.4, 0.1, 0.4])
    # Whatever would begin intervals longer than 3 goes, as far as there are too many.
    assert list(stream.support.times) == [4, 5, 6]


def test_durations_are_learned_from_intervals() -> None:
    training = piec([0, 0.5, 0.7, 0.9, 0.4, 0.1, 0, 0, 0.5, 1, 0], 0.5)
    assert Durations.learn(training) == Durations(4.0, 1.0)
    with pytest.raises(ConfigError, match="no interval to learn durations from"):
        Durations.learn(piec([0, 0, 0], 0.5))


def test_memory_stays_bounded() -> None:
    rng = np.random.default_rng(1)
    stream = Opiec(0.5, bound=20, keep=False)
    for value in np.round(rng.random(5000) * 0.7, 3).tolist():
        stream.push(value)
        assert len(stream.support) <= 20
    heap = stream.support._heap  # type: ignore[attr-defined]
    assert len(heap) <= 4 * 21 + 64 + 2
