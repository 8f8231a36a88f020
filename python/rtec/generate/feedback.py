"""Starting levels and delays for the feedback loops of descriptions/immune and /phage.

These loops have no input events: all that varies is where a system starts and how long its
changes take. A file of facts describes many systems side by side. The first ones start from
every combination of levels, with the usual delays; further ones start anywhere, with delays of
their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

LEAST_DELAY = 3
"""Shorter delays would let a level change again before its first change has been seen."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A feedback loop: its variables with their greatest level and usual delays, up and down."""

    system: str
    variables: Mapping[str, tuple[int, int, int]]


IMMUNE = Loop("s", {"e": (1, 6, 6), "h": (2, 5, 4), "s": (2, 7, 6)})
PHAGE = Loop("cell", {"cI": (2, 7, 9), "cro": (3, 8, 5), "cII": (1, 4, 5), "n": (1, 3, 4)})


def facts(loop: Loop, size: int, seed: int) -> str:
    """Write the facts of `size` systems.

    >>> print(facts(Loop("s", {"a": (1, 3, 4)}), 1, seed=1))
    % 1 systems: starting levels, and delays in time-points.
    <BLANKLINE>
    initial_level(s1, a, 0).
    delay(s1, a, up, 3).
    delay(s1, a, down, 4).
    <BLANKLINE>
    """
    chance = np.random.default_rng((seed, 0xFB))
    every = list(product(*(range(top + 1) for top, _, _ in loop.variables.values())))
    starts, delays = [], []
    for number in range(size):
        usual = number < len(every)
        levels = every[number] if usual else every[int(chance.integers(len(every)))]
        for (name, (_, up, down)), level in zip(loop.variables.items(), levels, strict=True):
            system = f"{loop.system}{number + 1}"
            starts.append(f"initial_level({system}, {name}, {level}).")
            for way, usual_delay in (("up", up), ("down", down)):
                factor = 1.0 if usual else float(chance.uniform(0.6, 1.6))
                delay = max(LEAST_DELAY, round(usual_delay * factor))
                delays.append(f"delay({system}, {name}, {way}, {delay}).")
    title = f"% {size} systems: starting levels, and delays in time-points."
    return "\n".join([title, "", *starts, *delays, ""])
