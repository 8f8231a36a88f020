"""Lowering of cycles: rules split into what wakes them and what they then ask.

Members of a cycle are evaluated forward in time (prolog/rtec/cycles.pl). The
goals of a rule up to the first one that reads a member can be run over the whole
window at once: they are the rule's trigger. The rest is run at the time-point
that the trigger gives, when the values of the members there are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rtec.compiler.bodies import goals
from rtec.compiler.declarations import values_may_match
from rtec.compiler.description import Rule
from rtec.compiler.lowering.lowered import indicator
from rtec.compiler.references import Key, Reference, entity_key, reference
from rtec.compiler.terms import (
    TRUE,
    Atom,
    Clause,
    Compound,
    Num,
    Term,
    Var,
    compound,
    conjunction,
    conjuncts,
    list_term,
    name_and_args,
    variables,
)
from rtec.errors import DescriptionError, Problem

if TYPE_CHECKING:
    from rtec.compiler.dependencies import Vertex
    from rtec.compiler.lowering import Lowering
    from rtec.compiler.lowering.lowered import Section


class CycleLowering:
    """Lowers one strongly connected component of simple fluents and output events."""

    def __init__(
        self,
        lowering: Lowering,
        component: tuple[Vertex, ...],
        by_vertex: Mapping[Vertex, Sequence[Rule]],
    ) -> None:
        """Take the component and its rules."""
        self.lowering = lowering
        self.component = component
        self.by_vertex = by_vertex
        self.keys = {(v.name, v.arity): v for v in component}
        self.helpers = self._helpers_that_read()

    def lower(self) -> Term:
        """Add the clauses of the members, and give the step that evaluates them."""
        lowering = self.lowering
        static = [v for v in self.component if v.kind == "static"]
        if static:
            raise DescriptionError(*self._refusal(static))
        names = ", ".join(str(v) for v in self.component)
        section = lowering.out.section(f"Cycle of {names}")
        members = [self._member(section, vertex) for vertex in self.order()]
        return compound("cycle", list_term(members))

    def _refusal(self, static: list[Vertex]) -> list[Problem]:
        clauses = self._clauses()
        first, *rest = clauses
        place = self.lowering.description.place(first.span)
        lines = [
            str(p.line) for c in rest if (p := self.lowering.description.place(c.span)) is not None
        ]
        others = (
            f"; the cycle goes on through the rules of lines {', '.join(lines)}" if lines else ""
        )
        names = ", ".join(f"`{v}`" for v in static)
        return [
            Problem(
                f"a cycle goes through the static fluent {names}",
                "static-cycle",
                place,
                f"define it with initiatedAt/2 and terminatedAt/2, or break the cycle{others}",
            )
        ]

    def _clauses(self) -> list[Clause]:
        reasons = self.lowering.graph.reasons
        found: list[Clause] = []
        for reader in self.component:
            for read in self.component:
                for clause in reasons.get((reader, read), []):
                    if clause not in found:
                        found.append(clause)
        return sorted(found, key=lambda c: (c.span.path, c.span.start))

    # -- order at one time-point -----------------------------------------------------

    def order(self) -> list[Vertex]:
        """Members so that each comes after those that it reads at the same time-point."""
        reads: dict[Vertex, dict[Vertex, Clause]] = {v: {} for v in self.component}
        for vertex in self.component:
            for rule in self.by_vertex.get(vertex, ()):
                for goal in goals(rule.body):
                    ref = reference(goal.term)
                    if ref is None or ref.key is None or ref.reading in ("holdsAt", "holdsFor"):
                        continue
                    if ref.key in self.keys and not self._only_delayed(ref):
                        reads[vertex].setdefault(self.keys[ref.key], rule.clause)
        order: list[Vertex] = []
        left = list(self.component)
        while left:
            ready = [v for v in left if not any(r in left for r in reads[v])]
            if not ready:
                self._not_stratified(left, reads)
            order.extend(ready)
            left = [v for v in left if v not in ready]
        return order

    def _only_delayed(self, ref: Reference) -> bool:
        """Whether an initiation can only come from a delay, and so from an earlier time-point."""
        if ref.reading != "initiated" or ref.key is None or ref.value is None:
            return False
        return not any(
            rule.kind == "initiated"
            and rule.value is not None
            and values_may_match(rule.value, ref.value)
            for rule in self.by_vertex.get(self.keys[ref.key], ())
        )

    def _not_stratified(
        self, left: list[Vertex], reads: dict[Vertex, dict[Vertex, Clause]]
    ) -> None:
        vertex = left[0]
        clause = next(c for r, c in reads[vertex].items() if r in left)
        names = ", ".join(f"`{v}`" for v in left)
        raise DescriptionError(
            Problem(
                f"{names} depend on each other at one and the same time-point",
                "not-stratified",
                self.lowering.description.place(clause.span),
                "read an earlier time-point with holdsAt/2, or trigger the rule by an input event",
            )
        )

    # -- members ---------------------------------------------------------------------

    def _member(self, section: Section, vertex: Vertex) -> Term:
        lowering = self.lowering
        key = (vertex.name, vertex.arity)
        names = {p: lowering.symbol(p, key) for p in ("trigger", "fire", "local")}
        if vertex.kind == "event":
            names = {p: f"{n}_event" for p, n in names.items()}
        self._declare_rules(names, vertex)
        for number, rule in enumerate(self.by_vertex.get(vertex, ()), 1):
            if rule.kind in ("initiated", "terminated", "event"):
                self._rule(section, names, number, rule)
        if vertex.kind == "event":
            store = f"happens_{vertex.name}"
            lowering.out.declare(store, vertex.arity + 1)
            section.add(compound("rtec_output_event", indicator(key), Atom(store)))
            arguments = [Atom(store), *(Atom(names[p]) for p in ("trigger", "fire", "local"))]
            return compound("event", indicator(key), *arguments)
        self._fluent(section, vertex, key)
        options = lowering.simple_options(key) + self._event_options(key)
        return compound(
            "fluent",
            indicator(key),
            Atom(lowering.store(key, "simple")),
            Atom(lowering.symbol("now", key)),
            Atom(lowering.symbol("past", key)),
            *(Atom(names[p]) for p in ("trigger", "fire", "local")),
            list_term(options),
        )

    def _declare_rules(self, names: dict[str, str], vertex: Vertex) -> None:
        event = vertex.kind == "event"
        out = self.lowering.out
        out.declare(names["trigger"], 3)
        out.declare(names["fire"], 4 if event else 6)
        out.declare(names["local"], 2 if event else 4)

    def _fluent(self, section: Section, vertex: Vertex, key: Key) -> None:
        lowering = self.lowering
        rules = [
            r for r in self.by_vertex.get(vertex, ()) if r.kind not in ("initiated", "terminated")
        ]
        lowering.simple_fluent(section, vertex, rules)
        arity = key[1]
        lowering.out.declare(lowering.symbol("now", key), arity + 2)
        lowering.out.declare(lowering.symbol("past", key), arity + 3)
        args = tuple(Var(f"A{i}") for i in range(1, arity + 1))
        self._readers(section, key, args)

    def _readers(self, section: Section, key: Key, args: tuple[Var, ...]) -> None:
        """Clauses by which rules of the cycle read the fluent: now, and at an earlier time."""
        symbol = self.lowering.symbol
        value, time, start, end = Var("V"), Var("T"), Var("S"), Var("E")
        now = Compound(symbol("now", key), (*args, value, start))
        past = Compound(symbol("past", key), (*args, value, start, end))
        shown = compound("\\==", value, Atom("$none"))
        after, before = compound(">=", time, start), compound("<", time, end)
        current = Compound(symbol("current", key), (*args, value))
        was = Compound(symbol("was", key), (*args, value, time))
        section.add(current, conjunction([now, shown]))
        section.add(was, conjunction([now, shown, after]))
        section.add(was, conjunction([past, shown, after, before]))
        if key in self.lowering.defaults:
            fluent: Term = Compound(key[0], args) if args else Atom(key[0])
            unknown = Compound(symbol("now", key), (*args, Var("_"), Var("_")))
            default: list[Term] = [
                compound("ground", fluent),
                compound("\\+", unknown),
                compound(symbol("default", key), fluent, value),
            ]
            broken = compound(symbol("broken", key), fluent, Var("T0"))
            earlier = conjunction([broken, compound("<", Var("T0"), time)])
            section.add(current, conjunction([*default, compound("\\+", broken)]))
            section.add(was, conjunction([*default, compound("\\+", earlier)]))

    def _event_options(self, key: Key) -> list[Term]:
        """Which start and end events of the fluent rules of the cycle ask for."""
        options: list[Term] = []
        wanted = {
            ref.reading
            for vertex in self.component
            for rule in self.by_vertex.get(vertex, ())
            for goal in goals(rule.body)
            if (ref := reference(goal.term)) is not None and ref.key == key
        }
        for reading, option in (("start", "started"), ("end", "ended")):
            if reading in wanted:
                name = self.lowering.symbol(option, key)
                self.lowering.out.declare(name, key[1] + 2)
                options.append(compound(option, compound("/", Atom(name), Num(key[1] + 2))))
        return options

    # -- rules -----------------------------------------------------------------------

    def _rule(self, section: Section, names: dict[str, str], number: int, rule: Rule) -> None:
        lowering = self.lowering
        assert rule.time is not None
        subject: list[Term] = [rule.entity]
        if rule.kind != "event":
            assert rule.value is not None
            subject += [Atom("i" if rule.kind == "initiated" else "t"), rule.value]
        lowering.members = frozenset(self.keys)
        lowering.head_time = rule.time
        front, rest = self._split(rule)
        front = [*lowering.range_goals(rule), *front]
        if front and self._starts_outside(rule):
            names_of = [v for v in variables(conjunction(front)) if v != rule.time]
            passed = Compound("v", tuple(names_of)) if names_of else Atom("v")
            lowered = lowering.lower_asking(conjunction(front))
            section.add(
                compound(names["trigger"], rule.time, Num(number), passed), lowered, rule.clause
            )
            fired = lowering.lower_asking(conjunction(rest), [*names_of, *variables(rule.time)])
            section.add(
                compound(names["fire"], Num(number), passed, rule.time, *subject),
                self._grounded(rule, fired),
                rule.clause,
            )
        else:
            body = lowering.lower_asking(conjunction([*front, *rest]), variables(rule.time))
            section.add(
                compound(names["local"], rule.time, *subject),
                self._grounded(rule, body),
                rule.clause,
            )
        lowering.members = frozenset()
        lowering.head_time = None

    def _grounded(self, rule: Rule, body: Term) -> Term:
        """Groundings supply instances where a rule leaves arguments open."""
        lowering = self.lowering
        if rule.kind == "event" or not lowering.leaves_open(rule):
            return body
        key = entity_key(rule.entity)
        if not lowering.supplies(rule):
            return body
        assert rule.value is not None
        return conjunction(
            [compound(lowering.symbol("grounded", key), rule.entity, rule.value), *conjuncts(body)]
        )

    def _split(self, rule: Rule) -> tuple[list[Term], list[Term]]:
        body = conjuncts(rule.body)
        for position, goal in enumerate(body):
            if self._reads_member(goal):
                return body[:position], body[position:]
        return body, [TRUE]

    def _starts_outside(self, rule: Rule) -> bool:
        body = conjuncts(rule.body)
        return bool(body) and not self._reads_member(body[0])

    def _reads_member(self, term: Term) -> bool:
        for goal in goals(term):
            ref = reference(goal.term)
            if ref is not None:
                if ref.key is None or ref.key in self.keys:
                    return True
                continue
            named = name_and_args(goal.term)
            if named is not None and (named[0], len(named[1])) in self.helpers:
                return True
        return False

    def _helpers_that_read(self) -> set[Key]:
        """Plain predicates of the description through which a member may be read."""
        from rtec.compiler.dependencies import helper_reads

        reads = helper_reads(self.lowering.description, self.lowering.entities)
        return {key for key, found in reads.items() if found & set(self.component)}
