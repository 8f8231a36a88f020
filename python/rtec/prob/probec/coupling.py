"""Which fluents may ever be read together, by one rule or by the history behind one rule.

A probability needs more than the probabilities of the fluents that a rule reads: if two of them
depend on the same facts, what counts is how likely they are together. That has to be remembered
for every two fluents that some rule may read together, now or later, directly or through the
fluents it reads; for all others it may be forgotten.

What a rule reads is known from its text. A *pattern* is a fluent with the places of its arguments
in the head of the reader: `meeting(P1, P2)` reads `person(P1)`, that is person with argument 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from rtec.compiler.references import Key, entity_key
from rtec.compiler.terms import Term, Var, name_and_args
from rtec.prob.probec.ground import Fvp
from rtec.prob.probec.plan import Plan
from rtec.prob.probec.rules import asked

Places: TypeAlias = tuple[int | None, ...]
"""For each argument the place in the head that it comes from; None if it may be anything."""

Pattern: TypeAlias = tuple[Key, Places]
Equalities: TypeAlias = tuple[tuple[int, int], ...]
"""Which arguments of two fluents must be the same."""


class Coupling:
    """Tells which fluent-value pairs may be read together."""

    def __init__(self, plan: Plan) -> None:
        """Follow what rules read down to the simple fluents."""
        direct: dict[Key, set[Pattern]] = {}
        for level in plan.levels:
            for timed in level.timed:
                refs = [r for r in asked(timed.body) if r.entity is not None]
                _add(direct, timed.rule.entity, (r.entity for r in refs if r.entity is not None))
            for static in level.static:
                entities = [r.entity for r in static.literals if r.entity is not None]
                _add(direct, static.rule.entity, entities)
        self._rules: dict[tuple[Key, Key], list[Equalities]] = {}
        simple = plan.entities.simple
        for reader, below in _closed(direct).items():
            found = [pattern for pattern in below if pattern[0] in simple]
            own = (reader, tuple(range(reader[1])))
            for one in found:
                for other in found:
                    self._couple(one, other)
                if reader in simple:
                    self._couple(own, one)
                    self._couple(one, own)
        self._known: dict[tuple[Fvp, Fvp], bool] = {}

    def _couple(self, one: Pattern, other: Pattern) -> None:
        pairs = tuple(
            (i, j)
            for i, place in enumerate(one[1])
            for j, same in enumerate(other[1])
            if place is not None and place == same
        )
        options = self._rules.setdefault((one[0], other[0]), [])
        if pairs not in options:
            options.append(pairs)

    def together(self, one: Fvp, other: Fvp) -> bool:
        """Whether two different pairs may be read together."""
        options = self._rules.get((one.key, other.key))
        if options is None:
            return False
        return any(all(one.args[i] == other.args[j] for i, j in pairs) for pairs in options)


def _add(direct: dict[Key, set[Pattern]], head: Term, read: Iterable[Term]) -> None:
    named = name_and_args(head)
    assert named is not None
    # Of a variable that is there twice in the head, either place will do.
    places = {arg.name: i for i, arg in enumerate(named[1]) if isinstance(arg, Var)}
    found = direct.setdefault(entity_key(head), set())
    for entity in read:
        args = name_and_args(entity)
        assert args is not None
        found.add((entity_key(entity), tuple(_place(arg, places) for arg in args[1])))


def _place(arg: Term, places: dict[str, int]) -> int | None:
    return places.get(arg.name) if isinstance(arg, Var) else None


def _closed(direct: dict[Key, set[Pattern]]) -> dict[Key, set[Pattern]]:
    """Add what is read through others, until nothing new comes."""
    closed = {reader: set(patterns) for reader, patterns in direct.items()}
    changed = True
    while changed:
        changed = False
        for patterns in closed.values():
            for key, places in list(patterns):
                for inner, inside in list(closed.get(key, ())):
                    through = tuple(None if place is None else places[place] for place in inside)
                    if (inner, through) not in patterns:
                        patterns.add((inner, through))
                        changed = True
    return closed
