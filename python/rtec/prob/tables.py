"""Series of probabilities read from CSV and Parquet files.

The columns are `series`, `time` and `prob`; without `series` there is one series. Every mistake is
told with the file and the line, or the row, and the column it is in.
"""

from __future__ import annotations

import csv
import difflib
import gzip
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from rtec.errors import Place, Problem, StreamError
from rtec.prob.series import RowError, Rows, rows_of

COLUMNS = ("series", "time", "prob")
_TYPES = {"series": pa.string(), "time": pa.int64(), "prob": pa.float64()}


def read_rows(path: Path, tick: int = 1) -> Rows:
    """Read and check the series in a file.

    Raises:
        StreamError: The file, or a row of it, cannot be used.
    """
    if not path.is_file():
        raise StreamError(Problem(f"there is no file {path}", "no-such-file"))
    try:
        with path.open("rb") as file:
            parquet = file.read(4) == b"PAR1"
        table = _read_parquet(path) if parquet else _read_csv(path)
    except OSError as error:
        raise StreamError(Problem(f"cannot read {path}: {error}", "unreadable")) from None
    series = table["series"] if "series" in table.column_names else None
    try:
        return rows_of(table["prob"].to_numpy(), table["time"], series, tick)
    except RowError as error:
        if parquet:
            problem = error.problems[0]
            raise StreamError(
                Problem(f"{path}: {problem.message}", problem.slug, remedy=problem.remedy)
            ) from None
        raise _placed(path, error) from None


def _read_parquet(path: Path) -> pa.Table:
    try:
        table = pa.parquet.read_table(path)
    except pa.ArrowException as error:
        raise StreamError(Problem(f"{path} is not a Parquet file: {error}", "unreadable")) from None
    wrong = _wrong_columns(table.column_names)
    problem = None if wrong is None else wrong[0]
    if problem is None:
        prob, time = table.schema.field("prob").type, table.schema.field("time").type
        decimal = pa.types.is_decimal(prob)
        if not (pa.types.is_floating(prob) or pa.types.is_integer(prob) or decimal):
            problem = f"column `prob` holds {prob}, not numbers"
        elif not (pa.types.is_integer(time) or pa.types.is_floating(time)):
            problem = f"column `time` holds {time}, not whole numbers"
        elif decimal:
            table = table.set_column(
                table.column_names.index("prob"), "prob", table["prob"].cast(pa.float64())
            )
    if problem is not None:
        raise StreamError(Problem(f"{path}: {problem}", "prob-columns", remedy=_REMEDY))
    return table


def _read_csv(path: Path) -> pa.Table:
    with _text(path) as text:
        header = next(csv.reader(text), None)
    if header is None:
        raise StreamError(Problem(f"{path} is empty", "prob-columns", remedy=_REMEDY))
    wrong = _wrong_columns(header)
    if wrong is not None:
        problem, index = wrong
        raw = ",".join(header)
        place = Place(str(path), 1, text=raw) if index is None else _place(path, 1, raw, index)
        raise StreamError(Problem(problem, "prob-columns", place, _REMEDY))
    convert = pa.csv.ConvertOptions(
        column_types=_TYPES,
        null_values=[""],
        strings_can_be_null=True,
    )
    try:
        with pa.input_stream(path, compression="detect") as stream:
            return pa.csv.read_csv(stream, convert_options=convert)
    except pa.ArrowInvalid as error:
        raise _unreadable_row(path, header, str(error)) from None


def _wrong_columns(names: Sequence[str]) -> tuple[str, int | None] | None:
    """Say what is wrong with columns, and which of them it is; None if all is well."""
    for index, name in enumerate(names):
        if name not in COLUMNS:
            near = difflib.get_close_matches(name, COLUMNS, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            return f"column `{name}` is not known{hint}", index
        if name in names[:index]:
            return f"column `{name}` is there twice", index
    for name in ("time", "prob"):
        if name not in names:
            return f"column `{name}` is missing", None
    return None


_REMEDY = "the columns are series, time and prob; series may be left out"


def _text(path: Path) -> io.TextIOBase:
    if path.suffix == ".gz":
        return io.TextIOWrapper(gzip.open(path), encoding="utf-8-sig", newline="", errors="replace")
    return path.open(encoding="utf-8-sig", newline="", errors="replace")


def _lines(path: Path) -> Iterator[tuple[int, list[str], str]]:
    """Yield the rows after the header: the line each begins on, its fields, and its text."""
    with _text(path) as text:
        kept: list[str] = []

        def noted() -> Iterator[str]:
            for line in text:
                kept.append(line)
                yield line

        reader = csv.reader(noted())
        before = 0
        for number, fields in enumerate(reader):
            line, before = before + 1, reader.line_num
            if number and fields:
                yield line, fields, kept[0].rstrip("\r\n")
            kept.clear()


def _placed(path: Path, error: RowError) -> StreamError:
    """Find the line and column of a row that was found wrong."""
    problem = error.problems[0]
    with _text(path) as text:
        header = next(csv.reader(text))
    for row, (line, _, raw) in enumerate(_lines(path)):
        if row == error.row:
            place = _place(path, line, raw, header.index(error.column))
            return StreamError(Problem(problem.message, problem.slug, place, problem.remedy))
    return error


def _place(path: Path, line: int, raw: str, index: int) -> Place:
    """Point at a field of a line, also if fields before it are quoted."""
    starts, quoted = [0], False
    for i, character in enumerate(raw):
        if character == '"':
            quoted = not quoted
        elif character == "," and not quoted:
            starts.append(i + 1)
    starts.append(len(raw) + 1)
    first, end = starts[min(index, len(starts) - 2)], starts[min(index + 1, len(starts) - 1)] - 1
    return Place(str(path), line, first + 1, max(end, first + 1) + 1, raw)


def _unreadable_row(path: Path, header: list[str], reason: str) -> StreamError:
    """Find the first row that is not of the right shape or kind."""
    for row, (line, fields, raw) in enumerate(_lines(path)):
        if len(fields) != len(header):
            place = Place(str(path), line, 1, text=raw)
            shape = f"row {row + 1} has {len(fields)} fields, the header has {len(header)}"
            return StreamError(Problem(shape, "prob-columns", place))
        for index, (name, field) in enumerate(zip(header, fields, strict=True)):
            if field and name != "series" and not _reads(field, _TYPES[name]):
                what = "a whole number" if name == "time" else "a number"
                text = f"row {row + 1}, column `{name}`: `{field}` is not {what}"
                slug = "prob-time" if name == "time" else "prob-value"
                return StreamError(Problem(text, slug, _place(path, line, raw, index)))
    return StreamError(Problem(f"{path}: {reason}", "unreadable"))


def _reads(field: str, kind: pa.DataType) -> bool:
    try:
        pa.array([field.strip()]).cast(kind)
    except pa.ArrowInvalid:
        return False
    return True
