"""Intervals with their probabilities, and writers of them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from rtec.model import Scalar
from rtec.prob import stage_two
from rtec.runtime.answers import json_args
from rtec.runtime.outputs import STDOUT, Output, unwritable
from rtec.runtime.sinks import Format, sink_format, term_text

SCHEMA = pa.schema(
    [
        ("query_time", pa.int64()),
        ("fluent", pa.string()),
        ("args", pa.string()),
        ("value", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("prob", pa.float64()),
        ("credible", pa.bool_()),
    ]
)
"""The columns of CSV and Parquet; `args` is the text of a JSON list."""


@dataclass(frozen=True, slots=True)
class ProbInterval:
    """An interval in which a fluent is likely enough; `start` and `end` are both inside it.

    Attributes:
        query_time: When it was found.
        fluent: The name of the fluent.
        args: Its arguments.
        value: Its value.
        start: The first time-point.
        end: The last time-point; intervals that go on are reported again, with a later end.
        prob: How likely the fluent is in it, on average.
        credible: Whether it is the one to believe among those it overlaps.
    """

    query_time: int
    fluent: str
    args: tuple[Scalar, ...]
    value: Scalar
    start: int
    end: int
    prob: float
    credible: bool


def to_table(intervals: Sequence[ProbInterval]) -> pa.Table:
    """Put intervals into columns."""
    rows = [
        {**asdict(each), "args": json_args(each.args), "value": str(each.value)}
        for each in intervals
    ]
    return pa.Table.from_pylist(rows, SCHEMA)


def json_lines(intervals: Sequence[ProbInterval]) -> str:
    """Write the intervals of a query time, a line for each fluent and value.

    >>> found = ProbInterval(9, "near", ("a", "b"), "true", 2, 6, 0.52, True)
    >>> print(json_lines([found]), end="")  # doctest: +NORMALIZE_WHITESPACE
    {"query_time": 9, "fluent": "near", "args": ["a", "b"], "value": "true",
     "intervals": [{"start": 2, "end": 6, "prob": 0.52, "credible": true}]}
    """
    lines = []
    for first, rows in _by_fluent(intervals):
        item = {
            "query_time": first.query_time,
            "fluent": first.fluent,
            "args": list(first.args),
            "value": first.value,
            "intervals": [
                {"start": i.start, "end": i.end, "prob": i.prob, "credible": i.credible}
                for i in rows
            ],
        }
        lines.append(json.dumps(item, ensure_ascii=False) + "\n")
    return "".join(lines)


def table_text(intervals: Sequence[ProbInterval]) -> str:
    """Write the intervals of a query time for people: credible ones; of the others, how many.

    >>> found = [ProbInterval(9, "near", ("a", "b"), "true", 1, 5, 0.5, False)]
    >>> found.append(ProbInterval(9, "near", ("a", "b"), "true", 2, 6, 0.52, True))
    >>> print(table_text(found), end="")
    query time 9
      near(a, b) = true   [2, 6] 0.5200  (1 overlaps)
    """
    if not intervals:
        return ""
    made = []
    for first, rows in _by_fluent(intervals):
        pieces = [f"[{i.start}, {i.end}] {i.prob:.4f}" for i in rows if i.credible]
        if others := len(rows) - len(pieces):
            pieces.append(f"({others} overlap{'s' if others == 1 else ''})")
        made.append((f"{term_text(first.fluent, first.args)} = {first.value}", "  ".join(pieces)))
    width = min(max(len(left) for left, _ in made), 60)
    lines = [f"  {left:<{width}}   {right}\n" for left, right in made]
    return f"query time {intervals[0].query_time}\n{''.join(lines)}"


def _by_fluent(
    intervals: Sequence[ProbInterval],
) -> Iterator[tuple[ProbInterval, list[ProbInterval]]]:
    for _, rows in groupby(intervals, key=lambda i: (i.fluent, i.args, repr(i.value))):
        each = list(rows)
        yield each[0], each


class _Rows:
    """Rows that are written to an output as they come, as CSV or Parquet."""

    def __init__(self, output: Output, form: Format, schema: pa.Schema) -> None:
        self.output = output
        self._make = pa.csv.CSVWriter if form == "csv" else pa.parquet.ParquetWriter
        self._schema = schema
        self._writer: Any = None

    def add(self, table: pa.Table) -> None:
        """Write rows."""
        try:
            if self._writer is None:
                self._writer = self._make(self.output.handle, self._schema)
            if table.num_rows:
                self._writer.write_table(table)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise unwritable(self.output.path, error) from None

    def close(self) -> None:
        """Write the end, if there is a beginning."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


class _Sink:
    """An output with rows: what was written appears at the end, unless there is an error."""

    output: Output
    _rows: _Rows

    def _finish(self) -> None:
        """Write what belongs into the output though there may be no rows."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._finish()
        except BaseException:
            self.output.abort()
            raise
        finally:
            self._rows.close()
        self.output.__exit__(kind, error, trace)


class ProbSink(_Sink):
    """Writes intervals as they come: JSON lines, CSV, Parquet, or a table for people.

    Used in a `with`, what was written appears at the end, unless there is an error.
    """

    def __init__(self, out: str | None, form: Format | None = None) -> None:
        """Open it; None or `-` is standard output.

        Raises:
            ConfigError: It cannot be written.
        """
        name = STDOUT if out is None else os.fspath(out)
        self.form = sink_format(name, form)
        self.output = Output(name)
        self._rows = _Rows(self.output, self.form, SCHEMA)

    def write(self, intervals: Sequence[ProbInterval]) -> None:
        """Write the intervals of a query time."""
        if self.form == "jsonl":
            self.output.write(json_lines(intervals))
        elif self.form == "table":
            self.output.write(table_text(intervals))
        else:
            self._rows.add(to_table(intervals))

    def _finish(self) -> None:
        if self.form in ("csv", "parquet"):
            self._rows.add(to_table([]))
            self._rows.close()


class SeriesSink(_Sink):
    """Writes how likely fluents are, as `rtec opiec` reads it: CSV, or Parquet by its ending.

    Each fluent and value is a series; between two rows of it, it is as likely as in the first.
    """

    def __init__(self, out: str) -> None:
        """Open it.

        Raises:
            ConfigError: It cannot be written.
        """
        form: Format = "parquet" if out.lower().endswith(".parquet") else "csv"
        self.output = Output(out)
        self._rows = _Rows(self.output, form, stage_two.SCHEMA)

    def write(self, points: pa.Table) -> None:
        """Write points that are new."""
        self._rows.add(points)

    def _finish(self) -> None:
        self._rows.add(stage_two.SCHEMA.empty_table())
