"""`rtec generate`: streams for the bundled descriptions, of any length."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

from rtec.errors import ConfigError, Problem
from rtec.generate import APPLICATIONS, generate, make_facts
from rtec.generate.applications import LOOPS
from rtec.generate.delays import HOUR, Delays
from rtec.generate.maritime import vessel_facts

_NAMES = sorted([*APPLICATIONS, *LOOPS])


@click.command("generate")
@click.argument("name", type=click.Choice(_NAMES), metavar="NAME")
@click.option("--size", type=int, required=True, help="How many records (systems, for loops).")
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same stream.")
@click.option("--entities", type=int, help="How many vessels, agents, vehicles, motions, cameras.")
@click.option("--rate", type=float, help="Records per time-point, instead of --entities.")
@click.option("--late", type=float, default=0.0, help="The share of records that arrive late.")
@click.option(
    "--late-scale",
    type=float,
    default=2.0 * HOUR,
    show_default=True,
    help="The scale of delays (Gamma, shape 2), in time-points.",
)
@click.option("--retract", type=float, default=0.0, help="The share of records taken back later.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write; packed if the name ends in .gz. Standard output if not given.",
)
@click.option(
    "--vessel-types",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the background file with the types of the vessels here (maritime only).",
)
def command(
    name: str,
    size: int,
    seed: int,
    entities: int | None,
    rate: float | None,
    late: float,
    late_scale: float,
    retract: float,
    out: Path | None,
    vessel_types: Path | None,
) -> None:
    """Write a synthetic stream for the bundled description NAME.

    NAME is one of activity, immune, maritime, netbill, phage, transport, voting. The records come
    in order of arrival. The loops immune and phage have no input events: for them, Prolog facts
    with starting levels and delays are written.
    """
    if name in LOOPS:
        if entities or rate or late or retract:
            raise ConfigError(
                f"`{name}` has no input events, so --entities, --rate, --late and --retract "
                "have no meaning for it"
            )
        chunks: Iterable[bytes] = [make_facts(name, size, seed).encode()]
    else:
        delays = Delays(late, scale=late_scale)
        blocks = generate(
            name, size, seed, entities=entities, rate=rate, delays=delays, retract=retract
        )
        chunks = (block.text() for block in blocks)
    if vessel_types is not None:
        if name != "maritime":
            raise ConfigError(f"`{name}` has no vessels, so --vessel-types has no meaning for it")
        application = APPLICATIONS[name]
        if entities is None:
            entities = round(rate / application.rate) if rate else application.entities
        with _output(vessel_types) as file:
            file.write(vessel_facts(entities).encode())
    with _output(out) as file:
        for chunk in chunks:
            file.write(chunk)


@contextmanager
def _output(path: Path | None) -> Iterator[IO[bytes]]:
    """Open a file under a temporary name, and give it its name when all is written."""
    if path is None:
        yield sys.stdout.buffer
        return
    part = path.with_name(f"{path.name}.part{os.getpid()}")
    try:
        with _opened(part, packed=path.suffix == ".gz") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise ConfigError(
            Problem(f"`{path}` cannot be written: {error.strerror}", "output-file")
        ) from None
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _opened(path: Path, packed: bool) -> Iterator[IO[bytes]]:
    with path.open("wb") as raw:
        if packed:
            # Neither name nor time inside, so that the same stream gives the same bytes.
            with gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
                yield file  # type: ignore[misc]
        else:
            yield raw
