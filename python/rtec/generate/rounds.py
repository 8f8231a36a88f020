"""Streams made of many actors that each go through round after round at their own pace.

What happens in a round is drawn as columns of numbers; texts are made of them only when a
stretch of time is complete, so that many small rounds cost little more than few long ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rtec.generate.blocks import Block, Ints, Texts, events, merged, select

BLOCK = 10_000
"""About how many records a block has."""

Bools: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = tuple[str, Ints, tuple[Ints, ...]]
"""Events of one name: the name, their times, and a column of numbers per argument."""

Layout: TypeAlias = Mapping[str, tuple[Texts | None, ...]]
"""For each argument of each event: the texts that its numbers stand for, or None."""

Round: TypeAlias = Callable[[Ints, Ints], tuple[list[Rows], Ints]]
"""Actors and the times at which their rounds begin -> events, and when the next ones begin.

No event of a round happens before the round begins, and a round takes time.
"""


def some(name: str, where: Bools, time: Ints, *args: Ints) -> Rows:
    """Keep the rows where something happens.

    >>> some("go", np.array([True, False, True]), np.array([1, 2, 3]), np.array([7, 8, 9]))
    ('go', array([1, 3]), (array([7, 9]),))
    """
    rows = np.flatnonzero(where)
    return name, time[rows], tuple(column[rows] for column in args)


def rounds(play: Round, layout: Layout, clocks: Ints, rate: float) -> Iterator[Block]:
    """Play for ever; `clocks` say when the first round of each actor begins.

    The rate, in records per time-point, is needed only to make blocks of a handy size.
    """
    stretch = max(10, round(BLOCK / rate))
    clocks = clocks.copy()
    pending: dict[str, list[tuple[Ints, ...]]] = {name: [] for name in layout}
    horizon = int(clocks.min()) + stretch
    while True:
        while (due := np.flatnonzero(clocks < horizon)).size:
            played, clocks[due] = play(due, clocks[due])
            for name, time, args in played:
                pending[name].append((time, *args))
        blocks = []
        for name, parts in pending.items():
            if not parts:
                continue
            columns = tuple(np.concatenate(column) for column in zip(*parts, strict=True))
            ready = columns[0] < horizon
            blocks.append(_block(name, layout[name], tuple(c[ready] for c in columns)))
            pending[name] = [tuple(c[~ready] for c in columns)]
        horizon += stretch
        yield merged(blocks)


def _block(name: str, texts: tuple[Texts | None, ...], columns: tuple[Ints, ...]) -> Block:
    order = np.argsort(columns[0], kind="stable")
    time, *args = (column[order] for column in columns)
    written = [
        arg if text is None else select(text, arg) for text, arg in zip(texts, args, strict=True)
    ]
    return events(name, time, *written)
