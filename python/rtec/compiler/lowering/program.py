"""A whole description: its inputs, its rules level by level, and the steps of a query time."""

from __future__ import annotations

from rtec.compiler.declarations import Entities
from rtec.compiler.dependencies import Graph, Vertex, rule_vertex, static_value
from rtec.compiler.description import Description, Rule
from rtec.compiler.lowering.binding import after_trigger
from rtec.compiler.lowering.cycles import CycleLowering
from rtec.compiler.lowering.lowered import Lowered, Section, indicator
from rtec.compiler.lowering.readers import ReaderLowering
from rtec.compiler.references import Key, entity_key
from rtec.compiler.terms import (
    NIL,
    Atom,
    Compound,
    Num,
    Term,
    Var,
    compound,
    conjunction,
    conjuncts,
    list_term,
)


class Lowering(ReaderLowering):
    """Lowers one description."""

    def __init__(
        self, description: Description, entities: Entities, graph: Graph, trust: bool = False
    ) -> None:
        """Take what the earlier passes found; `trust` lets background files use hooks."""
        super().__init__(description, entities, graph)
        self.trust = trust
        self.cycles: dict[tuple[Vertex, ...], Term] = {}

    def lower(self) -> Lowered:
        """Lower everything."""
        self._inputs()
        self._rules()
        self._helpers()
        self._readers()
        self._asks()
        self.may_search = False  # the clauses for it are there
        self._steps()
        return self.out

    def _inputs(self) -> None:
        section = self.out.section("Records of the stream")
        for name, arity in sorted(self.entities.input_events):
            self._records(section, "event", (name, arity), f"happens_{name}", arity + 1)
        for key, mode in sorted(self.entities.input_fluents.items()):
            if mode in ("interval", "fluent"):
                self._records(section, "interval", key, f"interval_{key[0]}", key[1] + 3)
            if mode != "interval":
                self._records(section, "point", key, f"point_{key[0]}", key[1] + 2)
            self.out.declare_store(section, key, self.store(key, "input"))
            section.add(
                compound("rtec_input_fluent", indicator(key), Atom(self.store(key, "input")))
            )

    def _records(self, section: Section, kind: str, key: Key, name: str, arity: int) -> None:
        self.out.declare(name, arity, state=True)
        section.add(compound("rtec_records", Atom(kind), indicator(key), Atom(name), Num(arity)))
        columns = [f"A{i}" for i in range(1, arity + 1)]
        fact = Compound(name, tuple(Var(c) for c in columns))
        heads = [compound("[|]", Var(c), Var(f"{c}s")) for c in columns]
        tails = [Var(f"{c}s") for c in columns]
        for verb, action in (
            ("load", compound("assertz", fact)),
            ("unload", compound("ignore", compound("retract", fact))),
        ):
            loader = f"{verb}_{name}"
            section.add(Compound(loader, tuple(NIL for _ in columns)))
            section.add(
                Compound(loader, tuple(heads)),
                conjunction([action, Compound(loader, tuple(tails))]),
            )

    def _rules(self) -> None:
        by_vertex: dict[Vertex, list[Rule]] = {}
        for rule in self.description.rules:
            by_vertex.setdefault(rule_vertex(rule), []).append(rule)
        for component in self.graph.components:
            if self.graph.is_cyclic(component):
                self.cycles[component] = CycleLowering(self, component, by_vertex).lower()
                continue
            for vertex in component:
                rules = by_vertex.get(vertex, [])
                if vertex.kind == "event":
                    self._event(vertex, rules)
                elif vertex.kind == "simple":
                    self._simple(vertex, rules)
                elif vertex.kind == "static":
                    self._static(vertex, rules)

    def _event(self, vertex: Vertex, rules: list[Rule]) -> None:
        section = self.out.section(f"Output event {vertex}")
        key = (vertex.name, vertex.arity)
        self.out.declare(f"happens_{vertex.name}", vertex.arity + 1)
        section.add(compound("rtec_output_event", indicator(key), Atom(f"happens_{vertex.name}")))
        for rule in rules:
            assert rule.time is not None
            head = compound(f"rules_{vertex.name}", rule.entity, rule.time)
            section.add(head, self._event_body(rule), rule.clause)
        for hint in self.event_groundings(key):
            body = self.lower_body(hint.body)
            section.add(compound(f"grounded_event_{vertex.name}", hint.args[0]), body, hint.clause)

    def _event_body(self, rule: Rule) -> Term:
        """Groundings supply and restrict the instances of an output event."""
        body = self._body(rule)
        key = entity_key(rule.entity)
        if self.event_groundings(key):
            grounded = compound(f"grounded_event_{key[0]}", rule.entity)
            if self.leaves_open(rule):
                return after_trigger(body, grounded)
            return conjunction([*conjuncts(body), compound("once", grounded)])
        if self.leaves_open(rule):
            return conjunction([*conjuncts(body), compound("ground", rule.entity)])
        return body

    def _simple(self, vertex: Vertex, rules: list[Rule]) -> None:
        self.simple_fluent(self.out.section(f"Simple fluent {vertex}"), vertex, rules)

    def _helpers(self) -> None:
        if not self.description.helpers:
            return
        section = self.out.section("Plain Prolog of the description")
        for clause in self.description.helpers:
            assert clause.head is not None
            section.add(clause.head, self.lower_body(clause.body), clause)

    def _steps(self) -> None:
        section = self.out.section("The steps of a query time, in order")
        steps: list[Term] = [Atom("keep_inputs")] if self.trust else []
        for key, mode in sorted(self.entities.input_fluents.items()):
            steps.append(self._input_step(key, mode))
        if self.trust:
            steps.append(Atom("preprocessing"))
        domains = self.out.section("Domains that come from the stream")
        steps.extend(self._domain_steps(domains))
        for component in self.graph.components:
            if component in self.cycles:
                steps.append(self.cycles[component])
            else:
                steps.extend(s for v in component if (s := self._step(v)) is not None)
        for number, step in enumerate(steps, 1):
            section.add(compound("rtec_step", Num(number), step))

    def _input_step(self, key: Key, mode: str) -> Term:
        interval, point = Atom(f"interval_{key[0]}"), Atom(f"point_{key[0]}")
        records: Term = interval if mode == "interval" else point
        if mode == "fluent":
            records = compound("both", interval, point)
        return compound(
            "input", indicator(key), Atom(mode), records, Atom(self.store(key, "input"))
        )

    def _step(self, vertex: Vertex) -> Term | None:
        key = (vertex.name, vertex.arity)
        if vertex.kind == "event":
            return compound(
                "event",
                indicator(key),
                Atom(f"happens_{vertex.name}"),
                Atom(f"rules_{vertex.name}"),
            )
        if vertex.kind == "simple":
            return compound(
                "simple",
                indicator(key),
                Atom(self.store(key, "simple")),
                Atom(self.symbol("points", key)),
                list_term(self.simple_options(key)),
            )
        if vertex.kind == "static":
            value = next(v for v in self.entities.static[key] if static_value(v) == vertex.value)
            return compound(
                "static",
                indicator(key),
                value if vertex.value else Var("_"),
                Atom(self.store(key, "static")),
                Atom(self.symbol("candidates", key)),
                Atom(self.symbol("intervals", key)),
                list_term(self._static_options(vertex, key)),
            )
        return None
