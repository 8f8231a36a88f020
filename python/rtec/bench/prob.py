"""`rtec bench prob`: accuracy and speed of bounded support sets (thesis, chapter 7).

Accuracy is the f1-score of oPIEC^b and oPIEC^bd against PIEC over the time-points of credible
intervals, by the size of the support set, one time-point a batch. Series are dealt out to five
folds with about as many intervals each; durations for a fold are learned from the others. Speed is
that of Table 7.4, and the throughput of large batches.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from rtec.errors import ConfigError, Problem
from rtec.prob.activity import ACTIVITIES, CONTEXT, frames_of, probabilities
from rtec.prob.durations import Durations
from rtec.prob.folds import folds_of, measure
from rtec.prob.noise import Line, Noise, parse_lines, smooth, strong
from rtec.prob.opiec import Opiec
from rtec.prob.piec import piec
from rtec.prob.synthetic import rendez_vous
from rtec.runtime.outputs import Output

FRAME = 40
SIZES = (5, 10, 20, 40, 60, 80, 100, 150)
QUICK_SIZES = (5, 50, 150)
NOISY = ("walking", "running", "active", "inactive", "abrupt")
MEAN_NOISE = 0.3
SPURIOUS = 0.2
STREAM_SIZES = (1000, 2000, 4000, 8000)
BOUNDS = (50, 100, 200, 400)
PUBLISHED = {
    "PIEC": (1.92, 7.53, 29.76, 134.63),
    "oPIEC^b": (0.09, 0.19, 0.38, 0.70),
    "oPIEC^bd": (0.09, 0.19, 0.39, 0.72),
    "bound": (0.70, 1.27, 2.40, 4.79),
}
"""Seconds in Table 7.4: by stream size for 1K to 8K, and by bound for 50 to 400."""


def run(
    *,
    quick: bool = False,
    seed: int = 7,
    caviar: Path | None = None,
    say: Callable[[str], None] = click.echo,
) -> dict[str, Any]:
    """Measure accuracy and speed, tell the tables, and return the figures.

    Args:
        quick: Fewer sizes, one activity.
        seed: For noise, and for generated streams.
        caviar: The folder with the CAVIAR records; a generated stream is used if not given.
        say: Where lines of text go.
    """
    lines = list(_caviar(caviar) if caviar is not None else _generated(seed, quick))
    say(f"stream: {'CAVIAR' if caviar else 'generated activity'}, {len(lines)} records")
    sizes = QUICK_SIZES if quick else SIZES
    f1 = accuracy(lines, sizes, ACTIVITIES[:1] if quick else ACTIVITIES, seed, say)
    return {
        "f1": f1,
        "by_stream_size": by_stream_size(seed, say),
        "by_bound": by_bound(seed, say),
        "throughput": throughput(seed, say),
    }


def accuracy(
    lines: Sequence[Line],
    sizes: Sequence[int],
    activities: Sequence[str],
    seed: int,
    say: Callable[[str], None],
) -> list[dict[str, Any]]:
    """Compare both bounded variants with PIEC for each kind of noise and activity."""
    say("")
    say("f1 against PIEC, batches of one time-point, threshold 0.5")
    rows = []
    for kind in ("smooth", "strong"):
        rng = np.random.default_rng(seed)
        noise = Noise((MEAN_NOISE, MEAN_NOISE))
        noisy = (
            smooth(lines, NOISY, noise, rng)
            if kind == "smooth"
            else strong(lines, NOISY, CONTEXT, noise, SPURIOUS, rng)
        )
        frames = frames_of(noisy, FRAME)
        for activity in activities:
            series = list(probabilities(frames, activity).values())
            folds = folds_of(series)
            if not folds:
                say(f"{kind} {activity}: too few intervals to learn durations from")
                continue
            say("")
            count = sum(fold.intervals for fold in folds)
            say(f"{activity}, {kind} noise: {count} credible intervals in {len(series)} series")
            say("  support set   oPIEC^b  oPIEC^bd")
            for size in sizes:
                by_score = measure(folds, size, use_durations=False, seed=seed).f1
                by_duration = measure(folds, size, use_durations=True, seed=seed).f1
                say(f"  {size:>11}  {by_score:>8.4f}  {by_duration:>8.4f}")
                rows.append(
                    {
                        "noise": kind,
                        "activity": activity,
                        "support_set": size,
                        "oPIEC^b": by_score,
                        "oPIEC^bd": by_duration,
                    }
                )
    return rows


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

    def batched(bound: int | None) -> None:
        stream = Opiec(0.5, bound=bound, keep=False)
        for i in range(0, points, 100_000):
            stream.update(series[i : i + 100_000])

    cases: dict[str, Callable[[], object]] = {
        "PIEC, one series": lambda: piec(series, 0.5),
        f"PIEC, {len(matrix):,} series": lambda: piec(matrix, 0.5),
        "oPIEC, batches of 100,000": lambda: batched(None),
        "oPIEC^b, bound 50, batches of 100,000": lambda: batched(50),
    }
    for name, job in cases.items():
        rate = points / _seconds(job) / 1e6
        rows.append({"case": name, "million_points_per_second": rate})
        say(f"  {name:<40} {rate:6.1f}")
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


def _caviar(folder: Path) -> Iterator[Line]:
    for name in ("movement", "appearance"):
        path = folder / f"{name}.csv.gz"
        if not path.is_file():
            raise ConfigError(Problem(f"there is no file {path}", "no-such-file"))
        with gzip.open(path, "rt", encoding="utf-8") as text:
            yield from parse_lines(text, str(path))


def _generated(seed: int, quick: bool) -> Iterator[Line]:
    from rtec.generate import generate

    for block in generate("activity", 60_000 if quick else 240_000, seed, entities=8):
        yield from parse_lines(block.text().decode().splitlines(), "<generated>")


def caviar_folder() -> Path | None:
    """Find the CAVIAR records where they may lie, beside the checkout."""
    folder = Path.cwd().resolve().parent / "shared" / "data" / "caviar"
    return folder if folder.is_dir() else None


@click.command("prob")
@click.option("--quick", is_flag=True, help="Fewer sizes, one activity: about a minute.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=7,
    show_default=True,
    help="For noise and streams.",
)
@click.option(
    "--caviar",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder with CAVIAR's movement.csv.gz and appearance.csv.gz; by default "
    "../shared/data/caviar if it is there, else a stream is generated.",
)
@click.option("--generated", is_flag=True, help="Generate the stream in any case.")
@click.option("--out", metavar="FILE", help="Write the figures here, as JSON.")
def command(quick: bool, seed: int, caviar: Path | None, generated: bool, out: str | None) -> None:
    """Measure probabilistic intervals: f1 by support set size, and run times."""
    folder = None if generated else caviar or caviar_folder()
    if out is None:
        run(quick=quick, seed=seed, caviar=folder)
        return
    with Output(out) as output:
        output.write(json.dumps(run(quick=quick, seed=seed, caviar=folder), indent=2) + "\n")
