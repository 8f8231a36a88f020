"""Buckets of a live stream, as Spark calls them: with rows, and when time has passed.

Rows are only put into the state; reasoning waits until the watermark has passed a query time.
Sessions stay open between calls as long as the state that comes back is the one they left.
"""

from __future__ import annotations

import json
import pickle
import uuid
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from rtec.errors import ConfigError, Problem
from rtec.runtime.answers import COLUMNS, Recognitions, json_args, to_table
from rtec.runtime.buffer import Due
from rtec.runtime.changes import Changes
from rtec.runtime.faults import Faults
from rtec.runtime.layouts import Layouts
from rtec.runtime.session import OTHER_VERSION
from rtec.runtime.windows import Windowing
from rtec.spark.errors import named
from rtec.spark.intake import Intake
from rtec.spark.package import Moves, Package
from rtec.spark.process import settle
from rtec.spark.split import Split
from rtec.spark.staging import Facts, FirstPart, SecondPart
from rtec.spark.worker import Adder, figures, read_rows

_KEPT_OPEN = 32


@dataclass
class BucketState:
    """Everything that a bucket has to remember.

    Attributes:
        query_time: The last one that was worked out.
        changes: What was reported so far.
        snapshot: The engine's state.
        version: Which session left this state.
        intake: Records that wait, in the first stage.
        pending: Facts that wait for their query time, in the second stage.
    """

    query_time: int
    changes: Changes
    snapshot: bytes = b""
    version: str = ""
    intake: Intake | None = None
    pending: dict[int, list[Facts]] = field(default_factory=dict)

    def pack(self) -> bytes:
        """Write it for the state store."""
        return zlib.compress(pickle.dumps(self, protocol=5), 1)

    @classmethod
    def unpack(cls, data: bytes) -> BucketState:
        """Read what `pack` wrote.

        Raises:
            ConfigError: Another version of rtec wrote it.
        """
        try:
            state = pickle.loads(zlib.decompress(data))
        except OTHER_VERSION:
            raise ConfigError(
                Problem(
                    "the checkpoint was made by another version of rtec",
                    "checkpoint-differs",
                    remedy="go on with that version, or remove the folder to begin anew",
                )
            ) from None
        assert isinstance(state, cls)
        return state


_open: OrderedDict[str, Any] = OrderedDict()


def _reopened(version: str) -> Any:
    """The part that left a state, if this process has it open."""
    return _open.pop(version, None)


def _keep_open(version: str, part: Any) -> None:
    _open[version] = part
    while len(_open) > _KEPT_OPEN:
        _open.popitem(last=False)[1].close()


class _Bucket(StatefulProcessor):
    """What the buckets of both stages have in common."""

    def __init__(self, package: Package, moves: Moves, split: Split, metrics: Adder | None) -> None:
        """Take what every bucket needs; a broadcast value is not at hand where this is read."""
        self._package = package
        self._moves = moves
        self._split = split
        self._metrics = metrics

    def init(self, handle: Any) -> None:
        """Open the state."""
        settle()
        self._handle = handle
        self._state = handle.getValueState("engine", "data binary")
        self._windowing = Windowing(self._moves.size, self._moves.step)

    def close(self) -> None:
        """Nothing is open that belongs to the state."""

    def _load(self) -> BucketState:
        if self._state.exists():
            return BucketState.unpack(bytes(self._state.get()[0]))
        return BucketState(self._moves.start, Changes(self._moves.tick))

    def _save(self, state: BucketState) -> None:
        self._state.update((state.pack(),))
        self._handle.registerTimer(self._due(state.query_time))

    def _save_with(self, state: BucketState, part: FirstPart | SecondPart) -> None:
        state.snapshot = part.session.snapshot()
        state.version = uuid.uuid4().hex
        self._save(state)
        _keep_open(state.version, part)

    def _due(self, query_time: int) -> int:
        """When, in Spark's milliseconds, the query time after another one is past."""
        return (self._windowing.next(query_time) + 1) * 1000


class FirstBucket(_Bucket):
    """A bucket of objects."""

    def __init__(
        self,
        package: Package,
        moves: Moves,
        split: Split,
        form: str,
        late: bool = False,
        metrics: Adder | None = None,
    ) -> None:
        """Take what every bucket needs."""
        super().__init__(package, moves, split, metrics)
        self._form = form
        self._late = late

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[pd.DataFrame]:  # noqa: N802, N803
        """Take the records of a micro-batch; they are used when time has passed."""
        number = int(key[0])
        with named(number):
            faults = Faults(self._moves.on_error)
            layouts = Layouts(self._package.inputs)
            state = self._load()
            intake = self._intake(state, number)
            for frame in rows:
                plain = frame.drop(columns=["rtec_bucket"])
                table = pa.Table.from_pandas(plain, preserve_index=False)
                name = f"bucket {number}"
                for batch in read_rows(table, self._form, name, 1, layouts, faults):
                    intake.add(batch)
            self._save(state)
            if self._metrics is not None:
                self._metrics.add({"malformed": faults.skipped})
        yield from ()

    def handleExpiredTimer(  # noqa: N802
        self,
        key: Any,
        timerValues: Any,  # noqa: N803
        expiredTimerInfo: Any,  # noqa: N803
    ) -> Iterator[pd.DataFrame]:
        """Reason at every query time that the watermark has passed."""
        number = int(key[0])
        watermark = timerValues.getCurrentWatermarkInMs()
        changes: list[Recognitions] = []
        lost: list[dict[str, Any]] = []
        blocks: list[tuple[int, int, bytes]] = []
        with named(number):
            state = self._load()
            intake = self._intake(state, number)
            part = _reopened(state.version) or FirstPart(
                self._package.unpack(), self._moves, self._split, number, state.snapshot
            )
            while self._due(state.query_time) <= watermark:
                is_first = state.query_time == self._moves.start
                state.query_time = self._windowing.next(state.query_time)
                window = self._windowing.window(self._moves.start, state.query_time)
                answers, due, sent = part.query(window, intake, is_first)
                changes += state.changes.take(window, answers)
                state.changes.forget(window.start)
                for target, facts in sent.items():
                    blocks.append((target, state.query_time, pickle.dumps(facts, protocol=5)))
                if self._late:
                    lost += lost_rows(state.query_time, due)
                if self._metrics is not None:
                    seconds = part.session.timings.recognise
                    self._metrics.add(figures(due.counts, len(answers), seconds, number))
            self._save_with(state, part)
        frame = changes_frame(changes, lost)
        if not self._split.second:
            if len(frame):
                yield frame
            return
        if len(frame):
            data = pickle.dumps(frame, protocol=5)
            blocks.append((number % self._split.targets, state.query_time, data))
        if blocks:
            yield pd.DataFrame(blocks, columns=["target", "query_time", "data"])

    def _intake(self, state: BucketState, number: int) -> Intake:
        if state.intake is None:
            state.intake = Intake.empty(self._split, number, self._moves)
        return state.intake


class SecondBucket(_Bucket):
    """A bucket of pairs."""

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[pd.DataFrame]:  # noqa: N802, N803
        """Keep facts until their query time; pass the changes of the first stage on."""
        with named(int(key[0])):
            state = self._load()
            for frame in rows:
                for query_time, data in zip(frame["query_time"], frame["data"], strict=True):
                    content = pickle.loads(data)
                    if isinstance(content, pd.DataFrame):
                        yield content
                    else:
                        state.pending.setdefault(int(query_time), []).append(content)
            self._save(state)

    def handleExpiredTimer(  # noqa: N802
        self,
        key: Any,
        timerValues: Any,  # noqa: N803
        expiredTimerInfo: Any,  # noqa: N803
    ) -> Iterator[pd.DataFrame]:
        """Reason at every query time that the watermark has passed."""
        watermark = timerValues.getCurrentWatermarkInMs()
        changes: list[Recognitions] = []
        with named(int(key[0])):
            state = self._load()
            part = _reopened(state.version) or SecondPart(
                self._package.unpack(), self._moves, self._split, state.snapshot
            )
            while self._due(state.query_time) <= watermark:
                state.query_time = self._windowing.next(state.query_time)
                window = self._windowing.window(self._moves.start, state.query_time)
                facts = state.pending.pop(state.query_time, [])
                answers = part.query(window, facts)
                changes += state.changes.take(window, answers)
                state.changes.forget(window.start)
                if self._metrics is not None:
                    ms = round(part.session.timings.recognise * 1000, 3)
                    self._metrics.add({"recognitions": len(answers), "recognise_ms": ms})
            self._save_with(state, part)
        frame = changes_frame(changes, [])
        if len(frame):
            yield frame


def changes_frame(changes: list[Recognitions], lost: list[dict[str, Any]]) -> pd.DataFrame:
    """Make the rows that Spark gets."""
    table = to_table(changes, ops=True)
    if lost:
        table = pa.concat_tables([table, pa.Table.from_pylist(lost, table.schema)])
    found = table.to_pandas()
    for column in ("start", "end", "query_time"):
        found[column] = found[column].astype("Int64")
    return found[[*COLUMNS, "op"]]


def lost_rows(query_time: int, due: Due) -> list[dict[str, Any]]:
    """Records that came too late, in the columns of changes."""
    return [
        {
            "query_time": query_time,
            "fluent": record.name,
            "args": json_args(list(record.args)),
            "value": None if record.value is None else json.dumps(record.value),
            "start": record.time,
            "end": record.end,
            "op": "late",
        }
        for batch in due.lost
        for record in batch.records()
    ]
