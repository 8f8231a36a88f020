"""A TCP or Unix socket as a live source: connected, and connected again when it is cut off.

A server that greets with `#rtec replay` is told how many lines have been read, and goes on after
them; one that says `#rtec from N` has what was read before left out. Any other server is taken
to go on with what is new.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

from rtec.errors import Problem, StreamError
from rtec.runtime.addresses import Address
from rtec.runtime.marks import Mark
from rtec.runtime.wires import CHUNK, PATIENCE, Closed, LineCutter, Notice, Piece, Position, Reading

_SHORTEST, _LONGEST = 0.05, 2.0  # seconds between attempts
_CONNECT = 5.0


class SocketWire:
    """The client's end of a socket."""

    def __init__(
        self, address: Address, replays: bool, reconnect: float | None, notice: Notice
    ) -> None:
        """Connect to nothing yet.

        Args:
            address: Who listens.
            replays: Whether the source begins anew with each connection, unless it says where.
            reconnect: Seconds to try to connect before giving up; None is for ever.
            notice: Where to say what happens to the source.
        """
        self.name = str(address)
        self._address = address
        self._replays = replays
        self._reconnect = reconnect
        self._notice = notice

    def pieces(self, position: Position, closed: Closed) -> Iterator[Piece | Mark]:
        """Yield what comes, over as many connections as it takes."""
        connected = False
        while not closed():
            try:
                made = self._connect(closed)
            except OSError as error:
                if not connected:
                    message = f"cannot connect to {self.name}: {_reason(error)}"
                    raise StreamError(Problem(message, "unreadable-stream")) from None
                self._notice(f"gave up {self.name}: the stream ends with line {position.lines:,}")
                return
            if made is None:
                return
            if connected:
                self._notice(f"connected to {self.name} again, after line {position.lines:,}")
            connected = True
            reading = Reading(self.name, position, self._replays, self._notice)
            with made:
                yield from self._read(made, reading, closed)
            position = reading.position
            if reading.ended or self._reconnect == 0:
                return

    def _read(
        self, made: socket.socket, reading: Reading, closed: Closed
    ) -> Iterator[Piece | Mark]:
        made.settimeout(PATIENCE)
        cutter = LineCutter(self.name)
        reason = "the other side closed it"
        while not closed():
            try:
                data = made.recv(CHUNK)
            except TimeoutError:
                continue
            except OSError as error:
                reason = _reason(error)
                break
            if not data:
                break
            for part in reading.take(cutter.cut(data)):
                if isinstance(part, Mark) and part.verb == "replay":
                    made.sendall(Mark("from", reading.position.lines).line())
                    continue
                yield part
            if reading.ended:
                return
        if not closed() and self._reconnect != 0:
            lines = reading.position.lines
            self._notice(f"{self.name} was cut off after line {lines:,}: {reason}; trying again")
        if self._reconnect == 0:
            yield from reading.take(cutter.rest())

    def _connect(self, closed: Closed) -> socket.socket | None:
        """Try until it works; None if nobody wants it any more."""
        began = time.monotonic()
        pause = _SHORTEST
        said = False
        while True:
            try:
                return self._address.connect(_CONNECT)
            except OSError as error:
                tried = time.monotonic() - began
                if self._reconnect is not None and tried + pause > self._reconnect:
                    raise
                if not said and tried > _LONGEST / 4:
                    self._notice(f"waiting for {self.name}: {_reason(error)}")
                    said = True
            until = time.monotonic() + pause
            while time.monotonic() < until:
                if closed():
                    return None
                time.sleep(min(pause, PATIENCE))
            pause = min(2 * pause, _LONGEST)


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
