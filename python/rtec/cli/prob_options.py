"""Options for records that carry probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rtec.cli.options import together
from rtec.errors import ConfigError, Problem

if TYPE_CHECKING:
    from rtec.prob.durations import Durations

F = TypeVar("F", bound=Callable[..., Any])


def prob_options(command: F) -> F:
    """Add the options that `ProbOptions` holds."""
    return together(
        click.option(
            "--prob",
            is_flag=True,
            help="Records carry probabilities: report intervals in which fluents are likely "
            "enough, with how likely they are.",
        ),
        click.option(
            "--threshold",
            metavar="P",
            help="With --prob: how likely a fluent has to be over an interval, from 0 to 1; 0.5 "
            "by default.",
        ),
        click.option(
            "--support-set",
            type=int,
            metavar="N",
            help="With --prob: the most starts of intervals to remember of each fluent "
            "(oPIEC^b); all that may be needed by default.",
        ),
        click.option(
            "--durations",
            metavar="MEAN,SD",
            help="With --prob: how long intervals usually last, in time-points (oPIEC^bd); needs "
            "--support-set.",
        ),
        click.option(
            "--credible-only",
            is_flag=True,
            help="With --prob: leave out what overlaps a better interval.",
        ),
        click.option(
            "--fluent",
            "only",
            multiple=True,
            metavar="NAME",
            help="With --prob: report this fluent only. May be repeated.",
        ),
        click.option(
            "--series",
            metavar="FILE",
            help="With --prob: also write how likely fluents are, as CSV or Parquet that "
            "`rtec opiec --gaps hold` reads.",
        ),
        click.option(
            "--skip-filters",
            is_flag=True,
            help="With --prob: let everything pass filters of whole intervals, by their duration "
            "for example. Otherwise fluents with such filters are left out.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            metavar="N",
            help="With --prob: for the random choices of --durations; 0 by default.",
        ),
    )(command)


@dataclass(frozen=True, slots=True)
class ProbOptions:
    """What was given of these options."""

    prob: bool = False
    threshold: str | None = None
    support_set: int | None = None
    durations: str | None = None
    credible_only: bool = False
    only: tuple[str, ...] = ()
    series: str | None = None
    skip_filters: bool = False
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.prob:
            return
        for option in fields(self):
            if getattr(self, option.name) not in (None, False, ()):
                name = "fluent" if option.name == "only" else option.name.replace("_", "-")
                raise click.UsageError(f"--{name} needs --prob")


def read_durations(text: str) -> Durations:
    """Read what follows --durations.

    >>> read_durations("411,22")
    Durations(mean=411.0, deviation=22.0)

    Raises:
        ConfigError: It is not two numbers, or they make no sense.
    """
    from rtec.prob.durations import Durations

    try:
        mean, deviation = (float(part) for part in text.split(","))
    except ValueError:
        raise ConfigError(
            Problem(
                f"--durations is `{text}`, not two numbers",
                "prob-durations",
                remedy="give the mean and the standard deviation, as in --durations 411,22",
            )
        ) from None
    return Durations(mean, deviation)
