"""Time-points on the wall clock: when a query time has come, whether or not records have."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from rtec.errors import ConfigError, Problem

Origin: TypeAlias = float | Literal["first", "start"]


@dataclass(slots=True)
class Clock:
    """Which time-point it is.

    Attributes:
        rate: Time-points per second.
        origin: The Unix time of time-point 0; or `first`, if the first record arrives now, or
            `start`, if the run starts now.
    """

    rate: float = 1.0
    origin: Origin = 0.0

    def needs_record(self, start: int | None) -> bool:
        """Whether it takes a record to say which time-point is now."""
        return self.origin == "first" or (self.origin == "start" and start is None)

    def begin(self, start: int, first_arrival: int | None) -> None:
        """Say which time-point is now, if that has been left open."""
        if isinstance(self.origin, str):
            now = first_arrival if self.origin == "first" and first_arrival is not None else start
            self.origin = time.time() - now / self.rate

    def now(self) -> int:
        """Return the last time-point that is past."""
        assert not isinstance(self.origin, str)
        return int((time.time() - self.origin) * self.rate // 1)

    def seconds_until(self, time_point: int) -> float:
        """Return how long to wait for a time-point; nothing or less if it is past."""
        assert not isinstance(self.origin, str)
        return self.origin + time_point / self.rate - time.time()


def read_origin(text: str) -> Origin:
    """Read when time-point 0 is.

    >>> read_origin("unix"), read_origin("2024-01-01T00:00:00"), read_origin("first")
    (0.0, 1704067200.0, 'first')

    Raises:
        ConfigError: It is not said.
    """
    if text == "first":
        return "first"
    if text == "start":
        return "start"
    if text == "unix":
        return 0.0
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError(
            Problem(
                f"`{text}` does not say when time-point 0 is",
                "bad-clock",
                remedy="write unix, first, start, or a date and time such as 2024-01-01T00:00:00Z",
            )
        ) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
