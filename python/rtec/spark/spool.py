"""A durable spool: lines that are numbered as they come and can be read again by number.

Lines lie in files named after the number of their first line. What `append` has returned from
is on disk. A line that was being written when the machine stopped is cut off.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from rtec.errors import ConfigError, Problem

_LINES = 50_000
_PATIENCE = 20.0


class Spool:
    """A folder of numbered lines, with one writer."""

    def __init__(self, folder: Path, lines: int = _LINES) -> None:
        """Open a folder, which is made if there is none; nobody else may have it open.

        Args:
            folder: Where the lines are.
            lines: How many lines make a file.

        Raises:
            ConfigError: The folder cannot be written, or another process has it open.
        """
        self._folder = folder
        self._lines = lines
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = (folder / "lock").open("w")
        except OSError as error:
            raise ConfigError(
                Problem(f"cannot write the spool {folder}: {error.strerror}", "spool")
            ) from None
        self._acquire()
        self._file: IO[bytes] | None = None
        files = self._files()
        self._first = files[-1] if files else 0
        self._end = self._first + (self._repair(files[-1]) if files else 0)

    def _acquire(self) -> None:
        until = time.monotonic() + _PATIENCE  # a killed predecessor may need a moment to end
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                if time.monotonic() > until:
                    raise ConfigError(
                        Problem(
                            f"another process uses the spool {self._folder}",
                            "spool",
                            remedy="stop it, or give this query a spool of its own",
                        )
                    ) from None
                time.sleep(0.1)

    @property
    def end(self) -> int:
        """The number that the next line will have."""
        return self._end

    def append(self, lines: Sequence[str]) -> int:
        """Write lines; they are on disk when this returns."""
        if not lines:
            return self._end
        if self._file is None or self._end - self._first >= self._lines:
            self._next_file()
        assert self._file is not None
        self._file.write("".join(f"{line}\n" for line in lines).encode())
        self._file.flush()
        os.fsync(self._file.fileno())
        self._end += len(lines)
        return self._end

    def read(self, start: int, end: int) -> Iterator[str]:
        """Yield the lines with numbers from `start` up to `end`, which is left out."""
        for first in self._files():
            if first >= end:
                return
            with self._path(first).open("rb") as file:
                for number, line in enumerate(file, first):
                    if number >= end:
                        return
                    if number >= start:
                        yield line.decode().rstrip("\n")

    def forget(self, until: int) -> None:
        """Drop the files all of whose lines have lower numbers."""
        files = self._files()
        for first, following in zip(files, files[1:], strict=False):
            if following <= until:
                self._path(first).unlink()

    def close(self) -> None:
        """Let others have the folder."""
        if self._file is not None:
            self._file.close()
        self._lock.close()

    def _next_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._first = self._end
        self._file = self._path(self._first).open("ab")
        directory = os.open(self._folder, os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)

    def _repair(self, first: int) -> int:
        """Cut an unfinished line off the last file; return how many lines it has."""
        path = self._path(first)
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            with path.open("rb+") as file:
                file.truncate(len(whole))
        return whole.count(b"\n")

    def _files(self) -> list[int]:
        return sorted(int(path.stem) for path in self._folder.glob("*.lines"))

    def _path(self, first: int) -> Path:
        return self._folder / f"{first:020}.lines"
