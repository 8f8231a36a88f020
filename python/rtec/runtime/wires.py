"""What live sources are made of: bytes that come, cut into whole lines with their position.

A wire is read by a thread of its own. It yields pieces (whole lines and where they end) and
marks, and returns when there is nothing more to come; what it had to do on the way, such as
connecting again, it says through a notice.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from rtec.errors import Problem, StreamError
from rtec.runtime.files import LONGEST_LINE
from rtec.runtime.marks import Mark, split_marks

CHUNK = 1 << 18
"""Bytes to ask for at once."""
PATIENCE = 0.2
"""Seconds after which a wire that waits looks whether it is still wanted."""
_TAIL = 256
_GZIP = b"\x1f\x8b"

Notice: TypeAlias = Callable[[str], None]
Closed: TypeAlias = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Position:
    """How far a source has been read.

    Attributes:
        lines: Lines so far, over all connections and files of its name.
        offset: Bytes so far, of the connection or file that is read now.
        tail: The last of these bytes, to know a file by.
    """

    lines: int = 0
    offset: int = 0
    tail: bytes = b""


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole lines, the number of the first, and the position after them."""

    data: bytes
    first_line: int
    position: Position


class Wire(Protocol):
    """Where the bytes of a live source come from."""

    name: str

    def pieces(self, position: Position, closed: Closed) -> Iterator[Piece | Mark]:
        """Yield what comes after a position, until there is no more or it is not wanted.

        Raises:
            StreamError: It cannot be read.
        """


class LineCutter:
    """Cuts bytes into whole lines."""

    def __init__(self, name: str) -> None:
        """Hold nothing back yet."""
        self._name = name
        self._held: list[bytes] = []
        self._waiting = 0

    def cut(self, data: bytes) -> bytes:
        r"""Take bytes; return the lines that are whole by now.

        >>> cutter = LineCutter("a pipe")
        >>> [cutter.cut(d) for d in (b"a|1", b"|1", b"|x\nb|2|2\nc")], cutter.rest()
        ([b'', b'', b'a|1|1|x\nb|2|2\n'], b'c')
        """
        end = data.rfind(b"\n") + 1
        whole = b""
        if end:
            whole = b"".join([*self._held, data[:end]])
            self._held, self._waiting = [], 0
            data = data[end:]
        if data:
            self._held.append(data)
            self._waiting += len(data)
        if self._waiting > LONGEST_LINE:
            raise StreamError(
                Problem(
                    f"a line of {self._name} is longer than {LONGEST_LINE >> 20} MB",
                    "record-encoding",
                    remedy="this does not look like a stream of records",
                )
            )
        return whole

    def rest(self) -> bytes:
        """Return the line that has not ended."""
        return b"".join(self._held)


class Reading:
    """The lines of one connection, with what was read before left out."""

    def __init__(self, name: str, position: Position, replays: bool, notice: Notice) -> None:
        """Begin a connection.

        Args:
            name: What to call the source.
            position: What has been read before.
            replays: Whether the source begins anew with each connection, unless it says where.
            notice: Where to say that lines are missing.
        """
        self.position = position
        self.ended = False
        self._name = name
        self._skip = position.lines if replays else 0
        self._notice = notice

    def take(self, data: bytes) -> Iterator[Piece | Mark]:
        """Yield what is new among whole lines."""
        for part, mark in split_marks(data):
            before = self.position
            offset, tail = before.offset + len(part), (before.tail + part[-_TAIL:])[-_TAIL:]
            self.position = Position(before.lines, offset, tail)
            if mark is None:
                yield from self._lines(part)
            elif mark.verb == "from":
                self._begin(mark.number)
            else:
                yield mark
                if mark.verb == "end":
                    self.ended = True
                    return

    def _lines(self, data: bytes) -> Iterator[Piece]:
        count = data.count(b"\n") + (not data.endswith(b"\n"))
        skipped = min(self._skip, count)
        self._skip -= skipped
        if skipped == count:
            return
        if skipped:
            data = data.split(b"\n", skipped)[-1]
        first = self.position.lines + 1
        self.position = replace(self.position, lines=first - 1 + count - skipped)
        yield Piece(data, first, self.position)

    def _begin(self, number: int) -> None:
        self._skip = max(self.position.lines - number, 0)
        if number > self.position.lines:
            missing = number - self.position.lines
            self._notice(f"{self._name} goes on after line {number:,}: {missing:,} are missing")
            self.position = replace(self.position, lines=number)


def unpacked(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Unpack bytes, if they are gzip'd."""
    head = next(chunks, b"")
    while 0 < len(head) < len(_GZIP) and (more := next(chunks, b"")):
        head += more
    if not head.startswith(_GZIP):
        yield from itertools.chain([head] if head else [], chunks)
        return
    unpacker = None
    data = head
    while data:
        while data:
            if unpacker is None:
                data = data.lstrip(b"\0")  # what some tools fill up with
                unpacker = zlib.decompressobj(wbits=31)
            yield unpacker.decompress(data)
            data = b""
            if unpacker.eof:
                data, unpacker = unpacker.unused_data, None
        data = next(chunks, b"")
    if unpacker is not None and not unpacker.eof:
        raise EOFError("it ends in the middle of packed data")
