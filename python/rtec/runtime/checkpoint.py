"""Checkpoints in a folder: the newest, and the one before it in case the newest is damaged.

    rtec checkpoint 2
    {"identity": {...}, "bytes": 5120, "sha256": "..."}
    what the run needs to go on

The identity says what run it belongs to; a run that differs in anything is refused. A new
checkpoint is written under another name, brought to disk, and only then takes the place of the
newest, which becomes the previous one: at any moment at least one is whole.

What a run needs is read with pickle: use only folders that you trust.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from rtec.errors import ConfigError, Problem
from rtec.runtime.partial import sync_folder

FORMAT = 2
LATEST, PREVIOUS = "latest.checkpoint", "previous.checkpoint"
_NEW = "new.checkpoint"
_LOCK = "lock"
_FIRST_LINE = f"rtec checkpoint {FORMAT}\n".encode()
_DIGEST = "sha256:"

Identity: TypeAlias = Mapping[str, Any]
"""What makes two runs the same: by the name of each setting, a value that JSON has."""


class _Damaged(Exception):
    """A file is not what was written."""


class Checkpoints:
    """The checkpoints of one run; used in a `with`, no other process may use the folder."""

    def __init__(self, folder: Path, identity: Identity, notice: Callable[[str], None]) -> None:
        """Use a folder, which is made if need be.

        Args:
            folder: Where checkpoints are.
            identity: What run they have to belong to.
            notice: Where to say that one is damaged.

        Raises:
            ConfigError: It cannot be used, or another process uses it.
        """
        self.folder = folder
        self._identity = json.loads(json.dumps(identity))
        self._notice = notice
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = open(folder / _LOCK, "wb")
        except OSError as error:
            reason = error.strerror or str(error)
            raise ConfigError(
                Problem(f"cannot use the folder {folder}: {reason}", "checkpoint-folder")
            ) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise ConfigError(
                Problem(
                    f"another run keeps its checkpoints in {folder}",
                    "checkpoint-folder",
                    remedy="give each run a folder of its own",
                )
            ) from None

    def __enter__(self) -> Checkpoints:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    def load(self) -> Any | None:
        """Return what the newest checkpoint that is whole holds; None if there is none.

        Raises:
            ConfigError: It belongs to another run, or all are damaged.
        """
        damaged = False
        for name in (LATEST, PREVIOUS):
            path = self.folder / name
            if not path.exists():
                continue
            try:
                data = self._read(path)
            except _Damaged as reason:
                self._notice(f"the checkpoint {path} is damaged: {reason}")
                damaged = True
                continue
            if damaged:
                self._notice("going on from the checkpoint before it")
            return pickle.loads(data)
        if damaged:
            raise ConfigError(
                Problem(
                    f"no checkpoint in {self.folder} is whole",
                    "checkpoint-damaged",
                    remedy="remove the folder to begin anew",
                )
            )
        return None

    def save(self, state: Any) -> None:
        """Write a checkpoint; the last one becomes the previous one.

        Raises:
            ConfigError: It cannot be written.
        """
        data = pickle.dumps(state, protocol=5)
        head = {
            "identity": self._identity,
            "bytes": len(data),
            "sha256": _checksum(self._identity, data),
        }
        new, latest = self.folder / _NEW, self.folder / LATEST
        try:
            with open(new, "wb") as handle:
                handle.write(_FIRST_LINE + json.dumps(head).encode() + b"\n")
                handle.write(data)
                handle.flush()
                os.fsync(handle.fileno())
            if latest.exists():
                os.replace(latest, self.folder / PREVIOUS)
            os.replace(new, latest)
            sync_folder(self.folder)
        except OSError as error:
            reason = error.strerror or str(error)
            raise ConfigError(
                Problem(
                    f"cannot write a checkpoint to {self.folder}: {reason}", "checkpoint-folder"
                )
            ) from None

    def clear(self) -> None:
        """Forget everything: the run is done."""
        for name in (PREVIOUS, LATEST, _NEW):
            (self.folder / name).unlink(missing_ok=True)

    def _read(self, path: Path) -> bytes:
        """Return what a file holds, if it is whole and belongs to this run."""
        with open(path, "rb") as handle:
            first = handle.readline(100)
            if first.startswith(b"rtec checkpoint ") and first != _FIRST_LINE:
                form = first.removeprefix(b"rtec checkpoint ").strip().decode("ascii", "replace")
                raise _refused(path, [f"its format is {form}, not {FORMAT}"])
            if first != _FIRST_LINE:
                raise _Damaged("it does not begin like one")
            try:
                head = json.loads(handle.readline())
                identity, size, checksum = head["identity"], head["bytes"], head["sha256"]
            except (ValueError, KeyError, TypeError):
                raise _Damaged("its second line cannot be read") from None
            data = handle.read()
        if not isinstance(identity, dict) or len(data) != size:
            raise _Damaged(f"it has {len(data):,} bytes, not {size:,}")
        if _checksum(identity, data) != checksum:
            raise _Damaged("the checksum is wrong")
        if identity != self._identity:
            raise _refused(path, list(_differences(identity, self._identity)))
        return data


def digest(data: bytes) -> str:
    """Make of something long the value that stands for it in an identity."""
    return _DIGEST + hashlib.sha256(data).hexdigest()


def _checksum(identity: Identity, data: bytes) -> str:
    known = hashlib.sha256(json.dumps(identity, sort_keys=True).encode())
    known.update(data)
    return known.hexdigest()


def _refused(path: Path, reasons: list[str]) -> ConfigError:
    return ConfigError(
        Problem(
            f"the checkpoint {path} belongs to another run: {'; '.join(reasons)}",
            "checkpoint-differs",
            remedy="start the run as before, or remove the folder to begin anew",
        )
    )


def _differences(then: Identity, now: Identity) -> list[str]:
    """Say what two runs differ in.

    >>> _differences({"window": 10, "step": None}, {"window": 20, "step": None})
    ['window was 10 and is 20']
    """
    found = []
    for what in [*now, *(key for key in then if key not in now)]:
        before, after = then.get(what), now.get(what)
        if before == after:
            continue
        if str(before).startswith(_DIGEST) or str(after).startswith(_DIGEST):
            found.append(f"{what} is not the same")
        else:
            found.append(f"{what} was {_shown(before)} and is {_shown(after)}")
    return found


def _shown(value: Any) -> str:
    if value is None:
        return "not given"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
