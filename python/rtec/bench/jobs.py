"""A stream without an end for the soak: jobs that come and go, late and retracted records.

At every query time a new job is submitted and an old one leaves, so that names never stop being
new, and what is held must stop growing all the same.
"""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Iterator
from pathlib import Path

from rtec.runtime.marks import Mark
from rtec.runtime.wires import PATIENCE, Closed, Piece, Position

JOBS = Path(__file__).with_name("soak.prolog")
STEP = 10
WINDOW = 30
MACHINES = 4
AT_ONCE = 20
"""Steps that are put on the wire together."""
AHEAD = 3
"""How many times the wire may do so before it has to wait."""


def lines(seed: int, jobs: int) -> Iterator[list[str]]:
    """Yield the records that arrive in each step, in order of arrival.

    >>> next(lines(1, 2))[0]
    'submit|1|1|job0|0'
    """
    rng = random.Random(seed)
    for step in itertools.count():
        start = step * STEP + 1
        made = [(start, f"submit|{start}|{start}|job{step}|{step % 7}")]
        if step >= jobs:
            made.append((start, f"leave|{start}|{start}|job{step - jobs}"))
        for _ in range(jobs // 2):
            made += _activity(rng, start, max(step - jobs + 1, 0), step)
        made += _machine(rng, start)
        yield [line for _, line in sorted(made, key=lambda each: each[0])]


def _activity(rng: random.Random, start: int, oldest: int, newest: int) -> list[tuple[int, str]]:
    """One record of a job, perhaps late, too late, or taken back."""
    arrival = start + rng.randrange(STEP)
    job = f"job{rng.randint(oldest, newest)}"
    name = rng.choice(("ping", "ping", "run", "stall"))
    fields = f"{job}|m{rng.randrange(MACHINES)}" if name == "run" else job
    at = max(arrival - rng.choice((0, 0, 0, 0, 5, 15, 60)), 0)
    made = [(arrival, f"{name}|{arrival}|{at}|{fields}")]
    if rng.random() < 0.1:
        made.append((arrival, f"-{name}|{arrival}|{at}|{fields}"))
    return made


def _machine(rng: random.Random, start: int) -> list[tuple[int, str]]:
    """What is measured of a machine: an interval and a point."""
    machine = f"m{rng.randrange(MACHINES)}"
    end = start + rng.randint(1, STEP - 1)
    return [
        (end, f"power|{end}|{start}|{end}|true|{machine}"),
        (end, f"hot|{end}|{end}|true|{machine}"),
    ]


class JobWire:
    """The stream as a live source, which goes a little ahead of who reads it."""

    name = "jobs"

    def __init__(self, seed: int, jobs: int) -> None:
        """Make nothing yet."""
        self._steps = lines(seed, jobs)
        self._wanted = threading.Semaphore(AHEAD)

    def go_on(self) -> None:
        """Let so many more steps come as come at once."""
        self._wanted.release()

    def pieces(self, position: Position, closed: Closed) -> Iterator[Piece | Mark]:
        """Yield lines; a position other than the first is not known here."""
        count = position.lines
        while not closed():
            if not self._wanted.acquire(timeout=PATIENCE):
                continue
            texts = [line for step in itertools.islice(self._steps, AT_ONCE) for line in step]
            first, count = count + 1, count + len(texts)
            yield Piece("".join(f"{t}\n" for t in texts).encode(), first, Position(count))
