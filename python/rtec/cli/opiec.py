"""`rtec opiec`: probabilistic maximal intervals of series of probabilities."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click
import numpy as np

from rtec.cli.prob_options import read_durations
from rtec.errors import ConfigError, Problem
from rtec.prob.durations import Durations
from rtec.prob.gaps import GAPS, Gaps, check_gaps
from rtec.prob.opiec import Opiec
from rtec.prob.output import FORMATS, Format, chosen_format, write_table
from rtec.prob.piec import piec_rows
from rtec.prob.plot import Panel, draw
from rtec.prob.pmis import Pmis
from rtec.prob.replay import replay
from rtec.prob.scale import MOST_DECIMALS, Scale, as_fraction, fitting_decimals
from rtec.prob.series import Rows
from rtec.prob.tables import read_rows
from rtec.runtime.outputs import STDOUT, Output

_DRAWN = 12
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("opiec")
@click.option(
    "--input",
    "source",
    type=_FILE,
    required=True,
    help="CSV or Parquet with the columns series, time and prob; series may be left out.",
)
@click.option(
    "--threshold",
    default="0.5",
    show_default=True,
    help="What the mean probability of an interval has to reach, from 0 to 1.",
)
@click.option(
    "--batch",
    type=int,
    help="Feed each series in batches of so many rows; otherwise all at once, or one by one "
    "with --bound.",
)
@click.option("--bound", type=int, help="The most starts to remember (oPIEC^b).")
@click.option(
    "--durations",
    metavar="MEAN,SD",
    help="How long intervals usually last, in time-points (oPIEC^bd); needs --bound.",
)
@click.option(
    "--train",
    type=_FILE,
    help="Learn the durations from the intervals that PIEC finds in this file.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="For random choices."
)
@click.option(
    "--tick", type=int, default=1, show_default=True, help="How far apart time-points are."
)
@click.option(
    "--gaps",
    type=click.Choice(GAPS),
    default="zero",
    show_default=True,
    help="Missing time-points: probability 0, the last one before them, or a border that no "
    "interval crosses.",
)
@click.option(
    "--decimals",
    type=int,
    help=f"Decimals of the probabilities to keep, up to {MOST_DECIMALS}; chosen from the input "
    "if not given.",
)
@click.option("--credible-only", is_flag=True, help="Leave out what overlaps a better interval.")
@click.option(
    "--out", default=STDOUT, metavar="FILE", help="Where to write; `-` is standard output."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="How to write; by default what the name of --out says, else jsonl.",
)
@click.option(
    "--plot", metavar="FILE", help="Draw the series and their intervals into this SVG file."
)
@click.option(
    "--plot-series",
    multiple=True,
    metavar="NAME",
    help=f"Draw this series; may be repeated. By default the first {_DRAWN}.",
)
def command(
    source: Path,
    threshold: str,
    batch: int | None,
    bound: int | None,
    durations: str | None,
    train: Path | None,
    seed: int,
    tick: int,
    gaps: Gaps,
    decimals: int | None,
    credible_only: bool,
    out: str,
    form: Format | None,
    plot: str | None,
    plot_series: tuple[str, ...],
) -> None:
    """Find the intervals in which something holds with at least a given probability.

    Each row of the input is the probability of one series at one time-point. Each row of the
    answer is a probabilistic maximal interval: its series, its first and its last time-point, its
    probability, and whether it is the one to believe among those it overlaps.
    """
    form = chosen_format(out, form)
    check_gaps(gaps, tick)
    as_fraction(threshold)
    usual = _durations(durations, train, bound)
    rows = read_rows(source, tick)
    if train is not None:
        learned = piec_rows(read_rows(train, tick), threshold, tick=tick, gaps=gaps)
        usual = Durations.learn(learned)
        click.echo(f"durations: mean {usual.mean:g}, deviation {usual.deviation:g}", err=True)
    if decimals is None:
        decimals = fitting_decimals(rows.probs, (rows.points - 1) // tick + 1)
    scale = Scale.of(threshold, decimals)
    if not scale.is_exact(rows.probs):
        click.echo(f"note: probabilities are rounded to {decimals} decimals", err=True)

    streams: list[Opiec] = []
    if batch is None and bound is None:
        found = piec_rows(rows, threshold, tick=tick, gaps=gaps, decimals=decimals)
    else:
        found, streams = replay(
            rows,
            1 if batch is None else batch,
            rng=seed,
            threshold=threshold,
            bound=bound,
            durations=usual,
            tick=tick,
            gaps=gaps,
            decimals=decimals,
        )
    table = found.to_arrow()
    if credible_only:
        table = table.filter(table["credible"])
    with ExitStack() as stack:
        # Both are written before either takes its name.
        output = stack.enter_context(Output(out))
        if plot is not None:
            picture = _picture(rows, found, scale, gaps, streams, plot_series)
            stack.enter_context(Output(plot)).write(picture)
        write_table(table, output, form)


def _durations(text: str | None, train: Path | None, bound: int | None) -> Durations | None:
    if text is None and train is None:
        return None
    if text is not None and train is not None:
        raise ConfigError(Problem("--durations and --train exclude each other", "config"))
    if bound is None:
        flag = "--durations" if train is None else "--train"
        raise ConfigError(
            Problem(
                f"{flag} decides what a bounded support set drops, and there is no bound",
                "prob-durations",
                remedy="give --bound as well",
            )
        )
    return None if text is None else read_durations(text)


def _picture(
    rows: Rows,
    found: Pmis,
    scale: Scale,
    gaps: Gaps,
    streams: list[Opiec],
    wanted: tuple[str, ...],
) -> str:
    names = ["probability"] if rows.labels is None else [str(n) for n in rows.labels.to_pylist()]
    count = len(rows.offsets) - 1
    if wanted:
        unknown = [name for name in wanted if name not in names[:count]]
        if unknown:
            raise ConfigError(Problem(f"there is no series `{unknown[0]}` to draw", "config"))
        codes = [names.index(name) for name in wanted]
    else:
        codes = list(range(min(count, _DRAWN)))
    panels = []
    for code in codes:
        here = slice(int(rows.offsets[code]), int(rows.offsets[code + 1]))
        kept = list(streams[code].support.times) if streams else []
        panels.append(
            Panel(
                names[code],
                rows.times[here],
                np.asarray(rows.probs[here]),
                scale.threshold / scale.unit,
                found.of_series(code),
                gaps,
                kept,
            )
        )
    left = count - len(codes)
    return draw(panels, f"{left} more series are not drawn" if left else "")
