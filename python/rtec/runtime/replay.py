"""Plays a stored stream to others, each line at the time of its arrival.

Whoever reads too slowly is waited for. A reader of a socket that goes away and comes again, or
another one in its place, goes on after the lines it has; one of a named pipe starts again, since
nobody knows how many lines it had.
"""

from __future__ import annotations

import os
import socket
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rtec.errors import ConfigError, Problem
from rtec.runtime.addresses import Address
from rtec.runtime.marks import Mark, parse_mark
from rtec.runtime.outputs import unwritable
from rtec.runtime.recording import Recording
from rtec.runtime.wires import Notice

_GREETING = 1.0  # seconds that a client has to say where to start
_FAREWELL = 5.0


@dataclass(slots=True)
class Player:
    """Sends the lines of a recording when they are due.

    Attributes:
        recording: What to play.
        rate: Time-points per second.
        notice: Where to say who comes and goes.
        begun: When the first line was due; None before that.
    """

    recording: Recording
    rate: float
    notice: Notice
    begun: float | None = None

    def play(self, send: Callable[[bytes], object], start: int = 0) -> None:
        """Send what comes after some lines; what is overdue goes at once."""
        if self.begun is None:
            self.begun = time.monotonic()
        for due, lines in self.recording.chunks(start, self.rate):
            left = self.begun + due - time.monotonic()
            if left > 0:
                time.sleep(left)
            send(lines)

    def play_to_file(self, path: str) -> None:
        """Write to a file, or to a named pipe for as long as it takes to find a reader of it all.

        Raises:
            ConfigError: It cannot be written.
        """
        try:
            is_pipe = os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode)
            while True:
                try:
                    with open(path, "wb", buffering=0) as handle:
                        self.play(handle.write)
                    return
                except BrokenPipeError:
                    if not is_pipe:
                        raise
                    self.notice(f"the reader of {path} went away; starting again")
        except BrokenPipeError:
            raise
        except OSError as error:
            raise unwritable(path, error) from None

    def serve(self, address: Address, keep: bool) -> None:
        """Listen, and play to one client after another until one has had it all.

        Args:
            address: Where to listen; port 0 is any that is free.
            keep: Whether to go on listening after that.

        Raises:
            ConfigError: One cannot listen there.
        """
        with _listen(address) as listener:
            try:
                where = address if address.path else f"tcp://{_name(listener)}"
                self.notice(f"listening at {where}")
                while True:
                    client, _ = listener.accept()
                    with client:
                        whole = self._play_to(client)
                    if whole and not keep:
                        return
            finally:
                if address.path:
                    Path(address.path).unlink(missing_ok=True)

    def _play_to(self, client: socket.socket) -> bool:
        """Play to one client; return whether it took everything."""
        try:
            start = _ask(client)
            if start is not None:
                client.sendall(Mark("from", start).line())
            self.play(client.sendall, start or 0)
            if start is not None:
                client.sendall(Mark("end").line())
            client.shutdown(socket.SHUT_WR)
        except OSError:
            self.notice("the reader went away; waiting for another")
            return False
        client.settimeout(_FAREWELL)
        with suppress(OSError):
            while client.recv(1024):
                continue
        return True


def _ask(client: socket.socket) -> int | None:
    """Ask a client how many lines it has; None if it does not understand."""
    client.sendall(Mark("replay").line())
    client.settimeout(_GREETING)
    answer = b""
    try:
        while not answer.endswith(b"\n") and len(answer) < 100:
            data = client.recv(100)
            if not data:
                return None
            answer += data
    except TimeoutError:
        return None
    finally:
        client.settimeout(None)
    mark = parse_mark(answer)
    return mark.number if mark is not None and mark.verb == "from" else None


def _listen(address: Address) -> socket.socket:
    try:
        if not address.path:
            family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
            return socket.create_server((address.host, address.port), family=family)
        _remove_stale(address)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(address.path)
        listener.listen()
        return listener
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(Problem(f"cannot listen at {address}: {reason}", "bad-address")) from None


def _remove_stale(address: Address) -> None:
    """Remove a socket that nobody listens to any more."""
    path = Path(address.path)
    if not path.exists() or not stat.S_ISSOCK(path.stat().st_mode):
        return
    try:
        address.connect(_GREETING).close()
    except ConnectionRefusedError:
        path.unlink()


def _name(listener: socket.socket) -> str:
    host, port, *_ = listener.getsockname()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
