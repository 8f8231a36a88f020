"""Streams: files, tables and records, cut into blocks and merged by arrival.

The records known at a query time are those that have arrived by then, so before a query all
records with an earlier arrival must have been read. Each block says how far that is: no record
of a later block arrives before its `floor`.
"""

from __future__ import annotations

import itertools
import os
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rtec.errors import StreamError
from rtec.runtime import tables
from rtec.runtime.addresses import Address, is_address, parse_address
from rtec.runtime.blocks import Block, Source, unreadable
from rtec.runtime.faults import Faults
from rtec.runtime.files import KEPT, Budget, FileSource
from rtec.runtime.following import Follow, FollowWire
from rtec.runtime.layouts import Layouts
from rtec.runtime.live import LiveSettings, LiveSource, LiveState
from rtec.runtime.pipes import STDIN, PipeWire
from rtec.runtime.records import Input, Record
from rtec.runtime.sockets import SocketWire
from rtec.runtime.tabular import ParquetSource, RecordSource, TableSource
from rtec.runtime.wires import Wire

Origin: TypeAlias = Any
"""What a stream can be made of: a path or address, a table, a DataFrame, records."""


class Stream:
    """Blocks of several sources, merged by arrival."""

    def __init__(
        self, sources: Sequence[Source], faults: Faults, bell: threading.Condition | None = None
    ) -> None:
        """Take the sources, and where their malformed records are noted.

        Args:
            sources: Files, tables, live sources.
            faults: Where malformed records are noted.
            bell: Rung by live sources when something has come.
        """
        self.sources = sources
        self.faults = faults
        self._bell = bell or threading.Condition()
        self._floors = {i: s.least for i, s in enumerate(sources) if s.least is not None}
        self._blocks: dict[int, Iterator[Block]] = {}
        self._taken = [0] * len(sources)

    @property
    def done(self) -> float:
        """How much of the stream has been read, from 0 to 1, by size."""
        total = sum(s.size for s in self.sources)
        return sum(s.done * s.size for s in self.sources) / total if total else 0.0

    @property
    def live(self) -> bool:
        """Whether a source goes on while it is read."""
        return any(isinstance(s, LiveSource) for s in self.sources)

    @property
    def floor(self) -> int | None:
        """No record that has not been read arrives before this; None if there is none."""
        return min(self._floors.values(), default=None)

    def __iter__(self) -> Iterator[Block]:
        while (source := self.nearest()) is not None:
            yield self.read(source)

    def nearest(self) -> int | None:
        """Number the source that holds the others back; None if all have been read."""
        return min(self._floors, key=self._floors.__getitem__, default=None)

    def ready(self, until: int) -> int | None:
        """Number a source that can be read without waiting, and whose time is not after `until`."""
        return next((i for i, f in self._floors.items() if f <= until and self._is_ready(i)), None)

    def wait(self, source: int, seconds: float) -> bool:
        """Wait for a source, or for some time; return whether it can be read without waiting."""
        self.start()
        with self._bell:
            return self._bell.wait_for(lambda: self._is_ready(source), seconds)

    def wait_for_any(self, until: int, seconds: float) -> int | None:
        """Wait until some source is ready, or for some time; return what `ready` does."""
        self.start()
        with self._bell:
            self._bell.wait_for(lambda: self.ready(until) is not None, seconds)
        return self.ready(until)

    def read(self, source: int) -> Block:
        """Read a block of a source; its floor is that of the whole stream."""
        if source not in self._blocks:
            self._blocks[source] = self.sources[source].blocks()
        block = next(self._blocks[source], None)
        self._taken[source] += 1
        if block is None or block.floor is None:
            del self._floors[source]
        else:
            self._floors[source] = block.floor
        return Block(block.batches, self.floor, block.first) if block else Block([], self.floor)

    def start(self) -> None:
        """Let all live sources begin to read."""
        for i in self._floors:
            source = self.sources[i]
            if isinstance(source, LiveSource):
                source.start()

    def state(self) -> list[SourceState]:
        """Return how far each source has been read."""
        return [
            SourceState(
                self._floors.get(i),
                self._taken[i],
                source.state() if isinstance(source, LiveSource) else None,
            )
            for i, source in enumerate(self.sources)
        ]

    def resume(self, states: Sequence[SourceState]) -> None:
        """Go on where another process was; to be called before anything is read."""
        for i, (source, state) in enumerate(zip(self.sources, states, strict=True)):
            self._taken[i] = state.blocks
            if state.floor is None:
                self._floors.pop(i, None)
                continue
            self._floors[i] = state.floor
            if isinstance(source, LiveSource):
                assert state.live is not None
                source.resume(state.live)
            elif isinstance(source, FileSource):
                source.skip(state.blocks)
            else:
                blocks = self._blocks[i] = source.blocks()
                for _ in itertools.islice(blocks, state.blocks):
                    pass

    def close(self) -> None:
        """Read no more of live sources."""
        for source in self.sources:
            if isinstance(source, LiveSource):
                source.close()

    def _is_ready(self, source: int) -> bool:
        each = self.sources[source]
        return not isinstance(each, LiveSource) or each.ready


@dataclass(frozen=True, slots=True)
class SourceState:
    """How far a source has been read.

    Attributes:
        floor: No later record arrives before this; None if all have been read.
        blocks: How many blocks were read of a file.
        live: How far a live source was read.
    """

    floor: int | None
    blocks: int
    live: LiveState | None = None


def read_stream(
    origins: Iterable[Origin] | Origin,
    inputs: Mapping[str, Sequence[Input]],
    faults: Faults | None = None,
    live: LiveSettings | None = None,
) -> Stream:
    """Open streams, to be read in blocks in the order of arrival.

    Args:
        origins: One or several of: a path (pipe-separated text or JSON lines, gzip'd or not,
            Parquet, a named pipe; `-` is standard input), the address of a socket, a file to
            `Follow`, an Arrow table, a DataFrame, an iterable of records.
        inputs: What the description reads, by name.
        faults: Whether malformed records stop the run, and where they are counted.
        live: How pipes, sockets and files that are followed are read.

    Raises:
        StreamError: A file cannot be read.
        ConfigError: An address is none.
    """
    opener = _Opener(Layouts(inputs), faults or Faults(), live or LiveSettings())
    return Stream([opener.open(o) for o in _several(origins)], opener.faults, opener.bell)


def _several(origins: Iterable[Origin] | Origin) -> list[Origin]:
    """Tell several origins from one."""
    if isinstance(origins, list | tuple) and not (origins and isinstance(origins[0], Record)):
        return list(origins)
    return [origins]


class _Opener:
    """Makes sources of origins."""

    def __init__(self, layouts: Layouts, faults: Faults, live: LiveSettings) -> None:
        self.faults = faults
        self.bell = threading.Condition()
        self._layouts = layouts
        self._live = live
        self._budget = Budget(KEPT)

    def open(self, origin: Origin) -> Source:
        layouts, faults = self._layouts, self.faults
        if isinstance(origin, str | os.PathLike):
            return self._open_path(os.fspath(origin))
        if isinstance(origin, Follow):
            return self._source(FollowWire(origin.path, self._live.notice))
        module = type(origin).__module__.partition(".")[0]
        if module == "pyarrow":
            return TableSource(origin, "<table>", layouts, faults)
        if module == "pandas":
            table, args = tables.from_pandas(origin)
            return TableSource(table, "<dataframe>", layouts, faults, args)
        if isinstance(origin, Record):
            return RecordSource([origin], layouts, faults)
        if isinstance(origin, Iterable):
            return RecordSource(origin, layouts, faults)
        raise StreamError(f"cannot read records from {type(origin).__name__}")

    def _open_path(self, path: str) -> Source:
        if path == STDIN:
            return self._pipe(path)
        if is_address(path):
            return self._socket(parse_address(path))
        try:
            status = os.stat(path)
            if stat.S_ISREG(status.st_mode):
                with open(path, "rb") as handle:
                    magic = handle.read(4)
                if magic == b"PAR1":
                    return ParquetSource(path, self._layouts, self.faults)
                size = status.st_size
                return FileSource(path, size, self._layouts, self.faults, self._budget)
            if stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError(None, "it is a folder")
        except OSError as error:
            raise unreadable(path, error) from None
        if stat.S_ISSOCK(status.st_mode):
            return self._socket(Address(path, path=path))
        return self._pipe(path)

    def _pipe(self, path: str) -> Source:
        return self._source(PipeWire(path, self._live.replays is not False, self._live.notice))

    def _socket(self, address: Address) -> Source:
        live = self._live
        return self._source(SocketWire(address, live.replays is True, live.reconnect, live.notice))

    def _source(self, wire: Wire) -> LiveSource:
        return LiveSource(wire, self.bell, self._layouts, self.faults, self._live)
