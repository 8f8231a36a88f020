"""Cross-validation: durations learned from some series of a stream, tried on the others."""

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
    """Some series of a stream.

    Attributes:
        series: The series.
        targets: The intervals that PIEC finds in each.
        durations: Learned from the series of the other folds.
    """

    series: list[FloatArray]
    targets: list[Pmis]
    durations: Durations

    @property
    def intervals(self) -> int:
        """How many credible intervals there are to be found."""
        return sum(int(target.credible.sum()) for target in self.targets)


def folds_of(series: Sequence[FloatArray]) -> list[Fold]:
    """Deal series out to folds, so that each has about as many credible intervals.

    There are none if fewer than two folds would have any.
    """
    targets = [piec(one, 0.5) for one in series]
    counts = [int(target.credible.sum()) for target in targets]
    dealt: list[list[int]] = [[] for _ in range(FOLDS)]
    for k in sorted(range(len(series)), key=lambda k: -counts[k]):
        min(dealt, key=lambda fold: (sum(counts[i] for i in fold), len(fold))).append(k)
    folds = []
    for fold in dealt:
        lengths = [target.length for k, target in enumerate(targets) if k not in fold]
        others = np.concatenate([np.zeros(0), *lengths])
        if fold and len(others) and sum(counts[k] for k in fold):
            durations = Durations(float(others.mean()), float(others.std()))
            folds.append(Fold([series[k] for k in fold], [targets[k] for k in fold], durations))
    return folds if len(folds) > 1 else []


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
