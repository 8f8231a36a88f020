"""Batches: a DataFrame of records in, a DataFrame of recognitions out.

scan      which objects there are, and which of them meet        (only where it is needed)
pack      records are read, and put together by the partition of their objects
recognise the engine, in each partition; then once more for what joins objects
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from rtec.compiler.program import Program
from rtec.runtime.faults import OnError
from rtec.runtime.records import read_field
from rtec.runtime.settings import RunSettings
from rtec.runtime.windows import default_start
from rtec.spark import frames
from rtec.spark.assign import deal, groups
from rtec.spark.committer import committed
from rtec.spark.errors import plain_errors
from rtec.spark.metrics import Metrics
from rtec.spark.objects import object_name
from rtec.spark.package import Moves, pack
from rtec.spark.packing import BLOCKS, Packer, recognised
from rtec.spark.pieces import Piece, PiecePacker, pieces_of
from rtec.spark.plan import PartitionPlan, plan
from rtec.spark.process import settled
from rtec.spark.routing import Routes
from rtec.spark.split import Split
from rtec.spark.stage_workers import SENT, FirstStage, SecondStage
from rtec.spark.worker import LINE, Ownership, Runner, schema
from rtec.spark.written import FILES, Folder, Written

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
    memory: int | None = None,
    partitions: int | None = None,
    metrics: Metrics | None = None,
    form: frames.Form = "table",
    partition_plan: PartitionPlan | None = None,
    files: Sequence[str] = (),
    folder: Folder | None = None,
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
        memory: How far back from the window `before` and `after` look; None for the whole run.
        partitions: How many parts to make; as many as the cluster has cores, by default.
        metrics: Adds up the figures of the job.
        form: `"table"`; or a DataFrame with the lines of files in its column `rtec_line`,
            pipe-separated (`"lines"`) or JSON (`"json"`).
        partition_plan: How to split; derived from the program by default.
        files: The files that `df` has all lines of, if it is nothing but these: where Spark runs
            on this machine, workers read them without Java in between.
        folder: Where workers write the answers; see `recognise_into`.

    Returns:
        The columns query_time, fluent, args, value, start, end: a row for each interval. With a
        folder, the attempts that have written files.

    Raises:
        ConfigError: A setting makes no sense.
        StreamError: A column is missing or of the wrong type.
    """
    settings = RunSettings(window, step, start, end, tick)
    if form == "table":
        frames.check_frame(df)
    how = plan(program) if partition_plan is None else partition_plan
    sc = df.sparkSession.sparkContext
    count = partitions or sc.defaultParallelism
    job = _Job(df, program, how, form, count, pieces_of(str(sc.master), files, form, count))
    with plain_errors():
        moves = job.moves(settings)
    if moves is None:
        columns = schema() if folder is None else from_arrow_schema(FILES)
        return df.sparkSession.createDataFrame([], columns)
    moves = replace(moves, merge=merge, on_error=on_error, time_limit=time_limit, memory=memory)
    package = sc.broadcast(pack(program))
    adder = None if metrics is None else metrics.accumulator
    if how.stages is not None and job.partitions > 1:
        job.describe("rtec: recognition, object by object and then pair by pair")
        split = Split.of(how, job.partitions)
        staged = _Staged(package, moves, split, adder, folder)
        packer = Packer(
            program.inputs, moves, Routes.of(split), form, adder, _partition, folder
        )
        parts = job.blocks(packer)
        if not split.second:
            return _finished(parts, staged.first, folder)
        blocks = parts.mapInArrow(_in_worker(staged.first), from_arrow_schema(SENT))
        blocks = blocks.repartitionById(split.targets, F.col("target"))
        blocks = blocks.sortWithinPartitions("query_time")
        return _finished(blocks, staged.second, folder, before=split.parts)
    with plain_errors():
        routes, ownership = job.routes()
    job.describe("rtec: recognition")
    owners = None if ownership is None else sc.broadcast(ownership)
    packer = Packer(program.inputs, moves, routes, form, adder, _partition, folder)
    task = _Task(package, moves, owners, adder)
    return _finished(job.blocks(packer), task.recognise, folder)


def recognise_into(
    output: str, df: DataFrame, program: Program, *, overwrite: bool = False, **settings: Any
) -> None:
    """Recognise, and write the answers into a folder of this machine, as Parquet.

    The same as `recognise(df, program, **settings).write.parquet(output)`, but without Java between
    workers and files. It is for masters that `rtec.spark.masters.runs_here` is true of.

    Raises:
        ConfigError: A setting makes no sense; or the folder exists, and is not to be replaced.
        StreamError: A column is missing or of the wrong type.
    """
    with committed(df.sparkSession, os.path.abspath(output), overwrite) as (folder, attempts):
        written = recognise(df, program, **settings, folder=folder)
        attempts += [row.attempt for row in written.collect()]


def _finished(
    frame: DataFrame, work: Callable[[Any], Any], folder: Folder | None, before: int = 0
) -> DataFrame:
    """The last step of a job, which yields answers, or the attempts that have written them."""
    if folder is None:
        return frame.mapInArrow(_in_worker(work), schema())
    written = Written(work, folder, _partition, before)
    return frame.mapInArrow(_in_worker(written), from_arrow_schema(FILES))


def _in_worker(work: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What a worker does for the batches of a partition, in a process of its own."""

    def run(batches: Any) -> Any:
        with settled():
            yield from work(batches)

    return run


@dataclass(frozen=True)
class _Staged:
    """The two stages, as they are sent to the workers."""

    package: Any
    moves: Moves
    split: Split
    metrics: Any
    folder: Folder | None

    def first(self, batches: Any) -> Any:
        """Work out what is about one object."""
        stage = FirstStage(
            self.package.value, self.moves, self.split, self.metrics, _partition, self.folder
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
    ownership: Any
    metrics: Any

    def recognise(self, batches: Any) -> Any:
        """Recognise in a partition."""
        ownership: Callable[[], Ownership] | None = None
        if self.ownership is not None:
            ownership = lambda: self.ownership.value  # noqa: E731
        runner = Runner(
            self.package.value, self.moves, "table", ownership, self.metrics, _partition
        )
        return recognised(runner, batches)


def _partition() -> int:
    context = TaskContext.get()
    return 0 if context is None else context.partitionId()


@dataclass(frozen=True)
class _Job:
    df: DataFrame
    program: Program
    plan: PartitionPlan
    form: frames.Form
    partitions: int
    pieces: Sequence[Piece] = ()

    @property
    def _frame(self) -> DataFrame:
        return frames.prepared(self.df, self.form)

    @property
    def _fields(self) -> frames.Fields:
        return frames.fields(self._frame, self.form)

    def moves(self, settings: RunSettings) -> Moves | None:
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
        return Moves(size, step, start, end, tick)

    def _range(self) -> tuple[int | None, int | None]:
        """Find the first time-point, and the last time-point or arrival."""
        self.describe("rtec: first and last time-point")
        found = self._fields
        rows = self._frame.where(frames.known(found, self.program.inputs))
        last = F.greatest(found.arrival, found.time)
        row = rows.agg(F.min(found.time), F.max(last)).collect()[0]
        return row[0], row[1]

    def blocks(self, packer: Packer) -> DataFrame:
        """Read and pack the records, and bring the blocks of each partition together."""
        count = packer.routes.parts
        packed = self._packed(packer)
        together = (
            packed.coalesce(1) if count == 1 else packed.repartitionById(count, F.col("part"))
        )
        return together.sortWithinPartitions("slot")

    def _packed(self, packer: Packer) -> DataFrame:
        """The blocks, and an empty one for each partition: Spark would skip those without."""
        spark, columns = self.df.sparkSession, from_arrow_schema(BLOCKS)
        if self.pieces:
            count = len(self.pieces)
            reader = _in_worker(PiecePacker(packer, self.pieces))
            return spark.range(0, count, 1, count).mapInArrow(reader, columns)
        wanted = self.df.columns if self.form == "table" else [LINE]
        rows = self.df.select(*[f"`{c}`" for c in wanted])
        empty = spark.range(0, packer.routes.parts, 1, 1).select(
            F.col("id").cast("int"), F.lit(0).cast("bigint"), F.lit(None).cast("binary")
        )
        return rows.mapInArrow(_in_worker(packer), columns).union(empty)

    def routes(self) -> tuple[Routes, Ownership | None]:
        """Say where records go, and who reports what, if that is not plain."""
        if self.plan.whole or self.partitions == 1:
            return Routes(), None
        count = self.partitions
        shared = any(not self.plan.keys[output] for output in self.plan.outputs)
        if not (self.plan.relational or self.plan.spontaneous or shared):
            return Routes(count, self.plan.keys), None
        names = {object_name(read_field(k)): p for k, p in self._place().items()}
        ownership = None
        if self.plan.spontaneous or shared:
            ownership = Ownership(self.plan, names)
        return Routes(count, self.plan.keys, names), ownership

    def _place(self) -> dict[str, int]:
        """Find out which objects there are and which of them meet, and deal them out."""
        self.describe("rtec: objects, and how many records each has")
        keys = frames.keys(self._fields, self.program.inputs, self.plan)
        rows = self._frame.withColumn(_KEYS, keys)
        rows = rows.withColumn(_KEY, F.get(F.col(_KEYS), F.lit(0)))
        named = rows.where(F.col(_KEY).isNotNull())
        counted = named.groupBy(_KEY).count()
        weights = {row[0]: int(row[1]) for row in counted.toLocalIterator()}
        together: list[list[str]] = []
        if self.plan.relational:
            self.describe("rtec: objects that meet")
            met = named.select(F.array_distinct(F.array_compact(_KEYS)).alias(_KEYS))
            met = met.where(F.size(_KEYS) > 1).distinct()
            together = [list(row[0]) for row in met.toLocalIterator()]
        for names in together:
            for name in names:
                weights.setdefault(name, 0)
        return deal(weights, groups(weights, together), self.partitions)

    def describe(self, text: str) -> None:
        """Name the jobs that follow, for Spark's UI."""
        self.df.sparkSession.sparkContext.setJobDescription(text)
