"""Positions of arguments, and which of them speak of the same sort of thing.

A position is an entity (an event, a fluent or a dynamic domain) and the path to one of its
arguments, which may lie inside a compound: the motion of `pow(voter, vote(M))` is at 1, 0.
Two positions are of one sort if some rule has the same variable at both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from rtec.compiler.bodies import goals
from rtec.compiler.description import Description, Rule, split_fvp
from rtec.compiler.references import Key, entity_key, reference
from rtec.compiler.terms import Compound, Term, Var, name_and_args

Path: TypeAlias = tuple[int, ...]
Entity: TypeAlias = tuple[str, str, int]
"""What it is (`event`, `fluent`, `domain`), its name and its number of arguments."""
Position: TypeAlias = tuple[Entity, Path]
Sort: TypeAlias = frozenset[Position]
Keys: TypeAlias = dict[Entity, tuple[Path, ...]]
"""For each entity, the paths to the arguments it is keyed by; none: it concerns everybody."""


def event(term: Term) -> Entity:
    """The entity of an event."""
    return ("event", *entity_key(term))


def fluent(term: Term) -> Entity:
    """The entity of a fluent."""
    return ("fluent", *entity_key(term))


def head_of(rule: Rule) -> Entity:
    """What a rule defines."""
    return event(rule.entity) if rule.kind == "event" else fluent(rule.entity)


def domains(description: Description) -> set[Key]:
    """Name and arity of the domains that are computed from the stream."""
    return {entity_key(hint.args[0]) for hint in description.hints_of("dynamicDomain")}


def leaves(term: Term, path: Path = ()) -> Iterator[tuple[Path, Term]]:
    """Yield the arguments of an entity with their paths, those inside compounds too."""
    named = name_and_args(term)
    for i, arg in enumerate(named[1] if named else ()):
        if isinstance(arg, Compound) and arg.functor != "[|]":
            yield from leaves(arg, (*path, i))
        else:
            yield (*path, i), arg


def at(term: Term, path: Path) -> Term | None:
    """The argument at a path; the variable, if one stands in its way; None if there is none."""
    for i in path:
        if isinstance(term, Var):
            return term
        named = name_and_args(term)
        if named is None or i >= len(named[1]):
            return None
        term = named[1][i]
    return term


def mentioned(body: Term, dynamic: set[Key]) -> Iterator[tuple[Entity, Term]]:
    """Yield the entities that a body speaks of."""
    for goal in goals(body):
        ref = reference(goal.term)
        if ref is not None and ref.entity is not None:
            yield (event if ref.reading == "happens" else fluent)(ref.entity), ref.entity
        elif ref is None and entity_key(goal.term) in dynamic:
            yield ("domain", *entity_key(goal.term)), goal.term


def clauses(description: Description) -> Iterator[list[tuple[Entity, Term]]]:
    """Yield for each rule and each grounding the entities in its head and body."""
    dynamic = domains(description)
    for rule in description.rules:
        head = head_of(rule)
        yield [(head, rule.entity), *mentioned(rule.body, dynamic)]
    for hint in description.hints_of("grounding"):
        fvp = split_fvp(hint.args[0])
        subject = (fluent(fvp[0]), fvp[0]) if fvp else (event(hint.args[0]), hint.args[0])
        yield [subject, *mentioned(hint.body, dynamic)]


def sorts(description: Description) -> list[Sort]:
    """Put all positions into sorts."""
    parent: dict[Position, Position] = {}

    def root(position: Position) -> Position:
        parent.setdefault(position, position)
        while parent[position] != position:
            parent[position] = parent[parent[position]]
            position = parent[position]
        return position

    for mentions in clauses(description):
        seen: dict[str, Position] = {}
        for entity, term in mentions:
            for path, leaf in leaves(term):
                position = (entity, path)
                root(position)
                if isinstance(leaf, Var):
                    parent[root(position)] = root(seen.setdefault(leaf.name, position))
    grouped: dict[Position, set[Position]] = {}
    for position in list(parent):
        grouped.setdefault(root(position), set()).add(position)
    return [frozenset(group) for group in grouped.values()]


def keys_of(chosen: Iterable[Sort], entities: Iterable[Entity]) -> Keys:
    """The keys that follow from a choice of sorts."""
    found: dict[Entity, list[Path]] = {entity: [] for entity in entities}
    for sort in chosen:
        for entity, path in sort:
            found.setdefault(entity, []).append(path)
    return {entity: tuple(sorted(paths)) for entity, paths in found.items()}
