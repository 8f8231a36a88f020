"""Blocks: stretches of a generated stream, as columns of text.

A stream is an iterator of blocks. The records of a block are in order of arrival, and none of
them arrives before any record of the blocks that came earlier, so that a stream of any length
is written, delayed or cut with one block in memory.

A line of a stream is `name|arrival|fields`, where the fields start with the time-point. Only
the arrival is kept as a number: it is what delays change and what the order goes by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Texts: TypeAlias = Any
"""An Arrow array of strings."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Records in order of arrival: a column each for name, arrival, and all other fields."""

    name: Texts
    arrival: Ints
    fields: Texts

    def __len__(self) -> int:
        return len(self.arrival)

    def take(self, rows: Ints) -> Block:
        """Keep some rows, in the order given."""
        indices = pa.array(rows)
        return Block(self.name.take(indices), self.arrival[rows], self.fields.take(indices))

    def lines(self) -> Texts:
        """Write each record as a line, without the end of line."""
        return pc.binary_join_element_wise(
            self.name, pc.cast(pa.array(self.arrival), pa.string()), self.fields, "|"
        )

    def text(self) -> bytes:
        r"""Write the block as it stands in a file.

        >>> events("go", [3, 5], ["chris", "dora"], ["pub", "home"]).text()
        b'go|3|3|chris|pub\ngo|5|5|dora|home\n'
        """
        if not len(self):
            return b""
        ended = pc.binary_join_element_wise(self.lines(), pa.scalar(""), "\n")
        # The texts of an Arrow array lie one behind the other: that is the file already.
        _, offsets, data = ended.buffers()
        bounds = np.frombuffer(offsets, np.int32)[ended.offset : ended.offset + len(ended) + 1]
        start, end = int(bounds[0]), int(bounds[-1])
        text: bytes = data.slice(start, end - start).to_pybytes()
        return text


def events(name: str, time: Sequence[int] | Ints, *args: Sequence[Any] | Texts) -> Block:
    """Make a block of events that arrive when they happen; arguments are columns."""
    times = np.asarray(time, np.int64)
    return _block(name, times, [_text(times), *map(_text, args)])


def intervals(
    name: str,
    start: Sequence[int] | Ints,
    end: Sequence[int] | Ints,
    value: str,
    *args: Sequence[Any] | Texts,
) -> Block:
    """Make a block of intervals [start, end) that arrive with their last time-point.

    >>> intervals("near", [3], [9], "true", ["tug"], ["ferry"]).lines().to_pylist()
    ['near|8|3|9|true|tug|ferry']
    """
    ends = np.asarray(end, np.int64)
    values = pa.array([value] * len(ends), pa.string())
    return _block(name, ends - 1, [_text(start), _text(ends), values, *map(_text, args)])


def points(
    name: str, time: Sequence[int] | Ints, value: Any, *args: Sequence[Any] | Texts
) -> Block:
    """Make a block of time-points of a fluent; the value is one text, or a column."""
    times = np.asarray(time, np.int64)
    values = [value] * len(times) if isinstance(value, str) else value
    return _block(name, times, [_text(times), _text(values), *map(_text, args)])


def _block(name: str, arrival: Ints, fields: list[Texts]) -> Block:
    names = pa.array(np.zeros(len(arrival), np.int32))
    return Block(
        pa.array([name]).take(names),
        arrival,
        fields[0] if len(fields) == 1 else pc.binary_join_element_wise(*fields, "|"),
    )


def _text(column: Any) -> Texts:
    array = column if isinstance(column, pa.Array | pa.ChunkedArray) else pa.array(column)
    return array if pa.types.is_string(array.type) else pc.cast(array, pa.string())


def merged(blocks: Sequence[Block]) -> Block:
    """Join blocks of the same stretch into one, in order of arrival.

    Records that arrive together stay in the order of the blocks given.

    >>> merged([events("b", [2, 4]), events("a", [1, 2])]).lines().to_pylist()
    ['a|1|1', 'b|2|2', 'a|2|2', 'b|4|4']
    """
    if not blocks:
        return Block(pa.array([], pa.string()), np.zeros(0, np.int64), pa.array([], pa.string()))
    arrival = np.concatenate([b.arrival for b in blocks])
    joined = Block(
        pa.concat_arrays([_flat(b.name) for b in blocks]),
        arrival,
        pa.concat_arrays([_flat(b.fields) for b in blocks]),
    )
    if np.all(arrival[1:] >= arrival[:-1]):
        return joined
    return joined.take(np.argsort(arrival, kind="stable"))


def _flat(array: Texts) -> Texts:
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def split_at(block: Block, until: int) -> tuple[Block, Block]:
    """Split a block into what has arrived by a time, and the rest.

    >>> [len(b) for b in split_at(events("a", [1, 2, 2, 3]), 2)]
    [3, 1]
    """
    cut = int(np.searchsorted(block.arrival, until, side="right"))
    return block.take(np.arange(cut)), block.take(np.arange(cut, len(block)))


def select(texts: Texts, rows: Ints) -> Texts:
    """Pick texts by their places, to make a column of names from a column of numbers."""
    return texts.take(pa.array(rows))


def limited(blocks: Iterable[Block], size: int) -> Iterator[Block]:
    """Pass on the first `size` records.

    >>> [len(b) for b in limited([events("a", [1, 2, 3]), events("a", [4, 5])], 4)]
    [3, 1]
    """
    left = size
    for block in blocks:
        if left <= 0:
            return
        if len(block) > left:
            block = block.take(np.arange(left))
        left -= len(block)
        yield block
