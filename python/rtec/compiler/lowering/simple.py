"""Simple fluents: their points, initial values and delays."""

from __future__ import annotations

from rtec.compiler.dependencies import Vertex
from rtec.compiler.description import Rule
from rtec.compiler.lowering.binding import after_trigger, bound_variables
from rtec.compiler.lowering.groundings import GroundingLowering
from rtec.compiler.lowering.lowered import Section, heads, indicator
from rtec.compiler.references import Key, entity_key
from rtec.compiler.terms import (
    Atom,
    Compound,
    Num,
    Term,
    Var,
    compound,
    conjunction,
    conjuncts,
    variables,
)


class SimpleLowering(GroundingLowering):
    """Lowers initiatedAt, terminatedAt, initially, fi and p."""

    def simple_fluent(self, section: Section, vertex: Vertex, rules: list[Rule]) -> None:
        """Add the clauses of a simple fluent, from these of its rules."""
        key = (vertex.name, vertex.arity)
        store = self.store(key, "simple")
        self.out.declare_store(section, key, store)
        section.add(compound("rtec_output_fluent", indicator(key), Atom(store)))
        for rule in rules:
            if rule.kind in ("initiated", "terminated"):
                self._point(section, key, rule)
            elif rule.kind == "initially":
                self._initially(section, key, rule)
            elif rule.kind == "delay":
                assert rule.value and rule.target and rule.delay
                head = compound(
                    self.symbol("delay", key), rule.entity, rule.value, rule.target, rule.delay
                )
                section.add(head, self._body(rule), rule.clause)
        for rule in self.description.of_kind("postponed"):
            if entity_key(rule.entity) == key:
                assert rule.value
                head = compound(self.symbol("postponed", key), rule.entity, rule.value)
                section.add(head, self._body(rule), rule.clause)
        self._grounded(section, key)

    def _point(self, section: Section, key: Key, rule: Rule) -> None:
        assert rule.value is not None and rule.time is not None
        kind = "i" if rule.kind == "initiated" else "t"
        body = self._body(rule)
        bound = bound_variables(rule.body)
        free = [v for v in variables(rule.entity) if v.name not in bound]
        free_value = isinstance(rule.value, Var) and rule.value.name not in bound
        name = self.symbol("points", key)
        if (free or (free_value and kind == "i")) and self.supplies(rule):
            ground = compound(self.symbol("grounded", key), rule.entity, rule.value)
            if kind == "i" or free:
                body = after_trigger(body, ground)
        elif free:
            name = self.symbol("wild", key)
            kind = "x" if kind == "i" else "t"
        if kind == "t" and name == self.symbol("points", key) and self._ends_apart(key):
            name = self.symbol("ends", key)
        section.add(
            compound(name, rule.entity, rule.time, Atom(kind), rule.value), body, rule.clause
        )

    def _ends_apart(self, key: Key) -> bool:
        """Whether terminations matter only for what is initiated or held already."""
        return key not in self.defaults and ("terminated", key) not in self.kept

    def _initially(self, section: Section, key: Key, rule: Rule) -> None:
        assert rule.value is not None
        body = self._body(rule)
        bound = bound_variables(rule.body)
        if any(v.name not in bound for v in variables(rule.entity)):
            if self.supplies(rule):
                body = conjunction(
                    [
                        *conjuncts(body),
                        compound(self.symbol("grounded", key), rule.entity, rule.value),
                    ]
                )
            head = compound(self.symbol("default", key), rule.entity, rule.value)
        else:
            head = compound(self.symbol("initially", key), rule.entity, rule.value)
        section.add(head, body, rule.clause)

    def _defined(self, name: str) -> bool:
        return any(isinstance(h, Compound) and h.functor == name for h in heads(self.out.sections))

    def simple_options(self, key: Key) -> list[Term]:
        """What the engine must know of a simple fluent besides its rules."""
        options: list[Term] = []
        for kind in ("initially", "default", "wild"):
            name = self.symbol(kind, key)
            if self._defined(name):
                options.append(compound(kind, Atom(name)))
                if kind == "wild":
                    self.out.declare("rtec_instance", key[1])
        if self._defined(self.symbol("ends", key)):
            options.append(compound("ends", Atom(self.symbol("ends", key))))
        if key in self.defaults:
            broken = self.symbol("broken", key)
            self.out.declare(broken, 2, state=True)
            options.append(compound("broken", Atom(broken)))

        if any(self.supplies(r) and entity_key(r.entity) == key for r in self.rules_of_defaults()):
            options.append(Atom("grounded"))
        if self.restricts(key):
            options.append(compound("admitted", Atom(self.symbol("admitted", key))))
        if ("initiated", key) in self.kept:
            options.append(self._kept_points("initiations", "initiated", key, key[1] + 2))
        if ("terminated", key) in self.kept:
            options.append(self._kept_points("breaks", "breaks", key, key[1] + 3))
            options.append(self._kept_points("patterns", "patterns", key, key[1] + 3))
        if self._defined(self.symbol("delay", key)):
            attempts = self.symbol("attempts", key)
            self.out.declare(attempts, 3, state=True)
            self.out.declare(self.symbol("postponed", key), 2)
            options.append(
                compound(
                    "delays",
                    Atom(self.symbol("delay", key)),
                    Atom(self.symbol("postponed", key)),
                    Atom(attempts),
                )
            )
        return options

    def _kept_points(self, option: str, prefix: str, key: Key, arity: int) -> Term:
        name = self.symbol(prefix, key)
        self.out.declare(name, arity)
        return compound(option, compound("/", Atom(name), Num(arity)))
