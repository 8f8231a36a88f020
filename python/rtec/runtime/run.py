"""A run: a stream, its query times, an engine, and the answers one by one.

plan = plan_run(stream, RunSettings(window=3600, step=600))
with Session(program, window=plan.windowing.size, start=plan.start) as session:
    for answers in run_stream(session, plan):
        ...
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from rtec.runtime.answers import Recognitions
from rtec.runtime.buffer import Buffer, Due
from rtec.runtime.changes import Changes
from rtec.runtime.merge import Merged
from rtec.runtime.outputs import Output
from rtec.runtime.records import GREATEST, LEAST, RecordBatch
from rtec.runtime.settings import RunSettings
from rtec.runtime.stats import Stats, WindowStats
from rtec.runtime.streams import Stream
from rtec.runtime.windows import Window, Windowing, default_start


class Engine(Protocol):
    """What a run needs of a session."""

    def advance(self, window: Window, due: Due) -> Recognitions:
        """Hand over what is due, and reason over the window."""


class Feed:
    """A stream as far as it has been read, and the buffer that holds what was."""

    def __init__(self, stream: Stream, tick: int, stats: Stats) -> None:
        """Read nothing yet."""
        self.stream = stream
        self.buffer = Buffer(tick=tick)
        self.first: int | None = None
        self.last: int | None = None
        self._blocks = iter(stream)
        self._floor: int | None = LEAST
        self._stats = stats

    @property
    def exhausted(self) -> bool:
        """Whether there is nothing more to read."""
        return self._floor is None

    def read(self) -> None:
        """Read one block."""
        with self._stats.phase("read"):
            block = next(self._blocks, None)
            self._floor = None if block is None else block.floor
            for batch in block.batches if block else ():
                self._note(batch)
                self.buffer.add(batch)

    def read_until(self, query_time: int) -> None:
        """Read everything that arrives up to a query time."""
        while self._floor is not None and self._floor <= query_time:
            self.read()

    def _note(self, batch: RecordBatch) -> None:
        first = int(batch.time.min())
        last = max(int(batch.time.max()), int(batch.arrival.max()))
        self.first = first if self.first is None else min(first, self.first)
        self.last = last if self.last is None else max(last, self.last)


@dataclass(slots=True)
class RunPlan:
    """Where a run starts and ends, with the stream it reads.

    Attributes:
        windowing: Size and step.
        start: The start of the run.
        end: The last query time; None as long as the stream has not said.
        tick: How far apart consecutive time-points are.
        feed: The stream.
        empty: Whether there is nothing to do.
    """

    windowing: Windowing
    start: int
    end: int | None
    tick: int
    feed: Feed
    stats: Stats
    empty: bool = False
    query_time: int | None = field(default=None)

    @property
    def done(self) -> float:
        """How much of the run is done, from 0 to 1, as far as one can say."""
        if self.query_time is None:
            return 0.0
        if self.end is None:
            return self.feed.stream.done
        return (self.query_time - self.start) / max(1, self.end - self.start)

    def windows(self) -> Iterator[Window]:
        """Yield the windows; each once everything that arrives by then has been read."""
        if self.empty:
            return
        query_time = self.start
        while True:
            following = self.windowing.next(query_time, self.end)
            self.feed.read_until(following)
            if self.end is None and self.feed.exhausted:
                self.end = max(self.start, self.feed.last or self.start)
                if query_time >= self.end > self.start:
                    return
                following = min(following, self.end)
            self.query_time = query_time = following
            yield self.windowing.window(self.start, query_time)
            if self.end is not None and query_time >= self.end:
                return


def plan_run(stream: Stream, settings: RunSettings, stats: Stats | None = None) -> RunPlan:
    """Find out where a run starts, reading as much of its stream as that takes."""
    stats = stats or Stats()
    feed = Feed(stream, settings.tick, stats)
    windowing = settings.windowing()
    start, end = settings.start, settings.end
    if windowing is None:
        feed.read_until(GREATEST)
        if start is None and feed.first is not None:
            start = feed.first - settings.tick
        if end is None and feed.last is not None:
            end = max(feed.last, feed.last if start is None else start)
        size = 1 if start is None or end is None else max(1, end - start)
        windowing = Windowing(size, size)
    elif start is None:
        while feed.first is None and not feed.exhausted:
            feed.read()
        if feed.first is not None:
            start = default_start(feed.first, windowing.step)
    if start is None or (end is not None and end < start):
        # No record, and no start given: there is no time to reason about.
        return RunPlan(windowing, 0, 0, settings.tick, feed, stats, empty=True)
    feed.buffer.start = start
    return RunPlan(windowing, start, end, settings.tick, feed, stats)


def run_stream(
    session: Engine,
    plan: RunPlan,
    *,
    merge: bool = False,
    changes: bool = False,
    late: LateFile | None = None,
    on_step: Callable[[], None] | None = None,
) -> Iterator[Recognitions]:
    """Yield what is recognised at each query time of a run.

    Args:
        session: The engine, made with the plan's window size and start.
        plan: The stream and its query times.
        merge: Yield one answer at the end, over the whole run, instead.
        changes: Yield only what became different since the query time before, instead.
        late: Where records go that came too late.
        on_step: Called after each query time.
    """
    merged = Merged(plan.tick) if merge else None
    changed = Changes(plan.tick) if changes else None
    for window in plan.windows():
        with plan.stats.phase("hand_over"):
            due = plan.feed.buffer.take(window)
        if late is not None:
            late.write(window, due)
        answers = _timed(session, window, due, plan.stats)
        if on_step is not None:
            on_step()
        if changed is not None:
            with plan.stats.phase("collect"):
                different = changed.take(window, answers)
            yield from different
        elif merged is None:
            yield answers
        else:
            with plan.stats.phase("collect"):
                merged.add(window, answers)
    if merged is not None and merged.query_time is not None:
        yield merged.result()


def _timed(session: Engine, window: Window, due: Due, stats: Stats) -> Recognitions:
    """Advance a session, and count the time of its phases."""
    wall, cpu = time.perf_counter(), time.process_time()
    answers = session.advance(window, due)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    # A session says how long recognition and collection took; the rest is moving data.
    said: Any = getattr(session, "timings", None)
    recognise, collect = (said.recognise, said.collect) if said else (wall, 0.0)
    recognise_cpu, collect_cpu = (said.recognise_cpu, said.collect_cpu) if said else (cpu, 0.0)
    stats.add("recognise", recognise, recognise_cpu)
    stats.add("collect", collect, collect_cpu)
    rest, rest_cpu = wall - recognise - collect, cpu - recognise_cpu - collect_cpu
    stats.add("hand_over", max(rest, 0.0), max(rest_cpu, 0.0))
    stats.add_window(
        WindowStats(window.query_time, due.records, len(answers), recognise * 1000), due.counts
    )
    return answers


class LateFile:
    """Records that came too late, as JSON lines with the query time that dropped them.

    The lines are those of a stream, so that the file can be read as one.
    """

    def __init__(self, output: Output) -> None:
        """Write to an output that is open."""
        self._output = output

    def write(self, window: Window, due: Due) -> None:
        """Write what was lost at a query time."""
        lines = []
        for batch in due.lost:
            for record in batch.records():
                item = {
                    "query_time": window.query_time,
                    "name": record.name,
                    "arrival": record.arrival,
                    "time": record.time,
                    "end": record.end,
                    "value": record.value,
                    "args": list(record.args),
                    "op": record.op,
                    "prob": record.prob,
                }
                given = {k: v for k, v in item.items() if v is not None}
                lines.append(json.dumps(given, ensure_ascii=False) + "\n")
        if lines:
            self._output.write("".join(lines))
