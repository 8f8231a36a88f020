"""Agreement of intervals, activities from records, and the benchmark on them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_piec import floats, series
from rtec.bench import prob
from rtec.bench.prob import accuracy
from rtec.prob import piec
from rtec.prob.accuracy import Agreement, agreement
from rtec.prob.activity import frames_of, inertia, probabilities
from rtec.prob.folds import FOLDS, folds_of
from rtec.prob.noise import Line
from rtec.prob.synthetic import rendez_vous


@given(series(), series(), st.sampled_from([1, 40]))
def test_agreement_counts_time_points(
    some: list[Fraction], other: list[Fraction], tick: int
) -> None:
    def found(values: list[Fraction]) -> tuple[object, set[int]]:
        times = [t * tick for t in range(len(values))]
        pmis = piec(floats(values), 0.5, times=times, tick=tick)
        points = {
            t
            for (start, end), yes in zip(pmis, pmis.credible, strict=True)
            if yes
            for t in range(start, end + 1, tick)
        }
        return pmis, points

    (mine, a), (theirs, b) = found(some), found(other)
    expected = Agreement(len(a & b), len(a - b), len(b - a))
    assert agreement(mine, theirs) == expected  # type: ignore[arg-type]


def test_f1() -> None:
    assert Agreement(3, 0, 0).f1 == 1
    assert Agreement(0, 2, 1).f1 == 0
    assert Agreement(2, 1, 1).f1 == pytest.approx(2 / 3)
    assert Agreement().f1 == 1
    assert Agreement(1, 2, 3) + Agreement(10, 20, 30) == Agreement(11, 22, 33)


def test_inertia_as_in_the_thesis() -> None:
    """Equation 5.9: initiations with 0.32 and 0.1 make 0.388; terminations take their share."""
    held = inertia(np.array([0.32, 0, 0.1, 0, 0]), np.array([0, 0, 0, 0.5, 0]))
    assert held.tolist() == pytest.approx([0, 0.32, 0.32, 0.388, 0.194])


def walk(frames: range, distance: int, prob: float | None = None, pair: int = 0) -> list[Line]:
    lines = []
    for t in frames:
        for i, name in enumerate(("ann", "bob")):
            at, who = str(t * 40), f"{name}{pair or ''}"
            x, y = str(i * distance), str(pair * 1000)
            lines.append(Line(("walking", at, at, "true", who), prob))
            lines.append(Line(("coord", at, at, "true", who, x, y)))
            lines.append(Line(("orientation", at, at, "45", who)))
    return lines


def test_people_who_walk_together_are_moving() -> None:
    lines = walk(range(3), 200) + walk(range(3, 8), 10, 0.5) + walk(range(8, 10), 200)
    [(name, values)] = probabilities(frames_of(lines, 40), "moving").items()
    assert name == "moving(ann,bob)"
    together = 1 - np.cumprod(np.full(5, 0.75))
    assert values.tolist() == pytest.approx([0, 0, 0, 0, *together.round(4), 0], abs=1e-4)


def test_strangers_are_left_out() -> None:
    assert probabilities(frames_of(walk(range(5), 200), 40), "moving") == {}
    assert probabilities(frames_of([], 40), "moving") == {}


def bursts(count: int) -> np.ndarray:
    values = np.zeros(200 * count + 100)
    for k in range(count):
        values[200 * k + 100 : 200 * k + 140] = 0.9
    return values


def test_folds_are_balanced_and_learn_from_each_other() -> None:
    counts = [6, 1, 5, 1, 1, 2, 4, 3, 2, 0]
    folds = folds_of([bursts(count) for count in counts])
    assert len(folds) == FOLDS
    assert sorted(fold.intervals for fold in folds) == [4, 5, 5, 5, 6]
    assert sum(len(fold.series) for fold in folds) == len(counts)
    # 40 points at 0.9 carry 32 more at 0; at either end of a series, fewer.
    assert all(70 < fold.durations.mean <= 72 for fold in folds)


def test_too_little_to_learn_from() -> None:
    assert folds_of([]) == []
    assert folds_of([np.zeros(10), np.zeros(10)]) == []
    assert folds_of([bursts(3), np.zeros(10)]) == []


def test_accuracy_on_records() -> None:
    lines: list[Line] = []
    for pair in range(5):
        for k in range(3):
            first = k * 120
            lines += walk(range(first, first + 90), 300, pair=pair)
            lines += walk(range(first + 90, first + 120), 10, pair=pair)
    told: list[str] = []
    rows = accuracy(lines, [2, 40], ["moving"], 3, told.append)
    assert {row["noise"] for row in rows} == {"smooth", "strong"}
    assert all(0 <= row[name] <= 1 for row in rows for name in ("oPIEC^b", "oPIEC^bd"))
    assert any("moving, smooth noise" in line for line in told)
    large = [row["oPIEC^bd"] for row in rows if row["support_set"] == 40]
    small = [row["oPIEC^bd"] for row in rows if row["support_set"] == 2]
    assert sum(large) >= sum(small)


def test_synthetic_series_repeat_with_their_seed() -> None:
    one, same, other = rendez_vous(5000, 1), rendez_vous(5000, 1), rendez_vous(5000, 2)
    assert one.tolist() == same.tolist() != other.tolist()
    assert 0 <= one.min() <= one.max() <= 1
    assert len(piec(one)) > 0


def test_run_times_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prob, "STREAM_SIZES", (20, 40, 60, 80))
    told: list[str] = []
    by_size = prob.by_stream_size(1, told.append)
    assert [row["points"] for row in by_size] == [20, 40, 60, 80]
    assert [row["bound"] for row in prob.by_bound(1, told.append)] == [50, 100, 200, 400]
    assert len(prob.throughput(1, told.append, points=100_000)) == 4
    assert sum("ms per 1,000 points" in line for line in told) == 4
