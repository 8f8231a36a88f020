"""Missing time-points: as if they were there, or as the end of a stretch."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_piec import all_pmis, tenths, thresholds
from rtec.errors import EngineError
from rtec.prob import Opiec, OpiecMany, piec
from rtec.prob.gaps import Gaps

Row = tuple[int, Fraction]

rows_with_gaps = st.lists(
    st.tuples(st.sampled_from([1, 1, 1, 2, 3, 9, 30]), tenths), min_size=1, max_size=14
)


def timed(steps: list[tuple[int, Fraction]]) -> list[Row]:
    rows, time = [], 10
    for step, prob in steps:
        time += step
        rows.append((time, prob))
    return rows


def expected(rows: list[Row], threshold: Fraction, gaps: str) -> list[tuple[int, int]]:
    stretches: list[list[Row]] = [[]]
    for time, prob in rows:
        before = stretches[-1][-1] if stretches[-1] else (time - 1, prob)
        if gaps == "split" and time > before[0] + 1:
            stretches.append([])
        elif gaps != "split":
            held = Fraction(0) if gaps == "zero" else before[1]
            stretches[-1] += [(t, held) for t in range(before[0] + 1, time)]
        stretches[-1].append((time, prob))
    return [
        (s + stretch[0][0] - 1, e + stretch[0][0] - 1)
        for stretch in stretches
        for s, e in all_pmis([prob for _, prob in stretch], threshold)
    ]


@pytest.mark.parametrize("gaps", ["zero", "hold", "split"])
@given(rows_with_gaps, thresholds)
def test_piec_over_gaps(gaps: Gaps, steps: list[tuple[int, Fraction]], threshold: str) -> None:
    rows = timed(steps)
    found = piec([float(p) for _, p in rows], threshold, times=[t for t, _ in rows], gaps=gaps)
    assert list(found) == expected(rows, Fraction(threshold), gaps)


@pytest.mark.parametrize("gaps", ["zero", "hold", "split"])
@given(rows_with_gaps, thresholds, st.integers(1, 5))
def test_opiec_over_gaps(
    gaps: Gaps, steps: list[tuple[int, Fraction]], threshold: str, size: int
) -> None:
    rows = timed(steps)
    stream, many = Opiec(threshold, gaps=gaps), OpiecMany(threshold, gaps=gaps)
    for i in range(0, len(rows), size):
        times = [t for t, _ in rows[i : i + size]]
        probs = [float(p) for _, p in rows[i : i + size]]
        ending = list(stream.update(probs, times))
        found = many.update({"series": ["x"] * len(times), "time": times, "prob": probs})
        assert list(found) == ending
    whole = expected(rows, Fraction(threshold), gaps)
    assert list(stream.intervals()) == list(many.intervals()) == whole


@given(rows_with_gaps, thresholds, st.sampled_from([2, 40]))
def test_ticks(steps: list[tuple[int, Fraction]], threshold: str, tick: int) -> None:
    rows = timed(steps)
    probs = [float(p) for _, p in rows]
    plain = piec(probs, threshold, times=[t for t, _ in rows])
    stretched = piec(probs, threshold, times=[t * tick for t, _ in rows], tick=tick)
    assert list(stretched) == [(s * tick, e * tick) for s, e in plain]
    assert stretched.prob.tolist() == plain.prob.tolist()
    stream = Opiec(threshold, tick=tick)
    for (time, _), prob in zip(rows, probs, strict=True):
        stream.push(prob, time * tick)
    assert list(stream.intervals()) == list(stretched)


def test_a_gap_of_a_billion_time_points_costs_nothing() -> None:
    times = np.concatenate((np.arange(10), np.arange(10) + 10**9))
    found = piec(np.ones(20), 0.5, times=times)
    # Ten ones, and as many zeros on their left and right as they carry.
    assert list(found) == [(0, 19), (10**9 - 10, 10**9 + 9)]


def test_a_gap_that_holds_above_the_threshold_is_one_row() -> None:
    found = piec([0.9, 0.9, 0], 0.5, times=[0, 10**8, 10**8 + 1], gaps="hold")
    assert list(found) == [(0, 10**8 + 1)]


def test_a_stream_refuses_to_fill_too_long_a_gap() -> None:
    stream = Opiec(0.5)
    stream.push(0.4, 0)
    with pytest.raises(Exception, match="row 1, column `time`: 99999999 time-points are missing"):
        stream.push(0.4, 10**8)
    split = Opiec(0.5, gaps="split")
    split.push(0.6, 0)
    assert list(split.push(0.6, 10**8)) == [(10**8, 10**8)]


def test_a_long_gap_in_a_stream_is_filled_piecewise() -> None:
    stream = Opiec(0.5, bound=10)
    stream.update([1.0] * 50)
    stream.update([1.0], [200_000])
    assert len(stream.support) <= 10
    assert (1, 100) in list(stream.intervals())


def test_spans_that_do_not_fit_are_refused() -> None:
    with pytest.raises(EngineError, match="too many to sum exactly"):
        piec([1 / 3, 0.5], times=[0, 10**12])
    assert list(piec([1, 0.25], times=[0, 10**12])) == [(0, 1)]
