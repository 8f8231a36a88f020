"""Ctrl-C, put off until the query time that is being worked on is done.

While a run reads or waits for records, it stops at once; while it reasons, at the end of the
query time. Whoever presses twice does not want to wait.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any


class Stopped(Exception):
    """The run was asked to stop while it was reading."""


class Interrupt:
    """Whether a run has been asked to stop; used in a `with`, by signals, else only by `ask`.

    Attributes:
        signal: The signal that asked; 0 if none has.
    """

    def __init__(self) -> None:
        """Begin with nobody asking."""
        self.signal = 0
        self._previous: dict[int, Any] = {}

    @property
    def asked(self) -> bool:
        """Whether the run is to stop."""
        return self.signal != 0

    def ask(self, number: int = signal.SIGINT) -> None:
        """Ask the run to stop when it can, or, the second time, at once."""
        if self.signal:
            raise KeyboardInterrupt
        self.signal = number

    def check(self) -> None:
        """Stop here, if asked to.

        Raises:
            Stopped: The run has been asked to stop.
        """
        if self.signal:
            raise Stopped

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._previous[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        self._previous = {}

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        self.ask(number)
