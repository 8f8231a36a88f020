"""Addresses of sockets: `tcp://127.0.0.1:9000`, `unix:///run/feed.sock`."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from rtec.errors import ConfigError, Problem

SCHEMES = ("tcp", "unix")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a socket is: a host and port, or a path."""

    text: str
    host: str = ""
    port: int = 0
    path: str = ""

    def __str__(self) -> str:
        return self.text

    def connect(self, timeout: float) -> socket.socket:
        """Connect to whoever listens there."""
        if not self.path:
            return socket.create_connection((self.host, self.port), timeout)
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            made.settimeout(timeout)
            made.connect(self.path)
        except OSError:
            made.close()
            raise
        return made


def is_address(text: str) -> bool:
    """Tell an address from a path."""
    return any(text.startswith(f"{scheme}://") for scheme in SCHEMES)


def parse_address(text: str) -> Address:
    """Read an address.

    >>> parse_address("tcp://localhost:9000").port, parse_address("unix:///tmp/feed").path
    (9000, '/tmp/feed')

    Raises:
        ConfigError: It has no port, no path, or something else.
    """
    try:
        parts = urlsplit(text)
        if parts.scheme == "unix" and not parts.netloc and len(parts.path) > 1:
            return Address(text, path=parts.path)
        rest = parts.path.strip("/") or parts.query or parts.fragment
        if parts.scheme == "tcp" and parts.hostname and parts.port is not None and not rest:
            return Address(text, parts.hostname, parts.port)
    except ValueError:  # a port that is none
        pass
    raise ConfigError(
        Problem(
            f"`{text}` is no address of a socket",
            "bad-address",
            remedy="write tcp://HOST:PORT, or unix:///PATH with three slashes",
        )
    )
