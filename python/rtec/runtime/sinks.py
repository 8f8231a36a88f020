"""Writers of recognitions: JSON lines, CSV, Parquet, and a table for people."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring as _quote
from types import TracebackType
from typing import Literal, TypeAlias, get_args

from rtec.errors import ConfigError, Problem
from rtec.model import Scalar
from rtec.runtime.answers import (
    COLUMNS,
    EventRow,
    FluentRow,
    Recognitions,
    json_args,
    json_scalar,
    schema,
    to_table,
)
from rtec.runtime.faults import printable
from rtec.runtime.outputs import STDOUT, Output

Format: TypeAlias = Literal["jsonl", "csv", "parquet", "table"]
FORMATS: tuple[Format, ...] = get_args(Format)
_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".json": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".txt": "table",
}


def open_sink(
    path: str | os.PathLike[str] | None, form: Format | None = None, ops: bool = False
) -> Sink:
    """Open a writer.

    Args:
        path: Where to write; None or `-` is standard output.
        form: The format; without one, it follows from the ending of the path, else JSON lines.
        ops: Whether changes are written; then each row says if it is added or withdrawn.

    Raises:
        ConfigError: The file cannot be written.
    """
    name = STDOUT if path is None else os.fspath(path)
    form = sink_format(name, form)
    return make_sink(Output(name), form, ops)


def sink_format(name: str, form: Format | None = None) -> Format:
    """Choose the format of a file by its ending, if nothing else is said.

    >>> sink_format("o.CSV"), sink_format("o"), sink_format("o.csv", "table")
    ('csv', 'jsonl', 'table')
    """
    form = form or _ENDINGS.get(os.path.splitext(name)[1].lower(), "jsonl")
    if form == "parquet" and name == STDOUT:
        raise ConfigError(
            Problem(
                "Parquet cannot be written to standard output",
                "unwritable-output",
                remedy="name a file with --out",
            )
        )
    return form


def make_sink(output: Output, form: Format, ops: bool = False) -> Sink:
    """Make the writer of a format to an output that is open."""
    return _SINKS[form](output, ops)


class Sink(ABC):
    """Where recognitions go; used in a `with`, it keeps nothing if there is an error."""

    def __init__(self, output: Output, ops: bool = False) -> None:
        """Write to an output that is open."""
        self.output = output
        self.ops = ops

    @abstractmethod
    def write(self, answers: Recognitions) -> None:
        """Write the answers of one query time."""

    def finish(self) -> None:  # noqa: B027
        """Write what is still held back; by default, nothing is."""

    def abort(self) -> None:
        """Give up: nothing is kept."""
        self.output.abort()

    def __enter__(self) -> Sink:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.abort()
            return
        try:
            self.finish()
        except BaseException:
            self.abort()
            raise
        self.output.commit()


class JsonLines(Sink):
    """One JSON object a line: a fluent with its intervals, or an event with its time-points."""

    def write(self, answers: Recognitions) -> None:
        """Write the answers of one query time."""
        self.output.write(json_lines(answers))


def json_lines(answers: Recognitions) -> str:
    """Write answers as JSON lines.

    >>> print(json_lines(Recognitions(21, [("rich", ["al"], "true", [14, 22])])), end="")
    {"query_time": 21, "fluent": "rich", "args": ["al"], "value": "true", "intervals": [[14, 22]]}
    """
    op = "" if answers.op is None else f'"op": "{answers.op}", '
    at = f'{{"query_time": {answers.query_time}, {op}'
    values: dict[str, str] = {}  # few, and often again
    lines: list[str] = []
    add = lines.append
    last: str | None = None
    lead = ""
    for row in answers.rows():
        args = [  # `json_scalar`, without a call for what is frequent
            _quote(a) if type(a) is str else str(a) if type(a) is int else json_scalar(a)
            for a in row[1]
        ]
        shown_args = args[0] if len(args) == 1 else ", ".join(args)
        if len(row) == 3:
            times = ", ".join(map(str, row[2]))
            add(f'{at}"event": {_quote(row[0])}, "args": [{shown_args}], "times": [{times}]}}\n')
            continue
        name, _, value, flat = row
        if name != last:
            last, lead = name, f'{at}"fluent": {_quote(name)}, "args": ['
        if type(value) is str:
            shown = values.get(value) or values.setdefault(value, _quote(value))
        else:
            shown = json_scalar(value)
        if len(flat) == 2:
            start, end = flat
            intervals = f"[{start}, {'null' if end == 'inf' else end}]"
        else:
            intervals = _json_intervals(flat)
        add(f'{lead}{shown_args}], "value": {shown}, "intervals": [{intervals}]}}\n')
    return "".join(lines)


def _json_intervals(flat: Sequence[int | str]) -> str:
    """Write intervals; only the last may be open.

    >>> _json_intervals([14, 20, 30, "inf"])
    '[14, 20], [30, null]'
    """
    points = (*flat[:-1], "null") if flat and flat[-1] == "inf" else tuple(flat)
    return ("[%s, %s], " * (len(points) // 2))[:-2] % points


class Csv(Sink):
    """A header, then a row for each interval and each event."""

    def __init__(self, output: Output, ops: bool = False) -> None:
        """Write the header, unless rows are there already."""
        super().__init__(output, ops)
        if output.fresh:
            output.write(",".join((*COLUMNS, "op") if ops else COLUMNS) + "\n")

    def write(self, answers: Recognitions) -> None:
        """Write the answers of one query time."""
        lines: list[str] = []
        end_of_line = f",{answers.op}\n" if self.ops else "\n"
        for row in answers.rows():
            args = _csv_field(json_args(row[1]))
            lead = f"{answers.query_time},{_csv_field(row[0])},{args},"
            if len(row) == 3:
                lines.extend([f"{lead},{t},{t}{end_of_line}" for t in row[2]])
                continue
            lead += f"{_csv_field(str(row[2]))},"
            flat = row[3]
            ends = ["" if e == "inf" else e for e in flat[1::2]]
            bounds = zip(flat[::2], ends, strict=True)
            lines.extend([f"{lead}{s},{e}{end_of_line}" for s, e in bounds])
        self.output.write("".join(lines))


def _csv_field(text: str) -> str:
    if '"' in text or "," in text or "\n" in text or "\r" in text:
        return '"' + text.replace('"', '""') + '"'
    # An empty field is a null, which an empty text is not.
    return text or '""'


class Parquet(Sink):
    """A row for each interval and each event."""

    group = 1 << 17

    def __init__(self, output: Output, ops: bool = False) -> None:
        """Begin the file."""
        import pyarrow.parquet as pq

        super().__init__(output, ops)
        self._writer = pq.ParquetWriter(output.handle, schema(ops))
        self._held: list[Recognitions] = []
        self._count = 0

    def write(self, answers: Recognitions) -> None:
        """Write the answers of one query time, together with others."""
        self._held.append(answers)
        self._count += len(answers)
        if self._count >= self.group:
            self._flush()

    def finish(self) -> None:
        """Write the end of the file."""
        self._flush()
        self._writer.close()

    def abort(self) -> None:
        """Give up; the writer of Arrow wants to end its file first."""
        self._writer.close()
        super().abort()

    def _flush(self) -> None:
        if self._count:
            self._writer.write_table(to_table(self._held, self.ops))
        self._held, self._count = [], 0


class Table(Sink):
    """Lines for people, under a heading for each query time."""

    def write(self, answers: Recognitions) -> None:
        """Write the answers of one query time, if there are any."""
        rows = answers.rows()
        if rows:
            self.output.write(table_text(answers.query_time, rows, answers.op))


def table_text(query_time: int, rows: Iterable[FluentRow | EventRow], op: str | None = None) -> str:
    """Write answers in two columns.

    >>> rows = [("rich", ["chris"], "true", [14, 20, 30, "inf"]), ("won", ["chris", 5], [13])]
    >>> print(table_text(40, rows), end="")
    query time 40
      rich(chris) = true   [14, 20) [30, ...
      won(chris, 5)        at 13
    """
    made = []
    for row in rows:
        name = term_text(row[0], row[1])
        if len(row) == 3:
            made.append((name, "at " + ", ".join(map(str, row[2]))))
            continue
        starts, ends = row[3][::2], row[3][1::2]
        pieces = [
            f"[{s}, ..." if e == "inf" else f"[{s}, {e})" for s, e in zip(starts, ends, strict=True)
        ]
        made.append((f"{name} = {row[2]}", " ".join(pieces)))
    width = min(max(len(left) for left, _ in made), 60)
    lines = [f"  {left:<{width}}   {right}\n" for left, right in made]
    words = {None: "", "+": ", added", "-": ", withdrawn"}
    return f"query time {query_time}{words[op]}\n{''.join(lines)}"


def term_text(name: str, args: Sequence[Scalar]) -> str:
    """Write a fluent or an event for people, on one line."""
    text = f"{name}({', '.join(map(str, args))})" if args else name
    return text if text.isprintable() else printable(text, len(text))


_SINKS: dict[Format, type[Sink]] = {
    "jsonl": JsonLines,
    "csv": Csv,
    "parquet": Parquet,
    "table": Table,
}
