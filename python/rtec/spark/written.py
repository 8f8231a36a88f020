"""Answers that workers write into files by themselves.

Where Spark runs on this machine only, its workers can write into the folder that the driver
writes into. Then answers stay in the columns that they are made in, and Java does not take them
apart into rows. What is reported to the driver is which attempt at a task has written them; it
has `rtec.spark.committer` make those count that Spark says have counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import TaskContext

from rtec.runtime import answers
from rtec.runtime.outputs import unwritable
from rtec.spark.errors import named

FILES = pa.schema([("attempt", pa.string()), ("rows", pa.int64())])
_GROUP = 1 << 17
"""Rows of a group in a file, about, as `rtec run` makes them."""


def attempt_name(job: str, task: int) -> str:
    """The name of this attempt at a task, as Hadoop spells it.

    >>> attempt_name("a1b2", 3)
    'attempt_a1b2_0000_m_000003_0'
    """
    context = TaskContext.get()
    # Not `attemptNumber`, which begins anew when Spark repeats a stage. Hadoop wants an int.
    number = 0 if context is None else context.taskAttemptId() % (1 << 31)
    return f"attempt_{job}_0000_m_{task:06}_{number}"


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say in one line why something cannot be written.

    Raises:
        ConfigError: It cannot, since the disk is full for example.
    """
    try:
        yield
    except OSError as error:
        raise unwritable(str(path), error) from None


@dataclass(frozen=True)
class Folder:
    """Where the workers of one job write.

    Attributes:
        attempts: The folder in which each attempt at a task has its own.
        job: The name of the job.
        asides: The folder of what goes from one task to another.
    """

    attempts: str
    job: str
    asides: str

    def write(self, tables: Iterable[pa.RecordBatch], task: int) -> Iterator[pa.RecordBatch]:
        """Write the answers of a task, and yield what the driver has to know.

        Batches of `FILES` among them are what was written before; they are passed on.
        """
        file = AnswerFile(self, task)
        for batch in tables:
            if batch.schema.equals(FILES):
                yield batch
            else:
                file.add(batch)
        yield from file.finish().to_batches()


class AnswerFile:
    """The file of one attempt at a task."""

    def __init__(self, folder: Folder, task: int) -> None:
        """Begin the file."""
        self._attempt = attempt_name(folder.job, task)
        own = Path(folder.attempts, self._attempt)
        self._path = own / f"part-{task:05}-{folder.job}.parquet"
        with writing(self._path):
            own.mkdir()  # not what is above it, which is gone when the job was given up meanwhile
            self._writer = pq.ParquetWriter(self._path, answers.schema())
        self._held: list[pa.RecordBatch] = []
        self._count = self._rows = 0

    def add(self, *batches: pa.RecordBatch) -> None:
        """Write answers, together with others."""
        self._held += batches
        self._count += sum(batch.num_rows for batch in batches)
        if self._count >= _GROUP:
            self._flush()

    def finish(self) -> pa.Table:
        """End the file; return a row of `FILES` about it."""
        self._flush()
        with writing(self._path):
            self._writer.close()
        return pa.Table.from_pylist([{"attempt": self._attempt, "rows": self._rows}], FILES)

    def _flush(self) -> None:
        if self._count:
            with writing(self._path):
                self._writer.write_table(pa.Table.from_batches(self._held))
        self._rows += self._count
        self._held, self._count = [], 0


@dataclass(frozen=True)
class Written:
    """The last step of a job, with its answers written by the workers.

    Attributes:
        work: What a worker does.
        folder: Where it writes.
        partition: Gives the number of the partition.
        before: How many tasks of earlier steps write as well: each has a number of its own.
    """

    work: Callable[[Any], Iterable[pa.RecordBatch]]
    folder: Folder
    partition: Callable[[], int]
    before: int = 0

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Work and write, for `mapInArrow`."""
        number = self.partition()
        with named(number):
            yield from self.folder.write(self.work(batches), self.before + number)
