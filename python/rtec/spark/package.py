"""A program that travels: compiled text, background files and settings, as plain data.

Background files are read on the driver and written to a folder of the worker, so that workers
need none of them. The engine itself comes with the installed package.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rtec.compiler.program import Program
from rtec.runtime.faults import OnError
from rtec.runtime.records import Input


@dataclass(frozen=True)
class Package:
    """A program as plain data.

    Attributes:
        name: The description's file name.
        text: The compiled module.
        inputs: What it reads.
        outputs: What it recognises.
        files: All background files, nested ones too: relative path and contents.
        background: Which of them are loaded first, in order.
    """

    name: str
    text: str
    inputs: dict[str, tuple[Input, ...]]
    outputs: frozenset[str]
    files: tuple[tuple[str, bytes], ...]
    background: tuple[str, ...]

    def unpack(self) -> Program:
        """Make the program again, its background files in a folder of this machine."""
        folder = _folder(self.files) if self.files else None
        background = tuple(str(folder / name) for name in self.background) if folder else ()
        return Program(self.name, self.text, background, self.inputs, self.outputs)


def pack(program: Program) -> Package:
    """Pack a program with the background files that it loads, directly or not."""
    background = [Path(os.path.abspath(path)) for path in program.background]
    files = _with_nested(background)
    root = Path(os.path.commonpath([str(f.parent) for f in files])) if files else Path("/")
    return Package(
        program.name,
        program.text,
        program.inputs,
        program.outputs,
        tuple((str(f.relative_to(root)), f.read_bytes()) for f in files),
        tuple(str(f.relative_to(root)) for f in background),
    )


def _with_nested(background: list[Path]) -> list[Path]:
    """List background files and those that they load."""
    if not background:
        return []
    from rtec import bridge

    report = bridge.call("bridge_inspect", [str(f) for f in background], "", [], [], [])
    nested = [Path(os.path.abspath(str(f))) for f in report[0]]
    return list(dict.fromkeys([*background, *(f for f in nested if f.is_file())]))


def _folder(files: tuple[tuple[str, bytes], ...]) -> Path:
    """Write files to a folder named after their contents, unless another task has done so."""
    digest = hashlib.sha256()
    for name, data in files:
        digest.update(f"{len(name)} {len(data)} {name}".encode())
        digest.update(data)
    owner = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"rtec-{owner}-{digest.hexdigest()[:24]}"
    if not folder.is_dir():
        made = Path(tempfile.mkdtemp(prefix="rtec-new-"))
        for name, data in files:
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        try:
            made.rename(folder)
        except OSError:  # another task was faster
            shutil.rmtree(made)
    return folder


@dataclass(frozen=True)
class Moves:
    """How every partition moves over its part of the stream: the same query times in all.

    Attributes:
        size: The window.
        step: How far apart query times are.
        start: The start of the run.
        end: The last query time.
        tick: How far apart time-points are.
        merge: Whether to report once, at the end.
        on_error: What to do about a malformed record.
        time_limit: Seconds that one query time may take.
        memory: How far back from the window `before` and `after` look; None for the whole run.
    """

    size: int
    step: int
    start: int
    end: int
    tick: int = 1
    merge: bool = False
    on_error: OnError = "stop"
    time_limit: float | None = None
    memory: int | None = None


def runner(
    program: Program,
    *,
    window: int,
    step: int | None = None,
    start: int,
    end: int,
    tick: int = 1,
    merge: bool = False,
    on_error: OnError = "stop",
    time_limit: float | None = None,
    memory: int | None = None,
) -> Any:
    """Make the function that recognises in one partition, for jobs of one's own.

    Called with an iterator of Arrow batches of records it yields Arrow batches of recognitions,
    as `DataFrame.mapInArrow` wants it; its `rows` does the same with rows or dictionaries, for
    `RDD.mapPartitions`. All records that belong together have to be in one partition, in the
    order of their arrival.

    Args:
        program: A compiled description.
        window: How far back each query time looks.
        step: How far apart query times are; the window if there is none.
        start: The start of the run.
        end: The last query time.
        tick: How far apart consecutive time-points are.
        merge: Report each fluent once, at the end.
        on_error: `"stop"` at a malformed record, or `"skip"` it.
        time_limit: Seconds that one query time may take.
        memory: How far back from the window `before` and `after` look; None for the whole run.
    """
    from rtec.runtime.settings import RunSettings
    from rtec.spark.worker import Runner

    RunSettings(window, step, start, end, tick)
    moves = Moves(window, step or window, start, end, tick, merge, on_error, time_limit, memory)
    return Runner(pack(program), moves)


def chunks(items: Iterator[Any], size: int) -> Iterator[list[Any]]:
    """Take items in lists of at most `size`."""
    chunk: list[Any] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
