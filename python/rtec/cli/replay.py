"""`rtec replay`: a stored stream, sent at the pace of its arrival times."""

from __future__ import annotations

import os
import sys

import click

from rtec.errors import ConfigError, Problem
from rtec.runtime.addresses import is_address, parse_address
from rtec.runtime.outputs import STDOUT
from rtec.runtime.recording import Recording
from rtec.runtime.replay import Player


@click.command("replay")
@click.argument("file", metavar="FILE")
@click.option(
    "--rate",
    type=click.FloatRange(min=0, min_open=True),
    default=1.0,
    show_default=True,
    metavar="R",
    help="Time-points per second; `inf` sends everything at once.",
)
@click.option(
    "--to",
    default=STDOUT,
    metavar="WHERE",
    help="A file or named pipe, or where to listen: tcp://HOST:PORT or unix:///PATH. Standard "
    "output by default.",
)
@click.option("--keep", is_flag=True, help="Go on listening when a reader has had everything.")
def command(file: str, rate: float, to: str, keep: bool) -> None:
    """Send a stream at the pace of its arrival times.

    FILE holds pipe-separated lines or JSON lines, gzip'd or not, in any order, or is Parquet,
    which is sent as JSON lines.
    """
    if keep and not is_address(to):
        raise click.UsageError("--keep is for sockets")
    address = parse_address(to) if is_address(to) else None
    player = Player(Recording(file), rate, _notice)
    if address is not None:
        player.serve(address, keep)
    elif to == STDOUT:
        player.play(_write)
    else:
        if os.path.exists(to) and os.path.samefile(file, to):
            raise ConfigError(Problem(f"{to} is the stream itself", "unwritable-output"))
        player.play_to_file(to)


def _write(lines: bytes) -> None:
    sys.stdout.buffer.write(lines)
    sys.stdout.buffer.flush()


def _notice(text: str) -> None:
    click.echo(f"notice: {text}", err=True)
