"""Tables written as JSON lines, CSV, Parquet, or laid out for people."""

from __future__ import annotations

import json
import os
from typing import IO, Literal, TypeAlias, get_args

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from rtec.errors import ConfigError, Problem
from rtec.runtime.outputs import STDOUT, Output, unwritable

Format: TypeAlias = Literal["jsonl", "csv", "parquet", "table"]
FORMATS: tuple[Format, ...] = get_args(Format)

_BY_SUFFIX: dict[str, Format] = {".csv": "csv", ".parquet": "parquet", ".txt": "table"}


def chosen_format(out: str, asked: Format | None) -> Format:
    """Pick the format asked for, else the one that the file name says, else JSON lines."""
    form = asked or _BY_SUFFIX.get(os.path.splitext(out)[1].lower(), "jsonl")
    if form == "parquet" and out == STDOUT:
        raise ConfigError(
            Problem(
                "Parquet cannot be written to standard output",
                "unwritable-output",
                remedy="name a file with --out",
            )
        )
    return form


def write_table(table: pa.Table, output: Output, form: Format) -> None:
    """Write a table to an open file."""
    try:
        _write(table, output.handle, form)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritable(output.path, error) from None


def _write(table: pa.Table, file: IO[bytes], form: Format) -> None:
    if form == "parquet":
        pa.parquet.write_table(table, file)
    elif form == "csv":
        pa.csv.write_csv(table, file)
    elif form == "jsonl":
        for batch in table.to_batches(max_chunksize=10_000):
            lines = [json.dumps(row, ensure_ascii=False) for row in batch.to_pylist()]
            file.write("".join(line + "\n" for line in lines).encode())
    else:
        file.write(aligned(table).encode())


def aligned(table: pa.Table) -> str:
    """Lay a table out in columns: numbers to the right, text to the left.

    >>> print(aligned(pa.table({"series": ["a"], "end": [12], "prob": [0.5]})), end="")
    series  end    prob
    a        12  0.5000
    """
    columns = []
    for name in table.column_names:
        values = table[name].to_pylist()
        texts = [name, *map(_shown, values)]
        width = max(map(len, texts))
        right = pa.types.is_integer(table[name].type) or pa.types.is_floating(table[name].type)
        columns.append([text.rjust(width) if right else text.ljust(width) for text in texts])
    lines = ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
    return "".join(line + "\n" for line in lines)


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
