"""The files of a description, read and sorted into one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rtec.compiler.description import Description, sort_clauses
from rtec.compiler.reader import Source, load_source, read_clauses
from rtec.compiler.terms import Clause
from rtec.errors import Problem


def read_description(paths: Sequence[Path]) -> Description:
    """Read files of rules and declarations, and sort their clauses.

    Mistakes are collected in `Description.problems`, not raised.

    Raises:
        DescriptionError: A file is missing, unreadable or not text.
    """
    sources: dict[str, Source] = {}
    clauses: list[Clause] = []
    problems: list[Problem] = []
    for path in paths:
        source = load_source(path)
        sources[source.path] = source
        read, failed = read_clauses(source)
        clauses.extend(read)
        problems.extend(failed)
        if not read and not failed:
            problems.append(
                Problem(
                    f"{path} has no clauses",
                    "empty-description",
                    remedy="write at least one rule; `rtec new NAME` makes a small description",
                )
            )
    description = sort_clauses(clauses, sources)
    description.problems[:0] = problems
    return description
