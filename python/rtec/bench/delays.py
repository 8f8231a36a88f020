"""`rtec bench delays`: delayed effects as windows and streams grow, and against plain rules.

NetBill has delays that may be postponed, in chains and in a cycle. Evaluated by rules (3.16) to
(3.18) of the thesis alone, cost is exponential (Figure 4.5): a small stream shows where that
leads. The engine's cost should grow with the number of initiations, times its logarithm at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from rtec import bridge
from rtec.bench.growth import queries_option, rate_option, report_growth, windows_option
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
from rtec.compiler import compile_description
from rtec.errors import EngineError
from rtec.model import FluentRecognition
from rtec.runtime.records import Record
from rtec.runtime.session import Session

FOLDER = Path(__file__).parent
NAIVE_SIZES = (4, 8, 12, 16, 20, 24, 28)
TOO_LONG = 1_000
"""Milliseconds after which the rules alone are not asked for more."""
SIZES = (1_000, 10_000, 100_000)
SPARSE, DENSE = 6, 2
"""Mean time between initiations: some take effect, or nearly none for a long time."""
KINDS = {"fixed": ("up", "down"), "postponable": ("raise", "lower")}
"""Delays from the first or from the last initiation, and the events of delays.prolog for them."""


def against_rules(
    report: Report, seed: int, repeat: int, counts: Sequence[int] = NAIVE_SIZES
) -> None:
    """Compare the engine with the rules alone, which must give the same intervals."""
    bridge.command("use_module", str(FOLDER / "naive_delays.pl"))
    rows = [row for kind in KINDS for row in _naive_rows(kind, seed, repeat, counts)]
    report.add(
        "against_rules",
        "one fluent, evaluated by rules (3.16) to (3.18) alone and by the engine",
        [
            Column("delay", "delay"),
            Column("initiations", "initiations", "{:,}"),
            Column("rules_ms", "rules ms", "{:,.2f}"),
            Column("engine_ms", "engine ms", "{:.2f}"),
            Column("times", "times", "{:,.1f}"),
        ],
        rows,
    )


def _naive_rows(
    kind: str, seed: int, repeat: int, counts: Sequence[int]
) -> Iterator[dict[str, Any]]:
    postponable = int(kind == "postponable")
    for count in counts:
        ups, downs = _times(seed, count, DENSE)
        last = int(ups[-1]) + 20
        naive = [bridge.call("naive_intervals", ups.tolist(), downs.tolist(), last, postponable)]
        while len(naive) < repeat and naive[0][0] < 0.1:
            naive.append(
                bridge.call("naive_intervals", ups.tolist(), downs.tolist(), last, postponable)
            )
        seconds, held = _engine(kind, ups, downs, last, repeat)
        by_rules = {value: list(flat) for value, flat in naive[0][1]}
        if by_rules != held:
            raise EngineError(f"the rules say {by_rules}, the engine says {held}")
        rules = median(row[0] for row in naive)
        yield {
            "delay": kind,
            "initiations": count,
            "rules_ms": ms(rules),
            "engine_ms": ms(seconds),
            "times": ratio(rules, seconds),
        }
        if ms(rules) > TOO_LONG:
            return


def by_initiations(report: Report, seed: int, repeat: int, counts: Sequence[int] = SIZES) -> None:
    """Measure one fluent with more and more initiations in its window."""
    rows = []
    for kind in KINDS:
        for count in counts:
            ups, downs = _times(seed, count, SPARSE)
            seconds, _ = _engine(kind, ups, downs, int(ups[-1]) + 20, repeat)
            rows.append(
                {
                    "delay": kind,
                    "initiations": count,
                    "engine_ms": ms(seconds),
                    "per_initiation_us": seconds / count * 1e6,
                }
            )
    report.add(
        "by_initiations",
        "one fluent, all of its initiations in one window",
        [
            Column("delay", "delay"),
            Column("initiations", "initiations", "{:,}"),
            Column("engine_ms", "recognise ms", "{:,.2f}"),
            Column("per_initiation_us", "us per initiation", "{:.2f}"),
        ],
        rows,
    )


def _times(seed: int, count: int, gap: int) -> tuple[Any, Any]:
    """Draw time-points of initiations, and of terminations, about one for ten of them.

    A longer stream begins as a shorter one does.
    """
    chance = np.random.default_rng((seed, gap))
    draws = chance.random((count, 3))
    ups = np.cumsum(1 + np.floor(draws[:, 0] * (2 * gap - 1))).astype(np.int64)
    ended = draws[:, 1] < 0.1
    downs = ups[ended] + np.floor(draws[ended, 2] * gap).astype(np.int64)
    return ups, np.unique(downs)


def _engine(
    kind: str, ups: Any, downs: Any, last: int, repeat: int
) -> tuple[float, dict[str, list[Any]]]:
    """Return CPU seconds of recognition, and the intervals of each value, flat."""
    program = compile_description(FOLDER / "delays.prolog")
    times = []
    held: dict[str, list[Any]] = {}
    for _ in range(repeat):
        with Session(program, window=last + 1) as session:
            for name, points in zip(KINDS[kind], (ups, downs), strict=True):
                session.insert(Record(name, t, ("x",)) for t in points.tolist())
            found = session.query(last)
            times.append(session.timings.recognise_cpu)
        held = {
            str(r.value): ["inf" if x is None else x for interval in r.intervals for x in interval]
            for r in found
            if isinstance(r, FluentRecognition)
        }
    return median(times), held


@click.command("delays")
@rate_option
@windows_option
@queries_option
@repeat_option
@seed_option
@json_option
def command(
    rate: float, windows: str, queries: int, repeat: int, seed: int, json_file: str | None
) -> None:
    """Measure delayed effects: NetBill in growing windows, many initiations, plain rules."""
    report = Report("delays")
    report_growth(report, "netbill", "netbill", rate, seed, queries, windows)
    by_initiations(report, seed, repeat)
    against_rules(report, seed, repeat)
    report.write(json_file)
