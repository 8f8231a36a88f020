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
from rtec.runtime.buffer import Due
from rtec.runtime.clock import Clock
from rtec.runtime.feed import Feed, FeedState
from rtec.runtime.interrupt import Interrupt, Stopped
from rtec.runtime.modes import Mode, choose_mode
from rtec.runtime.outputs import Output
from rtec.runtime.records import GREATEST
from rtec.runtime.settings import RunSettings
from rtec.runtime.stats import Stats, WindowStats
from rtec.runtime.streams import Stream
from rtec.runtime.windows import Window, Windowing, default_start


class Engine(Protocol):
    """What a run needs of a session."""

    def advance(self, window: Window, due: Due) -> Recognitions:
        """Hand over what is due, and reason over the window."""


@dataclass(frozen=True, slots=True)
class PlanState:
    """Everything that a plan has to know to go on in another process."""

    windowing: Windowing
    start: int
    end: int | None
    query_time: int | None
    empty: bool
    clock: Clock | None
    feed: FeedState


@dataclass(slots=True)
class RunPlan:
    """Where a run starts and ends, with the stream it reads.

    Attributes:
        windowing: Size and step.
        start: The start of the run.
        end: The last query time; None as long as the stream has not said.
        tick: How far apart consecutive time-points are.
        feed: The stream.
        stats: The figures of the run.
        empty: Whether there is nothing to do.
        query_time: The last query time so far.
        clock: What says that a query time is past; None if the records do.
        lateness: How long after a query time the clock waits for records.
        interrupt: Who may ask the run to stop.
        stopped: Whether the run was stopped before its end.
    """

    windowing: Windowing
    start: int
    end: int | None
    tick: int
    feed: Feed
    stats: Stats
    empty: bool = False
    query_time: int | None = field(default=None)
    clock: Clock | None = None
    lateness: int = 0
    interrupt: Interrupt = field(default_factory=Interrupt)
    stopped: bool = False

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
        while not self._at_end():
            query_time = self.start if self.query_time is None else self.query_time
            following = self.windowing.next(query_time, self.end)
            try:
                self._read(following)
            except Stopped:
                self.stopped = True
                return
            if self.end is None and self.feed.exhausted:
                self.end = max(self.start, self.feed.last or self.start)
                if query_time >= self.end > self.start:
                    return
                following = min(following, self.end)
            self.query_time = following
            yield self.windowing.window(self.start, following)
            if self.interrupt.asked and not self._at_end():
                self.stopped = True
                return

    def state(self) -> PlanState:
        """Return all that is needed to go on after the last query time."""
        return PlanState(
            self.windowing,
            self.start,
            self.end,
            self.query_time,
            self.empty,
            self.clock,
            self.feed.state(),
        )

    def _at_end(self) -> bool:
        return self.empty or (
            self.end is not None and self.query_time is not None and self.query_time >= self.end
        )

    def _read(self, query_time: int) -> None:
        if self.clock is None:
            self.feed.read_until(query_time)
        else:
            self.feed.read_by(self.clock, query_time, self.lateness)


@dataclass(frozen=True, slots=True)
class Pace:
    """What drives the query times of a run, and what may stop it.

    Attributes:
        clock: A clock; without one, the records do.
        lateness: How long after a query time the clock waits for records.
        interrupt: Who may ask the run to stop.
    """

    clock: Clock | None = None
    lateness: int = 0
    interrupt: Interrupt = field(default_factory=Interrupt)


def plan_run(
    stream: Stream, settings: RunSettings, stats: Stats | None = None, pace: Pace | None = None
) -> RunPlan:
    """Find out where a run starts, reading as much of its stream as that takes."""
    stats, pace = stats or Stats(), pace or Pace()
    feed = Feed(stream, settings.tick, stats, pace.interrupt)
    plan = RunPlan(
        settings.windowing() or Windowing(1, 1),
        0 if settings.start is None else settings.start,
        settings.end,
        settings.tick,
        feed,
        stats,
        clock=pace.clock,
        lateness=pace.lateness,
        interrupt=pace.interrupt,
    )
    try:
        start = _find_start(plan, settings)
    except Stopped:
        plan.empty = plan.stopped = True
        return plan
    if start is None or (plan.end is not None and plan.end < start):
        # No record, and no start given: there is no time to reason about.
        plan.empty = True
        return plan
    plan.start = feed.buffer.start = start
    if plan.clock is not None:
        plan.clock.begin(start, feed.first_arrival)
    return plan


def _find_start(plan: RunPlan, settings: RunSettings) -> int | None:
    """Return the start of a run, if there is one."""
    feed, start = plan.feed, settings.start
    if settings.windowing() is None:
        feed.read_until(GREATEST)
        if start is None and feed.first is not None:
            start = feed.first - settings.tick
        if plan.end is None and feed.last is not None:
            plan.end = max(feed.last, feed.last if start is None else start)
        size = 1 if start is None or plan.end is None else max(1, plan.end - start)
        plan.windowing = Windowing(size, size)
        return start
    if plan.clock is not None:
        if plan.clock.needs_record(start):
            while feed.first is None and not feed.exhausted:
                feed.read_any(GREATEST)
        elif start is None:
            return default_start(plan.clock.now(), plan.windowing.step)
    elif start is None:
        while not feed.begun and not feed.exhausted:
            feed.read_next()
    if start is None and feed.first is not None:
        start = default_start(feed.first, plan.windowing.step)
    return start


def resume_run(
    stream: Stream,
    settings: RunSettings,
    state: PlanState,
    stats: Stats,
    pace: Pace | None = None,
) -> RunPlan:
    """Make the plan of a run that another process began; the stream is that of the other."""
    pace = pace or Pace()
    feed = Feed(stream, settings.tick, stats, pace.interrupt)
    feed.resume(state.feed)
    return RunPlan(
        state.windowing,
        state.start,
        state.end,
        settings.tick,
        feed,
        stats,
        empty=state.empty,
        query_time=state.query_time,
        clock=state.clock,
        lateness=pace.lateness,
        interrupt=pace.interrupt,
    )


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
    mode = choose_mode(merge, changes, plan.tick)
    yield from run_windows(session, plan, mode, late, on_step)
    yield from mode.finish()


def run_windows(
    session: Engine,
    plan: RunPlan,
    mode: Mode,
    late: LateFile | None = None,
    on_step: Callable[[], None] | None = None,
    after_step: Callable[[], None] | None = None,
) -> Iterator[Recognitions]:
    """Yield what is reported at each query time of a run, or of what is left of one.

    Args:
        session: The engine, made with the plan's window size and start.
        plan: The stream and its query times.
        mode: What of the answers is reported.
        late: Where records go that came too late.
        on_step: Called after each query time.
        after_step: Called once what a query time yields has been taken.
    """
    try:
        for window in plan.windows():
            with plan.stats.phase("hand_over"):
                due = plan.feed.buffer.take(window)
            if late is not None:
                late.write(window, due)
            answers = _timed(session, window, due, plan.stats)
            if on_step is not None:
                on_step()
            with plan.stats.phase("collect"):
                told = mode.take(window, answers)
            yield from told
            if after_step is not None:
                after_step()
    finally:
        plan.feed.close()


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
