"""`rtec noise`: probabilities and spurious events for a stream that is certain."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
import numpy as np
import pyarrow as pa
import pyarrow.parquet

from rtec.cli.options import choose
from rtec.errors import ConfigError, Problem, StreamError
from rtec.prob.distance import Stations, by_distance, read_stations
from rtec.prob.noise import Line, Noise, parse_lines, smooth, strong
from rtec.prob.scale import FloatArray
from rtec.runtime.layouts import Layouts
from rtec.runtime.outputs import STDOUT, Output

_NUMBER = re.compile(r"-?\d+(\.\d+)?")


@click.command("noise")
@click.option(
    "--stream",
    multiple=True,
    required=True,
    metavar="FILE",
    help="Pipe-separated records, gzip'd or not. May be repeated.",
)
@click.option(
    "--kind",
    type=click.Choice(["smooth", "strong", "distance"]),
    default="smooth",
    show_default=True,
    help="Probabilities of events only; or of context too, and spurious events; or of everything, "
    "by its distance from stations.",
)
@click.option(
    "--mean",
    default="0.25",
    show_default=True,
    metavar="M[,M2]",
    help="How much probability records lose on average; from M at the start to M2 at the end.",
)
@click.option(
    "--shape", default=2.0, show_default=True, help="The shape of the Gamma distribution."
)
@click.option(
    "--context",
    multiple=True,
    metavar="NAME",
    help="Records that are contextual information, such as coordinates. May be repeated.",
)
@click.option(
    "--events",
    multiple=True,
    metavar="NAME",
    help="Records that are uncertain events; by default all that are not context.",
)
@click.option(
    "--spurious",
    default=0.1,
    show_default=True,
    help="How many spurious events strong noise adds, as a share of the events.",
)
@click.option(
    "--stations",
    metavar="FILE",
    help="With --kind distance: where signals are received, CSV with the columns lon and lat.",
)
@click.option(
    "--positions",
    default="coord",
    show_default=True,
    metavar="NAME",
    help="With --kind distance: the records that end in what is where, as in "
    "`coord|5|5|vessel|-4.5|48.4`.",
)
@click.option(
    "--half",
    default=10_000.0,
    show_default=True,
    metavar="METRES",
    help="With --kind distance: how far from a station a record is as likely wrong as right.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Same seed, same noise.",
)
@click.option(
    "--desc",
    metavar="NAME_OR_FILE",
    help="The description that reads the stream: it says which fields records have. Needed to "
    "write JSON lines and Parquet.",
)
@click.option(
    "--out",
    default=STDOUT,
    metavar="FILE",
    help="Where to write: JSON lines (.jsonl), Parquet (.parquet), else lines of text in which a "
    "probability comes first, as in `0.8::walking|5|5|ann`. `-` is standard output.",
)
def command(
    stream: tuple[str, ...],
    kind: str,
    mean: str,
    shape: float,
    context: tuple[str, ...],
    events: tuple[str, ...],
    spurious: float,
    stations: str | None,
    positions: str,
    half: float,
    seed: int,
    desc: str | None,
    out: str,
) -> None:
    """Make a stream noisy: smooth or strong noise, or noise by distance.

    Probabilities are one less a value of a Gamma distribution. Strong noise also concerns context,
    and adds events that did not happen: other events of the same people and things, at times when
    something was recorded of them. Noise by distance gives every record about something with a
    position the probability 1 - x / (x + METRES), x metres from the nearest station.
    """
    noise = Noise(_means(mean), shape)
    layouts = _layouts(desc, out)
    lines = [line for path in stream for line in _read(path)]
    # What takes a record back is no event of its own.
    names = {line.name for line in lines if not line.name.startswith("-")}
    wanted = set(events) or names - set(context)
    rng = np.random.default_rng(seed)
    if kind == "distance":
        noisy = by_distance(lines, positions, Stations(_stations(stations), half))
    elif kind == "smooth":
        noisy = smooth(lines, wanted, noise, rng)
    else:
        noisy = strong(lines, wanted, context, noise, spurious, rng)
    with Output(out) as output:
        if layouts is None:
            output.write("".join(f"{line}\n" for line in noisy))
        elif out.endswith(".parquet"):
            pa.parquet.write_table(_table(noisy, layouts), output.handle)
        else:
            output.write("".join(f"{json.dumps(_row(line, layouts))}\n" for line in noisy))


def _means(text: str) -> tuple[float, float]:
    try:
        first, *rest = (float(part) for part in text.split(","))
        if len(rest) > 1:
            raise ValueError
    except ValueError:
        raise ConfigError(
            Problem(f"--mean is `{text}`, not one number or two", "noise-mean")
        ) from None
    return first, rest[0] if rest else first


def _stations(path: str | None) -> FloatArray:
    if path is None:
        raise ConfigError(
            Problem(
                "noise by distance needs to know where signals are received",
                "noise-distance",
                remedy="name a file of stations with --stations",
            )
        )
    with _reading(path), _opened(path) as text:
        return read_stations(text, path)


def _layouts(desc: str | None, out: str) -> Layouts | None:
    """Find out which fields records have, if that is needed."""
    if not out.endswith((".jsonl", ".parquet")):
        return None
    if desc is None:
        raise ConfigError(
            Problem(
                f"to write {os.path.basename(out)}, the fields of records have to be known",
                "config",
                remedy="name the description that reads the stream with --desc",
            )
        )
    from rtec.compiler import compile_description

    chosen = choose(desc)
    return Layouts(compile_description(chosen.description, chosen.background).inputs)


def _read(path: str) -> list[Line]:
    with _reading(path), _opened(path) as text:
        return parse_lines(text, path)


@contextmanager
def _reading(path: str) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StreamError(Problem(f"cannot read {path}: {reason}", "unreadable-stream")) from None


@contextmanager
def _opened(path: str) -> Iterator[Iterable[str]]:
    if path == "-":
        yield sys.stdin
        return
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        data = gzip.GzipFile(fileobj=file) if packed else file
        yield io.TextIOWrapper(data, encoding="utf-8", errors="replace", newline="")


def _row(line: Line, layouts: Layouts) -> dict[str, Any]:
    fields = line.fields
    name = line.name.removeprefix("-")
    layout = layouts.of_line(name, len(fields)) if name in layouts else None
    if layout is None:
        expected = layouts.expected(name) if name in layouts else "no record of this name"
        raise StreamError(
            Problem(
                f"record `{'|'.join(fields)}` does not fit the description; it reads {expected}",
                "record-fields",
            )
        )
    rest: Sequence[str] = fields[3:]
    row: dict[str, Any] = {"name": name, "arrival": int(fields[1]), "time": int(fields[2])}
    if layout.kind == "interval":
        row["end"], rest = int(rest[0]), rest[1:]
    if layout.kind != "event":
        row["value"], rest = _scalar(rest[0]), rest[1:]
    row["args"] = [_scalar(text) for text in rest]
    if line.name.startswith("-"):
        row["op"] = "-"
    if line.prob is not None:
        row["prob"] = line.prob
    return row


def _table(lines: Sequence[Line], layouts: Layouts) -> pa.Table:
    rows = [_row(line, layouts) for line in lines]
    texts = {"name": pa.string(), "value": pa.string(), "op": pa.string()}
    numbers = {"arrival": pa.int64(), "time": pa.int64(), "end": pa.int64(), "prob": pa.float64()}
    columns = {
        name: pa.array([None if row.get(name) is None else str(row[name]) for row in rows], kind)
        for name, kind in texts.items()
    }
    columns |= {
        name: pa.array([row.get(name) for row in rows], kind) for name, kind in numbers.items()
    }
    lists = [list(map(str, row["args"])) for row in rows]
    columns["args"] = pa.array(lists, pa.list_(pa.string()))
    return pa.table(columns)


def _scalar(text: str) -> str | int | float:
    """Read a field as the language does: numbers as numbers, everything else as an atom."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return text
    return float(text) if match.group(1) else int(text)
