"""What a benchmark says: tables for people, the same figures as JSON for programs."""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from rtec.runtime.outputs import Output


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its key in the figures, its heading, and how to write a value."""

    key: str
    heading: str
    form: str = "{}"

    def text(self, row: dict[str, Any]) -> str:
        """Write the value of a row; nothing where there is none."""
        value = row.get(self.key)
        return "" if value is None else self.form.format(value)


def table(title: str, columns: Sequence[Column], rows: Sequence[dict[str, Any]]) -> str:
    """Lay out rows under their headings; numbers to the right, texts to the left.

    >>> print(table("Speed", [Column("name", "case"), Column("ms", "ms", "{:.1f}")],
    ...             [{"name": "voting", "ms": 12.34}, {"name": "toy", "ms": 2.0}]))
    Speed
      case      ms
      voting  12.3
      toy      2.0
    """
    cells = [[column.heading, *(column.text(row) for row in rows)] for column in columns]
    widths = [max(map(len, texts)) for texts in cells]
    right = [any(isinstance(row.get(c.key), int | float) for row in rows) for c in columns]
    lines = [title]
    for line in zip(*cells, strict=True):
        parts = [
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(line, widths, right, strict=True)
        ]
        lines.append("  " + "  ".join(parts).rstrip())
    return "\n".join(lines)


@dataclass(slots=True)
class Report:
    """The figures of one benchmark, said as they come and written at the end.

    Attributes:
        name: The benchmark.
        say: Where lines of text go.
        figures: Everything, by the name of its part.
    """

    name: str
    say: Callable[[str], None] = click.echo
    figures: dict[str, Any] = field(default_factory=dict)

    def add(
        self, key: str, title: str, columns: Sequence[Column], rows: Sequence[dict[str, Any]]
    ) -> None:
        """Say a table, and keep its rows."""
        self.figures[key] = list(rows)
        self.say(table(title, columns, rows))
        self.say("")

    def note(self, text: str) -> None:
        """Say a line."""
        self.say(text)

    def write(self, path: str | None) -> None:
        """Write the figures as JSON, if there is a path."""
        if path is None:
            return
        content = {"benchmark": self.name, "machine": machine(), **self.figures}
        with Output(path) as output:
            output.write(json.dumps(content, indent=1, default=str) + "\n")


def machine() -> dict[str, Any]:
    """Say what the figures were measured on."""
    from rtec.environment import find_swipl, version_text

    return {
        "python": platform.python_version(),
        "swi_prolog": version_text(find_swipl().version),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
    }


def median(values: Iterable[float]) -> float:
    """Return the median; 0 of nothing."""
    listed = list(values)
    return statistics.median(listed) if listed else 0.0


def ratio(value: float, to: float) -> float | None:
    """Divide, unless there is nothing to divide by."""
    return value / to if to > 0 else None


def ms(seconds: float) -> float:
    """Turn seconds into milliseconds, with three decimals."""
    return round(seconds * 1000, 3)


json_option = click.option(
    "--json", "json_file", metavar="FILE", help="Write the figures here as well, as JSON."
)
seed_option = click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Same seed, same stream."
)
repeat_option = click.option(
    "--repeat",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Measure so many times, and take the median.",
)
