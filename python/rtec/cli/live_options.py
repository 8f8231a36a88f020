"""Options for streams that go on while they are read, and for runs that go on after a crash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from rtec.cli.options import together
from rtec.errors import ConfigError, Problem
from rtec.runtime.addresses import is_address
from rtec.runtime.clock import Clock, read_origin
from rtec.runtime.interrupt import Interrupt
from rtec.runtime.live import LiveSettings
from rtec.runtime.run import Pace
from rtec.runtime.settings import RunSettings
from rtec.runtime.wires import Notice

F = TypeVar("F", bound=Callable[..., Any])


memory_option = click.option(
    "--memory",
    type=click.IntRange(min=0),
    metavar="N",
    help="How far back from the window `before` and `after` look. By default to the start "
    "of the run, which takes memory for whatever they may ever relate.",
)


def live_options(command: F) -> F:
    """Add the options that `LiveOptions` holds."""
    return together(
        click.option(
            "--follow",
            multiple=True,
            metavar="FILE",
            help="Read a file as it grows, like `tail -F`. May be repeated.",
        ),
        click.option(
            "--lateness",
            type=click.IntRange(min=0),
            default=0,
            metavar="N",
            help="How far out of order records of live sources may come: a query time is past once "
            "a record has come that arrives more than N later. 0 by default.",
        ),
        click.option(
            "--clock",
            is_flag=True,
            help="Let the clock, not the records, say that a query time is past (by --lateness, "
            "if that is given).",
        ),
        click.option(
            "--clock-rate",
            type=click.FloatRange(min=0, min_open=True),
            metavar="R",
            help="Time-points per second of the clock; 1 by default.",
        ),
        click.option(
            "--clock-origin",
            metavar="WHEN",
            help="What time-point 0 is: `unix` (1970, the default) or a date and time; or `first` "
            "if the first record arrives now, `start` if the run starts now.",
        ),
        click.option(
            "--reconnect",
            type=click.FloatRange(min=0),
            metavar="SECONDS",
            help="How long to try to reach a socket that was cut off; for ever by default. With 0 "
            "the stream ends there.",
        ),
        click.option(
            "--replays/--no-replays",
            default=None,
            help="Whether sources that do not say where they begin start from the beginning when "
            "they are read again. By default pipes do, and sockets do not.",
        ),
        memory_option,
        click.option(
            "--checkpoint",
            metavar="DIR",
            help="Keep in this folder all that is needed to go on: the same command, started "
            "again, goes on where the run was. Needs --out.",
        ),
        click.option(
            "--checkpoint-every",
            type=click.IntRange(min=1),
            default=1,
            metavar="N",
            help="Write a checkpoint after so many query times; 1 by default.",
        ),
    )(command)


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """What was given of these options."""

    follow: tuple[str, ...] = ()
    lateness: int = 0
    clock: bool = False
    clock_rate: float | None = None
    clock_origin: str | None = None
    reconnect: float | None = None
    replays: bool | None = None
    memory: int | None = None
    checkpoint: str | None = None
    checkpoint_every: int = 1

    def __post_init__(self) -> None:
        if not self.clock and (self.clock_rate is not None or self.clock_origin is not None):
            raise click.UsageError("--clock-rate and --clock-origin need --clock")

    def live_settings(self, notice: Notice) -> LiveSettings:
        """Return how live sources are read."""
        return LiveSettings(self.lateness, self.clock, self.reconnect, self.replays, notice)

    def pace(self, interrupt: Interrupt) -> Pace:
        """Return what drives the query times."""
        clock = None
        if self.clock:
            clock = Clock(self.clock_rate or 1.0, read_origin(self.clock_origin or "unix"))
        return Pace(clock, self.lateness, interrupt)

    def check_windows(self, streams: tuple[str, ...], settings: RunSettings) -> None:
        """Refuse to wait for the end of what may never end.

        Raises:
            ConfigError: There is neither a window nor a step.
        """
        endless = self.clock or self.follow or any(map(is_address, streams))
        if endless and settings.windowing() is None:
            raise ConfigError(
                Problem(
                    "a live stream as one window would be reasoned about at its end only",
                    "bad-window",
                    remedy="give --window or --step",
                )
            )
