"""The passes that make a program of a description, in order.

read -> sort -> check -> lift -> entities -> graph -> lowering -> emission
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rtec.compiler.declarations import Entities, infer_entities
from rtec.compiler.dependencies import Graph, build_graph, fix_arguments
from rtec.compiler.description import Description
from rtec.compiler.examination import Examination, examine
from rtec.compiler.lifting import lift
from rtec.compiler.lowering import DeltaLowering, Lowering
from rtec.compiler.module_text import deltas_text, module_text
from rtec.compiler.program import Program
from rtec.compiler.timeless import changing_names
from rtec.errors import DescriptionError, Place, Problem
from rtec.runtime.records import Input

__all__ = ["analyse", "check_description", "compile_examined", "examine"]


def analyse(description: Description) -> tuple[Description, Entities, Graph]:
    """Run the passes up to the dependency graph."""
    lifted = fix_arguments(lift(description))
    entities = infer_entities(lifted)
    return lifted, entities, build_graph(lifted, entities)


def check_description(
    path: Path,
    background: Sequence[Path] = (),
    declarations: Path | None = None,
    trust: bool = False,
    streams: Sequence[Path] = (),
    incremental: bool = False,
) -> Examination:
    """Look for everything that is wrong with a description, down to its compilation.

    With `incremental`, notes say what is evaluated anew at each query time where others are
    updated by what has changed.

    Raises:
        DescriptionError: A file is missing or is not text.
        StreamError: A stream cannot be read.
    """
    examination = examine(path, background, declarations, trust, streams)
    if not examination.errors:
        try:
            program = compile_examined(path, examination, background)
        except DescriptionError as error:
            return Examination(examination.case, (*examination.problems, *error.problems))
        if incremental:
            return Examination(examination.case, (*examination.problems, *program.anew))
    return examination


def compile_examined(
    path: Path, examination: Examination, background: Sequence[Path] = ()
) -> Program:
    """Compile a description that was found to be without errors."""
    description = examination.description
    lifted, entities, graph = analyse(description)
    lowering = Lowering(lifted, entities, graph, examination.case.trust)
    lowered = lowering.lower()
    deltas, anew = _deltas(lowering, lifted, examination)
    return Program(
        name=path.name,
        text=module_text(path.name, lowered, lifted),
        deltas=deltas,
        anew=anew,
        background=tuple(str(p) for p in background),
        inputs=_inputs(entities),
        outputs=frozenset(
            name
            for name, _ in [*entities.output_events, *entities.simple, *entities.static]
            if not name.startswith("rtec_aux_")
        ),
        warnings=examination.warnings,
        graph=graph,
        description=description,
    )


def _deltas(
    lowering: Lowering, lifted: Description, examination: Examination
) -> tuple[str, tuple[Problem, ...]]:
    """The text of the delta rules, and what has none.

    There are none where background may change anything at any time.
    """
    inspection = examination.case.inspection
    if examination.case.trust or inspection.opaque:
        what = "`--trust`" if examination.case.trust else "directives of background files"
        return "", (_evaluated_anew("everything", f"with {what}, anything may change at any time"),)
    deltas = DeltaLowering(lowering, changing_names(lifted, inspection.files))
    text = deltas_text(deltas.lower(), lifted)
    return text, tuple(
        _evaluated_anew(
            f"`{vertex}`",
            obstacle.reason,
            lifted.place(obstacle.clause.span) if obstacle.clause is not None else None,
        )
        for vertex, obstacle in deltas.anew.items()
    )


def _evaluated_anew(what: str, reason: str, place: Place | None = None) -> Problem:
    message = f"{what} is evaluated anew at each query time: {reason}"
    return Problem(message, "evaluated-anew", place, severity="note")


def _inputs(entities: Entities) -> dict[str, tuple[Input, ...]]:
    found: dict[str, list[Input]] = {}
    for name, arity in sorted(entities.input_events):
        found.setdefault(name, []).append(Input(name, arity, "event"))
    kinds = {"interval": "interval", "build": "point", "point": "point", "fluent": "fluent"}
    for (name, arity), mode in sorted(entities.input_fluents.items()):
        found.setdefault(name, []).append(Input(name, arity, kinds[mode]))  # type: ignore[arg-type]
    return {name: tuple(inputs) for name, inputs in found.items()}
