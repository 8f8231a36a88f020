"""What runs in a partition: records in the order of arrival in, recognitions out.

Nothing here needs Spark: a `Runner` is called with an iterator of Arrow batches. It holds the
records of one window, not of the partition.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rtec.errors import Place, Problem, StreamError
from rtec.runtime.answers import COLUMNS, Recognitions, to_table
from rtec.runtime.buffer import Buffer, Counts
from rtec.runtime.faults import Faults
from rtec.runtime.layouts import Layouts
from rtec.runtime.lines import Lines, read_lines
from rtec.runtime.merge import Merged
from rtec.runtime.records import GREATEST, LEAST, RecordBatch
from rtec.runtime.rows import read_json_lines
from rtec.runtime.session import Session
from rtec.runtime.tables import check_columns, read_table
from rtec.runtime.windows import Windowing
from rtec.spark.errors import named
from rtec.spark.objects import key_argument, object_name
from rtec.spark.package import Moves, Package, chunks
from rtec.spark.plan import PartitionPlan

LINE = "rtec_line"
"""The column of lines, where records come as such."""
_ROWS_IN = 1 << 16
ROWS_OUT = 10_000


class Adder(Protocol):
    """Something that figures can be added to, such as an accumulator of Spark."""

    def add(self, term: Any) -> None:
        """Add figures."""


@dataclass(frozen=True)
class Ownership:
    """Which answers a partition reports, where several come to the same.

    Attributes:
        plan: The keys of the outputs.
        partitions: For the name of each object that has records, its partition.
    """

    plan: PartitionPlan
    partitions: Mapping[str, int]

    def filtered(self, answers: Recognitions, partition: int) -> Recognitions:
        """Keep what belongs to a partition; objects without records belong to the first."""
        return Recognitions(
            answers.query_time,
            [r for r in answers.fluents if self._owner(r[0], r[1], False) == partition],
            [r for r in answers.events if self._owner(r[0], r[1], True) == partition],
            answers.op,
        )

    def _owner(self, name: str, args: list[Any], is_event: bool) -> int:
        for path in self.plan.paths(name, len(args), is_event):
            item = key_argument(args, path)
            if item is not None:
                return self.partitions.get(object_name(item), 0)
        return 0


@dataclass(frozen=True)
class Runner:
    """Recognition in one partition.

    Attributes:
        package: The program.
        moves: Window, step, start and end.
        form: How records come: `table`, or one text each as `lines` or `json`.
        ownership: Gives which answers to report; None: all of them.
        metrics: Where figures go.
        partition: Gives the number of the partition; by default it is 0.
    """

    package: Package
    moves: Moves
    form: str = "table"
    ownership: Callable[[], Ownership] | None = None
    metrics: Adder | None = None
    partition: Callable[[], int] = field(default=lambda: 0)

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Recognise in a partition, for `mapInArrow`."""
        number = self.partition()
        with named(number):
            faults = Faults(self.moves.on_error)
            layouts = Layouts(self.package.inputs)
            stream = PartitionStream(batches, self.form, layouts, faults, number)
            found = self.answers(stream.until, number, faults)
            for answers in chunks_of(found, ROWS_OUT):
                yield from to_table(answers).to_batches()
            for _ in stream.until(GREATEST):  # what comes after the last query time is checked too
                pass

    def rows(self, records: Iterable[Any]) -> Iterator[dict[str, Any]]:
        """Recognise in a partition of rows or dictionaries, for `mapPartitions`."""
        asked = (r.asDict() if hasattr(r, "asDict") else dict(r) for r in records)
        tables = (pa.RecordBatch.from_pylist(chunk) for chunk in chunks(asked, _ROWS_IN))
        for batch in self(tables):
            yield from batch.to_pylist()

    def answers(
        self, until: Callable[[int], Iterable[RecordBatch]], number: int, faults: Faults
    ) -> Iterator[Recognitions]:
        """Yield what is recognised at each query time, or once at the end.

        Args:
            until: Gives the records up to a query time that were not given before.
            number: The number of the partition.
            faults: What is wrong with records.
        """
        program = self.package.unpack()
        moves = self.moves
        ownership = None if self.ownership is None else self.ownership()
        merged = Merged(moves.tick) if moves.merge else None
        counts, reported, recognise = Counts(), 0, 0.0
        buffer = Buffer(start=moves.start, tick=moves.tick)
        with Session(
            program,
            window=moves.size,
            start=moves.start,
            tick=moves.tick,
            time_limit=moves.time_limit,
            memory=moves.memory,
        ) as session:
            for window in Windowing(moves.size, moves.step).windows(moves.start, moves.end):
                for batch in until(window.query_time):
                    buffer.add(batch)
                due = buffer.take(window)
                counts.add(due.counts)
                answers = session.advance(window, due)
                recognise += session.timings.recognise
                if ownership is not None:
                    answers = ownership.filtered(answers, number)
                if merged is not None:
                    merged.add(window, answers)
                    continue
                reported += len(answers)
                yield answers
            if merged is not None and merged.query_time is not None:
                result = merged.result()
                reported += len(result)
                yield result
        if self.metrics is not None:
            self.metrics.add(
                {**figures(counts, reported, recognise, number), **faults_found(faults)}
            )


def figures(counts: Counts, reported: int, recognise: float, partition: int) -> dict[str, Any]:
    """The figures of a partition, to be added to those of others."""
    found: dict[str, Any] = {
        "partitions": 1,
        "records": counts.on_time + counts.late + counts.lost,
        "on_time": counts.on_time,
        "late": counts.late,
        "lost": counts.lost,
        "retracted": counts.retracted,
        "recognitions": reported,
        "recognise_ms": round(recognise * 1000, 3),
    }
    found[f"partition:{partition}"] = found["records"]
    found[f"peak:first:{partition}"] = peak_mb()
    return found


def faults_found(faults: Faults) -> dict[str, Any]:
    """The figures of what was wrong with records."""
    unknown = {f"unknown:{name}": count for name, count in faults.unknown.items()}
    return {"malformed": faults.skipped, **unknown}


def peak_mb() -> float:
    """The most memory that this process has ever had."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def chunks_of(answers: Iterator[Recognitions], rows: int) -> Iterator[list[Recognitions]]:
    """Put the answers of query times together until they make so many rows."""
    chunk: list[Recognitions] = []
    count = 0
    for each in answers:
        if len(each):
            chunk.append(each)
            count += len(each)
        if count >= rows:
            yield chunk
            chunk, count = [], 0
    if chunk:
        yield chunk


class PartitionStream:
    """The batches of a partition, read once, as far as query times need them."""

    def __init__(
        self,
        batches: Iterator[pa.RecordBatch],
        form: str,
        layouts: Layouts,
        faults: Faults,
        number: int,
    ) -> None:
        """Take the batches; nothing is read yet."""
        self._tables = gathered(batches)
        self._form = form
        self._layouts = layouts
        self._faults = faults
        self._number = number
        self._row = 1
        self._floor: int | None = LEAST

    def until(self, query_time: int) -> Iterator[RecordBatch]:
        """Yield the records that arrive up to a query time and were not yielded yet."""
        while self._floor is not None and self._floor <= query_time:
            table = next(self._tables, None)
            if table is None:
                self._floor = None
                return
            yield from self._block(table)

    def _block(self, table: pa.Table) -> list[RecordBatch]:
        if self._form == "table":
            check_columns(table.column_names, "the DataFrame")
        name = f"partition {self._number}"
        records = read_rows(table, self._form, name, self._row, self._layouts, self._faults)
        self._row += table.num_rows
        last = max((int(b.arrival.max()) for b in records if len(b)), default=None)
        self._floor = self._floor if last is None else last
        return records


def gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Put some batches together, for many small ones cost more than a few large ones."""
    pending: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        pending.append(batch)
        rows += batch.num_rows
        if rows >= _ROWS_IN:
            yield pa.Table.from_batches(pending).combine_chunks()
            pending, rows = [], 0
    if rows:
        yield pa.Table.from_batches(pending).combine_chunks()


def read_rows(
    table: pa.Table, form: str, name: str, first: int, layouts: Layouts, faults: Faults
) -> list[RecordBatch]:
    """Read records in one of the forms; `first` is the number of the first row."""
    if form == "table":
        numbers = np.arange(first, first + table.num_rows)
        try:
            return read_table(table, name, numbers, layouts, faults)
        except StreamError as error:
            problems = [_with_row(p, table, first) for p in error.problems]
            raise StreamError(*problems) from None
    lines = Lines(_text(table.column(LINE)), name, first)
    read = read_json_lines if form == "json" else read_lines
    return read(lines, layouts, faults)


def _text(lines: pa.ChunkedArray) -> bytes:
    """Put lines together, each with a newline."""
    texts = lines.cast(pa.string())
    with_newlines = pc.binary_join_element_wise(
        texts, "", "\n", null_handling="replace"
    ).combine_chunks()
    if not len(with_newlines):
        return b""
    offsets = np.frombuffer(with_newlines.buffers()[1], np.int32)[with_newlines.offset :]
    start, end = int(offsets[0]), int(offsets[len(with_newlines)])
    return bytes(memoryview(with_newlines.buffers()[2])[start:end])


def _with_row(problem: Problem, rows: pa.Table, first: int) -> Problem:
    """Add what stands in the row to a problem."""
    place = problem.place
    if place is None or not first <= place.line < first + rows.num_rows:
        return problem
    row = {k: v for k, v in rows.slice(place.line - first, 1).to_pylist()[0].items()}
    shown = ", ".join(f"{k}={v!r}" for k, v in row.items())
    where = Place(place.path, place.line)
    return Problem(f"{problem.message}: {shown}", problem.slug, where, problem.remedy)


def schema() -> str:
    """The columns of recognitions, as Spark wants them said."""
    kinds = ("bigint", "string", "string", "string", "bigint", "bigint")
    return ", ".join(f"`{c}` {k}" for c, k in zip(COLUMNS, kinds, strict=True))
