"""`rtec report`: what a run recognised, for a person."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from rtec.runtime.report import read_report


@click.command("report")
@click.argument("results", type=click.Path(path_type=Path))
def command(results: Path) -> None:
    """Sum up RESULTS, a file that `rtec run --out FILE` wrote as JSON lines.

    Shows how often each situation was recognised, for how many instances, and its longest
    interval that has ended.
    """
    situations = read_report(results)
    table = Table(title=f"{len(situations)} situations", title_justify="left")
    table.add_column("situation")
    table.add_column("times", justify="right")
    table.add_column("instances", justify="right")
    table.add_column("longest")
    for situation in situations:
        longest = situation.longest()
        shown = f"({longest[0]}) from {longest[1]} to {longest[2]}" if longest else ""
        table.add_row(
            situation.name,
            f"{len(situation.spans) + situation.times:,}",
            f"{len(situation.instances):,}",
            shown,
        )
    console = Console()
    console.print(table)
    console.print(f"all intervals: {results}", markup=False, highlight=False, soft_wrap=True)
