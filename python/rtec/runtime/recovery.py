"""A run that survives the end of its process: what it keeps, and how it goes on."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from rtec.compiler.program import Program
from rtec.runtime.checkpoint import Checkpoints, digest
from rtec.runtime.faults import Faults
from rtec.runtime.modes import Mode
from rtec.runtime.partial import PartialOutput, open_partial_sink
from rtec.runtime.run import PlanState, RunPlan
from rtec.runtime.session import Session
from rtec.runtime.sinks import Format, Sink
from rtec.runtime.stats import Stats


@dataclass(frozen=True, slots=True)
class RunState:
    """Everything that a run needs to go on in another process.

    Attributes:
        plan: The stream as far as it was read, and the query times.
        engine: The snapshot of the engine.
        mode: What was reported so far, as far as that matters.
        stats: The figures so far.
        elapsed: Seconds so far.
        faults: Malformed records and unknown names so far.
        lengths: How long each output was, by its place among them.
        finished: Whether the outputs hold everything, and have only to get their names.
    """

    plan: PlanState
    engine: bytes
    mode: Mode
    stats: Stats
    elapsed: float
    faults: Faults
    lengths: tuple[int, ...]
    finished: bool = False


@dataclass(slots=True)
class Recovery:
    """Writes checkpoints while a run goes on.

    Attributes:
        checkpoints: Where to.
        every: After how many query times.
        state: What another process left; None at the beginning.
        outputs: What is written, in an order that is always the same.
    """

    checkpoints: Checkpoints
    every: int = 1
    state: RunState | None = None
    outputs: list[PartialOutput] = field(default_factory=list)
    _steps: int = 0

    def __post_init__(self) -> None:
        self.state = self.checkpoints.load()

    @property
    def finished(self) -> bool:
        """Whether another process did everything, up to the names of the outputs."""
        return self.state is not None and self.state.finished

    def open_sink(self, path: str | None, form: Format | None, ops: bool) -> Sink:
        """Open where recognitions go, cut back to where the other process was.

        Raises:
            ConfigError: It cannot be written, or what was written before is gone.
        """
        sink, output = open_partial_sink(path, form, ops, self._length(), self.finished)
        self.outputs.append(output)
        return sink

    def open(self, path: str) -> PartialOutput:
        """Open another output, cut back likewise; outputs are always opened in one order."""
        output = PartialOutput(path, self._length(), self.finished)
        self.outputs.append(output)
        return output

    def open_anew(self, path: str) -> PartialOutput:
        """Open an output that is written in one go at the end."""
        return PartialOutput(path)

    def _length(self) -> int | None:
        return None if self.state is None else self.state.lengths[len(self.outputs)]

    def stats(self) -> Stats:
        """Return the figures so far."""
        if self.state is None:
            return Stats()
        stats = self.state.stats
        stats.started = time.perf_counter() - self.state.elapsed
        return stats

    def restore_faults(self, faults: Faults) -> None:
        """Put the faults so far into where they are counted now."""
        if self.state is not None:
            for each in fields(Faults):
                if each.name != "on_error":
                    setattr(faults, each.name, getattr(self.state.faults, each.name))

    def step(self, session: Session, plan: RunPlan, mode: Mode, faults: Faults) -> None:
        """Write a checkpoint, if it is time for one."""
        self._steps += 1
        if self._steps % self.every == 0:
            self._save(session.snapshot(), plan, mode, faults)

    def stop(self, session: Session, plan: RunPlan, mode: Mode, faults: Faults) -> None:
        """Write the last checkpoint of this process; the outputs stay for another one."""
        if plan.query_time is not None:
            self._save(session.snapshot(), plan, mode, faults)
        for output in self.outputs:
            output.keep = True

    def finish(self, plan: RunPlan, mode: Mode, faults: Faults) -> None:
        """Take down that nothing is left to do but to give the outputs their names."""
        self._save(b"", plan, mode, faults, finished=True)

    def _save(
        self, engine: bytes, plan: RunPlan, mode: Mode, faults: Faults, finished: bool = False
    ) -> None:
        # First the outputs: a checkpoint must never promise more than is on disk.
        lengths = tuple(output.sync() for output in self.outputs)
        stats = plan.stats
        self.checkpoints.save(
            RunState(plan.state(), engine, mode, stats, stats.elapsed, faults, lengths, finished)
        )


def identity(program: Program, streams: Sequence[str], **settings: Any) -> dict[str, Any]:
    """Say what makes a run the same run.

    Args:
        program: What is recognised.
        streams: Paths of files, and names of other sources; files must not change.
        settings: Whatever else matters to the outputs, by the name users know it by.
    """
    same: dict[str, Any] = {
        "the version of rtec": importlib.metadata.version("rtec"),
        "the description": program.name,
        "what the description says": digest(program.text.encode()),
        "the background": digest(b"\0".join(_contents(path) for path in program.background)),
    }
    for name, value in settings.items():
        same[f"--{name.replace('_', '-')}"] = value
    same["--stream"] = list(streams)
    for name in streams:
        if os.path.isfile(name):
            same[f"the content of {name}"] = digest(_contents(name))
    return same


def _contents(path: str) -> bytes:
    """Hash a file."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").digest()
