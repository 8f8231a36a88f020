"""What Java sends to a worker comes at once.

Java does not send a few bytes more before those that it has sent are acknowledged, and Linux waits
a twenty-fifth of a second with that, in case an answer goes the same way. A worker has nothing to
answer before its task has begun: each task would begin so much later.
"""

from __future__ import annotations

import os
import socket
import stat
from contextlib import suppress

_AT_ONCE = getattr(socket, "TCP_QUICKACK", None)
_MOST = 64
"""The sockets of a worker are among its first files."""


def acknowledge_at_once() -> None:
    """Acknowledge what has come; Linux does so again only when it is told again."""
    if _AT_ONCE is None or socket.getdefaulttimeout() is not None:
        return  # with a time-out for new sockets, Python would change those that are there
    for number in range(_MOST):
        with suppress(OSError):  # no such file; or a socket of another kind
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                with socket.socket(fileno=os.dup(number)) as found:
                    found.setsockopt(socket.IPPROTO_TCP, _AT_ONCE, 1)
