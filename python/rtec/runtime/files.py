"""Streams in files of text: pipe-separated lines or JSON lines, gzip'd or not.

A file need not be sorted by arrival. A first pass over its arrivals alone finds the least one
of each block of a few megabytes, and blocks are then read in that order: a file that is sorted,
or nearly so, or put together from sorted pieces, is never in memory as a whole. A shuffled file
is, and so is a gzip'd one of more than `KEPT` bytes from where it is out of order.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from rtec.errors import Problem, StreamError
from rtec.runtime import lines, rows
from rtec.runtime.blocks import Block, floors, unreadable
from rtec.runtime.faults import Faults
from rtec.runtime.layouts import Layouts
from rtec.runtime.lines import Lines
from rtec.runtime.records import LEAST, Ints, RecordBatch
from rtec.runtime.watermark import Watermark

BLOCK = 4 << 20
"""Bytes of text in a block, about."""
KEPT = 32 << 20
"""Bytes of text that are kept from the first pass over all files, to save the second."""
LONGEST_LINE = 16 << 20


@dataclass(slots=True)
class Budget:
    """Bytes that may still be kept in memory, over all files."""

    left: int


@dataclass(slots=True)
class _Piece:
    """Whole lines of a file: where they are, and the least arrival among them."""

    offset: int
    length: int
    first_line: int
    least: int
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """How to read a block of text, and how to find its arrivals."""

    read: Callable[[Lines, Layouts, Faults, Watermark | None], list[RecordBatch]]
    arrivals: Callable[[bytes], Ints]


PIPES = Format(lines.read_lines, lines.arrivals)
JSON = Format(rows.read_json_lines, rows.json_arrivals)
READ_ERRORS = (OSError, EOFError, zlib.error)


class FileSource:
    """A file of text, gzip'd or not, whose blocks are read in the order of arrival."""

    def __init__(
        self, path: str, size: int, layouts: Layouts, faults: Faults, budget: Budget
    ) -> None:
        """Make the first pass over a file."""
        self.size = size
        self.done = 0.0
        self._path = path
        self._layouts = layouts
        self._faults = faults
        self._format = PIPES
        self._seekable = True
        self._skipped = 0
        try:
            self._pieces = self._plan(budget)
        except READ_ERRORS as error:
            raise unreadable(path, error) from None
        self.least = min((p.least for p in self._pieces), default=None)

    def _plan(self, budget: Budget) -> list[_Piece]:
        pieces: list[_Piece] = []
        before = LEAST
        keeping = True
        with open_file(self._path) as handle:
            self._seekable = not isinstance(handle, gzip.GzipFile)
            for offset, first_line, data in _pieces(handle, self._path):
                if first_line == 1:
                    self._format = format_of(data)
                points = self._format.arrivals(data)
                # Lines without an arrival are reported when they are read: no later than now.
                before = int(points.min()) if len(points) else before
                keeping = keeping and len(data) <= budget.left
                budget.left -= len(data) if keeping else 0
                kept = data if keeping else None
                pieces.append(_Piece(offset, len(data), first_line, before, kept))
        return pieces

    def skip(self, count: int) -> None:
        """Leave out the first blocks, which were read before."""
        self._skipped = count

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks, those with the earliest arrivals first if the file can be sought."""
        pieces = self._pieces
        if self._seekable or all(p.data is not None for p in pieces):
            pieces = sorted(pieces, key=lambda p: p.least)
        total = sum(p.length for p in pieces) or 1
        following = floors([p.least for p in pieces])[self._skipped :]
        pieces = pieces[self._skipped :]
        try:
            for piece, data, floor in zip(pieces, self._read(pieces), following, strict=True):
                block = Lines(_without_bom(data, piece), self._path, piece.first_line)
                batches = self._format.read(block, self._layouts, self._faults, None)
                self.done += piece.length / total
                yield Block(batches, floor)
        except READ_ERRORS as error:
            raise unreadable(self._path, error) from None

    def _read(self, pieces: list[_Piece]) -> Iterator[bytes]:
        """Yield the text of pieces, from memory as far as it was kept."""
        handle: BinaryIO | None = None
        try:
            for piece in pieces:
                if piece.data is not None:
                    data, piece.data = piece.data, None
                else:
                    handle = handle or open_file(self._path)
                    handle.seek(piece.offset)
                    data = handle.read(piece.length)
                yield data
        finally:
            if handle is not None:
                handle.close()


BOM = b"\xef\xbb\xbf"


def _without_bom(data: bytes, piece: _Piece) -> bytes:
    return data.removeprefix(BOM) if piece.first_line == 1 else data


def format_of(data: bytes) -> Format:
    """Tell JSON lines from pipe-separated ones by their first character."""
    return JSON if data.removeprefix(BOM).lstrip()[:1] == b"{" else PIPES


def open_file(path: str) -> BinaryIO:
    """Open a file, unpacking it if it is gzip'd."""
    handle = open(path, "rb")
    if handle.peek(2)[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=handle)  # type: ignore[return-value]
    return handle


def _pieces(handle: BinaryIO, path: str) -> Iterator[tuple[int, int, bytes]]:
    """Yield offset, number of the first line, and text of blocks of whole lines."""
    offset, line = 0, 1
    held: list[bytes] = []
    waiting = 0
    while data := handle.read(BLOCK):
        cut = data.rfind(b"\n") + 1
        if cut:
            block = b"".join([*held, data[:cut]])
            yield offset, line, block
            offset += len(block)
            line += block.count(b"\n")
            held, waiting = [], 0
            data = data[cut:]
        held.append(data)
        waiting += len(data)
        if waiting > LONGEST_LINE:
            raise StreamError(
                Problem(
                    f"line {line} of {path} is longer than {LONGEST_LINE >> 20} MB",
                    "record-encoding",
                    remedy="this does not look like a stream of records",
                )
            )
    if waiting:
        yield offset, line, b"".join(held)
