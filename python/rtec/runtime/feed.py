"""A stream as far as it has been read, on its way to the engine."""

from __future__ import annotations

from dataclasses import dataclass

from rtec.runtime.blocks import Block
from rtec.runtime.buffer import Buffer
from rtec.runtime.clock import Clock
from rtec.runtime.interrupt import Interrupt
from rtec.runtime.records import LEAST
from rtec.runtime.stats import Stats
from rtec.runtime.streams import SourceState, Stream

_PATIENCE = 0.2  # seconds after which one who waits looks whether to stop
_BLOCKS_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class FeedState:
    """Everything that a feed has to know to go on in another process."""

    buffer: Buffer
    first: int | None
    first_arrival: int | None
    last: int | None
    sources: list[SourceState]


class Feed:
    """A stream, and the buffer that holds what was read of it.

    Attributes:
        stream: Where records come from.
        buffer: Those that have been read.
        first: The first time-point in what was read first.
        first_arrival: The first arrival in it.
        last: The last time-point or arrival so far.
        likely: Whether records so far carry probabilities.
    """

    def __init__(
        self, stream: Stream, tick: int, stats: Stats, interrupt: Interrupt | None = None
    ) -> None:
        """Read nothing yet.

        Args:
            stream: Where records come from.
            tick: How far apart consecutive time-points are.
            stats: Where the time that reading takes is counted.
            interrupt: Who may ask to stop reading; `Stopped` is raised then.
        """
        self.stream = stream
        self.buffer = Buffer(tick=tick)
        self.first: int | None = None
        self.first_arrival: int | None = None
        self.last: int | None = None
        self.likely = False
        self._stats = stats
        self._interrupt = interrupt or Interrupt()

    @property
    def exhausted(self) -> bool:
        """Whether there is nothing more to read."""
        return self.stream.floor is None

    @property
    def begun(self) -> bool:
        """Whether every source has said something, and there is a record."""
        floor = self.stream.floor
        return self.first is not None and floor != LEAST

    def read_next(self) -> None:
        """Read a block of the source that holds the others back, waiting for it if need be."""
        source = self.stream.nearest()
        if source is not None:
            self._interrupt.check()
            while not self.stream.wait(source, _PATIENCE):
                self._interrupt.check()
            self._read(source)

    def read_until(self, query_time: int) -> None:
        """Read everything that arrives up to a query time."""
        while (floor := self.stream.floor) is not None and floor <= query_time:
            self.read_next()

    def read_any(self, until: int, seconds: float = _PATIENCE) -> None:
        """Read a block of any source whose time is not after `until`, or wait for a while."""
        self._interrupt.check()
        source = self.stream.wait_for_any(until, min(seconds, _PATIENCE))
        if source is not None:
            self._read(source)

    def read_by(self, clock: Clock, query_time: int, lateness: int) -> None:
        """Read what comes until a clock says that a query time is past.

        Sources that are ahead of the clock are not read further. If the clock is ahead of the
        run, what has come meanwhile is read, though not for ever.
        """
        while (left := clock.seconds_until(query_time + lateness)) > 0:
            self.read_any(query_time, left)
        for _ in range(_BLOCKS_AT_ONCE):
            source = self.stream.ready(query_time)
            if source is None:
                return
            self._read(source)

    def state(self) -> FeedState:
        """Return how far the stream was read, with what has not been handed over."""
        return FeedState(
            self.buffer, self.first, self.first_arrival, self.last, self.stream.state()
        )

    def resume(self, state: FeedState) -> None:
        """Go on where another process was."""
        self.buffer = state.buffer
        self.first, self.first_arrival, self.last = state.first, state.first_arrival, state.last
        self.stream.resume(state.sources)

    def close(self) -> None:
        """Read no more."""
        self.stream.close()

    def _read(self, source: int) -> None:
        with self._stats.phase("read"):
            block = self.stream.read(source)
            self._note(block)
            for batch in block.batches:
                self.buffer.add(batch)

    def _note(self, block: Block) -> None:
        for batch in block.batches:
            self.likely = self.likely or batch.prob is not None
            first, arrival = int(batch.time.min()), int(batch.arrival.min())
            last = max(int(batch.time.max()), int(batch.arrival.max()))
            # Where a live source starts must not depend on how much of it came at once.
            first = first if block.first is None else block.first
            self.first = first if self.first is None else min(first, self.first)
            if self.first_arrival is None or arrival < self.first_arrival:
                self.first_arrival = arrival
            self.last = last if self.last is None else max(last, self.last)
