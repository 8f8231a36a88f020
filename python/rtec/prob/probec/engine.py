"""Probabilities of fluents over a stream, window by window.

Records are true or not independently of each other, each with its own probability. A fluent is as
likely as all the possible streams together in which it holds (thesis, section 5.2). The result is
exact; what that means, and how it is worked out without going back over the history, is said in
docs/probability.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.errors import ConfigError, Problem
from rtec.prob.probec.coupling import Coupling
from rtec.prob.probec.formulas import TRUE
from rtec.prob.probec.ground import Fluent, Fvp, Ground
from rtec.prob.probec.grounding import Grounder
from rtec.prob.probec.inertia import Follower
from rtec.prob.probec.methods import Method, Methods
from rtec.prob.probec.plan import make_plan
from rtec.prob.probec.series import FluentSeries, SeriesWriter, joined
from rtec.prob.probec.state import State
from rtec.runtime.buffer import Buffer, Due
from rtec.runtime.records import Record, RecordBatch, batches
from rtec.runtime.windows import Window

CHUNK = 5_000
"""About how many records of a whole run are worked on at a time."""


class ProbEC:
    """Probabilities of fluents over a stream, window by window.

    Between windows it keeps how likely the fluents are, and not what led to that.

    Attributes:
        left_out: Fluents that have no probabilities, and why.
        methods: How probabilities were worked out so far.
    """

    def __init__(
        self,
        program: Program | str | Path,
        *,
        start: int = 0,
        tick: int = 1,
        window: int | None = None,
        only: Collection[str] | None = None,
        skip_filters: bool = False,
        time_limit: float | None = None,
    ) -> None:
        """Prepare a description.

        Args:
            program: A compiled description, or the file of one without background.
            start: The first time-point of the run.
            tick: The distance of consecutive time-points.
            window: How far back each query time looks for late records; None if none are late.
            only: Names of the fluents to work out; by default all that can be.
            skip_filters: Whether filters of whole intervals, by their duration for example, let
                everything pass; otherwise fluents with such filters are left out.
            time_limit: Seconds that the engine may take for one question; None for no limit.

        Raises:
            ConfigError: A setting makes no sense.
            DescriptionError: Fluents that are asked for cannot be worked out.
        """
        if tick < 1:
            raise ConfigError(f"the tick is {tick}; it has to be at least 1")
        if window is not None and window < 1:
            raise ConfigError(f"the window is {window}; it has to be at least 1")
        program = with_description(program)
        assert program.description is not None
        plan = make_plan(program.description, only, skip_filters)
        self.left_out: tuple[Problem, ...] = plan.left_out
        self.methods = Methods()
        self.start = start
        self.tick = tick
        self.window = window
        self.query_time: int | None = None
        self._outputs = plan.outputs
        self._follower = Follower(plan.outputs, tick, self.methods)
        self._grounder = Grounder(
            plan, program.background, start, tick, program.name, time_limit
        )
        self._buffer = Buffer(start=start, tick=tick)
        self._base = State(Coupling(plan), self._follower.evaluator, self.methods)
        self._base_time = start
        self._tip = self._base
        self._ground: Ground | None = None

    # -- public --------------------------------------------------------------------------

    def insert(self, records: Iterable[Record]) -> None:
        """Take records; each counts from the first query time at or after its arrival.

        Raises:
            StreamError: A record is malformed, or its probability is not one.
        """
        self.take(batches(records))

    def take(self, made: Iterable[RecordBatch]) -> None:
        """Take records in columns."""
        for batch in made:
            self._buffer.add(batch)

    def query(self, query_time: int) -> FluentSeries:
        """Work out the probabilities up to a query time, which has to move forward."""
        if self.query_time is not None and query_time <= self.query_time:
            raise ConfigError(
                f"query time {query_time} is not after the last one, {self.query_time}"
            )
        if query_time < self.start:
            raise ConfigError(f"query time {query_time} is before the start {self.start}")
        last = self.start - 1 if self.query_time is None else self.query_time
        lower = last if self.window is None else min(last, query_time - self.window)
        window = Window(lower, query_time)
        return self.advance(window, self._buffer.take(window))

    def update(self, records: Iterable[Record], query_time: int) -> FluentSeries:
        """Take the records of the next window, and work out the probabilities in it."""
        self.insert(records)
        return self.query(query_time)

    def ways(self) -> dict[str, Method]:
        """How the probabilities of each fluent were worked out so far."""
        return {f"{key[0]}/{key[1]}": self.methods.of(key) for key in sorted(self._outputs)}

    def close(self) -> None:
        """Give the engine's memory back; the object cannot be used after this."""
        self._grounder.close()

    def __enter__(self) -> ProbEC:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- a window ----------------------------------------------------------------------------

    def advance(self, window: Window, due: Due) -> FluentSeries:
        """Hand over what is due, and work out the probabilities of a window's time-points."""
        tick = self.tick
        lower = window.start if window.start >= self.start else self.start - tick
        self._move_base(lower)
        state = self._base.copy()
        first = self._base_time - tick
        ground = self._grounder.ground(
            Window(first, window.query_time), due, state.nodes, state.known
        )
        if self.query_time is None:
            _begin(self._base, ground)
            state = self._base.copy()
        _mention(state, ground)
        writer = SeriesWriter()
        self._follower.follow(state, ground, first, lower, None)
        self._follower.probs(state, ground, lower + tick, writer.report)
        self._follower.follow(state, ground, lower, window.query_time - tick, writer.report)
        self._tip, self._ground, self.query_time = state, ground, window.query_time
        self._forget()
        return writer.result(lower + tick, window.query_time, tick, self.ways())

    def _move_base(self, time: int) -> None:
        """Let go what the window leaves: what was known of it is final."""
        if self._ground is None or time <= self._base_time:
            return
        assert self.query_time is not None
        if time >= self.query_time:
            self._base, self._base_time = self._tip, self.query_time
            return
        _mention(self._base, self._ground)
        first = self._base_time - self.tick
        self._follower.follow(self._base, self._ground, first, time - self.tick, None)
        self._base_time = time

    def _forget(self) -> None:
        """Forget the instances that nothing speaks of any more."""
        assert self._ground is not None
        ground = self._ground
        fvps: set[Fvp] = {*self._base.nodes, *self._tip.nodes, *ground.static, *ground.observed}
        fluents: set[Fluent] = self._base.known | self._tip.known
        for found in ground.fluents.values():
            fluents.update(found)
        self._grounder.registry.forget(fvps, fluents)


def _begin(state: State, ground: Ground) -> None:
    """Let the run begin with what holds initially; of two values of a fluent the last is kept."""
    by_fluent = {}
    for fvp in sorted(ground.initially, key=lambda f: (isinstance(f.value, str), f.value)):
        by_fluent[fvp.fluent] = fvp
    for fvp in by_fluent.values():
        state.put(fvp, TRUE)


def _mention(state: State, ground: Ground) -> None:
    """Give instances of open fluents that are new their initial values."""
    for fluent, fvp in ground.defaults.items():
        if fluent not in state.known:
            state.known.add(fluent)
            state.put(fvp, TRUE)


def with_description(program: Program | str | Path) -> Program:
    """Compile a description, if it is not compiled; one that is needs its description still.

    Raises:
        ConfigError: The program only runs.
        DescriptionError: There are mistakes in the description.
    """
    if not isinstance(program, Program):
        program = compile_description(Path(program))
    if program.description is None:
        raise ConfigError(
            Problem(
                f"the rules of `{program.name}` are needed, and the program is without them",
                "prob-program",
                remedy="compile it with `rtec.compiler.compile_description(path, background)`",
            )
        )
    return program


def probabilities(
    program: Program | str | Path,
    records: Iterable[Record],
    start: int | None = None,
    end: int | None = None,
    tick: int = 1,
    *,
    only: Collection[str] | None = None,
    skip_filters: bool = False,
) -> FluentSeries:
    """How likely all fluents are at each time-point of a run, everything in it known.

    Args:
        program: A compiled description, or the file of one without background.
        records: Records in any order; those without a probability are certain.
        start: The first time-point; by default that of the first record.
        end: The last one; by default one tick after the last record.
        tick: The distance of consecutive time-points.
        only: Names of the fluents to work out; by default all that can be.
        skip_filters: Whether filters of whole intervals let everything pass.

    Raises:
        ConfigError: A setting makes no sense, or ProbLog is needed and not installed.
        DescriptionError: Fluents that are asked for cannot be worked out.
        StreamError: A record is malformed, or its probability is not one.
    """
    # Everything is known from the start, whenever it arrived.
    made = [replace(batch, arrival=batch.time) for batch in batches(records)]
    times = np.sort(np.concatenate([np.zeros(0, np.int64), *(batch.time for batch in made)]))
    if start is None:
        start = int(times[0]) if len(times) else 0
    if end is None:
        ends = [int((batch.end - tick).max()) for batch in made if batch.end is not None]
        end = max([*times[-1:].tolist(), *ends], default=start) + tick
    if end < start:
        raise ConfigError(f"the end {end} is before the start {start}")
    cuts = {t for t in times[CHUNK::CHUNK].tolist() if start <= t < end}
    with ProbEC(program, start=start, tick=tick, only=only, skip_filters=skip_filters) as engine:
        engine.take(made)
        return joined([engine.query(query_time) for query_time in sorted({*cuts, end})])
