"""Outputs that outlive the process that writes them, so that another one can go on.

What is written goes to a hidden file beside the wanted one. A checkpoint says how long that was;
who goes on from the checkpoint cuts off what is more. At the end the file gets its name.
"""

from __future__ import annotations

import os
import pickle
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from rtec.errors import ConfigError, Problem
from rtec.runtime.answers import Recognitions
from rtec.runtime.outputs import STDOUT, Output, unwritable
from rtec.runtime.sinks import Format, Parquet, Sink, make_sink, sink_format


class PartialOutput(Output):
    """One file to be written by several processes in turn.

    Attributes:
        keep: Whether, at the end, the hidden file stays for another process to go on with, and
            what there is so far appears as a copy.
    """

    def __init__(
        self, path: str | os.PathLike[str], length: int | None = None, finished: bool = False
    ) -> None:
        """Open the file.

        Args:
            path: Where it is to appear.
            length: How much of what another process wrote is to stay; None to begin anew.
            finished: Whether the other process wrote all of it.

        Raises:
            ConfigError: It cannot be written, or what was written before is gone.
        """
        self.keep = False
        self.fresh = not length
        self._length = length
        self._finished = finished
        self._hidden = Path(path).with_name(f".{Path(path).name}.rtec-part")
        self._moved = False
        super().__init__(path)

    def sync(self) -> int:
        """Bring what was written safely to disk; return how much that is."""
        try:
            self.handle.flush()
            os.fsync(self.handle.fileno())
            return self.handle.tell()
        except OSError as error:
            raise unwritable(self.path, error) from None

    def commit(self) -> None:
        """Make what was written appear under its name."""
        if self._moved:
            self.handle.close()
            return
        self.sync()
        self.handle.close()
        try:
            if self.keep:
                self._publish()
            else:
                self._move()
            sync_folder(self._hidden.parent)
        except OSError as error:
            raise unwritable(self.path, error) from None

    def abort(self) -> None:
        """Leave what was written for another process to go on with."""
        try:
            self.handle.close()
        except OSError:
            self.handle = open(os.devnull, "wb")

    def _open(self) -> None:
        target = Path(self.path)
        if self.path == STDOUT or (
            target.exists() and not stat.S_ISREG(target.stat().st_mode) and not target.is_dir()
        ):
            name = "standard output" if self.path == STDOUT else self.path
            raise ConfigError(
                Problem(
                    f"{name} cannot be cut back to where a checkpoint was",
                    "unwritable-output",
                    remedy="with --checkpoint, name a file with --out",
                )
            )
        if target.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(None, "Permission denied")
        if self._length is None:
            self.handle = open(self._hidden, "wb")
        elif not self._hidden.exists() and self._finished and target.exists():
            self._moved = True
            self.handle = open(os.devnull, "wb")
        else:
            self.handle = self._cut_back(self._length)

    def _cut_back(self, length: int) -> BinaryIO:
        there = self._hidden.stat().st_size if self._hidden.exists() else 0
        if there < length:
            raise ConfigError(
                Problem(
                    f"{self._hidden} has {there:,} bytes; when the checkpoint was written it had "
                    f"{length:,}",
                    "checkpoint-output",
                    remedy="remove the folder of the checkpoint to begin anew",
                )
            )
        handle = open(self._hidden, "r+b" if there or length else "w+b")
        handle.truncate(length)
        handle.seek(length)
        return handle

    def _move(self) -> None:
        os.replace(self._hidden, self.path)

    def _publish(self) -> None:
        copy = self._hidden.with_suffix(".rtec-copy")
        self._copy(copy)
        with open(copy, "rb") as handle:
            os.fsync(handle.fileno())
        os.replace(copy, self.path)

    def _copy(self, target: Path) -> None:
        shutil.copyfile(self._hidden, target)


class FrameOutput(PartialOutput):
    """Answers one by one, from which Parquet, which cannot be appended to, is made at the end."""

    ops = False

    def write_answers(self, answers: Recognitions) -> None:
        """Write the answers of one query time."""
        rows = (answers.query_time, list(answers.fluents), list(answers.events), answers.op)
        data = pickle.dumps(rows, protocol=5)
        try:
            self.handle.write(len(data).to_bytes(8, "big") + data)
        except OSError as error:
            raise unwritable(self.path, error) from None

    def _move(self) -> None:
        self._publish()
        self._hidden.unlink(missing_ok=True)

    def _copy(self, target: Path) -> None:
        with Parquet(Output(target), self.ops) as sink, open(self._hidden, "rb") as handle:
            for answers in _frames(handle):
                sink.write(answers)


def _frames(handle: BinaryIO) -> Iterator[Recognitions]:
    while size := handle.read(8):
        yield Recognitions(*pickle.loads(handle.read(int.from_bytes(size, "big"))))


class _Frames(Sink):
    """Where recognitions wait to become Parquet."""

    output: FrameOutput

    def write(self, answers: Recognitions) -> None:
        """Write the answers of one query time."""
        self.output.write_answers(answers)


def open_partial_sink(
    path: str | None,
    form: Format | None,
    ops: bool,
    length: int | None = None,
    finished: bool = False,
) -> tuple[Sink, PartialOutput]:
    """Open a writer that goes on where another process was.

    Args:
        path: Where to write.
        form: The format; without one, it follows from the ending of the path.
        ops: Whether changes are written.
        length: How much of what another process wrote is to stay; None to begin anew.
        finished: Whether the other process wrote all of it.

    Raises:
        ConfigError: The file cannot be written, or what was written before is gone.
    """
    name = STDOUT if path is None else path
    form = sink_format(name, form)
    if form == "parquet":
        frames = FrameOutput(name, length, finished)
        frames.ops = ops
        return _Frames(frames, ops), frames
    output = PartialOutput(name, length, finished)
    return make_sink(output, form, ops), output


def sync_folder(folder: Path) -> None:
    """Bring the names of files in a folder safely to disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
