"""The names of what is emitted, and what is known of a description before any rule is lowered."""

from __future__ import annotations

from rtec.compiler.declarations import Entities, all_references, values_may_match
from rtec.compiler.dependencies import Graph
from rtec.compiler.description import Description, Rule
from rtec.compiler.lowering.binding import bound_variables
from rtec.compiler.lowering.lowered import Lowered
from rtec.compiler.references import Key, Reference, entity_key
from rtec.compiler.terms import Compound, Term, name_and_args, variables


class Names:
    """What every part of lowering needs."""

    def __init__(self, description: Description, entities: Entities, graph: Graph) -> None:
        """Take what the earlier passes found."""
        self.description = description
        self.entities = entities
        self.graph = graph
        self.out = Lowered()
        self.defaults = self._fluents_with_default()
        self._with_compounds = self._speaks_of_compounds()
        self.kept: set[tuple[str, Key]] = {
            (ref.reading, ref.key)
            for ref in all_references(description)
            if ref.reading in ("initiated", "terminated") and ref.key is not None
        }

    def symbol(self, prefix: str, key: Key) -> str:
        """Name a predicate; the arity is added where a name has several."""
        name, arity = key
        entities = self.entities
        keys = {*entities.simple, *entities.static, *entities.input_fluents}
        if sum(k[0] == name for k in keys) > 1:
            return f"{prefix}_{name}_{arity}"
        return f"{prefix}_{name}"

    def holds(self, key: Key) -> str:
        """The predicate that rules read a fluent by."""
        return self.symbol("holds", key)

    def store(self, key: Key, kind: str) -> str:
        """The predicate that the values of one kind of a fluent are stored in."""
        if len(self.entities.kinds_of(key)) > 1 or (kind == "simple" and key in self.defaults):
            return self.symbol(f"stored_{kind}", key)
        return self.holds(key)

    def has_compounds(self, key: Key) -> bool:
        """Whether a rule speaks of the fluent with a compound argument, as in `obl(pay(X))`."""
        return key in self._with_compounds

    def _speaks_of_compounds(self) -> set[Key]:
        entities = [rule.entity for rule in self.description.rules]
        entities += [r.entity for r in all_references(self.description) if r.entity is not None]
        return {entity_key(entity) for entity in entities if compound_arguments(entity)}

    def may_be_default(self, ref: Reference) -> bool:
        """Whether what a goal reads may be the default of a fluent, or its hidden value."""
        return ref.key in self.defaults and any(
            ref.value is None or rule.value is None or values_may_match(rule.value, ref.value)
            for rule in self.rules_of_defaults()
            if entity_key(rule.entity) == ref.key
        )

    def _fluents_with_default(self) -> set[Key]:
        return {entity_key(rule.entity) for rule in self.rules_of_defaults()}

    def rules_of_defaults(self) -> list[Rule]:
        """The `initially` that speak of more instances than they name."""
        return [
            rule
            for rule in self.description.of_kind("initially")
            if any(v.name not in bound_variables(rule.body) for v in variables(rule.entity))
        ]


def compound_arguments(entity: Term) -> bool:
    """Whether an event or fluent has an argument that is compound."""
    named = name_and_args(entity)
    return named is not None and any(isinstance(arg, Compound) for arg in named[1])
