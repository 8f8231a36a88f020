"""Agreement of intervals, activities from records, and the benchmark on them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_piec import floats, series
from rtec.bench import prob_speed
from rtec.bench.prob_accuracy import accuracy
from rtec.bench.prob_streams import noisy, scenes_of, series_of, stage_one
from rtec.prob import piec
from rtec.prob.accuracy import Agreement, agreement
from rtec.prob.folds import FOLDS, folds_of
from rtec.prob.noise import Line
from rtec.prob.opiec import Opiec
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
    [values] = series_of(stage_one(lines, ["moving"]), "moving")
    together = 1 - np.cumprod(np.full(5, 0.75))
    assert values.tolist() == pytest.approx([0, 0, 0, 0, *together, 0, 0])


def test_strangers_are_left_out() -> None:
    assert series_of(stage_one(walk(range(5), 200), ["moving"]), "moving") == []


def test_noise_of_both_kinds() -> None:
    lines = [*walk(range(200), 10), Line(("active", "8000", "8000", "true", "ann"))]
    one, other = noisy(lines, "smooth", 1), noisy(lines, "strong", 1)
    assert {line.name for line in one if line.prob is not None} == {"active", "walking"}
    assert {"coord", "orientation"} < {line.name for line in other if line.prob is not None}
    assert len(other) > len(one) == len(lines)
    assert noisy(lines, "strong", 1) == other != noisy(lines, "strong", 2)


def test_scenes_begin_where_nobody_stays() -> None:
    lines = walk(range(2, 5), 10) + walk(range(5, 8), 10, pair=1) + walk(range(9, 11), 10, pair=1)
    assert scenes_of(lines, 0) == [2, 5, 9]
    assert scenes_of(walk(range(3, 44), 10), 0) == list(range(3, 43, 2))


def bursts(count: int) -> np.ndarray:
    values = np.zeros(200 * count + 100)
    for k in range(count):
        values[200 * k + 100 : 200 * k + 140] = 0.9
    return values


def test_folds_are_balanced_and_learn_from_each_other() -> None:
    counts = [6, 1, 5, 1, 1, 2, 4, 3, 2, 0]
    scenes = [bursts(count) for count in counts]
    begins = np.cumsum([0, *map(len, scenes[:-1])]).tolist()
    folds = folds_of([np.concatenate(scenes), np.zeros(sum(map(len, scenes)))], begins)
    assert len(folds) == FOLDS
    assert sorted(fold.intervals for fold in folds) == [4, 5, 5, 5, 6]
    assert all(len(fold.series) == len(fold.targets) == 1 for fold in folds)
    assert sum(len(fold.series[0]) for fold in folds) <= sum(map(len, scenes))
    # 40 points at 0.9 carry 32 more at 0; at either end of a series, fewer.
    assert all(70 < fold.durations.mean <= 72 for fold in folds)


def test_what_is_left_out_of_a_fold_finds_nothing() -> None:
    """Series without intervals, and what follows the last interval, change no agreement."""
    values = bursts(4)
    folds = folds_of([values, np.full(len(values), 0.4)], [0, 300, 500, 700])
    for fold in folds:
        for one, target in zip(fold.series, fold.targets, strict=True):
            stream = Opiec(0.5, bound=3)
            stream.update(np.concatenate([one, np.zeros(200)]))
            assert max((end for _, end in stream.intervals()), default=0) <= target.end[-1]
            assert len(one) == target.end[-1]


def test_too_little_to_learn_from() -> None:
    assert folds_of([], []) == []
    assert folds_of([np.zeros(10), np.zeros(10)], [5]) == []
    assert folds_of([bursts(3), np.zeros(10)], []) == []


def test_accuracy_on_records() -> None:
    pytest.importorskip("problog.program", reason="ProbLog is not installed")
    lines: list[Line] = []
    for pair in range(5):
        first = pair * 120
        lines += walk(range(first, first + 80), 300, pair=pair)
        lines += walk(range(first + 80, first + 120), 10, pair=pair)
    told: list[str] = []
    rows = accuracy(lines, [2, 40], ["moving"], 3, 2, told.append)
    assert [(row["noise"], row["support_set"]) for row in rows] == [
        ("smooth", 2), ("smooth", 40), ("strong", 2), ("strong", 40),
    ]  # fmt: skip
    assert all(0 < row[name] <= 1 for row in rows for name in ("oPIEC^b", "oPIEC^bd"))
    assert any("moving, smooth noise" in line for line in told)
    assert any("moving/2 by closed form" in line for line in told)
    large = [row["oPIEC^bd"] for row in rows if row["support_set"] == 40]
    small = [row["oPIEC^bd"] for row in rows if row["support_set"] == 2]
    assert sum(large) >= sum(small)


def test_synthetic_series_repeat_with_their_seed() -> None:
    one, same, other = rendez_vous(5000, 1), rendez_vous(5000, 1), rendez_vous(5000, 2)
    assert one.tolist() == same.tolist() != other.tolist()
    assert 0 <= one.min() <= one.max() <= 1
    assert len(piec(one)) > 0


def test_run_times_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prob_speed, "STREAM_SIZES", (20, 40, 60, 80))
    told: list[str] = []
    by_size = prob_speed.by_stream_size(1, told.append)
    assert [row["points"] for row in by_size] == [20, 40, 60, 80]
    assert [row["bound"] for row in prob_speed.by_bound(1, told.append)] == [50, 100, 200, 400]
    assert len(prob_speed.throughput(1, told.append, points=100_000)) == 5
    assert sum("ms per 1,000 points" in line for line in told) == 4
    unbounded, *bounded = prob_speed.memory(1, told.append, points=100_000)
    assert all(row["elements"] == row["bound"] for row in bounded)
    assert all(row["bytes"] < unbounded["bytes"] / 10 for row in bounded)
