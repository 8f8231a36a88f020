"""Options that several commands share, and what they come to together with a sidecar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from rtec.errors import ConfigError, Problem
from rtec.runtime.settings import RunSettings
from rtec.runtime.sidecar import find_description, read_sidecar

F = TypeVar("F", bound=Callable[..., Any])


def description_options(command: F) -> F:
    """Add --desc, --background and --trust."""
    return together(
        click.option(
            "--desc",
            "desc",
            required=True,
            metavar="NAME_OR_FILE",
            help="The event description: a file, or the name of a bundled one.",
        ),
        click.option(
            "--background",
            multiple=True,
            metavar="FILE",
            help="Prolog files with background knowledge, loaded first. May be repeated.",
        ),
        click.option(
            "--trust",
            is_flag=True,
            help="Let the description do anything: files, processes, assert and retract.",
        ),
    )(command)


def stream_options(command: F) -> F:
    """Add --stream and the options that cut it into windows."""
    return together(
        click.option(
            "--stream",
            multiple=True,
            metavar="FILE",
            help="Records: pipe-separated text or JSON lines, gzip'd or not, or Parquet; a named "
            "pipe, `-` for standard input, tcp://HOST:PORT or unix:///PATH. May be repeated; "
            "streams are merged by arrival.",
        ),
        click.option(
            "--window",
            type=int,
            metavar="N",
            help="How far back each query time looks; the step if only that is given. Without "
            "either, the whole stream is one window.",
        ),
        click.option(
            "--step",
            type=int,
            metavar="N",
            help="How far apart query times are; the window if only that is given.",
        ),
        click.option(
            "--start",
            type=int,
            metavar="T",
            help="Where the run starts. By default the last multiple of the step before the "
            "first time-point.",
        ),
        click.option(
            "--end",
            type=int,
            metavar="T",
            help="The last query time. By default the last arrival or time-point.",
        ),
        click.option(
            "--tick",
            type=int,
            metavar="N",
            help="How far apart consecutive time-points are; 1 by default.",
        ),
        click.option(
            "--on-error",
            type=click.Choice(["stop", "skip"]),
            default="stop",
            show_default=True,
            help="What to do about a malformed record.",
        ),
    )(command)


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Make one decorator of several options, in their order."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@dataclass(frozen=True, slots=True)
class Chosen:
    """What to run: flags where they were given, else the sidecar."""

    description: Path
    background: tuple[Path, ...]
    streams: tuple[str, ...]
    settings: RunSettings


def choose(
    desc: str,
    background: tuple[str, ...] = (),
    stream: tuple[str, ...] = (),
    window: int | None = None,
    step: int | None = None,
    start: int | None = None,
    end: int | None = None,
    tick: int | None = None,
) -> Chosen:
    """Find the description and its defaults; flags come before the sidecar.

    A sidecar that names a stream says with `start` and `end` where that stream starts and
    ends; with another stream they do not count.

    Raises:
        ConfigError: There is no such description, or a setting makes no sense.
    """
    description = find_description(desc)
    sidecar = read_sidecar(description)
    if stream and sidecar.stream:
        start_default = end_default = None
    else:
        start_default, end_default = sidecar.start, sidecar.end
    ticks = tick if tick is not None else sidecar.tick
    return Chosen(
        description,
        tuple(map(Path, background)) or sidecar.background,
        stream or tuple(map(str, sidecar.stream)),
        RunSettings(
            window if window is not None else sidecar.window,
            step if step is not None else sidecar.step,
            start if start is not None else start_default,
            end if end is not None else end_default,
            1 if ticks is None else ticks,
        ),
    )


def need_stream(chosen: Chosen) -> None:
    """Refuse to run without a stream, unless it is said when the run starts and ends.

    Some descriptions go by themselves, from what holds initially.
    """
    settings = chosen.settings
    if not chosen.streams and (settings.start is None or settings.end is None):
        sidecar = chosen.description.with_suffix(".toml").name
        raise ConfigError(
            Problem(
                "there is no stream to read",
                "no-stream",
                remedy=f"give one with --stream, or write it into {sidecar}; "
                "a run without records needs --start and --end",
            )
        )
