"""Live streams: records come in micro-batches, changes of what is recognised go out.

Records are keyed by buckets of objects; where rules join objects, what the buckets say goes on
to buckets of pairs. The state of a bucket is the engine's snapshot, with what was reported so
far. A bucket reasons at a query time when the watermark has passed it: the watermark runs over
the arrival of all records, so that a bucket reasons on time even if its own objects fall silent.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType

from rtec.compiler.program import Program
from rtec.errors import ConfigError, Problem
from rtec.runtime.faults import OnError
from rtec.runtime.settings import RunSettings
from rtec.spark import frames
from rtec.spark.buckets import FirstBucket, SecondBucket
from rtec.spark.metrics import Metrics
from rtec.spark.package import Moves, pack
from rtec.spark.plan import PartitionPlan, plan
from rtec.spark.split import Split
from rtec.spark.worker import LINE, schema

_AT = "rtec_at"
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
    late: bool = False,
    on_error: OnError = "stop",
    memory: int | None = None,
    metrics: Metrics | None = None,
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
        disorder: How many time-points to wait for records that arrive out of order before a
            query time is worked out; those that come after that revise it later.
        buckets: How many buckets of objects there are, and of pairs. Descriptions that cannot
            be split have one.
        late: Whether records that are lost, because the window has left them, are reported
            too, in rows whose op is `late`.
        on_error: `"stop"` at a malformed record, or `"skip"` it.
        memory: How far back from the window `before` and `after` look; None for the whole run.
        metrics: Adds up the figures of the query.
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
    _check_state_store(sdf)
    if form == "table":
        frames.check_frame(sdf)
    how = plan(program, groups=False) if partition_plan is None else partition_plan
    split = Split({}, 1) if how.stages is None else Split.of(how, buckets)
    moves = Moves(window, step or window, start, start, tick, on_error=on_error, memory=memory)
    package = pack(program)
    adder = None if metrics is None else metrics.accumulator
    rows = _bucketed(sdf, program, how, form, split.parts)
    # Without its column Spark drops no record behind the watermark; the engine decides.
    rows = rows.withWatermark(_AT, f"{disorder} seconds").drop(_AT)
    changes = f"{schema()}, `op` string"
    blocks = "target int, query_time bigint, data binary"
    first = _stateful(
        rows,
        "rtec_bucket",
        FirstBucket(package, moves, split, form, late, adder),
        blocks if split.second else changes,
    )
    if not split.second:
        return first
    return _stateful(first, "target", SecondBucket(package, moves, split, adder), changes)


def _stateful(rows: DataFrame, key: str, bucket: Any, columns: str) -> DataFrame:
    return rows.groupBy(key).transformWithStateInPandas(
        statefulProcessor=bucket,
        outputStructType=columns,
        outputMode="Append",
        timeMode="EventTime",
    )


def _check_state_store(sdf: DataFrame) -> None:
    known = sdf.sparkSession.conf.get("spark.sql.streaming.stateStore.providerClass", "")
    if known != STATE_STORE:
        raise ConfigError(
            Problem(
                "the session does not keep its state in RocksDB, which this needs",
                "state-store",
                remedy=f"set spark.sql.streaming.stateStore.providerClass to {STATE_STORE}",
            )
        )


def _bucketed(
    sdf: DataFrame, program: Program, how: PartitionPlan, form: frames.Form, count: int
) -> DataFrame:
    """Add the bucket and the arrival of each record."""
    wanted = [LINE] if form != "table" else list(sdf.columns)
    apart = frames.prepared(sdf, form)
    found = frames.fields(apart, form)
    places = F.lit(0)
    if count > 1:
        places = frames.parts(found, program.inputs, how, count)
    if isinstance(apart.select(places).schema[0].dataType, ArrayType):
        places = F.explode(places)
    return apart.select(
        *[f"`{c}`" for c in wanted],
        F.timestamp_seconds(found.arrival).alias(_AT),
        places.alias("rtec_bucket"),
    )
