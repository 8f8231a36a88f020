"""How recognition grows with the window: one application, windows of increasing size."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from rtec.bench.report import Column, Report, ms, ratio
from rtec.bench.windows import Subject, measure, typical, write_stream
from rtec.generate import generate
from rtec.runtime.settings import RunSettings
from rtec.runtime.sidecar import find_description, read_sidecar

STEP = 10
WINDOWS = (10, 20, 40, 80, 160)

COLUMNS = [
    Column("window", "window", "{:,}"),
    Column("records", "events", "{:,}"),
    Column("answers", "answers", "{:,}"),
    Column("recognise_ms", "recognise ms", "{:.1f}"),
    Column("per_time_point_us", "us per time-point", "{:,.0f}"),
    Column("per_event_us", "us per event", "{:.2f}"),
    Column("growth", "time-point, to the first", "{:.2f}"),
    Column("ratio", "to the floor", "{:.1f}"),
]


def application(name: str) -> tuple[Path, tuple[Path, ...]]:
    """Find a bundled description and its background."""
    description = find_description(f"{name}.prolog")
    return description, read_sidecar(description).background


def growth(
    name: str, rate: float, seed: int, queries: int, windows: Sequence[int] = WINDOWS
) -> list[dict[str, Any]]:
    """Measure windows of each size over one stream, when they are full.

    Args:
        name: A bundled application with a generator.
        rate: Events per time-point.
        seed: Of the stream.
        queries: How many query times to measure for each size.
        windows: Sizes in time-points; the step is 10 for all.
    """
    # Windows of the largest size are full from there on, and all sizes end with the same events.
    last = max(windows) + STEP * queries
    measured = range(last - STEP * (queries - 1), last + 1, STEP)
    description, background = application(name)
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="rtec-bench-") as folder:
        path = Path(folder) / "stream.csv"
        write_stream(path, generate(name, round(rate * last * 1.1), seed, rate=rate))
        for window in windows:
            settings = RunSettings(window=window, step=STEP, start=0, end=last)
            subject = Subject(description, background, (path,))
            found = typical(measure(subject, settings, only=measured))
            each = found.recognise / window
            rows.append(
                {
                    "window": window,
                    "records": found.records,
                    "answers": found.answers,
                    "recognise_ms": ms(found.recognise),
                    "per_time_point_us": each * 1e6,
                    "per_event_us": ratio(found.recognise * 1e6, found.records),
                    "growth": ratio(each, rows[0]["per_time_point_us"] / 1e6) if rows else 1.0,
                    "ratio": ratio(found.recognise, found.floor),
                }
            )
    return rows


def report_growth(
    report: Report, key: str, name: str, rate: float, seed: int, queries: int, windows: str
) -> None:
    """Measure, and say the table."""
    rows = growth(name, rate, seed, queries, sizes(windows))
    report.add(
        key,
        f"{name}, {rate:g} events per time-point, step {STEP}, median of {queries} query times",
        COLUMNS,
        rows,
    )


def sizes(text: str) -> list[int]:
    """Read window sizes.

    >>> sizes("10,20,40")
    [10, 20, 40]
    """
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not found or min(found) < STEP:
        raise click.BadParameter(f"`{text}` is not a list of sizes of at least {STEP}")
    return found


rate_option = click.option(
    "--rate",
    type=click.FloatRange(1),
    default=100.0,
    show_default=True,
    help="Events per time-point.",
)
queries_option = click.option(
    "--queries",
    type=click.IntRange(1),
    default=9,
    show_default=True,
    help="Query times to measure for each window size.",
)
windows_option = click.option(
    "--windows",
    default=",".join(map(str, WINDOWS)),
    show_default=True,
    help="Window sizes, in time-points.",
)
