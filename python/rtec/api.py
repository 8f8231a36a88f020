"""What Python programs call: compile a description, run a stream, hold a session.

program = rtec.compile("toy.prolog")
for recognition in rtec.run(program, "stream.csv", window=3600, step=600):
    ...
"""

from __future__ import annotations

import os
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.errors import EngineError, Problem
from rtec.model import Recognition
from rtec.runtime import session
from rtec.runtime.answers import Recognitions, to_table
from rtec.runtime.faults import Faults, OnError
from rtec.runtime.records import Record, RecordBatch
from rtec.runtime.run import plan_run, run_stream
from rtec.runtime.settings import Policy, RunSettings
from rtec.runtime.sidecar import find_description, read_sidecar
from rtec.runtime.streams import Stream, read_stream

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    Source: TypeAlias = (
        str | os.PathLike[str] | Record | Iterable[Record] | pa.Table | pd.DataFrame
    )
    """Where records come from: a path, records, an Arrow table, a DataFrame."""

FilePath: TypeAlias = "str | os.PathLike[str]"


def compile(
    description: FilePath,
    background: FilePath | Sequence[FilePath] = (),
    declarations: FilePath | None = None,
    trust: bool = False,
) -> Program:
    """Compile an event description.

    >>> program = compile("toy.prolog")
    >>> sorted(program.inputs), sorted(program.outputs)
    (['go_to', 'lose_wallet', 'win_lottery'], ['happy', 'location', 'rich'])

    Args:
        description: A file, or the name of a bundled description.
        background: Files of plain Prolog, loaded first. If none are given, those that the
            description's sidecar (the TOML file beside it) names.
        declarations: A file of declarations beside the rules, as in the RTEC manual.
        trust: Let the description do anything: files, processes, assert and retract.

    Returns:
        The program; what compilation noticed and let pass is in its `warnings`.

    Raises:
        DescriptionError: With every mistake of the description, in source order.
        ConfigError: There is no such description, or its sidecar is malformed.
    """
    path = find_description(os.fspath(description))
    given = [background] if isinstance(background, str | os.PathLike) else background
    files = [Path(file) for file in given] or read_sidecar(path).background
    declared = None if declarations is None else Path(declarations)
    return compile_description(path, files, declared, trust)


def run(
    program: Program,
    stream: Source | Sequence[Source],
    *,
    window: int | None = None,
    step: int | None = None,
    start: int | None = None,
    end: int | None = None,
    tick: int = 1,
    merge: bool = False,
    on_error: OnError = "stop",
    time_limit: float | None = None,
    memory: int | None = None,
    incremental: Policy | bool = "never",
) -> Run:
    """Run a stream through a program.

    >>> program = compile("toy.prolog")
    >>> day = [Record("go_to", 9, ("chris", "work")), Record("go_to", 17, ("chris", "pub"))]
    >>> for r in run(program, day, window=10, start=0, end=20):
    ...     print(r.query_time, r.fluent, r.value, r.intervals)
    10 location work ((10, None),)
    20 happy true ((18, None),)
    20 location pub ((18, None),)
    20 location work ((10, 18),)

    Args:
        program: A compiled description.
        stream: A path (pipe-separated text or JSON lines, gzip'd or not, or Parquet), records,
            an Arrow table, a DataFrame, or several of these, which are merged by arrival.
        window: How far back each query time looks; the step if there is none. Without either,
            the whole stream is one window.
        step: How far apart query times are; the window if there is none.
        start: The start of the run; the last multiple of the step before the first time-point
            if there is none.
        end: The last query time; the last arrival or time-point if there is none.
        tick: How far apart consecutive time-points are.
        merge: Report each fluent once, at the end, over the whole run.
        on_error: `"stop"` at a malformed record, or `"skip"` it.
        time_limit: Seconds that one query time may take.
        memory: How far back from the window `before` and `after` look; to the start of the run
            if nothing is said.
        incremental: Whether to update what is known by what has changed since the last query
            time: "auto" (or True) where that is cheaper than reasoning from scratch, "always"
            or "never". The answers are the same.

    Returns:
        A `Run`: iterate over it. Reading starts with the first answer asked for.

    Raises:
        ConfigError: A setting makes no sense.
        StreamError: A stream cannot be read.
    """
    settings = RunSettings(window, step, start, end, tick)
    opened = read_stream(stream, program.inputs, Faults(on_error))
    return Run(program, opened, settings, merge, time_limit, memory, incremental)


class Run:
    """What is recognised in a stream, as it comes; read once, like a file.

    Iterated, it yields a `FluentRecognition` or an `EventRecognition` at a time. Alternatively,
    `query_times()` yields all of a query time together, and `to_arrow()` and `to_pandas()` make
    one table of the whole.

    >>> day = [Record("win_lottery", 13, ("chris",)), Record("lose_wallet", 19, ("chris",))]
    >>> run(compile("toy.prolog"), day).to_pandas()
       query_time fluent       args value  start  end
    0          19  happy  ["chris"]  true     14   20
    1          19   rich  ["chris"]  true     14   20

    Attributes:
        program: The program that recognises.
    """

    def __init__(
        self,
        program: Program,
        stream: Stream,
        settings: RunSettings,
        merge: bool = False,
        time_limit: float | None = None,
        memory: int | None = None,
        incremental: Policy | bool = "never",
    ) -> None:
        """Prepare a run; `rtec.run` does."""
        self.program = program
        self._faults = stream.faults
        self._step_warning: Problem | None = None
        self._answers = self._advance(stream, settings, merge, time_limit, memory, incremental)
        self._recognitions = (each for answers in self._answers for each in answers)

    def __iter__(self) -> Iterator[Recognition]:
        return self._recognitions

    def query_times(self) -> Iterator[Recognitions]:
        """Yield what is recognised at each query time, also if that is nothing."""
        return self._answers

    def to_arrow(self) -> pa.Table:
        """Make an Arrow table of all answers: a row for each interval and each event."""
        return to_table(list(self._answers))

    def to_pandas(self) -> pd.DataFrame:
        """Make a DataFrame of all answers: a row for each interval and each event."""
        return self.to_arrow().to_pandas()

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What was noticed so far and let pass: unknown and skipped records, gaps."""
        found = [] if self._step_warning is None else [self._step_warning]
        return (*found, *self._faults.warnings(self.program.inputs))

    def close(self) -> None:
        """Stop early, and give the engine's memory back."""
        self._recognitions.close()
        self._answers.close()

    def _advance(
        self,
        stream: Stream,
        settings: RunSettings,
        merge: bool,
        time_limit: float | None,
        memory: int | None,
        incremental: Policy | bool,
    ) -> Generator[Recognitions, None, None]:
        plan = plan_run(stream, settings)
        self._step_warning = plan.windowing.warning()
        with session.Session(
            self.program,
            window=plan.windowing.size,
            start=plan.start,
            tick=plan.tick,
            time_limit=time_limit,
            memory=memory,
            incremental=incremental,
        ) as engine:
            yield from run_stream(engine, plan, merge=merge)


class Session(session.Session):
    """A program at work: records go in, query times bring recognitions out.

    >>> program = compile("toy.prolog")
    >>> with Session(program, window=10) as chris:
    ...     chris.insert(Record("win_lottery", 13, ("chris",)))
    ...     [(r.fluent, r.intervals) for r in chris.query(15)]
    [('happy', ((14, None),)), ('rich', ((14, None),))]

    Records that arrive late count as long as the window reaches back to them, and records can
    be taken back:

    >>> chris = Session(program, window=10)
    >>> chris.insert([Record("win_lottery", 13, ("chris",)), Record("lose_wallet", 14, ("chris",))])
    >>> [r.intervals for r in chris.query(15)]
    [((14, 15),), ((14, 15),)]
    >>> chris.retract([Record("lose_wallet", 14, ("chris",))])
    >>> [r.intervals for r in chris.query(20)]
    [((14, None),), ((14, None),)]

    A snapshot, restored here or in another process, goes on as the session would have:

    >>> other = Session.restore(program, chris.snapshot())
    >>> other.query(25) == chris.query(25)
    True

    A session may be used by several threads; each call is done before the next begins. It must
    be closed (or used in a `with`) for the engine to give its memory back.
    """

    def __init__(
        self,
        program: Program,
        *,
        window: int,
        start: int = 0,
        tick: int = 1,
        time_limit: float | None = None,
        memory: int | None = None,
        incremental: Policy | bool = "never",
    ) -> None:
        """Load a program into the engine.

        Args:
            program: What to evaluate.
            window: How far back each query time looks, in time-points.
            start: The first time-point of the run.
            tick: The distance of consecutive time-points.
            time_limit: Seconds that one query time may take; None for no limit.
            memory: How far back from the window `before` and `after` look; None for the whole run.
            incremental: Whether to update what is known by what has changed since the last
                query time: "auto" (or True) where that is cheaper than reasoning from scratch,
                "always" or "never". The answers are the same.
        """
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._faults = Faults()
        super().__init__(
            program,
            window=window,
            start=start,
            tick=tick,
            time_limit=time_limit,
            memory=memory,
            incremental=incremental,
        )

    def insert(self, records: Source) -> None:
        """Take records; each counts from the first query time at or after its arrival.

        Records whose name the program does not use are left out; see `warnings`.

        Args:
            records: One or many, or whatever else `rtec.run` takes as a stream.

        Raises:
            StreamError: A record is malformed; then none of them is taken.
        """
        self._add(records, retract=False)

    def retract(self, records: Source) -> None:
        """Take records back: the next query time reasons as if they had never come."""
        self._add(records, retract=True)

    def query(self, query_time: int) -> Recognitions:
        """Reason over the window that ends at a query time, which has to move forward."""
        with self._alone():
            return super().query(query_time)

    def snapshot(self) -> bytes:
        """Return everything that must survive a query time, to be restored in any process.

        Restore only snapshots that you trust: they are read with pickle.
        """
        with self._alone():
            return super().snapshot()

    def close(self) -> None:
        """Give the engine's memory back; the session cannot be used after this."""
        if os.getpid() != self._process:  # the engine is not ours to clear
            self._module = ""
            return
        with self._lock:
            super().close()

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What was noticed so far and let pass: records with names that nobody uses."""
        return tuple(self._faults.warnings(self.program.inputs))

    def __enter__(self) -> Session:
        return self

    def __getstate__(self) -> None:
        raise TypeError("a session cannot be pickled; send its snapshot() and the program")

    def _add(self, records: Source, retract: bool) -> None:
        with self._alone():
            blocks = read_stream(records, self.program.inputs, self._faults)
            batches = [batch for block in blocks for batch in block.batches]
            for batch in batches:
                self._buffer.add(_taken_back(batch) if retract else batch)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other threads out; refuse if the engine is in another process."""
        if os.getpid() != self._process:
            raise EngineError(
                Problem(
                    "the session was opened before this process was forked",
                    "forked-session",
                    remedy="open it in the child, or restore a snapshot in a process "
                    "started with the spawn method",
                )
            )
        with self._lock:
            if not self._module:
                raise EngineError("the session is closed")
            yield


def _taken_back(batch: RecordBatch) -> RecordBatch:
    return replace(batch, retract=np.ones(len(batch), np.bool_))
