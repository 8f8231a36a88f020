"""Files of lines in pieces, which workers read by themselves.

Where Spark runs on this machine only, its workers can open what the driver can. Then Java need
not read a file line by line and hand the lines over: each worker gets a piece of it, from one
place to another, and reads the lines that begin there.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from rtec.errors import Problem, StreamError
from rtec.runtime.blocks import unreadable
from rtec.runtime.faults import Faults
from rtec.runtime.files import BLOCK, BOM, JSON, LONGEST_LINE, PIPES, READ_ERRORS
from rtec.runtime.layouts import Layouts
from rtec.runtime.lines import Lines
from rtec.runtime.records import RecordBatch
from rtec.spark.frames import Form
from rtec.spark.masters import runs_here
from rtec.spark.packing import Packer, seeds

_LEAST, _MOST = 1 << 20, 64 << 20
"""Bytes of a piece: less is not worth a task, and more makes a task that nobody can share."""
_PACKED = frozenset((".gz", ".bz2", ".deflate", ".lz4", ".snappy", ".xz", ".zst", ".zstd"))


@dataclass(frozen=True, slots=True)
class Piece:
    """The lines of a file that begin at `start` or later, but before `end`."""

    path: str
    start: int
    end: int

    def blocks(self) -> Iterator[bytes]:
        """Yield the lines, some megabytes at a time.

        Raises:
            StreamError: The file cannot be read, or this is no text.
        """
        try:
            with open(self.path, "rb") as file:
                if self.start:  # the line that is under way belongs to the piece before
                    file.seek(self.start - 1)
                    self._rest_of_line(file)
                while (at := file.tell()) < self.end:
                    data = file.read(min(BLOCK, self.end - at))
                    if not data:
                        return
                    if not data.endswith(b"\n"):
                        data += self._rest_of_line(file)
                    yield data.removeprefix(BOM) if at == 0 else data
        except READ_ERRORS as error:
            raise unreadable(self.path, error) from None

    def _rest_of_line(self, file: BinaryIO) -> bytes:
        rest = file.readline(LONGEST_LINE)
        if len(rest) == LONGEST_LINE and not rest.endswith(b"\n"):
            raise StreamError(
                Problem(
                    f"a line of {self.path} is longer than {LONGEST_LINE >> 20} MB",
                    "record-encoding",
                    remedy="this does not look like a stream of records",
                )
            )
        return rest


@dataclass(frozen=True)
class PiecePacker:
    """Reads pieces of files and packs their records; gets the numbers of pieces.

    With the first piece come empty blocks for all parts.
    """

    packer: Packer
    pieces: Sequence[Piece]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Pack, for `mapInArrow`."""
        numbers = [n for batch in batches for n in batch.column(0).to_pylist()]
        if 0 in numbers:
            yield seeds(self.packer.routes.parts)
        yield from self.packer.pack(lambda layouts, faults: self._records(numbers, layouts, faults))

    def _records(
        self, numbers: Iterable[int], layouts: Layouts, faults: Faults
    ) -> Iterator[list[RecordBatch]]:
        form = JSON if self.packer.form == "json" else PIPES
        name, first = f"partition {self.packer.partition()}", 1
        for number in numbers:
            for data in self.pieces[number].blocks():
                yield form.read(Lines(data, name, first), layouts, faults, None)
                first += data.count(b"\n")


def pieces_of(master: str, paths: Sequence[str], form: Form, count: int) -> list[Piece]:
    """Cut files into at least so many pieces, unless they would be small.

    Returns:
        No pieces if it is better to let Spark read the files: on a cluster, whose workers may not
        have them, and what is not plain text.
    """
    if form == "table" or not runs_here(master):
        return []
    files = [file for path in paths for file in _files(path)]
    if not files or any(size is None for _, size in files):
        return []
    total = sum(size or 0 for _, size in files)
    width = min(max(math.ceil(total / max(count, 1)), _LEAST), _MOST)
    return [
        Piece(path, start, min(start + width, size))
        for path, size in files
        if size
        for start in range(0, size, width)
    ]


def _files(path: str) -> Iterator[tuple[str, int | None]]:
    """Yield the files of a path with their sizes; None if it is not for us to read."""
    if "://" in path or not os.path.exists(path):
        yield path, None
    elif not os.path.isdir(path):
        yield os.path.abspath(path), _size(path)
    else:
        for name in sorted(os.listdir(path)):
            if name[0] not in "._":  # Spark leaves these out as well
                inside = os.path.join(os.path.abspath(path), name)
                yield inside, None if os.path.isdir(inside) else _size(inside)


def _size(path: str) -> int | None:
    return None if Path(path).suffix in _PACKED else os.path.getsize(path)
