"""`rtec bench apps`: the bundled applications at the sizes for which there are other figures.

What the original RTEC takes for recognition alone was measured with SWI-Prolog 9.2.9 on two
cores, on inputs of the same size and kind. Ours is the CPU time of recognition; what handing over
the records and collecting the answers takes stands beside it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from rtec.bench.growth import application
from rtec.bench.report import Column, Report, json_option, ms, ratio, repeat_option, seed_option
from rtec.bench.windows import Figures, Subject, measure, typical, write_stream
from rtec.environment import checkout_folder
from rtec.generate import APPLICATIONS, generate
from rtec.runtime.settings import RunSettings

HOUR = 3600
CAVIAR = ("movement.csv.gz", "appearance.csv.gz")


@dataclass(frozen=True, slots=True)
class Case:
    """One application at one size.

    Attributes:
        name: What to call it.
        application: The bundled description.
        window: Its window, and step.
        windows: How many of them.
        original: Milliseconds that the original takes per window.
        rate: Records per time-point of the generated stream.
        entities: Or how many entities it has.
        tick: How far apart consecutive time-points are.
    """

    name: str
    application: str
    window: int
    windows: int
    original: float
    rate: float | None = None
    entities: int | None = None
    tick: int = 1

    @property
    def per_time_point(self) -> float:
        """How many records come in a time-point."""
        if self.rate is not None:
            return self.rate
        source = APPLICATIONS[self.application]
        return source.rate * (self.entities or source.entities)


CASES = (
    Case("voting", "voting", 10, 10, 227, rate=1000),
    Case("transport", "transport", 1200, 8, 72, rate=8.3),
    Case("netbill, 100 agents", "netbill", 10, 12, 1_750, entities=100),
    Case("netbill, 300 agents", "netbill", 10, 12, 11_200, entities=300),
    Case("maritime, 2 hours", "maritime", 2 * HOUR, 12, 151),
    Case("maritime, 4 hours", "maritime", 4 * HOUR, 6, 1_150),
    Case("maritime, a day", "maritime", 24 * HOUR, 1, 5_700),
)
CAMERAS = Case("activity, CAVIAR", "activity", 100_000, 10, 63, tick=40)

COLUMNS = [
    Column("name", "application"),
    Column("window", "window", "{:,}"),
    Column("records", "records", "{:,}"),
    Column("answers", "answers", "{:,}"),
    Column("original_ms", "original ms", "{:,.0f}"),
    Column("recognise_ms", "ours ms", "{:,.1f}"),
    Column("share", "share", "{:.2f}"),
    Column("other_ms", "hand over, collect ms", "{:,.1f}"),
    Column("events_per_second", "events/s", "{:,.0f}"),
    Column("ratio", "to the floor", "{:.1f}"),
]


def run(report: Report, cases: Sequence[Case], caviar: Path | None, seed: int, repeat: int) -> None:
    """Measure each case, and say the table."""
    with tempfile.TemporaryDirectory(prefix="rtec-bench-") as folder:
        rows = list(_rows(cases, caviar, Path(folder), seed, repeat))
    report.add(
        "apps",
        "per window: medians of CPU times; the share is ours in the original's",
        COLUMNS,
        rows,
    )


def _rows(
    cases: Sequence[Case], caviar: Path | None, folder: Path, seed: int, repeat: int
) -> Iterator[dict[str, Any]]:
    for case in cases:
        path = folder / "stream.csv"
        records = round(case.per_time_point * case.window * case.windows * 1.02)
        blocks = generate(case.application, records, seed, rate=case.rate, entities=case.entities)
        write_stream(path, blocks)
        yield _row(case, (path,), repeat)
    if caviar is not None:
        yield _row(CAMERAS, tuple(caviar / name for name in CAVIAR), repeat)


def _row(case: Case, streams: tuple[Path, ...], repeat: int) -> dict[str, Any]:
    description, background = application(case.application)
    subject = Subject(description, background, streams)
    settings = RunSettings(
        window=case.window,
        step=case.window,
        start=0,
        end=case.window * case.windows,
        tick=case.tick,
    )
    # A run of few windows is repeated; otherwise its windows are repetitions of each other. The
    # first windows of a longer run are not typical: what they hold is only building up.
    figures: list[Figures] = []
    for _ in range(repeat if case.windows < 4 else 1):
        figures += measure(subject, settings)
    found = typical(figures[case.windows // 4 :])
    return {
        "name": case.name,
        "window": case.window,
        "records": found.records,
        "answers": found.answers,
        "original_ms": case.original,
        "recognise_ms": ms(found.recognise),
        "share": ratio(ms(found.recognise), case.original),
        "other_ms": ms(found.hand_over + found.collect),
        "events_per_second": ratio(found.records, found.recognise),
        "floor_ms": ms(found.floor),
        "ratio": ratio(found.recognise, found.floor),
    }


def caviar_folder() -> Path | None:
    """Find the CAVIAR records where they may lie, beside the checkout."""
    root = checkout_folder()
    folder = root.parent / "shared" / "data" / "caviar" if root else None
    return folder if folder is not None and (folder / CAVIAR[0]).is_file() else None


@click.command("apps")
@click.option(
    "--only", multiple=True, metavar="NAME", help="An application to measure; may be repeated."
)
@click.option(
    "--scale",
    type=click.FloatRange(0.001),
    default=1.0,
    show_default=True,
    help="Make rates and entities smaller, or larger; published figures are for 1.",
)
@click.option(
    "--caviar",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="The folder with CAVIAR's movement.csv.gz and appearance.csv.gz; by default "
    "../shared/data/caviar if it is there.",
)
@repeat_option
@seed_option
@json_option
def command(
    only: tuple[str, ...],
    scale: float,
    caviar: Path | None,
    repeat: int,
    seed: int,
    json_file: str | None,
) -> None:
    """Measure the bundled applications, beside what the original RTEC takes for the same."""
    unknown = sorted(set(only) - {case.application for case in (*CASES, CAMERAS)})
    if unknown:
        raise click.BadParameter(f"there is no application `{unknown[0]}` to measure")
    cases = [scaled(c, scale) for c in CASES if not only or c.application in only]
    folder = (caviar or caviar_folder()) if not only or "activity" in only else None
    report = Report("apps")
    run(report, cases, folder, seed, repeat)
    if folder is None and (not only or "activity" in only):
        report.note("CAVIAR is not there: give its folder with --caviar")
    report.write(json_file)


def scaled(case: Case, scale: float) -> Case:
    """Change the number of records per time-point."""
    if scale == 1:
        return case
    if case.rate is not None:
        return replace(case, rate=case.rate * scale)
    entities = case.entities or APPLICATIONS[case.application].entities
    return replace(case, entities=max(1, round(entities * scale)))
