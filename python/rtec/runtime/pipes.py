"""Standard input and named pipes as live sources. Their end is the end of the stream."""

from __future__ import annotations

import os
import select
import zlib
from collections.abc import Iterator

from rtec.runtime.blocks import unreadable
from rtec.runtime.marks import Mark
from rtec.runtime.wires import (
    CHUNK,
    PATIENCE,
    Closed,
    LineCutter,
    Notice,
    Piece,
    Position,
    Reading,
    unpacked,
)

STDIN = "-"


class PipeWire:
    """A pipe, gzip'd or not."""

    def __init__(self, path: str, replays: bool, notice: Notice) -> None:
        """Open nothing yet.

        Args:
            path: A named pipe or device; `-` is standard input.
            replays: Whether, after a restart, the pipe begins with what was read before.
            notice: Where to say what happens to the source.
        """
        self.name = "<standard input>" if path == STDIN else path
        self._path = path
        self._replays = replays
        self._notice = notice

    def pieces(self, position: Position, closed: Closed) -> Iterator[Piece | Mark]:
        """Yield what comes, until all who write have closed the pipe."""
        reading = Reading(self.name, position, self._replays, self._notice)
        cutter = LineCutter(self.name)
        try:
            for data in unpacked(self._chunks(closed)):
                yield from reading.take(cutter.cut(data))
                if reading.ended:
                    return
        except (OSError, EOFError, zlib.error) as error:
            raise unreadable(self.name, error) from None
        if not closed():
            yield from reading.take(cutter.rest())

    def _chunks(self, closed: Closed) -> Iterator[bytes]:
        # Not to block in opening a pipe that nobody writes to yet, nor in reading.
        stdin = self._path == STDIN
        handle = 0 if stdin else os.open(self._path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            while not closed():
                if select.select([handle], [], [], PATIENCE)[0]:
                    data = os.read(handle, CHUNK)
                    if not data:
                        return
                    yield data
        finally:
            if not stdin:
                os.close(handle)
