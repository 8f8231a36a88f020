"""Live sources: a thread reads lines as they come, the run takes them when it has time.

Between the two lies a mailbox that holds a megabyte. When it is full the thread stops reading,
and so, in the end, does whoever sends: however slow the run, memory does not grow.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rtec.runtime.blocks import Block
from rtec.runtime.faults import Faults
from rtec.runtime.files import BLOCK, BOM, JSON, PIPES, Format, format_of
from rtec.runtime.layouts import Layouts
from rtec.runtime.lines import Lines
from rtec.runtime.marks import Mark
from rtec.runtime.records import LEAST
from rtec.runtime.watermark import Watermark
from rtec.runtime.wires import Notice, Piece, Position, Wire

HELD = 1 << 20
"""Bytes in a mailbox above which nothing more is put into it."""

Item: TypeAlias = Piece | Mark | Exception | None
"""Lines, a mark, what went wrong, or the end."""


def silence(_: str) -> None:
    """Take a notice, and tell nobody."""


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """How live sources are read.

    Attributes:
        lateness: How far out of order records may come and still be in time, in time-points.
        clocked: Whether a clock, not the records, says when a query time is past.
        reconnect: Seconds to try to reach a source that was cut off; None is for ever, and with
            0 the end of a connection is the end of the stream.
        replays: Whether, after a restart, sources that do not say where they begin, begin with
            what was read before; by default pipes do and sockets do not.
        notice: Where to say that a source was cut off and the like.
    """

    lateness: int = 0
    clocked: bool = False
    reconnect: float | None = None
    replays: bool | None = None
    notice: Notice = silence


@dataclass(slots=True)
class LiveState:
    """All that has to be known of a live source to go on reading it."""

    watermark: Watermark
    position: Position = field(default_factory=Position)
    json: bool | None = None


class _NotWanted(Exception):
    """Nobody takes out of the mailbox any more."""


class Mailbox:
    """Pieces on their way from the thread that reads to the run."""

    def __init__(self, bell: threading.Condition) -> None:
        """Begin empty.

        Args:
            bell: Rung when something is put in or taken out.
        """
        self._bell = bell
        self._items: deque[Item] = deque()
        self._held = 0
        self.closed = False

    def put(self, item: Item) -> None:
        """Put something in, once there is room."""
        with self._bell:
            while self._held >= HELD and not self.closed:
                self._bell.wait()
            if self.closed:
                raise _NotWanted
            self._items.append(item)
            self._held += _size(item)
            self._bell.notify_all()

    def take(self) -> list[Item]:
        """Take out everything, at least one item."""
        with self._bell:
            while not self._items:
                self._bell.wait()
            items = list(self._items)
            self._items.clear()
            self._held = 0
            self._bell.notify_all()
        return items

    def close(self) -> None:
        """Let go of the thread that reads."""
        with self._bell:
            self.closed = True
            self._bell.notify_all()

    def __bool__(self) -> bool:
        return bool(self._items)


def _size(item: Item) -> int:
    return len(item.data) if isinstance(item, Piece) else 0


class LiveSource:
    """A wire whose lines are read into records."""

    least: int | None = LEAST
    size = 0
    done = 0.0

    def __init__(
        self,
        wire: Wire,
        bell: threading.Condition,
        layouts: Layouts,
        faults: Faults,
        settings: LiveSettings,
    ) -> None:
        """Read nothing yet."""
        self.name = wire.name
        self._wire = wire
        self._mailbox = Mailbox(bell)
        self._taken: deque[Item] = deque()
        self._started = False
        self._layouts = layouts
        self._faults = faults
        self._state = LiveState(Watermark(settings.lateness, not settings.clocked))

    @property
    def ready(self) -> bool:
        """Whether a block can be had without waiting."""
        return bool(self._taken or self._mailbox)

    def start(self) -> None:
        """Let the thread begin to read, if it has not begun."""
        if self._started:
            return
        self._started = True
        args = (self._wire, self._mailbox, self._state.position)
        name = f"rtec-{self.name}"
        threading.Thread(target=_read, args=args, name=name, daemon=True).start()

    def state(self) -> LiveState:
        """Return how far the blocks go that have been yielded."""
        return replace(self._state, watermark=replace(self._state.watermark))

    def resume(self, state: LiveState) -> None:
        """Go on after what another process had read; to be called before anything is read."""
        self._state = state

    def close(self) -> None:
        """Read no more."""
        self._mailbox.close()

    def __del__(self) -> None:
        self.close()

    def blocks(self) -> Iterator[Block]:
        """Yield what has come; waits if nothing has."""
        self.start()
        while True:
            if not self._taken:
                self._taken.extend(self._mailbox.take())
            pieces = self._next_pieces()
            if pieces:
                yield self._block(pieces)
                continue
            item = self._taken.popleft()
            if item is None:
                yield Block([], None)
                return
            if isinstance(item, Exception):
                raise item
            if isinstance(item, Mark) and item.verb == "time":
                self._state.watermark.move(item.number + 1)
                yield self._block([])

    def _next_pieces(self) -> list[Piece]:
        """Take out lines up to the next thing that is none, a block of them at most."""
        pieces: list[Piece] = []
        size = 0
        while self._taken and size < BLOCK and isinstance(self._taken[0], Piece):
            piece = self._taken.popleft()
            assert isinstance(piece, Piece)
            pieces.append(piece)
            size += len(piece.data)
        return pieces

    def _block(self, pieces: list[Piece]) -> Block:
        """Read whole lines, one after the other, into records."""
        state = self._state
        mark = state.watermark
        batches = []
        data = b"".join(piece.data for piece in pieces)
        if pieces and pieces[0].first_line == 1:
            data = data.removeprefix(BOM)
        if data and not data.isspace():
            if state.json is None:
                state.json = format_of(data) is JSON
            form: Format = JSON if state.json else PIPES
            lines = Lines(data, self.name, pieces[0].first_line)
            batches = form.read(lines, self._layouts, self._faults, mark)
        if pieces:
            state.position = pieces[-1].position
        return Block(batches, mark.floor, mark.first)


def _read(wire: Wire, mailbox: Mailbox, position: Position) -> None:
    """Do the work of the thread."""
    try:
        try:
            for item in wire.pieces(position, lambda: mailbox.closed):
                mailbox.put(item)
        except _NotWanted:
            raise
        except Exception as error:  # raised again where the blocks are read
            mailbox.put(error)
        else:
            mailbox.put(None)
    except _NotWanted:
        return
