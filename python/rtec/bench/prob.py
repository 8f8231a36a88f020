"""`rtec bench prob`: accuracy and speed of bounded support sets (thesis, chapter 7).

Accuracy is the f1-score of oPIEC^b and oPIEC^bd against PIEC over the time-points of credible
intervals, by the size of the support set, one time-point a batch, on the probabilities that Prob-EC
works out of noisy records. Series are dealt out to five folds with about as many intervals each;
durations for a fold are learned from the others. Speed is that of Table 7.4, and the throughput of
large batches.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rtec.bench.prob_accuracy import accuracy
from rtec.bench.prob_speed import by_bound, by_stream_size, memory, throughput
from rtec.bench.prob_streams import ACTIVITIES, caviar_folder, records_of
from rtec.runtime.outputs import Output

SIZES = (5, 10, 20, 40, 60, 80, 100, 150)
QUICK_SIZES = (5, 50, 150)
RUNS = 3


def run(
    *,
    quick: bool = False,
    seed: int = 7,
    runs: int = RUNS,
    caviar: Path | None = None,
    say: Callable[[str], None] = click.echo,
) -> dict[str, Any]:
    """Measure accuracy and speed, tell the tables, and return the figures.

    Args:
        quick: Fewer sizes, one activity, one run.
        seed: For noise, and for generated streams.
        runs: How often to measure accuracy, each time with other noise.
        caviar: The folder with the CAVIAR records; a generated stream is used if not given.
        say: Where lines of text go.
    """
    lines = records_of(caviar, seed, 60_000 if quick else 240_000)
    say(f"stream: {'CAVIAR' if caviar else 'generated activity'}, {len(lines):,} records")
    sizes, activities = (QUICK_SIZES, ACTIVITIES[:1]) if quick else (SIZES, ACTIVITIES)
    return {
        "f1": accuracy(lines, sizes, activities, seed, 1 if quick else runs, say),
        "by_stream_size": by_stream_size(seed, say),
        "by_bound": by_bound(seed, say),
        "throughput": throughput(seed, say),
        "memory": memory(seed, say),
    }


@click.command("prob")
@click.option("--quick", is_flag=True, help="Fewer sizes, one activity: about a minute.")
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=RUNS,
    show_default=True,
    help="How often to measure accuracy, each time with other noise.",
)
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
def command(
    quick: bool, runs: int, seed: int, caviar: Path | None, generated: bool, out: str | None
) -> None:
    """Measure probabilistic intervals: f1 by support set size, and run times."""
    folder = None if generated else caviar or caviar_folder()
    if out is None:
        run(quick=quick, seed=seed, runs=runs, caviar=folder)
        return
    with Output(out) as output:
        figures = run(quick=quick, seed=seed, runs=runs, caviar=folder)
        output.write(json.dumps(figures, indent=2) + "\n")
