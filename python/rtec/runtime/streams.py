"""Streams: files, tables and records, cut into blocks and merged by arrival.

The records known at a query time are those that have arrived by then, so before a query all
records with an earlier arrival must have been read. Each block says how far that is: no record
of a later block arrives before its `floor`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rtec.errors import StreamError
from rtec.runtime import tables
from rtec.runtime.blocks import Block, Source, unreadable
from rtec.runtime.faults import Faults
from rtec.runtime.files import KEPT, Budget, FileSource, PipeSource
from rtec.runtime.layouts import Layouts
from rtec.runtime.records import Input, Record
from rtec.runtime.tabular import ParquetSource, RecordSource, TableSource

Origin: TypeAlias = Any
"""What a stream can be made of: a path, an Arrow table, a DataFrame, an iterable of records."""


class Stream:
    """Blocks of several sources, merged by arrival."""

    def __init__(self, sources: Sequence[Source], faults: Faults) -> None:
        """Take the sources, and where their malformed records are noted."""
        self.sources = sources
        self.faults = faults

    @property
    def done(self) -> float:
        """How much of the stream has been read, from 0 to 1, by size."""
        total = sum(s.size for s in self.sources)
        return sum(s.done * s.size for s in self.sources) / total if total else 0.0

    def __iter__(self) -> Iterator[Block]:
        waiting = {
            i: (s.least, s.blocks()) for i, s in enumerate(self.sources) if s.least is not None
        }
        while waiting:
            nearest = min(waiting, key=lambda i: waiting[i][0])
            blocks = waiting[nearest][1]
            block = next(blocks, None)
            if block is None or block.floor is None:
                del waiting[nearest]
            else:
                waiting[nearest] = (block.floor, blocks)
            floor = min((least for least, _ in waiting.values()), default=None)
            yield Block(block.batches if block else [], floor)


def read_stream(
    origins: Iterable[Origin] | Origin,
    inputs: Mapping[str, Sequence[Input]],
    faults: Faults | None = None,
) -> Stream:
    """Open streams, to be read in blocks in the order of arrival.

    Args:
        origins: One or several of: a path (pipe-separated text or JSON lines, gzip'd or not,
            Parquet; `-` is standard input), an Arrow table, a DataFrame, an iterable of records.
        inputs: What the description reads, by name.
        faults: Whether malformed records stop the run, and where they are counted.

    Raises:
        StreamError: A file cannot be read.
    """
    faults = faults or Faults()
    layouts = Layouts(inputs)
    budget = Budget(KEPT)
    opened = [_open(origin, layouts, faults, budget) for origin in _several(origins)]
    return Stream(opened, faults)


def _several(origins: Iterable[Origin] | Origin) -> list[Origin]:
    """Tell several origins from one."""
    if isinstance(origins, list | tuple) and not (origins and isinstance(origins[0], Record)):
        return list(origins)
    return [origins]


def _open(origin: Origin, layouts: Layouts, faults: Faults, budget: Budget) -> Source:
    if isinstance(origin, str | os.PathLike):
        return _open_path(os.fspath(origin), layouts, faults, budget)
    module = type(origin).__module__.partition(".")[0]
    if module == "pyarrow":
        return TableSource(origin, "<table>", layouts, faults)
    if module == "pandas":
        table, args = tables.from_pandas(origin)
        return TableSource(table, "<dataframe>", layouts, faults, args)
    if isinstance(origin, Record):
        return RecordSource([origin], layouts, faults)
    if isinstance(origin, Iterable):
        return RecordSource(origin, layouts, faults)
    raise StreamError(f"cannot read records from {type(origin).__name__}")


def _open_path(path: str, layouts: Layouts, faults: Faults, budget: Budget) -> Source:
    if path == "-":
        return PipeSource(path, "<standard input>", layouts, faults)
    try:
        status = os.stat(path)
        if stat.S_ISREG(status.st_mode):
            with open(path, "rb") as handle:
                magic = handle.read(4)
            if magic == b"PAR1":
                return ParquetSource(path, layouts, faults)
            return FileSource(path, status.st_size, layouts, faults, budget)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(None, "it is a folder")
    except OSError as error:
        raise unreadable(path, error) from None
    return PipeSource(path, path, layouts, faults)
