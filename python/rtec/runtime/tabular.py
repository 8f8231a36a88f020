"""Streams in memory or in Parquet: tables, DataFrames, and records made by a program."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rtec.errors import StreamError
from rtec.runtime import rows, tables
from rtec.runtime.blocks import Block, floors, unreadable
from rtec.runtime.faults import Faults
from rtec.runtime.layouts import Layouts
from rtec.runtime.records import LEAST, Record

ROWS = 1 << 16
"""Rows of a table or records of a sequence in a block."""
LIVE_ROWS = 1 << 12
"""Records of a generator in a block."""


class TableSource:
    """An Arrow table or a DataFrame in memory."""

    done = 0.0

    def __init__(
        self,
        table: Any,
        name: str,
        layouts: Layouts,
        faults: Faults,
        args: list[Any] | None = None,
    ) -> None:
        """Bring the rows in order of arrival."""
        import pyarrow as pa

        if isinstance(table, pa.RecordBatch):
            table = pa.Table.from_batches([table])
        if not isinstance(table, pa.Table):
            raise StreamError(f"cannot read records from {type(table).__name__}")
        tables.check_columns(table.column_names, name)
        self._name = name
        self._layouts = layouts
        self._faults = faults
        self.size = table.nbytes
        points = tables.arrivals(table, name)
        order = np.argsort(points, kind="stable")
        if (points[1:] < points[:-1]).any():
            table = table.take(pa.array(order))
            args = None if args is None else [args[row] for row in order.tolist()]
        self._table = table
        self._args = args
        self._points = points[order]
        self._numbers = order + 1
        self.least = int(self._points[0]) if len(points) else None

    def blocks(self) -> Iterator[Block]:
        """Yield slices of the table."""
        count = len(self._table)
        for first in range(0, count, ROWS):
            last = min(first + ROWS, count)
            args = None if self._args is None else self._args[first:last]
            rows = self._table.slice(first, last - first)
            numbers = self._numbers[first:last]
            batches = tables.read_table(
                rows, self._name, numbers, self._layouts, self._faults, args
            )
            self.done = last / count
            yield Block(batches, int(self._points[last]) if last < count else None)


class ParquetSource:
    """A Parquet file, row group by row group in the order of arrival."""

    done = 0.0

    def __init__(self, path: str, layouts: Layouts, faults: Faults) -> None:
        """Read the least arrival of each row group."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        # Damage shows in many ways; a text that is no text is a ValueError.
        self._errors = (OSError, pa.ArrowException, ValueError)
        self._path = path
        self._layouts = layouts
        self._faults = faults
        try:
            self.size = Path(path).stat().st_size
            self._file = pq.ParquetFile(path)
            tables.check_columns(self._file.schema_arrow.names, path)
            self._groups = self._plan()
        except self._errors as error:
            raise unreadable(path, error) from None
        self.least = min((g[0] for g in self._groups), default=None)

    def _plan(self) -> list[tuple[int, int, int]]:
        """List least arrival, number and first row of each row group that has rows."""
        names = [n for n in ("arrival", "time") if n in self._file.schema_arrow.names]
        groups = []
        first = 1
        for number in range(self._file.num_row_groups):
            count = self._file.metadata.row_group(number).num_rows
            if count:
                points = tables.arrivals(self._file.read_row_group(number, names), self._path)
                if len(points) != count:
                    raise ValueError("it is damaged")
                groups.append((int(points.min()), number, first))
            first += count
        return sorted(groups)

    def blocks(self) -> Iterator[Block]:
        """Yield the rows of each group, those that arrive early first."""
        import pyarrow as pa

        following = floors([g[0] for g in self._groups])
        try:
            for (least, number, first), floor in zip(self._groups, following, strict=True):
                for batch in self._file.iter_batches(ROWS, row_groups=[number]):
                    table = pa.Table.from_batches([batch])
                    numbers = np.arange(first, first + len(table))
                    batches = tables.read_table(
                        table, self._path, numbers, self._layouts, self._faults
                    )
                    first += len(table)
                    yield Block(batches, least)
                self.done += 1 / len(self._groups)
                yield Block([], floor)
        except self._errors as error:
            raise unreadable(self._path, error) from None


class RecordSource:
    """Records made by a program: a sequence, or something that can be read only once."""

    size = 1
    done = 0.0

    def __init__(self, records: Iterable[Record], layouts: Layouts, faults: Faults) -> None:
        """Bring a sequence in order of arrival; leave an iterator as it is."""
        self._layouts = layouts
        self._faults = faults
        self._sorted = isinstance(records, Sequence)
        self._records: Iterable[tuple[int, Record]] = enumerate(records, 1)
        self.least: int | None = LEAST
        if isinstance(records, Sequence):
            ordered = sorted(self._records, key=lambda pair: _arrival(pair[1]))
            self._records = ordered
            self.least = _arrival(ordered[0][1]) if ordered else None

    def blocks(self) -> Iterator[Block]:
        """Yield the records in groups."""
        floor = LEAST
        iterator = iter(self._records)
        size = ROWS if self._sorted else LIVE_ROWS
        while group := list(itertools.islice(iterator, size)):
            batches = rows.read_records(group, self._layouts, self._faults)
            floor = max([floor, *(int(b.arrival.max()) for b in batches)])
            yield Block(batches, floor)
        yield Block([], None)


def _arrival(record: Record) -> int:
    if not isinstance(record, Record):
        raise StreamError(f"cannot read a record from {type(record).__name__}")
    point = record.time if record.arrival is None else record.arrival
    return point if isinstance(point, int) else LEAST  # a wrong one is reported when it is read
