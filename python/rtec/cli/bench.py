"""`rtec bench`: a group of benchmarks, each loaded only when it is called.

A benchmark is the object `command` in the module `rtec.bench.NAME`. Its one-line help is kept
here, so that `rtec bench --help` imports none of them.
"""

from __future__ import annotations

import importlib
from pathlib import Path

import click

import rtec.bench

BENCHES = {
    "core": "Phases of `rtec run`, recognition against its floor, growth.",
    "cycles": "Fluents that depend on each other: cost per time-point as windows grow.",
    "delays": "Delayed effects: growth, and against evaluation by the rules alone.",
    "allen": "Allen's relations among many intervals, in Prolog and on arrays.",
    "apps": "The bundled applications at published sizes.",
    "prob": "Probabilistic intervals: accuracy by support set, run times.",
    "incremental": "Recognition that reuses what overlapping windows share.",
    "spark": "Recognition on Spark by number of cores.",
    "tradeoff": "Windows and steps: what is lost, how soon it is known, what it costs.",
    "soak": "A long run: memory and recognition time as it goes on.",
}
"""The benchmarks in the order of the help page."""


class BenchGroup(click.Group):
    """A group that imports a benchmark when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the benchmarks whose modules exist."""
        folder = Path(rtec.bench.__path__[0])
        return [name for name in BENCHES if (folder / f"{name}.py").is_file()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one benchmark."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"rtec.bench.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the benchmarks with the help kept here."""
        with formatter.section("Benchmarks"):
            formatter.write_dl([(name, BENCHES[name]) for name in self.list_commands(ctx)])


@click.group("bench", cls=BenchGroup)
def command() -> None:
    """Measure speed and memory.

    Figures are medians of CPU times. Those that papers give for the same task stand beside them
    where there are any.
    """
