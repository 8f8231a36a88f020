"""What goes from one task to another beside Spark, where all of them run on this machine.

A block of records has some hundred kilobytes. Java would copy it from a worker, into a shuffle, out
of it, into the memory that it sorts, and to a worker again. Instead the worker puts it into a file,
and only says where: a row of a few bytes, which Spark moves and sorts as ever. Each attempt at a
task has files of its own, so what Spark passes on is what an attempt wrote that has counted.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

from rtec.runtime.blocks import unreadable
from rtec.spark.written import Folder, writing

_LEAST = 1 << 12
"""Bytes; what is shorter is sent as it is."""


@dataclass(frozen=True, slots=True)
class Aside:
    """Where the pickle of something is: in a file, from a place on, so many bytes."""

    path: str
    place: int
    length: int

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it in a few bytes."""
        return Aside, (self.path, self.place, self.length)

    def fetch(self) -> Any:
        """Read what is there.

        Raises:
            StreamError: It is gone: somebody has deleted what a job needs.
        """
        try:
            with open(self.path, "rb") as file:
                file.seek(self.place)
                data = file.read(self.length)
        except OSError as error:
            raise unreadable(self.path, error) from None
        return pickle.loads(data)


@contextmanager
def sending(folder: Folder | None) -> Iterator[Callable[[bytes], bytes]]:
    """Yield what makes of the pickle of something the pickle to send.

    With a folder, what is large is put into a new file there.
    """
    if folder is None:
        yield bytes
        return
    with writing(Path(folder.asides)):
        handle, path = tempfile.mkstemp(prefix="blocks-", dir=folder.asides)
    with FileIO(handle, "wb") as file:
        yield _Putting(file, Path(path))


class _Putting:
    """Puts one thing after another into a file."""

    def __init__(self, file: FileIO, path: Path) -> None:
        self._file = file
        self._path = path
        self._place = 0

    def __call__(self, data: bytes) -> bytes:
        if len(data) < _LEAST:
            return data
        aside = Aside(str(self._path), self._place, len(data))
        rest = memoryview(data)
        with writing(self._path):
            while rest:  # Linux writes two gigabytes at most at once
                rest = rest[self._file.write(rest) :]
        self._place += len(data)
        return pickle.dumps(aside, protocol=5)


def received(data: Any) -> Any:
    """What was sent, here or aside.

    >>> received(pickle.dumps(["facts"]))
    ['facts']
    """
    found = pickle.loads(data)
    return found.fetch() if isinstance(found, Aside) else found
