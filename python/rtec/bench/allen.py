"""`rtec bench allen`: Allen's relations among many intervals (thesis, Table 4.1(a)).

All seven relations of Table 2.2 (their inverses come to the same) between a source and a target
list, each with half of the intervals, in no order; sorting is part of the time, as it is in the
thesis. Measured twice: in Prolog, as rules use them, and on arrays (rtec.intervals).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from rtec import bridge
from rtec.bench.report import (
    Column,
    Report,
    json_option,
    median,
    ms,
    ratio,
    repeat_option,
    seed_option,
)
from rtec.errors import EngineError
from rtec.intervals import Intervals, allen, maximal

SIZES = (200, 2_000, 20_000, 200_000)
PUBLISHED = {200: 1, 2_000: 14, 20_000: 154, 200_000: 1_800}
"""Milliseconds of RTEC_A in Table 4.1(a)."""

RELATIONS = ("before", "meets", "starts", "finishes", "during", "overlaps", "equal")
MODE = "source"
LONGEST = 20
SHORT = 2_000
"""Lists up to this length are measured more often: they take hardly any time."""


def run(report: Report, sizes: Sequence[int], seed: int, repeat: int) -> None:
    """Measure lists of each size."""
    bridge.command("use_module", str(Path(__file__).with_name("allen_times.pl")))
    rows = []
    for size in sizes:
        source, target = _list(seed, 0, size // 2), _list(seed, 1, size // 2)
        times = repeat if size > SHORT else max(repeat, 30)
        prolog = [_prolog(source, target) for _ in range(times)]
        arrays = [_arrays(source, target) for _ in range(times)]
        if prolog[0][1] != arrays[0][1]:
            raise EngineError(f"Prolog finds {prolog[0][1]}, arrays {arrays[0][1]}")
        by_prolog, by_arrays = (median(r[0] for r in runs) for runs in (prolog, arrays))
        published = PUBLISHED.get(size)
        rows.append(
            {
                "intervals": size,
                "published_ms": published,
                "prolog_ms": ms(by_prolog),
                "prolog_share": ratio(ms(by_prolog), published) if published else None,
                "per_interval_us": by_prolog / size * 1e6,
                "arrays_ms": ms(by_arrays),
                "arrays_share": ratio(ms(by_arrays), published) if published else None,
                "found": prolog[0][1],
            }
        )
    report.add(
        "allen",
        f"seven relations, half of the intervals source, half target; mode {MODE}, with sorting",
        [
            Column("intervals", "intervals", "{:,}"),
            Column("published_ms", "published ms", "{:,}"),
            Column("prolog_ms", "Prolog ms", "{:,.2f}"),
            Column("prolog_share", "share", "{:.2f}"),
            Column("per_interval_us", "us per interval", "{:.2f}"),
            Column("arrays_ms", "arrays ms", "{:,.2f}"),
            Column("arrays_share", "share", "{:.3f}"),
        ],
        rows,
    )


def _list(seed: int, which: int, size: int) -> tuple[Any, Any]:
    """Draw maximal intervals, in no order; starts and ends of both lists often coincide."""
    chance = np.random.default_rng((seed, which, size))
    borders = np.cumsum(chance.integers(1, LONGEST, 2 * size))
    order = chance.permutation(size)
    return borders[0::2][order], borders[1::2][order]


def _prolog(source: tuple[Any, Any], target: tuple[Any, Any]) -> tuple[float, dict[str, int]]:
    """Return the CPU seconds, and how many intervals each relation comes to."""
    lists = [(starts.tolist(), ends.tolist()) for starts, ends in (source, target)]
    bridge.command("allen_lists", *lists)
    sorting, rows = bridge.call("allen_times", MODE)
    return sorting + sum(row[1] for row in rows), {row[0]: row[2] for row in rows}


def _arrays(source: tuple[Any, Any], target: tuple[Any, Any]) -> tuple[float, dict[str, int]]:
    begin = time.process_time()
    s, t = maximal(source), maximal(target)
    found: dict[str, Intervals] = {r: allen(r, s, t, MODE) for r in RELATIONS}
    seconds = time.process_time() - begin
    return seconds, {relation: len(one) for relation, one in found.items()}


@click.command("allen")
@click.option(
    "--most",
    type=click.IntRange(SIZES[0]),
    default=SIZES[-1],
    show_default=True,
    help="Leave out lists that are longer.",
)
@repeat_option
@seed_option
@json_option
def command(most: int, repeat: int, seed: int, json_file: str | None) -> None:
    """Measure Allen's relations among 200 to 200,000 intervals, beside the published times."""
    report = Report("allen")
    run(report, [size for size in SIZES if size <= most], seed, repeat)
    report.write(json_file)
