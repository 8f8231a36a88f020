"""`rtec graph`: what depends on what."""

from __future__ import annotations

from pathlib import Path

import click

from rtec.cli.subject import find_subject, subject_arguments


@click.command("graph")
@subject_arguments
@click.option(
    "--out",
    "-o",
    metavar="FILE",
    help="Where to draw; the ending says how: .svg, .png, .dot or .mmd (Mermaid). Standard output "
    "by default, as dot.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["svg", "png", "dot", "mmd"]),
    help="How to draw, whatever the name of the file.",
)
def command(
    file: str,
    background: tuple[Path, ...],
    declarations: Path | None,
    trust: bool,
    out: str | None,
    form: str | None,
) -> None:
    """Draw what depends on what in the description FILE.

    FILE is a path, or the name of a bundled description. Levels are columns, with the inputs on
    the left; an arrow leads from what is read to what is defined by it; cycles are red. Boxes are
    events, round shapes fluents; inputs are dashed, static fluents have a double line. svg and
    png are made with graphviz.
    """
    from rtec.compiler.examination import examine
    from rtec.errors import DescriptionError
    from rtec.graph import FORMS, draw, form_of

    subject = find_subject(file, background)
    chosen = next((f for f in FORMS if f == form), None)
    if chosen is None:
        chosen = "dot" if out is None else form_of(out)
    found = examine(subject.path, subject.background, declarations, trust)
    # A drawing helps to understand most mistakes; only what could not be read is missing in it.
    if found.description.problems:
        raise DescriptionError(*found.description.problems)
    draw(found.case.graph, subject.path.name, out or "-", chosen)
