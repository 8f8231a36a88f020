"""Records that come late, and records that are taken back.

Both work on any stream of blocks, keep its order of arrival, and draw from their own seeded
source of chance, so that the records themselves are those of the stream without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rtec.errors import ConfigError
from rtec.generate.blocks import Block, merged, split_at

HOUR = 3600


@dataclass(frozen=True, slots=True)
class Delays:
    """How late records are.

    The share of late records is drawn uniformly, and the extent of each delay from a Gamma
    distribution, so that short delays are likely and very long ones happen (RTECinc, 5.2).

    Attributes:
        share: The part of the records that is late, from 0 to 1.
        shape: The shape k of the Gamma distribution.
        scale: Its scale theta, in time-points; two hours of seconds unless told otherwise.
    """

    share: float
    shape: float = 2.0
    scale: float = 2.0 * HOUR

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ConfigError(f"the share of late records is {self.share}; it lies between 0 and 1")
        if self.shape <= 0 or self.scale <= 0:
            raise ConfigError("the shape and the scale of delays are numbers above 0")


def delayed(blocks: Iterable[Block], delays: Delays, seed: int) -> Iterator[Block]:
    """Let a share of the records arrive late."""
    chance = np.random.default_rng((seed, 0x1A7E))
    pending: list[Block] = []
    for block in blocks:
        if not len(block):
            continue
        late = chance.random(len(block)) < delays.share
        extent = chance.gamma(delays.shape, delays.scale, len(block))
        arrival = block.arrival + np.where(late, np.ceil(extent), 0).astype(np.int64)
        pending.append(Block(block.name, arrival, block.fields))
        # Whatever comes later arrives at this time or after it.
        ready, rest = split_at(merged(pending), int(block.arrival[-1]))
        pending = [rest]
        yield ready
    yield merged(pending)


def retracted(
    blocks: Iterable[Block], share: float, seed: int, scale: float = HOUR
) -> Iterator[Block]:
    """Take a share of the records back some time after they arrived.

    How long after is drawn from an exponential distribution with mean `scale`.
    """
    if not 0 <= share <= 1:
        raise ConfigError(f"the share of retracted records is {share}; it lies between 0 and 1")
    chance = np.random.default_rng((seed, 0xBAC4))
    pending: list[Block] = []
    for block in blocks:
        if not len(block):
            continue
        rows = np.flatnonzero(chance.random(len(block)) < share)
        wrong = block.take(rows)
        later = wrong.arrival + 1 + chance.exponential(scale, len(rows)).astype(np.int64)
        names = pc.binary_join_element_wise(pa.scalar("-"), wrong.name, "")
        order = np.argsort(later, kind="stable")
        pending += [block, Block(names, later, wrong.fields).take(order)]
        ready, rest = split_at(merged(pending), int(block.arrival[-1]))
        pending = [rest]
        yield ready
    yield merged(pending)
