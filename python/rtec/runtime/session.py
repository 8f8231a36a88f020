"""One engine over one stream: records go in, query times bring recognitions out.

A session owns a module of the Prolog side with its own facts; several sessions,
of one program or of many, live side by side in a process.
"""

from __future__ import annotations

import itertools
import pickle
import sys
import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, get_args

from rtec import bridge
from rtec.compiler.program import Program
from rtec.errors import ConfigError, DescriptionError, EngineError, Place, Problem
from rtec.runtime.answers import Recognitions
from rtec.runtime.border import reach, shown_events, shown_fluents
from rtec.runtime.buffer import Buffer, Due
from rtec.runtime.crossing import by_lists, columns_in_memory
from rtec.runtime.held import HeldStores
from rtec.runtime.ordering import by_entity
from rtec.runtime.records import Record, RecordBatch, batches
from rtec.runtime.settings import Policy
from rtec.runtime.windows import Window, first_window

_COUNTER = itertools.count(1)
OTHER_VERSION = (TypeError, AttributeError, ImportError)
"""What pickle raises where a class is no longer what it was."""
_SNAPSHOT_VERSION = 3


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds that the phases of one query time took inside the engine, wall and CPU."""

    hand_over: float = 0.0
    hand_over_cpu: float = 0.0
    recognise: float = 0.0
    recognise_cpu: float = 0.0
    collect: float = 0.0
    collect_cpu: float = 0.0


class Session:
    """A program at work.

    >>> import rtec
    >>> program = rtec.compile("toy.prolog")
    >>> session = rtec.Session(program, window=21)
    >>> session.insert([rtec.Record("win_lottery", 13, ("chris",))])
    >>> [r.fluent for r in session.query(21)]
    ['happy', 'rich']
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
        if window < 1:
            raise ConfigError(f"the window is {window}; it has to be at least 1")
        if tick < 1:
            raise ConfigError(f"the tick is {tick}; it has to be at least 1")
        self.program = program
        self.window = window
        self.start = start
        self.tick = tick
        self.time_limit = time_limit
        self.memory = memory
        self.query_time: int | None = None
        self.timings = Timings()
        self._module = f"rtec_session_{next(_COUNTER)}"
        self._buffer = Buffer(start=start, tick=tick)
        self._held = HeldStores()
        self._reach = reach(program.inputs, tick)
        self._open()
        self.incremental: Policy = _policy(incremental)
        self._columns = columns_in_memory()
        if self.incremental != "never" and program.deltas:
            bridge.command("bridge_incremental", self._module, program.deltas, self.incremental)

    def _open(self) -> None:
        messages = bridge.call(
            "bridge_open",
            self._module,
            self.program.text,
            list(self.program.background),
            [self.start, self.tick, -1 if self.memory is None else self.memory],
        )
        problems = [_load_problem(self.program, *row[1:]) for row in messages if row[0] == "error"]
        if problems:
            self.close()
            raise DescriptionError(*problems)

    # -- public --------------------------------------------------------------------

    def insert(self, records: Iterable[Record]) -> None:
        """Take records; each counts from the first query time at or after its arrival."""
        for batch in batches(records):
            self._buffer.add(batch)

    def retract(self, records: Iterable[Record]) -> None:
        """Take records back: the next query time reasons as if they had never come."""
        self.insert(replace(record, op="-") for record in records)

    def query(self, query_time: int) -> Recognitions:
        """Reason over the window that ends at `query_time`, which has to move forward."""
        if self.query_time is not None and query_time <= self.query_time:
            raise ConfigError(
                f"query time {query_time} is not after the last one, {self.query_time}"
            )
        window = Window(query_time - self.window, query_time)
        if self.query_time is None:
            window = first_window(window, self.start)
        return self.advance(window, self._buffer.take(window))

    @property
    def mode(self) -> str:
        """How the last query time was reasoned over: `scratch`, `keep` or `changes`.

        `keep` is from scratch too, and prepares for reasoning by changes.
        """
        return str(bridge.call("bridge_mode", self._module))

    def snapshot(self) -> bytes:
        """Everything that must survive a query time, to be restored in any process."""
        text = bridge.call("bridge_snapshot", self._module)
        state = {
            "version": _SNAPSHOT_VERSION,
            "program": self.program.digest,
            "window": self.window,
            "start": self.start,
            "tick": self.tick,
            "memory": self.memory,
            "query_time": self.query_time,
            "buffer": self._buffer,
            "engine": text,
        }
        return zlib.compress(pickle.dumps(state, protocol=5))

    @classmethod
    def restore(
        cls,
        program: Program,
        snapshot: bytes,
        *,
        time_limit: float | None = None,
        incremental: Policy | bool = "never",
    ) -> Session:
        """Make a session that answers exactly as the one the snapshot was taken of."""
        try:
            state = pickle.loads(zlib.decompress(snapshot))
        except (zlib.error, pickle.UnpicklingError, EOFError) as error:
            raise ConfigError(f"the snapshot is damaged: {error}") from None
        except OTHER_VERSION:
            state = {"version": None}
        if state["version"] != _SNAPSHOT_VERSION:
            raise ConfigError("the snapshot was taken by another version of rtec")
        if state["program"] != program.digest:
            raise ConfigError("the snapshot was taken of another program")
        session = cls(
            program,
            window=state["window"],
            start=state["start"],
            tick=state["tick"],
            time_limit=time_limit,
            memory=state["memory"],
            incremental=incremental,
        )
        session.query_time = state["query_time"]
        session._buffer = state["buffer"]
        if session.query_time is not None:
            bridge.command("bridge_restore", session._module, state["engine"])
        return session

    def close(self) -> None:
        """Give the engine's memory back; the session cannot be used after this."""
        if self._module:
            if not sys.is_finalizing():  # then the thread of Prolog has ended, and would not answer
                bridge.command("bridge_close", self._module)
            self._module = ""

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _load(self, batch: RecordBatch) -> tuple[Any, ...]:
        return by_lists("load", batch) if self._columns is None else self._columns.load(batch)

    def _read(self, answer: list[Any]) -> tuple[list[Any], list[Any], list[Any], Timings]:
        """Copy what stands in the memory of the library, which belongs to collecting."""
        stores, fluents, events, times = answer
        wall, cpu = time.perf_counter(), time.thread_time()
        rows = self._held.rows(stores)
        times[4] += time.perf_counter() - wall
        times[5] += time.thread_time() - cpu
        return rows, fluents, events, Timings(*times)

    # -- the fast path ---------------------------------------------------------------

    def advance(self, window: Window, due: Due) -> Recognitions:
        """Hand over what is due, and reason over `window`."""
        if not self._module:
            raise EngineError("the session is closed")
        changes = [self._load(by_entity(batch)) for batch in (*due.insert, *due.rest)]
        changes += [by_lists("unload", batch) for batch in due.retract]
        try:
            found, fluents, events, self.timings = bridge.call(
                "bridge_advance",
                self._module,
                window.start - self._reach,
                window.query_time,
                changes,
                self.time_limit or 0,
                then=self._read,
            )
        finally:
            if self._columns is not None:
                self._columns.release()
        self.query_time = window.query_time
        fluent_rows, event_rows = [*found, *_rows(fluents, 4)], _rows(events, 3)
        if self._reach:
            fluent_rows = list(shown_fluents(fluent_rows, window, self.tick))
            event_rows = list(shown_events(event_rows, window))
        return Recognitions(window.query_time, fluent_rows, event_rows)


def _rows(fields: list[Any], width: int) -> list[Any]:
    """Cut a list of fields into rows.

    >>> _rows(["rich", ["al"], "true", [4, 9]], 4)
    [('rich', ['al'], 'true', [4, 9])]
    """
    field = iter(fields)
    return list(zip(*[field] * width, strict=True))


def _policy(incremental: Policy | bool) -> Policy:
    if isinstance(incremental, bool):
        return "auto" if incremental else "never"
    if incremental not in get_args(Policy):
        raise ConfigError(f"incremental is {incremental!r}; it is auto, always or never")
    return incremental


def _load_problem(program: Program, path: str, line: int, text: str) -> Problem:
    """An error of loading, located in the background file or in the rule it came from."""
    message = " ".join(text.split())
    if "@rtec_session_" in path:
        return Problem(message, "background", Place(path.split("@rtec_session_")[0], int(line)))
    above = program.text.splitlines()[: int(line)]
    for comment in reversed(above):
        if comment.startswith("% line "):
            return Problem(message, "rule", Place(program.name, int(comment[7:].rstrip(":"))))
    return Problem(message, "rule")
