"""From an event description to a compiled program.

What is compiled already is fetched from the cache; the passes are imported when there is
something for them to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rtec.compiler import cache
from rtec.compiler.program import Program

__all__ = ["Program", "compile_description"]


def compile_description(
    path: Path,
    background: Sequence[Path] = (),
    declarations: Path | None = None,
    trust: bool = False,
    cached: bool = True,
) -> Program:
    """Compile a description, or fetch what the same files were compiled to before.

    Args:
        path: The rules.
        background: Files of plain Prolog, in order; declarations in them count as well.
        declarations: A file of declarations beside the rules.
        trust: Whether goals may do anything.
        cached: Whether the cache on disk is used.

    Raises:
        DescriptionError: With every mistake of the description, in source order.
    """
    given = [path, *([declarations] if declarations is not None else []), *background]
    key = cache.program_key(given, trust) if cached else None
    program = cache.load(key) if key is not None else None
    if program is not None:
        return program
    from rtec.compiler.passes import compile_examined, examine

    examination = examine(path, background, declarations, trust)
    examination.refuse_errors()
    program = compile_examined(path, examination, background)
    inspection = examination.case.inspection
    if key is not None and not inspection.notes:
        cache.store(key, program, [*given, *map(Path, inspection.files)])
    return program
