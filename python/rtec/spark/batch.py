"""Batches: a DataFrame of records in, a DataFrame of recognitions out.

scan      which objects there are, and which of them meet        (only where it is needed)
split     every record to the partition of its objects, in the order of arrival
recognise the engine, in each partition
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType

from rtec.compiler.program import Program
from rtec.runtime.faults import OnError
from rtec.runtime.records import read_field
from rtec.runtime.settings import RunSettings
from rtec.runtime.windows import default_start
from rtec.spark import frames
from rtec.spark.assign import deal, groups
from rtec.spark.errors import plain_errors
from rtec.spark.metrics import Metrics
from rtec.spark.objects import object_name
from rtec.spark.package import Moves, pack
from rtec.spark.plan import PartitionPlan, plan
from rtec.spark.split import Split
from rtec.spark.stage_workers import FirstStage, SecondStage
from rtec.spark.worker import ARRIVAL, LINE, PARTITION, SEED, Ownership, Runner, schema

_KEYS, _KEY = "rtec_keys", "rtec_key"


def recognise(
    df: DataFrame,
    program: Program,
    *,
    window: int | None = None,
    step: int | None = None,
    start: int | None = None,
    end: int | None = None,
    tick: int = 1,
    merge: bool = False,
    on_error: OnError = "stop",
    time_limit: float | None = None,
    partitions: int | None = None,
    metrics: Metrics | None = None,
    form: frames.Form = "table",
    partition_plan: PartitionPlan | None = None,
) -> DataFrame:
    """Recognise the fluents and events of a program in a DataFrame of records.

    Args:
        df: Records, with the columns of a stream: name, time, and as needed arrival, end,
            value, args (a list, or the text of a JSON list; or arg1, arg2, ...), op, prob.
        program: A compiled description.
        window: How far back each query time looks; the step if there is none. Without either,
            the whole stream is one window.
        step: How far apart query times are; the window if there is none.
        start: The start of the run; the last multiple of the step before the first time-point
            if there is none.
        end: The last query time; the last arrival or time-point if there is none.
        tick: How far apart consecutive time-points are.
        merge: Report each fluent once, over the whole run.
        on_error: `"stop"` at a malformed record, or `"skip"` it.
        time_limit: Seconds that one query time may take.
        partitions: How many parts to make; as many as the cluster has cores, by default.
        metrics: Adds up the figures of the job.
        form: `"table"`; or a DataFrame with the lines of files in its column `rtec_line`,
            pipe-separated (`"lines"`) or JSON (`"json"`).
        partition_plan: How to split; derived from the program by default.

    Returns:
        The columns query_time, fluent, args, value, start, end: a row for each interval.

    Raises:
        ConfigError: A setting makes no sense.
        StreamError: A column is missing or of the wrong type.
    """
    settings = RunSettings(window, step, start, end, tick)
    if form == "table":
        frames.check_frame(df)
    how = plan(program) if partition_plan is None else partition_plan
    sc = df.sparkSession.sparkContext
    frame = frames.prepared(df, form)
    job = _Job(frame, program, how, form, partitions or sc.defaultParallelism)
    with plain_errors():
        moves = job.moves(settings, merge, on_error, time_limit)
    if moves is None:
        return df.sparkSession.createDataFrame([], schema())
    with plain_errors():
        parts, ownership = job.split()
    package = sc.broadcast(pack(program))
    adder = None if metrics is None else metrics.accumulator
    if how.stages is not None and job.partitions > 1:
        split = Split.of(how, job.partitions)
        met = sc.broadcast(job.met()) if job.knows_meetings else None
        first = _Staged(package, moves, split, form, adder, met)
        if not split.second:
            return parts.mapInArrow(first.first, schema())
        blocks = parts.mapInArrow(first.first, "target int, query_time bigint, data binary")
        blocks = blocks.repartitionById(split.targets, F.col("target"))
        return blocks.sortWithinPartitions("query_time").mapInArrow(first.second, schema())
    runner = _Task(
        package, moves, form, None if ownership is None else sc.broadcast(ownership), adder
    )
    return parts.mapInArrow(runner.recognise, schema())


@dataclass(frozen=True)
class _Staged:
    """The two stages, as they are sent to the workers."""

    package: Any
    moves: Moves
    split: Split
    form: str
    metrics: Any
    met: Any

    def first(self, batches: Any) -> Any:
        """Work out what is about one object."""
        met = () if self.met is None else self.met.value
        stage = FirstStage(
            self.package.value, self.moves, self.split, self.form, self.metrics, _partition, met
        )
        return stage(batches)

    def second(self, batches: Any) -> Any:
        """Work out what joins several objects."""
        stage = SecondStage(self.package.value, self.moves, self.split, self.metrics, _partition)
        return stage(batches)


@dataclass(frozen=True)
class _Task:
    """What is sent to the workers: broadcast values, and where figures go."""

    package: Any
    moves: Moves
    form: str
    ownership: Any
    metrics: Any

    def recognise(self, batches: Any) -> Any:
        """Recognise in a partition."""
        ownership: Callable[[], Ownership] | None = None
        if self.ownership is not None:
            ownership = lambda: self.ownership.value  # noqa: E731
        runner = Runner(
            self.package.value, self.moves, self.form, ownership, self.metrics, _partition
        )
        return runner(batches)


def _partition() -> int:
    context = TaskContext.get()
    return 0 if context is None else context.partitionId()


@dataclass(frozen=True)
class _Job:
    frame: DataFrame
    program: Program
    plan: PartitionPlan
    form: frames.Form
    partitions: int

    @property
    def fields(self) -> frames.Fields:
        return frames.fields(self.frame, self.form)

    def moves(
        self, settings: RunSettings, merge: bool, on_error: OnError, time_limit: float | None
    ) -> Moves | None:
        """Settle window, step, start and end, once for all partitions; None: nothing to do."""
        windowing = settings.windowing()
        start, end, tick = settings.start, settings.end, settings.tick
        if start is None or end is None:
            first, last = self._range()
            if start is None and first is not None:
                start = first - tick if windowing is None else default_start(first, windowing.step)
            if end is None and last is not None and start is not None:
                end = max(start, last)
        if start is None:
            return None
        if end is None:
            end = start
        if end < start:
            return None
        size = max(1, end - start) if windowing is None else windowing.size
        step = size if windowing is None else windowing.step
        return Moves(size, step, start, end, tick, merge, on_error, time_limit)

    def _range(self) -> tuple[int | None, int | None]:
        """Find the first time-point, and the last time-point or arrival."""
        self._describe("rtec: first and last time-point")
        found = self.fields
        rows = self.frame.where(frames.known(found, self.program.inputs))
        last = F.greatest(found.arrival, found.time)
        row = rows.agg(F.min(found.time), F.max(last)).collect()[0]
        return row[0], row[1]

    def split(self) -> tuple[DataFrame, Ownership | None]:
        """Send every record to its partition; say who reports what, if that is not plain."""
        found = self.fields
        rows = self.frame.withColumn(ARRIVAL, found.arrival)
        if self.plan.whole or self.partitions == 1:
            whole = self._seeded(rows.withColumn(PARTITION, F.lit(0)), 1).coalesce(1)
            return self._in_order(whole), None
        count = self.partitions
        if self.plan.stages is not None:
            self._describe("rtec: recognition, object by object and then pair by pair")
            places = frames.parts(
                found, self.program.inputs, self.plan, count, first_only=self.knows_meetings
            )
            if isinstance(rows.select(places).schema[0].dataType, ArrayType):
                places = F.explode(places)
            rows = self._seeded(rows.withColumn(PARTITION, places), count)
            return self._in_order(rows.repartitionById(count, F.col(PARTITION))), None
        rows = rows.withColumn(_KEYS, frames.keys(found, self.program.inputs, self.plan))
        rows = rows.withColumn("rtec_all", frames.keyless(found, self.program.inputs, self.plan))
        rows = rows.withColumn(_KEY, F.get(F.col(_KEYS), F.lit(0)))
        ownership = None
        hashed = F.pmod(F.xxhash64(F.col(_KEY)), F.lit(count)).cast("int")
        shared = any(not self.plan.keys[output] for output in self.plan.outputs)
        if self.plan.relational or self.plan.spontaneous or shared:
            placed = self._place(rows)
            session = self.frame.sparkSession
            table = session.createDataFrame(
                [(k, p) for k, p in placed.items()], f"{_KEY} string, rtec_placed int"
            )
            rows = rows.join(F.broadcast(table), _KEY, "left")
            hashed = F.coalesce(F.col("rtec_placed"), F.lit(0))
            if self.plan.spontaneous or shared:
                names = {object_name(read_field(k)): p for k, p in placed.items()}
                ownership = Ownership(self.plan, names)
        own = F.when(F.col(_KEY).isNull(), F.lit(0)).otherwise(hashed)
        everywhere = F.array(*[F.lit(i) for i in range(count)])
        place = F.when(F.col("rtec_all"), everywhere).otherwise(F.array(own))
        rows = rows.withColumn(PARTITION, F.explode(place))
        if ownership is not None:
            rows = self._seeded(rows, count)
        rows = rows.repartitionById(count, F.col(PARTITION))
        return self._in_order(rows), ownership

    @property
    def knows_meetings(self) -> bool:
        """Whether who meets whom is found beforehand, so that records go to one part each.

        That is cheaper than sending records about pairs to two. It has to be exact what an
        object is, which it is in lines; and the first stage must not read such records.
        """
        stages = self.plan.stages
        if stages is None or self.form != "lines" or stages.copied:
            return False
        return bool(stages.second) and stages.alone is None

    def met(self) -> list[tuple[Any, ...]]:
        """Find the objects of all records that are about several."""
        self._describe("rtec: objects that meet")
        with plain_errors():
            found = frames.meetings(self.frame, self.program.inputs, self.plan).collect()
        self._describe("rtec: recognition, object by object and then pair by pair")
        return [tuple(map(read_field, row[0])) for row in found if None not in row[0]]

    def _seeded(self, rows: DataFrame, count: int) -> DataFrame:
        """Add a row to each partition: Spark skips empty ones, which may have answers too."""
        session = self.frame.sparkSession
        numbers = session.range(count).select(F.col("id").cast("int").alias(PARTITION))
        return rows.unionByName(numbers.withColumn(SEED, F.lit(True)), allowMissingColumns=True)

    def _in_order(self, rows: DataFrame) -> DataFrame:
        """Sort each partition by arrival, and leave out what only the driver needed."""
        wanted = [] if self.form != "table" else list(self.frame.columns)
        wanted += [ARRIVAL, PARTITION, *([SEED] if SEED in rows.columns else [])]
        columns = [F.col(f"`{c}`") for c in wanted]
        if self.form != "table":  # with newlines, the lines of a batch are a text as they lie
            columns.append(F.concat(F.col(LINE), F.lit("\n")).alias(LINE))
        return rows.sortWithinPartitions(ARRIVAL).select(*columns)

    def _place(self, rows: DataFrame) -> dict[str, int]:
        """Find out which objects there are and which of them meet, and deal them out."""
        self._describe("rtec: objects, and how many records each has")
        named = rows.where(F.col(_KEY).isNotNull())
        counted = named.groupBy(_KEY).count()
        weights = {row[0]: int(row[1]) for row in counted.toLocalIterator()}
        together: list[list[str]] = []
        if self.plan.relational:
            self._describe("rtec: objects that meet")
            met = named.select(F.array_distinct(F.array_compact(_KEYS)).alias(_KEYS))
            met = met.where(F.size(_KEYS) > 1).distinct()
            together = [list(row[0]) for row in met.toLocalIterator()]
        for names in together:
            for name in names:
                weights.setdefault(name, 0)
        self._describe("rtec: recognition")
        return deal(weights, groups(weights, together), self.partitions)

    def _describe(self, text: str) -> None:
        self.frame.sparkSession.sparkContext.setJobDescription(text)
