"""Blocks of a stream, and what gives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rtec.errors import Problem, StreamError
from rtec.runtime.records import RecordBatch


@dataclass(frozen=True, slots=True)
class Block:
    """Some records of a stream.

    Attributes:
        batches: The records.
        floor: No later record arrives before this; None if there is no later record.
        first: The time of the first record of a live source, where a run over it starts.
    """

    batches: list[RecordBatch]
    floor: int | None
    first: int | None = None


class Source(Protocol):
    """One file, table or sequence of records.

    Attributes:
        least: The least arrival in it, as far as that is known before it is read.
        done: How much of it has been read, from 0 to 1.
    """

    least: int | None
    done: float
    size: int

    def blocks(self) -> Iterator[Block]:
        """Yield the records, the last block with None as its floor."""


def floors(least: Sequence[int]) -> list[int | None]:
    """Return for each block the least arrival of all that follow it."""
    following = np.minimum.accumulate(np.array(least[:0:-1], np.int64))[::-1].tolist()
    return [*following, None] if least else []


def unreadable(path: str, error: Exception) -> StreamError:
    """Make the error for a file that cannot be opened or read to its end."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return StreamError(Problem(f"cannot read the stream {path}: {reason}", "unreadable-stream"))
