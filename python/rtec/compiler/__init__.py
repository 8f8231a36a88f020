"""From an event description to a compiled program: the passes, in order.

read -> sort -> lift -> entities -> graph -> lowering -> emission
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rtec.compiler.declarations import Entities, infer_entities
from rtec.compiler.dependencies import Graph, build_graph
from rtec.compiler.description import Description, sort_clauses
from rtec.compiler.lifting import lift
from rtec.compiler.lowering import Lowering
from rtec.compiler.module_text import module_text
from rtec.compiler.program import Program
from rtec.compiler.reader import Source, load_source, read_clauses
from rtec.compiler.terms import Clause
from rtec.errors import DescriptionError, Problem
from rtec.runtime.records import Input

__all__ = ["Program", "analyse", "compile_description", "read_description"]


def read_description(paths: Sequence[Path]) -> Description:
    """Read files of rules and declarations, and sort their clauses.

    Mistakes are collected in `Description.problems`, not raised.
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


def analyse(description: Description) -> tuple[Description, Entities, Graph]:
    """Run the passes up to the dependency graph."""
    lifted = lift(description)
    entities = infer_entities(lifted)
    return lifted, entities, build_graph(lifted, entities)


def compile_description(
    path: Path,
    background: Sequence[Path] = (),
    declarations: Path | None = None,
    trust: bool = False,
) -> Program:
    """Compile a description.

    Raises:
        DescriptionError: With every mistake of the description, in source order.
    """
    paths = [path] if declarations is None else [path, declarations]
    description = read_description(paths)
    if description.problems:
        raise DescriptionError(*description.problems)
    lifted, entities, graph = analyse(description)
    lowered = Lowering(lifted, entities, graph).lower()
    return Program(
        name=path.name,
        text=module_text(path.name, lowered, lifted),
        background=tuple(str(p) for p in background),
        inputs=_inputs(entities),
        outputs=frozenset(
            name
            for name, _ in [*entities.output_events, *entities.simple, *entities.static]
            if not name.startswith("rtec_aux_")
        ),
        graph=graph,
        description=description,
    )


def _inputs(entities: Entities) -> dict[str, tuple[Input, ...]]:
    found: dict[str, list[Input]] = {}
    for name, arity in sorted(entities.input_events):
        found.setdefault(name, []).append(Input(name, arity, "event"))
    kinds = {"interval": "interval", "build": "point", "point": "point", "fluent": "fluent"}
    for (name, arity), mode in sorted(entities.input_fluents.items()):
        found.setdefault(name, []).append(Input(name, arity, kinds[mode]))  # type: ignore[arg-type]
    return {name: tuple(inputs) for name, inputs in found.items()}
