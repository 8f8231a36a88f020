"""`rtec check`: every mistake of a description at once."""

from __future__ import annotations

from pathlib import Path

import click

from rtec.cli.subject import find_subject, subject_arguments


@click.command("check")
@subject_arguments
@click.option(
    "--stream",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A stream; names that it contains are inputs. May be repeated. By default that of the "
    "TOML file beside the description.",
)
@click.option(
    "--incremental",
    is_flag=True,
    help="Say as well what is evaluated anew at each query time, and why, where everything else "
    "is updated by what has changed (see --incremental of rtec run).",
)
def command(
    file: str,
    background: tuple[Path, ...],
    declarations: Path | None,
    trust: bool,
    stream: tuple[Path, ...],
    incremental: bool,
) -> None:
    """Report every mistake of the description FILE, in the order of the file.

    FILE is a path, or the name of a bundled description. Each message names the place, what is
    wrong, and a way out; the word in brackets has a section in docs/errors.md.

    Errors keep a description from being run, and the exit code is 1. Warnings do not. Notes list
    the cycles, and with --incremental what is evaluated anew at each query time.
    """
    from rtec.compiler.passes import check_description
    from rtec.compiler.summary import summary

    subject = find_subject(file, background, stream)
    found = check_description(
        subject.path, subject.background, declarations, trust, subject.streams, incremental
    )
    for problem in found.problems:
        click.echo(str(problem))
    click.echo(f"{subject.path}: {summary(found)}")
    if found.errors:
        raise click.exceptions.Exit(1)
