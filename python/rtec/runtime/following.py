"""A file that others write to, read as it grows, like `tail -F`.

A file that is cut short or replaced by another one of its name (as logs are) is read from its
start, after what was left of the old one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from rtec.runtime.blocks import unreadable
from rtec.runtime.marks import Mark
from rtec.runtime.wires import CHUNK, Closed, LineCutter, Notice, Piece, Position, Reading

_PAUSE = 0.1  # seconds between two looks at a file that does not grow


@dataclass(frozen=True, slots=True)
class Follow:
    """A file to be followed."""

    path: str


class FollowWire:
    """The bytes of a growing file."""

    def __init__(self, path: str, notice: Notice) -> None:
        """Open nothing yet.

        Args:
            path: The file; it may come into being later.
            notice: Where to say that the file was replaced.
        """
        self.name = path
        self._notice = notice

    def pieces(self, position: Position, closed: Closed) -> Iterator[Piece | Mark]:
        """Yield what is in the file and what is written to it, until it says that it ends."""
        try:
            while (handle := self._open(closed)) is not None:
                with handle:
                    if not _is_continued(handle, position):
                        self._notice(f"{self.name} is another file now; reading it from its start")
                        position = Position(position.lines)
                    handle.seek(position.offset)
                    reading = Reading(self.name, position, False, self._notice)
                    yield from self._read(handle, reading, closed)
                if reading.ended:
                    return
                position = Position(reading.position.lines)
        except OSError as error:
            raise unreadable(self.name, error) from None

    def _open(self, closed: Closed) -> BinaryIO | None:
        said = False
        while not closed():
            try:
                return open(self.name, "rb")
            except FileNotFoundError:
                if not said:
                    self._notice(f"waiting for {self.name}, which does not exist")
                    said = True
            time.sleep(_PAUSE)
        return None

    def _read(self, handle: BinaryIO, reading: Reading, closed: Closed) -> Iterator[Piece | Mark]:
        cutter = LineCutter(self.name)
        while not closed() and not reading.ended:
            current = _is_current(handle, self.name, reading.position.offset)
            data = handle.read(CHUNK)
            if data:
                yield from reading.take(cutter.cut(data))
            elif current:
                time.sleep(_PAUSE)
            else:
                self._notice(f"{self.name} was replaced; reading it from its start")
                return


def _is_continued(handle: BinaryIO, position: Position) -> bool:
    """Whether a file begins with what was read of it before."""
    handle.seek(max(position.offset - len(position.tail), 0))
    return handle.read(len(position.tail)) == position.tail


def _is_current(handle: BinaryIO, path: str, offset: int) -> bool:
    """Whether an open file still has its name, and has not been cut short."""
    opened = os.fstat(handle.fileno())
    try:
        named = os.stat(path)
    except FileNotFoundError:
        return True  # the new one is not there yet
    return (opened.st_ino, opened.st_dev) == (named.st_ino, named.st_dev) and (
        opened.st_size >= offset
    )
