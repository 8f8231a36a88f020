"""Live streams: records come in micro-batches, changes of what is recognised go out.

Records are keyed by buckets of objects. The state of a bucket is the engine's snapshot, with what
was reported so far. A bucket reasons at a query time when the watermark has passed it: the
watermark runs over the arrival of all records, so that a bucket reasons on time even if its own
objects fall silent.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from rtec.compiler.program import Program
from rtec.errors import ConfigError, Problem
from rtec.runtime.answers import COLUMNS, to_table
from rtec.runtime.changes import Changes
from rtec.runtime.faults import Faults, OnError
from rtec.runtime.layouts import Layouts
from rtec.runtime.session import Policy, Session
from rtec.runtime.settings import RunSettings
from rtec.runtime.windows import Windowing
from rtec.spark import frames
from rtec.spark.errors import named
from rtec.spark.package import Moves, Package, pack
from rtec.spark.plan import PartitionPlan, plan
from rtec.spark.worker import LINE, read_rows, schema

_BUCKET, _AT = "rtec_bucket", "rtec_at"
STATE_STORE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def stream(
    sdf: DataFrame,
    program: Program,
    *,
    window: int,
    step: int | None = None,
    start: int = 0,
    tick: int = 1,
    disorder: int = 0,
    buckets: int = 8,
    on_error: OnError = "stop",
    form: frames.Form = "table",
    partition_plan: PartitionPlan | None = None,
) -> DataFrame:
    """Recognise continuously in a streaming DataFrame of records.

    Args:
        sdf: Records, with the columns of a stream. A time-point counts as a second.
        program: A compiled description.
        window: How far back each query time looks; late records count as long as it reaches.
        step: How far apart query times are; the window if there is none.
        start: The start of the run.
        tick: How far apart consecutive time-points are.
        disorder: By how many time-points the arrivals of records may be out of order; a record
            that is further behind the latest arrival is dropped by Spark.
        buckets: How many buckets of objects there are. Descriptions with pairs, and those that
            cannot be split, have one.
        on_error: `"stop"` at a malformed record, or `"skip"` it.
        form: As for `recognise`.
        partition_plan: How to split; derived from the program by default.

    Returns:
        Changes: query_time, fluent, args, value, start, end and op, which is `+` for an interval
        that is new or longer, and `-` for one that is withdrawn.

    Raises:
        ConfigError: A setting makes no sense, or the session keeps its state in another store.
        StreamError: A column is missing or of the wrong type.
    """
    RunSettings(window, step, start, None, tick)
    spark = sdf.sparkSession
    if spark.conf.get("spark.sql.streaming.stateStore.providerClass", "") != STATE_STORE:
        raise ConfigError(
            Problem(
                "the session does not keep its state in RocksDB, which this needs",
                "state-store",
                remedy=f"set spark.sql.streaming.stateStore.providerClass to {STATE_STORE}",
            )
        )
    if form == "table":
        frames.check_frame(sdf)
    how = plan(program) if partition_plan is None else partition_plan
    count = 1 if how.whole or how.relational or how.spontaneous else buckets
    moves = Moves(window, step or window, start, start, tick, on_error=on_error)
    rows = _bucketed(sdf, program, how, form, count)
    rows = rows.withWatermark(_AT, f"{disorder} seconds")
    return rows.groupBy(_BUCKET).transformWithStateInPandas(
        statefulProcessor=Bucket(pack(program), moves, form),
        outputStructType=f"{schema()}, `op` string",
        outputMode="Append",
        timeMode="EventTime",
    )


def _bucketed(
    sdf: DataFrame, program: Program, how: PartitionPlan, form: frames.Form, count: int
) -> DataFrame:
    """Add the bucket and the arrival of each record."""
    found = frames.fields(sdf, form)
    wanted = [LINE] if form != "table" else list(sdf.columns)
    place = F.array(F.lit(0))
    if count > 1:
        key = F.get(frames.keys(found, program.inputs, how), F.lit(0))
        own = F.when(key.isNull(), 0).otherwise(F.pmod(F.xxhash64(key), F.lit(count)).cast("int"))
        everywhere = F.array(*[F.lit(i) for i in range(count)])
        keyless = frames.keyless(found, program.inputs, how)
        place = F.when(keyless, everywhere).otherwise(F.array(own))
    return sdf.select(
        *[f"`{c}`" for c in wanted],
        F.timestamp_seconds(found.arrival).alias(_AT),
        F.explode(place).alias(_BUCKET),
    )


@dataclass
class BucketState:
    """Everything that a bucket has to remember."""

    snapshot: bytes
    changes: Changes
    query_time: int

    def pack(self) -> bytes:
        """Write it for the state store."""
        return zlib.compress(pickle.dumps(self, protocol=5))

    @classmethod
    def unpack(cls, data: bytes) -> BucketState:
        """Read what `pack` wrote."""
        state = pickle.loads(zlib.decompress(data))
        assert isinstance(state, BucketState)
        return state


class Bucket(StatefulProcessor):
    """Recognition in one bucket, as Spark calls it: with rows, and when time has passed."""

    def __init__(self, package: Package, moves: Moves, form: str) -> None:
        """Take what every bucket needs; a broadcast value is not at hand where this is read."""
        self._package = package
        self._moves = moves
        self._form = form

    def init(self, handle: Any) -> None:
        """Open the state."""
        self._handle = handle
        self._state = handle.getValueState("engine", "data binary")
        self._windowing = Windowing(self._moves.size, self._moves.step)

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[pd.DataFrame]:  # noqa: N802, N803
        """Take the records of a micro-batch; they are used when time has passed."""
        number = int(key[0])
        with named(number):
            program = self._package.unpack()
            layouts, faults = Layouts(program.inputs), Faults(self._moves.on_error)
            session, state = self._open(program)
            with session:
                for frame in rows:
                    plain = frame.drop(columns=[_AT, _BUCKET])
                    table = pa.Table.from_pandas(plain, preserve_index=False)
                    for batch in read_rows(
                        table, self._form, f"bucket {number}", 1, layouts, faults
                    ):
                        session.take(batch)
                self._close(session, state)
        self._handle.registerTimer(self._timer(state.query_time))
        yield from ()

    def handleExpiredTimer(  # noqa: N802
        self,
        key: Any,
        timerValues: Any,  # noqa: N803
        expiredTimerInfo: Any,  # noqa: N803
    ) -> Iterator[pd.DataFrame]:
        """Reason at every query time that the watermark has passed."""
        watermark = timerValues.getCurrentWatermarkInMs()
        moves = self._moves
        answers = []
        with named(int(key[0])):
            session, state = self._open(self._package.unpack())
            with session:
                while self._timer(state.query_time) <= watermark:
                    state.query_time = self._windowing.next(state.query_time)
                    at = self._windowing.window(moves.start, state.query_time)
                    answers += state.changes.take(at, session.query(state.query_time))
                    state.changes.forget(at.start)
                self._close(session, state)
        self._handle.registerTimer(self._timer(state.query_time))
        if answers:
            found = to_table(answers, ops=True).to_pandas()
            for column in ("start", "end", "query_time"):
                found[column] = found[column].astype("Int64")
            yield found[[*COLUMNS, "op"]]

    def close(self) -> None:
        """Nothing is open between calls."""

    def _timer(self, query_time: int) -> int:
        """When, in Spark's milliseconds, the query time after another one is past."""
        return (self._windowing.next(query_time) + 1) * 1000

    def _open(self, program: Program) -> tuple[_LiveSession, BucketState]:
        moves = self._moves
        if self._state.exists():
            state = BucketState.unpack(bytes(self._state.get()[0]))
            return _LiveSession.restore(program, state.snapshot), state
        session = _LiveSession(program, window=moves.size, start=moves.start, tick=moves.tick)
        return session, BucketState(b"", Changes(moves.tick), moves.start)

    def _close(self, session: _LiveSession, state: BucketState) -> None:
        state.snapshot = session.snapshot()
        self._state.update((state.pack(),))


class _LiveSession(Session):
    """A session that takes records in batches."""

    def take(self, batch: Any) -> None:
        """Take records; each counts from the first query time at or after its arrival."""
        self._buffer.add(batch)

    @classmethod
    def restore(
        cls,
        program: Program,
        snapshot: bytes,
        *,
        time_limit: float | None = None,
        incremental: Policy | bool = "never",
    ) -> _LiveSession:
        """Go on from a snapshot."""
        session = super().restore(
            program, snapshot, time_limit=time_limit, incremental=incremental
        )
        assert isinstance(session, _LiveSession)
        return session
