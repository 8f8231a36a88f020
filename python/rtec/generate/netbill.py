"""Merchants and consumers that trade digital goods; some do not keep their word.

Half of the agents are merchants, half consumers. Each consumer negotiates about several goods
at once, every time with some merchant. Times fit the deadlines of descriptions/netbill: most
quotes are accepted in time and most contracts fulfilled.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from rtec.generate.blocks import Block, Ints
from rtec.generate.rounds import Layout, Rows, rounds, some

AGENTS = 20
RATE = 2.26
"""Records per agent and time-point."""

NEGOTIATIONS = 18
"""How many goods a consumer negotiates about at once."""

DISHONEST = 0.12
"""The share of agents that often break their promises."""


class Market:
    """Plays negotiations; an actor is one consumer with one kind of goods."""

    def __init__(self, agents: int, seed: int) -> None:
        """Set up merchants and consumers."""
        half = max(1, agents // 2)
        self._chance = chance = np.random.default_rng((seed, 0x9E7))
        self._half = half
        merchants = pa.array([f"m{i + 1}" for i in range(half)])
        consumers = pa.array([f"c{i + 1}" for i in range(half)])
        goods = pa.array([f"g{i + 1}" for i in range(NEGOTIATIONS)])
        self.layout: Layout = {
            "request_quote": (consumers, merchants, goods),
            "present_quote": (merchants, consumers, goods, None),
            "accept_quote": (consumers, merchants, goods),
            "send_goods": (merchants, consumers, goods),
            "send_payment": (consumers, merchants, goods),
        }
        self._breach = {
            role: np.where(chance.random(half) < DISHONEST, 0.3, 0.004) for role in ("m", "c")
        }
        self.clocks = 1 + chance.integers(0, 20, half * NEGOTIATIONS)

    def play(self, actor: Ints, start: Ints) -> tuple[list[Rows], Ints]:
        """Play one negotiation of each actor."""
        chance = self._chance
        count = len(actor)
        c, g = np.divmod(actor, NEGOTIATIONS)
        m = chance.integers(0, self._half, count)
        honest_m = chance.random(count) >= self._breach["m"][m]
        honest_c = chance.random(count) >= self._breach["c"][c]
        price = chance.integers(5, 100, count)

        asked = chance.random(count) < 0.75
        answered = ~asked | (chance.random(count) < 0.95)
        quoted = start + np.where(asked, chance.integers(1, 3, count), 0)
        spam = answered & ~honest_m & (chance.random(count) < 0.5)
        prolonged = answered & (chance.random(count) < 0.15)
        fate = chance.random(count)
        accepts = answered & (fate < 0.86)
        waits = np.where(fate < 0.78, chance.integers(2, 10, count), chance.integers(11, 14, count))
        # The second quote comes after the quiet time and before the first expires.
        waits = np.where(prolonged & (waits > 5), waits + 4, waits)
        accepted = quoted + waits
        deal = accepts & (fate < 0.78)
        sends = deal & (honest_m | (chance.random(count) < 0.3))
        pays = deal & (honest_c | (chance.random(count) < 0.3))
        sent = accepted + chance.integers(1, 8, count)
        paid = accepted + chance.integers(1, 8, count)

        rows = [
            some("request_quote", asked, start, c, m, g),
            some("present_quote", answered, quoted, m, c, g, price),
            some("present_quote", spam, quoted + chance.integers(1, 4, count), m, c, g, price),
            some("present_quote", prolonged & (waits > 5), quoted + 5, m, c, g, price),
            some("accept_quote", accepts, accepted, c, m, g),
            some("send_goods", sends, sent, m, c, g),
            some("send_payment", pays, paid, c, m, g),
        ]
        end = np.where(deal, accepted + 8, quoted + np.where(accepts, waits, 8))
        return rows, end + chance.integers(1, 5, count)


def stream(seed: int, agents: int = AGENTS) -> Iterator[Block]:
    """Trade for ever."""
    market = Market(agents, seed)
    return rounds(market.play, market.layout, market.clocks, RATE * agents)
