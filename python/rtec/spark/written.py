"""Answers that workers write into files by themselves.

Where Spark runs on this machine only, its workers can write into the folder that the driver
writes into. Then answers stay in the columns that they are made in, and Java does not take them
apart into rows. What is reported to the driver is the name of each file.

Files come into being in `_temporary`, under names that no other attempt has. When all parts
are done, the driver moves those that Spark says have counted to where they belong, and says so by
`_SUCCESS`; what other attempts have left is deleted.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rtec.runtime import answers
from rtec.runtime.outputs import output_exists, unwritable

FILES = pa.schema([("file", pa.string()), ("rows", pa.int64())])
FILES_SCHEMA = "file string, rows bigint"
_GROUP = 1 << 17
"""Rows of a group in a file, about, as `rtec run` makes them."""


@dataclass(frozen=True)
class Folder:
    """Where the workers of one job write."""

    path: str

    @property
    def temporary(self) -> Path:
        """Where files are until the job is done."""
        return Path(self.path) / "_temporary"

    def write(self, tables: Iterable[pa.RecordBatch], part: int) -> Iterator[pa.RecordBatch]:
        """Write the answers of a part, and yield what the driver has to know.

        Batches of `FILES` among them are what was written before; they are passed on.
        """
        file = AnswerFile(self, part)
        for batch in tables:
            if batch.schema.equals(FILES):
                yield batch
            else:
                file.add(batch)
        yield from file.finish().to_batches()

    @contextmanager
    def committed(self, overwrite: bool) -> Iterator[list[str]]:
        """Make the folder; at the end move the files there whose names were put into the list.

        After an error, everything is as it was before.

        Raises:
            ConfigError: The folder exists, and is not to be replaced; or it cannot be made.
        """
        folder = Path(self.path)
        was_there = folder.exists()
        if was_there and not overwrite:
            raise output_exists(self.path)
        files: list[str] = []
        try:
            self.temporary.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(self.path, error) from None
        try:
            yield files
            if not files:  # a folder that can be read, with the columns of answers
                files.append("part-00000.parquet")
                pq.write_table(answers.schema().empty_table(), self.temporary / files[0])
            self._forget_old()
            for name in files:
                os.replace(self.temporary / name, folder / name)
            (folder / "_SUCCESS").touch()
        finally:
            shutil.rmtree(self.temporary, ignore_errors=True)
            if not was_there and not any(folder.iterdir()):
                folder.rmdir()

    def _forget_old(self) -> None:
        for old in Path(self.path).iterdir():
            if old == self.temporary:
                continue
            if old.is_dir() and not old.is_symlink():
                shutil.rmtree(old)
            else:
                old.unlink()


class AnswerFile:
    """A file of one attempt at a part."""

    def __init__(self, folder: Folder, part: int) -> None:
        """Begin the file."""
        self._name = f"part-{part:05}-{uuid.uuid4()}.parquet"
        self._writer = pq.ParquetWriter(folder.temporary / self._name, answers.schema())
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
        self._writer.close()
        return pa.Table.from_pylist([{"file": self._name, "rows": self._rows}], FILES)

    def _flush(self) -> None:
        if self._count:
            self._writer.write_table(pa.Table.from_batches(self._held))
        self._rows += self._count
        self._held, self._count = [], 0


@dataclass(frozen=True)
class Written:
    """The last step of a job, with its answers written by the workers."""

    work: Callable[[Any], Iterable[pa.RecordBatch]]
    folder: Folder
    partition: Callable[[], int]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Work and write, for `mapInArrow`."""
        return self.folder.write(self.work(batches), self.partition())
