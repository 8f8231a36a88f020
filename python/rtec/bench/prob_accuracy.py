"""How well bounded support sets do (Figure 7.1): f1 against PIEC, by their size."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, get_args

from rtec.bench.prob_streams import Kind, noisy, scenes_of, series_of, stage_one
from rtec.prob.folds import Fold, folds_of, measure
from rtec.prob.noise import Line

VARIANTS = ("oPIEC^b", "oPIEC^bd")


def accuracy(
    lines: Sequence[Line],
    sizes: Sequence[int],
    activities: Sequence[str],
    seed: int,
    runs: int,
    say: Callable[[str], None],
) -> list[dict[str, Any]]:
    """Compare both bounded variants with PIEC for each kind of noise and activity.

    Args:
        lines: Records without noise.
        sizes: Sizes of the support set.
        activities: What is to be recognised.
        seed: For noise and random choices.
        runs: How often to do it, each time with other noise and other choices.
        say: Where lines of text go.
    """
    say("")
    say(f"f1 against PIEC, batches of one time-point, threshold 0.5; mean of {runs} runs")
    rows = []
    for kind in get_args(Kind):
        made: dict[str, list[list[Fold]]] = {activity: [] for activity in activities}
        for run in range(runs):
            began = time.process_time()
            answer = stage_one(noisy(lines, kind, seed + run), activities)
            if run == 0:
                say("")
                say(_prob_ec(kind, len(lines), time.process_time() - began, answer.methods))
            scenes = scenes_of(lines, answer.start)
            for activity in activities:
                made[activity].append(folds_of(series_of(answer, activity), scenes))
        for activity in activities:
            some = [folds for folds in made[activity] if folds]
            if not some:
                say(f"{activity}, {kind} noise: too few intervals to learn durations from")
                continue
            rows += _by_size(some, sizes, activity, kind, seed, say)
    return rows


def _prob_ec(kind: str, records: int, seconds: float, methods: dict[str, Any]) -> str:
    ways = ", ".join(f"{name} by {way}" for name, way in methods.items())
    return f"{kind} noise: Prob-EC took {seconds:.1f} s for {records:,} records; {ways}"


def _by_size(
    runs: Sequence[list[Fold]],
    sizes: Sequence[int],
    activity: str,
    kind: str,
    seed: int,
    say: Callable[[str], None],
) -> list[dict[str, Any]]:
    rows = []
    intervals = statistics.mean(sum(fold.intervals for fold in folds) for folds in runs)
    say("")
    say(f"{activity}, {kind} noise: {intervals:.0f} credible intervals")
    say("  support set   oPIEC^b  oPIEC^bd   least difference")
    for size in sizes:
        by_score = [measure(f, size, use_durations=False, seed=seed).f1 for f in runs]
        by_duration = [
            measure(f, size, use_durations=True, seed=seed + run).f1 for run, f in enumerate(runs)
        ]
        better = min(d - b for b, d in zip(by_score, by_duration, strict=True))
        means = statistics.mean(by_score), statistics.mean(by_duration)
        say(f"  {size:>11}  {means[0]:>8.4f}  {means[1]:>8.4f}   {better:>+16.4f}")
        rows.append(
            {
                "noise": kind,
                "activity": activity,
                "support_set": size,
                "intervals": intervals,
                **dict(zip(VARIANTS, means, strict=True)),
                "least_difference": better,
            }
        )
    return rows
