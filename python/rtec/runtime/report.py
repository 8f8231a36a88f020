"""What was recognised, for a person: counts per situation and the longest examples.

Reads a file of recognitions in JSON lines, full or merged; of a full one the last report of
each fluent-value pair counts for intervals that several query times show. Of intervals with
probabilities, credible ones count, and later reports of what overlaps.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rtec.errors import ConfigError, Problem


@dataclass
class Situation:
    """One fluent with one value, or one event, over all its arguments.

    Attributes:
        name: As people write it: `gap=nearPort`, or the event's name.
        instances: The argument lists it was recognised for.
        spans: Intervals `(start, end, args)`; the end of an open one is None.
        times: How often an event happened.
    """

    name: str
    instances: set[str] = field(default_factory=set)
    spans: dict[tuple[str, int], int | None] = field(default_factory=dict)
    times: int = 0
    _likely: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def replace(self, args: str, start: int, end: int) -> None:
        """Take an interval in place of those that it overlaps; none ends after it."""
        before = self._likely.setdefault(args, [])
        while before and before[-1][1] >= start:
            del self.spans[args, before.pop()[0]]
        before.append((start, end))
        self.spans[args, start] = end

    def longest(self) -> tuple[str, int, int] | None:
        """The longest interval that has ended: arguments, start and end."""
        ended = [(e - s, args, s, e) for (args, s), e in self.spans.items() if e is not None]
        if not ended:
            return None
        _, args, start, end = max(ended)
        return args, start, end


def read_report(path: Path) -> list[Situation]:
    """Sum up a file of recognitions.

    Raises:
        ConfigError: If the file cannot be read or does not hold recognitions.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            return summarise(json.loads(line) for line in lines)
    except OSError as error:
        raise ConfigError(Problem(f"cannot read {path}: {error.strerror}", "file")) from None
    except (ValueError, KeyError, TypeError):  # not JSON, not text, or other JSON
        raise ConfigError(
            Problem(
                f"{path} does not hold recognitions in JSON lines",
                "file",
                remedy="give a file written by `rtec run --format jsonl`",
            )
        ) from None


def summarise(rows: Iterable[dict[str, Any]]) -> list[Situation]:
    """Sum up recognitions, most frequent situation first.

    >>> [s.name for s in summarise([{"fluent": "rich", "args": ["a"], "value": "true",
    ...                              "intervals": [[1, 2]]}])]
    ['rich']
    """
    found: dict[str, Situation] = {}
    for row in rows:
        args = ", ".join(str(a) for a in row["args"])
        if "event" in row:
            situation = found.setdefault(row["event"], Situation(row["event"]))
            situation.times += len(row["times"])
        else:
            value = row["value"]
            name = row["fluent"] if value == "true" else f"{row['fluent']}={value}"
            situation = found.setdefault(name, Situation(name))
            for interval in row["intervals"]:
                if not isinstance(interval, dict):
                    start, end = interval
                    situation.spans[args, start] = end
                elif interval["credible"]:
                    situation.replace(args, interval["start"], interval["end"])
        situation.instances.add(args)
    return sorted(found.values(), key=lambda s: (-(len(s.spans) + s.times), s.name))
