"""How a run moves over its stream, as its user says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from rtec.runtime.windows import Windowing, check_length, check_range

Policy: TypeAlias = Literal["never", "auto", "always"]
"""When to reason by changes, rather than from scratch; `auto` where it is cheaper."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How to move over a stream; what is None follows from the rest.

    Attributes:
        window: How far back each query time looks; the step if there is none. Without either,
            the whole stream is one window.
        step: How far apart query times are; the window if there is none.
        start: The start of the run; the last multiple of the step before the first time-point
            if there is none.
        end: The last query time; the last arrival or time-point of the stream if there is none.
        tick: How far apart consecutive time-points are.
    """

    window: int | None = None
    step: int | None = None
    start: int | None = None
    end: int | None = None
    tick: int = 1

    def __post_init__(self) -> None:
        given = {"tick": self.tick, "window": self.window, "step": self.step}
        for what, length in given.items():
            if length is not None:
                check_length(what, length)
        check_range(self.start, self.end)

    def windowing(self) -> Windowing | None:
        """Return size and step, if either is given."""
        size = self.window if self.window is not None else self.step
        step = self.step if self.step is not None else self.window
        return None if size is None or step is None else Windowing(size, step)
