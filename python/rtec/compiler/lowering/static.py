"""Static fluents: candidates, interval rules, and the memory of Allen conditions."""

from __future__ import annotations

from rtec.compiler.allen import allen_condition
from rtec.compiler.bodies import map_goals
from rtec.compiler.candidates import candidate_literals
from rtec.compiler.declarations import Entities
from rtec.compiler.dependencies import Graph, Vertex, rule_vertex
from rtec.compiler.description import Description, Rule
from rtec.compiler.lifting import AUX_PREFIX, is_whole
from rtec.compiler.lowering.binding import binds, has_interval
from rtec.compiler.lowering.lowered import Section, functor, indicator
from rtec.compiler.lowering.simple import SimpleLowering
from rtec.compiler.references import Key, entity_key, reference
from rtec.compiler.terms import (
    TRUE,
    Atom,
    Compound,
    Term,
    Var,
    compound,
    conjunction,
    conjuncts,
    name_and_args,
    variables,
)


class StaticLowering(SimpleLowering):
    """Lowers holdsFor rules."""

    def __init__(self, description: Description, entities: Entities, graph: Graph) -> None:
        """Find the fluents whose instances are met late."""
        super().__init__(description, entities, graph)
        self.memories = 0
        self.late_met = self._met_late()

    def _static(self, vertex: Vertex, rules: list[Rule]) -> None:
        key = (vertex.name, vertex.arity)
        shown = "Auxiliary" if vertex.name.startswith(AUX_PREFIX) else "Static fluent"
        section = self.out.section(f"{shown} {vertex}")
        store = self.store(key, "static")
        self.out.declare_store(section, key, store)
        if not vertex.name.startswith(AUX_PREFIX):
            fact = compound("rtec_output_fluent", indicator(key), Atom(store))
            if not any(fact == head for s in self.out.sections for head, _, _ in s.clauses):
                section.add(fact)
        for rule in rules:
            self._candidates(section, key, rule)
        for rule in rules:
            assert rule.value is not None and rule.time is not None
            head = compound(self.symbol("intervals", key), rule.entity, rule.value, rule.time)
            body = self._body(rule)
            section.add(head, self._with_memory(section, key, rule, body), rule.clause)
        self._grounded(section, key)

    def _with_memory(self, section: Section, key: Key, rule: Rule, body: Term) -> Term:
        """Allen conditions remember intervals that the window has left."""
        assert rule.value is not None
        instance = compound("=", rule.entity, rule.value)
        known = section.clauses
        candidates = self.symbol("candidates", key)

        def remember(goal: Term) -> Term:
            relation = allen_condition(goal)
            if relation is None:
                return goal
            self.memories += 1
            identity = Atom(f"allen_{self.memories}")
            self.out.declare("allen_memory", 5, state=True)
            # Asked for by the inside of an instance, SWI-Prolog 9.2.9 would keep for ever what was
            # forgotten: its indexes inside of compounds hold on to erased clauses.
            any_instance = Var("RtecInstance")
            fact = compound("allen_memory", Var("_"), identity, any_instance, Var("_"), Var("_"))
            memory = conjunction([fact, compound("=", any_instance, instance)])
            head = compound(candidates, rule.entity, rule.value or Var("_"))
            position = sum(1 for h, _, _ in known if functor(h) != self.symbol("intervals", key))
            known.insert(position, (head, memory, rule.clause))
            return Compound("allen_in_window", (identity, instance, *relation))

        return map_goals(body, remember)

    def _candidates(self, section: Section, key: Key, rule: Rule) -> None:
        assert rule.value is not None
        literals, alternatives = candidate_literals(rule)
        head = compound(self.symbol("candidates", key), rule.entity, rule.value)
        wanted = {v.name for v in variables(head)}
        for alternative in alternatives:
            chosen = set(alternative)
            bodies = self._enumeration(rule, literals, chosen, wanted)
            section.add(head, conjunction(bodies), rule.clause)
            for goals in self._met_through_others(literals, chosen, wanted):
                section.add(head, conjunction(goals), rule.clause)
        if self._is_lasting(alternatives, key):
            met = compound(self.met_predicate(rule_vertex(rule)), rule.entity, rule.value)
            section.add(head, met, rule.clause)

    def _may_last(self, rule: Rule) -> bool:
        key = entity_key(rule.entity)
        alternatives = candidate_literals(rule)[1]
        late = frozenset() in alternatives and self.has_stream_domain(key)
        return late or self._is_lasting(alternatives, key)

    def _is_lasting(self, alternatives: list[frozenset[int]], key: Key) -> bool:
        """Whether a rule may hold although all it reads is empty, and nothing names instances."""
        return frozenset() in alternatives and not self.is_grounded(key)

    def met_predicate(self, vertex: Vertex) -> str:
        """The facts that remember which instances of a static fluent have been met."""
        number = sorted(self.graph.edges).index(vertex)
        return f"{self.symbol('met', (vertex.name, vertex.arity))}_{number}"

    def _met_through_others(
        self, literals: list[Compound], chosen: set[int], wanted: set[str]
    ) -> list[list[Term]]:
        """Other literals make instances known for which a default holds."""
        open_ended = [literals[i] for i in sorted(chosen) if self._has_default(literals[i])]
        if not open_ended:
            return []
        others = [lit for i, lit in enumerate(literals) if i not in chosen]
        return [
            [self._enumerate(literal), *(self._enumerate(lit) for lit in open_ended)]
            for literal in others
            if wanted <= {v.name for v in variables(literal)}
        ]

    def _enumeration(
        self, rule: Rule, literals: list[Compound], chosen: set[int], wanted: set[str]
    ) -> list[Term]:
        """Goals that enumerate instances: chosen literals, then whatever else binds the head.

        A fluent with a default holds for instances that cannot be enumerated, so it comes
        after what may bind them.
        """
        key = entity_key(rule.entity)
        known = [literals[i] for i in sorted(chosen) if not self._has_default(literals[i])]
        open_ended = [literals[i] for i in sorted(chosen) if self._has_default(literals[i])]
        goals_out = [self._enumerate(literal) for literal in known]
        bound = {v.name for literal in known for v in variables(literal)}
        useful = self._leading_to(rule, literals, wanted - bound)
        before: set[str] = set()
        for goal in conjuncts(rule.body):
            names = {v.name for v in variables(goal)}
            # What leads to what is wanted helps if it is called as in the rule.
            if goal in useful and (names & (wanted - bound) or names & before <= bound):
                goals_out.append(self._goal(goal))
                bound |= names
            before |= names
        goals_out += [self._enumerate(literal) for literal in open_ended]
        bound |= {v.name for literal in open_ended for v in variables(literal)}
        if wanted <= bound:
            return goals_out
        if not wanted <= bound and self.is_grounded(key):
            assert rule.value is not None
            goals_out.append(compound(self.symbol("grounded", key), rule.entity, rule.value))
            return goals_out
        others = [*rule.context, *(lit for i, lit in enumerate(literals) if i not in chosen)]
        for literal in others:
            if not wanted <= bound and isinstance(literal, Compound):
                names = {v.name for v in variables(literal)}
                if names & (wanted - bound):
                    goals_out.append(self._enumerate(literal))
                    bound |= names
        return goals_out if wanted <= bound else [*goals_out, Atom("fail")]

    def _leading_to(self, rule: Rule, literals: list[Compound], wanted: set[str]) -> list[Term]:
        """Goals that bind the variables wanted, and goals before them that bind what they read."""
        found: list[Term] = []
        for goal in reversed(conjuncts(rule.body)):
            names = {v.name for v in variables(goal)}
            if (
                reference(goal) is None
                and binds(goal)
                and not has_interval(goal, literals)
                and names & wanted
            ):
                found.append(goal)
                wanted = wanted | names
        return found

    def pattern(self, rule: Rule) -> Term:
        """The fluents of a vertex that its constant arguments tell from others."""
        named = name_and_args(rule.entity)
        assert named is not None
        constant = {position for position, _ in rule.fixed}
        return Compound(
            named[0],
            tuple(arg if i in constant else Var("_") for i, arg in enumerate(named[1])),
        )

    def _has_default(self, literal: Compound) -> bool:
        """Whether a fluent holds for instances that cannot be enumerated."""
        ref = reference(literal)
        return ref is not None and ref.key in self.defaults

    def _enumerate(self, literal: Compound) -> Term:
        ref = reference(literal)
        assert ref is not None
        return self._stored(ref, Var("_"))

    def _met_late(self) -> set[Vertex]:
        """Static fluents whose instances may hold before anything makes them known.

        They read a fluent with a default, are auxiliaries wanted for some instances only, or
        are complements of which not all instances are named before the run.
        """
        found: set[Vertex] = set()
        by_vertex: dict[Vertex, list[Rule]] = {}
        for rule in self.description.of_kind("static"):
            by_vertex.setdefault(rule_vertex(rule), []).append(rule)
        for component in self.graph.components:
            for vertex in component:
                rules = by_vertex.get(vertex, [])
                reads = self.graph.edges[vertex]
                if rules and (
                    any(rule.context or self._may_last(rule) for rule in rules)
                    or any((r.name, r.arity) in self.defaults or r in found for r in reads)
                ):
                    found.add(vertex)
        return found

    def _static_options(self, vertex: Vertex, key: Key) -> list[Term]:
        options: list[Term] = []
        rules = [r for r in self.description.of_kind("static") if rule_vertex(r) == vertex]
        if any(is_whole(rule) for rule in rules):
            options.append(compound("whole", TRUE))
        elif vertex in self.late_met:
            met = self.met_predicate(vertex)
            self.out.declare(met, 2, state=True)
            options.append(compound("met", Atom(met)))
        if vertex.fixed:
            options.append(compound("pattern", self.pattern(rules[0])))
        if self.restricts(key):
            options.append(compound("admitted", Atom(self.symbol("admitted", key))))
        return options
