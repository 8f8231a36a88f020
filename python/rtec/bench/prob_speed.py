"""How fast intervals are found: one time-point at a time (Table 7.4), and in large batches."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from rtec.prob.durations import Durations
from rtec.prob.opiec import Opiec
from rtec.prob.piec import piec
from rtec.prob.synthetic import rendez_vous

STREAM_SIZES = (1000, 2000, 4000, 8000)
BOUNDS = (50, 100, 200, 400)
PUBLISHED = {
    "PIEC": (1.92, 7.53, 29.76, 134.63),
    "oPIEC^b": (0.09, 0.19, 0.38, 0.70),
    "oPIEC^bd": (0.09, 0.19, 0.39, 0.72),
    "bound": (0.70, 1.27, 2.40, 4.79),
}
"""Seconds in Table 7.4: by stream size for 1K to 8K, and by bound for 50 to 400."""


def by_stream_size(seed: int, say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Measure Table 7.4(a): seconds for streams of increasing size, bound 50, batches of one."""
    series = rendez_vous(STREAM_SIZES[-1], seed)
    rows = []
    say("")
    say("seconds by stream size, bound 50, batches of one time-point (published in brackets)")
    for i, size in enumerate(STREAM_SIZES):
        values = series[:size].tolist()
        row: dict[str, Any] = {"points": size, "PIEC": _seconds(partial(_repeat_piec, values), 1)}
        row["oPIEC"] = _seconds(partial(_push_all, values, None, None))
        row["oPIEC^b"] = _seconds(partial(_push_all, values, 50, None))
        row["oPIEC^bd"] = _seconds(partial(_push_all, values, 50, Durations(411, 22)))
        rows.append(row)
        shown = "  ".join(
            f"{name} {row[name]:.3f}" + (f" [{PUBLISHED[name][i]}]" if name in PUBLISHED else "")
            for name in ("PIEC", "oPIEC", "oPIEC^b", "oPIEC^bd")
        )
        say(f"  {size:>6}  {shown}")
    return rows


def by_bound(seed: int, say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Measure Table 7.4(b): seconds for 8,000 points as the support set grows."""
    values = rendez_vous(STREAM_SIZES[-1], seed).tolist()
    rows = []
    say("")
    say("seconds for 8,000 points by bound, batches of one time-point (published in brackets)")
    for bound, published in zip(BOUNDS, PUBLISHED["bound"], strict=True):
        plain = _seconds(partial(_push_all, values, bound, None))
        usual = _seconds(partial(_push_all, values, bound, Durations(411, 22)))
        rows.append({"bound": bound, "oPIEC^b": plain, "oPIEC^bd": usual})
        per_thousand = max(plain, usual) * 1000 / len(values) * 1000
        say(
            f"  {bound:>6}  oPIEC^b {plain:.3f}  oPIEC^bd {usual:.3f} [{published}]"
            f"  at most {per_thousand:.2f} ms per 1,000 points"
        )
    return rows


def throughput(
    seed: int, say: Callable[[str], None], points: int = 4_000_000
) -> list[dict[str, Any]]:
    """Measure how many points a second one core does in large batches."""
    series = np.tile(rendez_vous(100_000, seed), points // 100_000)
    matrix = series.reshape(-1, 1000)
    rows = []
    say("")
    say("million points per second in large batches")

    def batched(bound: int | None, durations: Durations | None = None) -> None:
        stream = Opiec(0.5, bound=bound, durations=durations, keep=False)
        for i in range(0, points, 100_000):
            stream.update(series[i : i + 100_000])

    cases: dict[str, Callable[[], object]] = {
        "PIEC, one series": lambda: piec(series, 0.5),
        f"PIEC, {len(matrix):,} series": lambda: piec(matrix, 0.5),
        "oPIEC, batches of 100,000": lambda: batched(None),
        "oPIEC^b, bound 50, batches of 100,000": lambda: batched(50),
        "oPIEC^bd, bound 50, batches of 100,000": lambda: batched(50, Durations(411, 60)),
    }
    for name, job in cases.items():
        rate = points / _seconds(job) / 1e6
        rows.append({"case": name, "million_points_per_second": rate})
        say(f"  {name:<40} {rate:6.1f}")
    return rows


def memory(
    seed: int, say: Callable[[str], None], points: int = 1_000_000
) -> list[dict[str, Any]]:
    """Measure what is remembered of a long stream, with a bound and without."""
    series = np.tile(rendez_vous(100_000, seed), points // 100_000)
    rows = []
    say("")
    say(f"what is remembered after {points:,} points")
    for bound in (None, 50, 400):
        stream = Opiec(0.5, bound=bound, keep=False)
        for i in range(0, points, 1000):
            stream.update(series[i : i + 1000])
        row = {
            "bound": bound,
            "elements": len(stream.support_set()),
            "bytes": len(pickle.dumps(stream)),
        }
        rows.append(row)
        name = "oPIEC" if bound is None else f"oPIEC^b, bound {bound}"
        say(f"  {name:<40} {row['elements']:>8,} elements, {row['bytes']:>10,} bytes")
    return rows


def _push_all(values: Sequence[float], bound: int | None, durations: Durations | None) -> None:
    stream = Opiec(0.5, bound=bound, durations=durations)
    for value in values:
        stream.push(value)


def _repeat_piec(values: Sequence[float]) -> None:
    """Find all intervals anew after each time-point."""
    series = np.array(values)
    for end in range(1, len(series) + 1):
        piec(series[:end], 0.5)


def _seconds(job: Callable[[], object], runs: int = 3) -> float:
    """Take the best of some runs, in seconds of the processor."""
    best = float("inf")
    for _ in range(runs):
        begin = time.process_time()
        job()
        best = min(best, time.process_time() - begin)
    return best
