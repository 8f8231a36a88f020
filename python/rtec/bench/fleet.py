"""A stream of vessels for benchmarks of the engine: entities x events x windows, seeded.

Each vessel starts and stops, enters and leaves zones, reports its speed, raises and resets an
alarm, and falls silent; seven records in ten are speeds. fleet.prolog describes a dozen fluents
over it, levels.prolog three levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from rtec.generate.blocks import Block, events, merged, select

FOLDER = Path(__file__).parent
FLEET = FOLDER / "fleet.prolog"
LEVELS = FOLDER / "levels.prolog"
ZONES = pa.array(["harbour", "coast", "sea"])
FASTEST = 30
SHARES = {
    "start_move": 0.05,
    "stop_move": 0.05,
    "enter": 0.05,
    "leave": 0.05,
    "speed": 0.70,
    "alarm": 0.02,
    "reset": 0.02,
    "gap_start": 0.03,
    "gap_end": 0.03,
}


def stream(seed: int, entities: int, per_window: int, windows: int, size: int) -> Iterator[Block]:
    """Make the records of some windows of `size` time-points, a block a window."""
    chance = np.random.default_rng((seed, 0xF1))
    names = pa.array(vessels(entities))
    for number in range(windows):
        blocks = []
        for event, share in SHARES.items():
            count = round(per_window * share)
            times = np.sort(chance.integers(number * size + 1, (number + 1) * size + 1, count))
            columns = [select(names, chance.integers(0, entities, count))]
            if event in ("enter", "leave"):
                columns.append(select(ZONES, chance.integers(0, len(ZONES), count)))
            elif event == "speed":
                columns.append(pa.array(chance.integers(0, FASTEST, count)))
            blocks.append(events(event, times, *columns))
        yield merged(blocks)


def vessels(entities: int) -> list[str]:
    """Name the vessels."""
    return [f"v{number}" for number in range(entities)]
