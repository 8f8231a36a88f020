"""The description that `check`, `compile` and `graph` are about, and what belongs to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from rtec.runtime.sidecar import find_description, read_sidecar

F = TypeVar("F", bound=Callable[..., Any])


def subject_arguments(command: F) -> F:
    """Add FILE, --background, --declarations and --trust."""
    for add in (
        click.option(
            "--trust",
            is_flag=True,
            help="Let the description do anything: files, processes, assert and retract.",
        ),
        click.option(
            "--declarations",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="A file of declarations beside the rules, as in the manual.",
        ),
        click.option(
            "--background",
            multiple=True,
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Prolog files with background knowledge. May be repeated. By default those of "
            "the TOML file beside the description.",
        ),
        click.argument("file", metavar="FILE"),
    ):
        command = add(command)
    return command


@dataclass(frozen=True, slots=True)
class Subject:
    """A description and its surroundings: flags where they were given, else the sidecar."""

    path: Path
    background: tuple[Path, ...]
    streams: tuple[Path, ...]


def find_subject(
    file: str, background: tuple[Path, ...] = (), streams: tuple[Path, ...] = ()
) -> Subject:
    """Find a description by path or by name.

    A stream that only the sidecar names counts if it is there.

    Raises:
        ConfigError: There is no such description, or its sidecar is malformed.
    """
    path = find_description(file)
    sidecar = read_sidecar(path)
    return Subject(
        path,
        background or sidecar.background,
        streams or tuple(s for s in sidecar.stream if s.is_file()),
    )
