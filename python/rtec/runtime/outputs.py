"""Files that appear only when they are complete.

Text goes to a temporary name beside the wanted one, which is renamed at the end; if a run
fails, nothing is left. Standard output, pipes and devices are written directly.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from rtec.errors import ConfigError, Problem

STDOUT = "-"


class Output:
    """One file to be written; used in a `with`, it is committed unless there is an error.

    Attributes:
        fresh: Whether nothing has been written to it before.
    """

    fresh = True

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open it; `-` is standard output.

        Raises:
            ConfigError: It cannot be written.
        """
        self.path = os.fspath(path)
        self._temporary: Path | None = None
        self.handle: BinaryIO
        try:
            self._open()
        except OSError as error:
            raise unwritable(self.path, error) from None

    def _open(self) -> None:
        if self.path == STDOUT:
            self.handle = sys.stdout.buffer
            return
        target = Path(self.path)
        if target.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            self.handle = open(target, "wb")
            return
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(None, "Permission denied")
        self._temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
        self.handle = open(self._temporary, "wb")

    def write(self, text: str) -> None:
        """Write text, all of it or with an error."""
        try:
            self.handle.write(text.encode())
        except BrokenPipeError:
            raise
        except OSError as error:
            raise unwritable(self.path, error) from None

    def commit(self) -> None:
        """Make what was written appear under its name."""
        try:
            self.handle.flush()
            if self.path == STDOUT:
                return
            self.handle.close()
            if self._temporary is not None:
                os.replace(self._temporary, self.path)
                self._temporary = None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise unwritable(self.path, error) from None

    def abort(self) -> None:
        """Leave nothing behind."""
        if self.path == STDOUT:
            return
        try:
            self.handle.close()
        except OSError:
            self.handle = open(os.devnull, "wb")  # what was still buffered is not wanted
        if self._temporary is not None:
            self._temporary.unlink(missing_ok=True)
            self._temporary = None

    def __enter__(self) -> Output:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.commit()
        else:
            self.abort()


def check_apart(outputs: Iterable[str | None], inputs: Iterable[str | os.PathLike[str]]) -> None:
    """Refuse outputs that would replace what is read, or each other.

    Raises:
        ConfigError: Two of them are one file.
    """
    read = {os.path.realpath(path) for path in inputs if os.path.isfile(path)}
    written: set[str] = set()
    for path in outputs:
        if path is None or path == STDOUT:
            continue
        real = os.path.realpath(path)
        if real in read or real in written:
            what = "what is read" if real in read else "another output"
            raise ConfigError(
                Problem(
                    f"{path} would replace {what}", "unwritable-output", remedy="name another file"
                )
            )
        if not os.path.exists(real) or os.path.isfile(real):  # devices and pipes take anything
            written.add(real)


def unwritable(path: str, error: OSError) -> ConfigError:
    """Make the error for a file that cannot be written."""
    name = "standard output" if path == STDOUT else path
    reason = error.strerror or str(error)
    return ConfigError(Problem(f"cannot write {name}: {reason}", "unwritable-output"))


def output_exists(path: str) -> ConfigError:
    """The error for a folder that is there already."""
    return ConfigError(
        Problem(
            f"{path} exists already",
            "output-exists",
            remedy="choose another folder, or replace it with --overwrite",
        )
    )
