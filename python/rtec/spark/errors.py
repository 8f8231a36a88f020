"""Errors on their way from a worker to the driver: one message, with the host and partition."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from rtec.errors import ConfigError, EngineError, Problem, RtecError, StreamError

_SAID = re.compile(r"rtec\.spark\.errors\.WorkerError: (.*?)(?=\n\n|\n\tat |\n[^\n]*Traceback|\Z)",
                   re.DOTALL)  # fmt: skip
_MISSING = re.compile(r"ModuleNotFoundError: No module named '((?:rtec|janus_swi|pyarrow)[^']*)'")
_FILE = re.compile(r"Encountered error while reading file (?:file:/*(?=/))?(\S+)\.\s")
_CAUSE = re.compile(r"Caused by: [\w.$]+: (.+)")
_LOST = re.compile(r"Lost task [\d.]+ in stage [\d.]+ \(TID \d+\) \(([^)]*?)(?: executor [^)]*)?\)")


class WorkerError(Exception):
    """What went wrong in a partition, as text; the driver makes an `RtecError` of it again."""


@contextmanager
def named(partition: int) -> Iterator[None]:
    """Say on which host and in which partition an error happened."""
    try:
        yield
    except RtecError as error:
        kind = type(error).__name__
        where = f"on {socket.gethostname()}, in partition {partition}"
        raise WorkerError(f"{kind} {where}: {error}") from None


def from_worker(error: Exception) -> RtecError | None:
    """Make the one error that a user should see of what Spark raised; None if it is not ours."""
    text = str(error)
    found = _SAID.search(text)
    if found is not None:
        said = found.group(1).strip()
        kind, _, rest = said.partition(" ")
        kinds = {"StreamError": StreamError, "ConfigError": ConfigError}
        return kinds.get(kind, EngineError)(_Said(rest))
    unreadable = _FILE.search(text)
    if unreadable is not None:
        causes = _CAUSE.findall(text)
        reason = causes[-1] if causes else "Spark cannot read it"
        message = f"cannot read the stream {unreadable.group(1)}: {reason}"
        return StreamError(Problem(message, "unreadable-stream"))
    missing = _MISSING.search(text)
    if missing is not None:
        lost = _LOST.search(text)
        host = lost.group(1) if lost else "a worker"
        return ConfigError(
            f"on {host}, Python has no module `{missing.group(1)}`; every worker needs "
            "`pip install rtec[spark]` and SWI-Prolog (docs/spark.md)"
        )
    return None


class _Said(str):
    """The text of a worker's message, which needs no further words around it."""

    __slots__ = ()


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn errors of workers into an `RtecError` for actions inside the context."""
    try:
        yield
    except RtecError:
        raise
    except Exception as error:
        ours = from_worker(error)
        if ours is None:
            raise
        raise ours from None
