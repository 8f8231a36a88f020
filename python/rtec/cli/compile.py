"""`rtec compile`: the Prolog module that a description becomes."""

from __future__ import annotations

from pathlib import Path

import click

from rtec.cli.subject import find_subject, subject_arguments


@click.command("compile")
@subject_arguments
@click.option(
    "--out",
    "-o",
    metavar="OUT.pl",
    default="-",
    help="Where to write; standard output by default.",
)
def command(
    file: str,
    background: tuple[Path, ...],
    declarations: Path | None,
    trust: bool,
    out: str,
) -> None:
    """Write the Prolog module that the description FILE is compiled to.

    FILE is a path, or the name of a bundled description. Each clause of the module stands under
    the rule that it came from. Nothing is written if the description has errors.
    """
    from rtec.compiler import compile_description
    from rtec.runtime.outputs import Output

    subject = find_subject(file, background)
    program = compile_description(subject.path, subject.background, declarations, trust)
    for warning in program.warnings:
        click.echo(str(warning), err=True)
    with Output(out) as output:
        output.write(program.text)
