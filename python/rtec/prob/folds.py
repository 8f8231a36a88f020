"""Cross-validation: durations learned from some scenes of a stream, tried on the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rtec.prob.accuracy import Agreement, agreement
from rtec.prob.durations import Durations
from rtec.prob.opiec import Opiec
from rtec.prob.piec import piec
from rtec.prob.pmis import Pmis
from rtec.prob.scale import FloatArray

FOLDS = 5


@dataclass(frozen=True, slots=True)
class Fold:
    """Some scenes of a stream, one after the other.

    Attributes:
        series: The series in which PIEC finds something, each up to the end of its last interval:
            what is found with a bounded support set is part of an interval of PIEC's, so nothing
            is found after that.
        targets: The intervals that PIEC finds in each.
        durations: Learned from the other folds.
    """

    series: list[FloatArray]
    targets: list[Pmis]
    durations: Durations

    @property
    def intervals(self) -> int:
        """How many credible intervals there are to be found."""
        return sum(int(target.credible.sum()) for target in self.targets)


def folds_of(series: Sequence[FloatArray], scenes: Sequence[int]) -> list[Fold]:
    """Deal scenes out to folds, so that each has about as many credible intervals.

    There are none if fewer than two folds would have any.

    Args:
        series: Series over the same time-points.
        scenes: The positions at which scenes begin; no scene is split.
    """
    length = max(map(len, series), default=0)
    cuts = sorted({0, *(at for at in scenes if 0 < at < length), length})
    parts = list(zip(cuts[:-1], cuts[1:], strict=True))
    counts = [
        sum(int(piec(one[begin:end], 0.5).credible.sum()) for one in series) for begin, end in parts
    ]
    dealt: list[list[int]] = [[] for _ in range(FOLDS)]
    for k in sorted(range(len(parts)), key=lambda k: -counts[k]):
        min(dealt, key=lambda fold: (sum(counts[i] for i in fold), len(fold))).append(k)
    tested = [_tested(series, [parts[k] for k in sorted(fold)]) for fold in dealt]
    folds = []
    for number, (values, targets) in enumerate(tested):
        others = [t.length for k, (_, found) in enumerate(tested) if k != number for t in found]
        if targets and others:
            lengths = np.concatenate(others)
            durations = Durations(float(lengths.mean()), float(lengths.std()))
            folds.append(Fold(values, targets, durations))
    return folds


def _tested(
    series: Sequence[FloatArray], parts: Sequence[tuple[int, int]]
) -> tuple[list[FloatArray], list[Pmis]]:
    """Put the scenes of a fold together, and find the intervals in them."""
    values, targets = [], []
    for one in series:
        whole = np.concatenate([np.zeros(0), *(one[begin:end] for begin, end in parts)])
        target = piec(whole, 0.5)
        if len(target):
            values.append(whole[: int(target.end[-1])])
            targets.append(target)
    return values, targets


def measure(folds: Sequence[Fold], bound: int, *, use_durations: bool, seed: int) -> Agreement:
    """Compare a bounded support set with PIEC, one time-point a batch."""
    total = Agreement()
    rng = np.random.default_rng(seed)
    for fold in folds:
        durations = fold.durations if use_durations else None
        for one, target in zip(fold.series, fold.targets, strict=True):
            stream = Opiec(0.5, bound=bound, durations=durations, rng=rng)
            for prob in one.tolist():
                stream.push(prob)
            total += agreement(stream.intervals(), target)
    return total
