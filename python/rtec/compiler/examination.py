"""A description read and checked, with what surrounds it: everything before compilation proper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rtec.compiler.checks import Case, inspect, names_of_streams, problems
from rtec.compiler.description import Description, sort_clauses
from rtec.compiler.reader import check_depth, load_source, make_source, read_clauses
from rtec.compiler.source_files import read_description
from rtec.errors import DescriptionError, Problem

_DECLARATION = re.compile(
    r"^[ \t]*(inputEntity|outputEntity|simpleFluent|sDFluent|cachingOrder|grounding"
    r"|dynamicDomain|collectIntervals|buildFromPoints)[ \t]*\(",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Examination:
    """What an examination found.

    Attributes:
        case: The description and what surrounds it.
        problems: Errors, warnings and notes, in source order.
    """

    case: Case
    problems: tuple[Problem, ...]

    @property
    def description(self) -> Description:
        """The description as read."""
        return self.case.description

    @property
    def errors(self) -> tuple[Problem, ...]:
        """What keeps the description from being compiled."""
        return tuple(p for p in self.problems if p.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What looks wrong, but can be compiled."""
        return tuple(p for p in self.problems if p.severity == "warning")

    @property
    def notes(self) -> tuple[Problem, ...]:
        """What is good to know."""
        return tuple(p for p in self.problems if p.severity == "note")

    def refuse_errors(self) -> None:
        """Raise the errors, if there are any.

        Raises:
            DescriptionError: With every error, in source order.
        """
        if self.errors:
            raise DescriptionError(*self.errors)


def examine(
    path: Path,
    background: Sequence[Path] = (),
    declarations: Path | None = None,
    trust: bool = False,
    streams: Sequence[Path] = (),
) -> Examination:
    """Read a description and look for everything that is wrong with it.

    Args:
        path: The rules.
        background: Files of plain Prolog; declarations in them count as well.
        declarations: A file of declarations beside the rules.
        trust: Whether goals may do anything.
        streams: Files whose records tell which names are inputs.

    Raises:
        DescriptionError: A file is missing or is not text.
        StreamError: A stream cannot be read.
    """
    paths = [path] if declarations is None else [path, declarations]
    description = read_description(paths)
    for file in background:
        _add_declarations(description, file)
    case = Case(
        description,
        inspect(description, [str(p) for p in background]),
        names_of_streams(streams),
        trust,
    )
    return Examination(case, tuple(problems(case)))


def _add_declarations(description: Description, path: Path) -> None:
    """Take the declarations of a background file; the rest of it stays plain Prolog."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")  # Prolog reads other encodings as well
    except OSError:
        text = ""
    check_depth(make_source(str(path), text))
    if text and not _DECLARATION.search(text):
        return
    source = load_source(path)
    clauses, _ = read_clauses(source)  # syntax errors are noted where background is inspected
    found = sort_clauses(clauses, {source.path: source})
    if found.hints:
        description.sources[source.path] = source
        description.hints.extend(found.hints)
