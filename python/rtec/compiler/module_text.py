"""The text of a compiled module: sections with titles, clauses under the rules they came from."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.description import Description
from rtec.compiler.emit import atom_text, clause_text, term_text
from rtec.compiler.lowering import Lowered
from rtec.compiler.terms import Clause, Compound, Term

_ORIGINS = (
    "points_", "ends_", "wild_", "rules_", "candidates_", "intervals_",
    "trigger_", "fire_", "local_",
)  # fmt: skip


def module_text(name: str, lowered: Lowered, description: Description) -> str:
    """Write a compiled program down."""
    parts = [f"% {name}, compiled by rtec. Loaded into a module of its own for every session.\n"]
    parts.append(":- set_prolog_flag(optimise, true).\n")
    parts.extend(
        f":- dynamic {atom_text(pred)}/{arity}.\n" for pred, arity in sorted(lowered.dynamic)
    )
    parts.extend(_defined_elsewhere(lowered))
    parts.extend(_directives(description))
    parts.append("\n% What survives a query time\n\n")
    parts.extend(
        f"rtec_state({atom_text(pred)}, {arity}).\n" for pred, arity in sorted(lowered.state)
    )
    counts: dict[str, int] = {}
    origins: list[str] = []
    for section in lowered.sections:
        if not section.clauses:
            continue
        parts.append(f"\n% {section.title}\n\n")
        parts.extend(_clauses(section.clauses, description))
        for head, _, origin in section.clauses:
            origins.extend(_origin_fact(head, origin, counts, description))
    if origins:
        parts.extend(["\n% Where each clause came from\n\n", *origins])
    return "".join(parts)


def deltas_text(lowered: Lowered, description: Description) -> str:
    """Write the delta rules down, to be loaded after the module itself."""
    parts = ["% What changes bring about: loaded where reasoning is incremental.\n"]
    parts.append(":- set_prolog_flag(optimise, true).\n")
    parts.extend(
        f":- dynamic {atom_text(pred)}/{arity}.\n" for pred, arity in sorted(lowered.dynamic)
    )
    for section in lowered.sections:
        if section.clauses:
            parts.append(f"\n% {section.title}\n\n")
            parts.extend(_clauses(section.clauses, description))
    return "".join(parts)


def _clauses(
    clauses: list[tuple[Term, Term, Clause | None]], description: Description
) -> Iterator[str]:
    """Yield clauses, each under the rule that it came from."""
    last: Clause | None = None
    for head, body, origin in clauses:
        if origin is not None and origin is not last:
            yield _origin_comment(origin, description)
        last = origin
        yield clause_text(head, body) + "\n"


def _defined_elsewhere(lowered: Lowered) -> list[str]:
    """Predicates that steps name although no rule may define them."""
    wanted: set[tuple[str, int]] = set()
    defined: set[tuple[str, int]] = set()
    for section in lowered.sections:
        for head, _, _ in section.clauses:
            if isinstance(head, Compound):
                defined.add((head.functor, head.arity))
                if head.functor == "rtec_step":
                    wanted |= _step_predicates(head.args[1])
    wanted -= defined
    return [f":- dynamic {atom_text(n)}/{a}.\n" for n, a in sorted(wanted)]


def _step_predicates(step: Term) -> set[tuple[str, int]]:
    from rtec.compiler.terms import Atom, list_items

    found: set[tuple[str, int]] = set()
    if not isinstance(step, Compound):
        return found
    if step.functor == "cycle":
        for member in list_items(step.args[0])[0]:
            found |= _step_predicates(member)
    if step.functor == "simple" and isinstance(step.args[2], Atom):
        found.add((step.args[2].name, 4))
    if step.functor == "static":
        for position, arity in ((3, 2), (4, 3)):
            predicate = step.args[position]
            if isinstance(predicate, Atom):
                found.add((predicate.name, arity))
    return found


def _directives(description: Description) -> list[str]:
    return [
        f":- {term_text(clause.body, 1200)}.\n"
        for clause in description.directives
        if isinstance(clause.body, Compound)
        and clause.body.functor in ("dynamic", "use_module", "op")
    ]


def _origin_comment(origin: Clause, description: Description) -> str:
    source = description.sources.get(origin.span.path)
    if source is None:
        return ""
    place = source.place(origin.span.start)
    text = source.text[origin.span.start : origin.span.end]
    lines = [f"%   {line.rstrip()}" for line in text.splitlines()]
    return "\n".join([f"% line {place.line}:", *lines]) + "\n"


def _origin_fact(
    head: Term, origin: Clause | None, counts: dict[str, int], description: Description
) -> list[str]:
    if origin is None or not isinstance(head, Compound) or not head.functor.startswith(_ORIGINS):
        return []
    counts[head.functor] = counts.get(head.functor, 0) + 1
    source = description.sources.get(origin.span.path)
    if source is None:
        return []
    place = source.place(origin.span.start)
    where = atom_text(f"{place.path}:{place.line}")
    return [f"rtec_origin({atom_text(head.functor)}, {counts[head.functor]}, {where}).\n"]
