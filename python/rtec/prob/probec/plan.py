"""What of a description can be given probabilities, and in which order.

Everything that the rules define is sorted by level, as for the ordinary engine. A fluent with a
rule that cannot be followed from one time-point to the next is left out, with all that read it;
the reasons are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from rtec.compiler.declarations import Entities, infer_entities
from rtec.compiler.dependencies import (
    Graph,
    Vertex,
    build_graph,
    helper_reads,
    rule_vertex,
)
from rtec.compiler.description import Description, Rule
from rtec.compiler.lowering import bound_variables
from rtec.compiler.references import Key, entity_key
from rtec.compiler.terms import Atom, Num, variables
from rtec.errors import ConfigError, DescriptionError, Problem
from rtec.model import Scalar
from rtec.prob.probec.rules import Body, Normaliser, Unsupported, asked
from rtec.prob.probec.static_rules import StaticRule, static_rule

SLUG = "prob-unsupported"


@dataclass(frozen=True)
class TimedRule:
    """One alternative of a rule about time-points: an initiation, a termination, an event."""

    rule: Rule
    key: Key
    body: Body


@dataclass
class Level:
    """Rules that read only what lower levels define, or each other.

    Attributes:
        timed: Rules about time-points.
        static: Rules about intervals, of each fluent and value in order.
        cyclic: Whether some of them read each other.
    """

    timed: list[TimedRule] = field(default_factory=list)
    static: list[StaticRule] = field(default_factory=list)
    cyclic: bool = False


@dataclass
class Plan:
    """How to work out the probabilities of a description.

    Attributes:
        description: The description.
        entities: What is an input, a simple fluent and so on.
        levels: The rules, each level after those it reads.
        left_out: Why what is left out is left out.
        outputs: The fluents that are reported.
        defaults: The rules by which fluents hold initially whatever their arguments.
        terminated: The values whose terminations are conditions, by fluent.
    """

    description: Description
    entities: Entities
    levels: list[Level]
    left_out: tuple[Problem, ...]
    outputs: frozenset[Key]
    defaults: dict[Key, list[Rule]]
    terminated: dict[Key, list[Scalar]]

    def level_of(self) -> dict[Key, int]:
        """The level of each simple fluent."""
        return {
            timed.key: number for number, level in enumerate(self.levels) for timed in level.timed
        }

    def is_of_points(self, key: Key) -> bool:
        """Whether a fluent is an input that is told point by point."""
        return self.entities.input_fluents.get(key) in ("build", "point")


def make_plan(
    description: Description, only: Collection[str] | None = None, skip_filters: bool = False
) -> Plan:
    """Plan for all fluents of a description, or for some and for what they read.

    Raises:
        ConfigError: A fluent that is asked for does not exist.
        DescriptionError: A fluent that is asked for, or all of them, cannot be worked out.
    """
    return _Planner(description, only, skip_filters).plan()


class _Planner:
    def __init__(
        self, description: Description, only: Collection[str] | None, skip_filters: bool
    ) -> None:
        self.description = description
        self.skip_filters = skip_filters
        self.entities = infer_entities(description)
        self.graph: Graph = build_graph(description, self.entities)
        self.only = None if only is None else set(only)
        self.left_out: dict[Vertex, Problem] = {}
        self.timed: dict[Vertex, list[TimedRule]] = {}
        self.static: dict[Vertex, list[StaticRule]] = {}
        domains = {entity_key(hint.args[0]) for hint in description.hints_of("dynamicDomain")}
        reads = helper_reads(description, self.entities)
        readers = {key for key, found in reads.items() if found}
        self.normaliser = Normaliser(description, domains, readers)
        self.open_terminations = {
            entity_key(rule.entity)
            for rule in description.of_kind("terminated")
            if _unbound(rule)
        }

    def plan(self) -> Plan:
        self._check_names()
        self._check_hooks()
        for rule in self.description.rules:
            self._take(rule)
        self._check_clauses()
        self._leave_out_readers()
        wanted = self._wanted()
        self._refuse(wanted)
        levels = self._levels(wanted)
        return Plan(
            self.description,
            self.entities,
            levels,
            tuple(self._reasons()),
            self._outputs(wanted),
            self._defaults(wanted),
            _terminated(levels),
        )

    def _check_names(self) -> None:
        known = {name for name, _ in (*self.entities.simple, *self.entities.static)}
        for name in sorted(self.only or ()):
            if name not in known:
                raise ConfigError(f"there is no fluent `{name}` in the description")

    def _check_hooks(self) -> None:
        """Input fluents that Prolog makes up have no probabilities."""
        for clause in self.description.helpers:
            if clause.head is not None and entity_key(clause.head) == ("preProcessing", 1):
                raise DescriptionError(
                    Problem(
                        "`preProcessing/1` cannot be used with probabilities",
                        SLUG,
                        self.description.place(clause.span),
                        "let the stream say what it makes up",
                    )
                )

    def _take(self, rule: Rule) -> None:
        vertex = rule_vertex(rule)
        if vertex in self.left_out or rule.kind == "postponed":
            return
        try:
            if entity_key(rule.entity) in self.entities.input_fluents:
                raise Unsupported("a fluent that is an input as well", rule.clause.span)
            if rule.kind == "delay":
                raise Unsupported("a delayed effect", rule.clause.span)
            if rule.kind == "static":
                self.static.setdefault(vertex, []).append(static_rule(rule, self.skip_filters))
                return
            rules = self.timed.setdefault(vertex, [])
            key = entity_key(rule.entity)
            bodies = self.normaliser.bodies(rule)
            self._check_terminations(bodies)
            rules.extend(TimedRule(rule, key, body) for body in bodies)
        except Unsupported as reason:
            span = reason.span or rule.clause.span
            self.left_out[vertex] = Problem(
                f"`{vertex}` gets no probabilities: {reason.what} has none that can be carried "
                "from one time-point to the next",
                SLUG,
                self.description.place(span),
                "it is left out, and what depends on it",
                severity="warning",
            )

    def _check_terminations(self, bodies: Iterable[Body]) -> None:
        """Refuse conditions on terminations of every instance, met or not."""
        for body in bodies:
            for ref in asked(body):
                if ref.reading == "terminated" and ref.key in self.open_terminations:
                    raise Unsupported(
                        "a condition on a termination that stands for every instance",
                        ref.goal.span,
                    )

    def _check_clauses(self) -> None:
        for vertex, rules in self.static.items():
            for static in rules[:-1]:
                if static.may_fail and vertex not in self.left_out:
                    self.left_out[vertex] = Problem(
                        f"`{vertex}` gets no probabilities: a test for emptiness decides which "
                        "clause counts",
                        SLUG,
                        self.description.place(static.rule.clause.span),
                        "it is left out, and what depends on it",
                        severity="warning",
                    )

    def _leave_out_readers(self) -> None:
        for component in self.graph.components:
            reasons = [
                read
                for vertex in component
                for read in (vertex, *self.graph.edges[vertex])
                if read in self.left_out
            ]
            for vertex in component if reasons else ():
                self.left_out.setdefault(
                    vertex,
                    Problem(
                        f"`{vertex}` gets no probabilities: it depends on `{reasons[0]}`",
                        SLUG,
                        severity="warning",
                    ),
                )

    def _wanted(self) -> set[Vertex]:
        defined = [v for v in self.graph.edges if v.kind in ("simple", "static", "event")]
        if self.only is None:
            return {v for v in defined if v not in self.left_out}
        wanted = {v for v in defined if v.name in self.only}
        todo = list(wanted)
        while todo:
            for read in self.graph.edges[todo.pop()]:
                if read not in wanted and read.kind in ("simple", "static", "event"):
                    wanted.add(read)
                    todo.append(read)
        return wanted

    def _refuse(self, wanted: set[Vertex]) -> None:
        asked_for = [self.left_out[v] for v in sorted(wanted) if v in self.left_out]
        if asked_for or not wanted:
            reasons = asked_for or [p for p in self._reasons() if p.place is not None]
            raise DescriptionError(
                *(
                    Problem(p.message, p.slug, p.place, "ask for other fluents, or change the rule")
                    for p in reasons
                )
            )

    def _reasons(self) -> Iterable[Problem]:
        if self.only is not None:
            return []
        placed = [p for p in self.left_out.values() if p.place is not None]
        others = [p for p in self.left_out.values() if p.place is None]
        placed.sort(key=lambda p: (p.place.path, p.place.line) if p.place else ("", 0))
        return [*placed, *others]

    def _levels(self, wanted: set[Vertex]) -> list[Level]:
        levels: dict[int, Level] = {}
        for component in self.graph.components:
            for vertex in component:
                if vertex not in wanted:
                    continue
                level = levels.setdefault(self.graph.levels[vertex], Level())
                level.timed.extend(self.timed.get(vertex, ()))
                level.static.extend(self.static.get(vertex, ()))
                level.cyclic |= self.graph.is_cyclic(component)
        return [levels[number] for number in sorted(levels)]

    def _outputs(self, wanted: set[Vertex]) -> frozenset[Key]:
        return frozenset(
            (v.name, v.arity)
            for v in wanted
            if v.kind in ("simple", "static") and (self.only is None or v.name in self.only)
        )

    def _defaults(self, wanted: set[Vertex]) -> dict[Key, list[Rule]]:
        found: dict[Key, list[Rule]] = {}
        grounded = {
            entity_key(hint.args[0].args[0])  # type: ignore[union-attr]
            for hint in self.description.hints_of("grounding")
            if getattr(hint.args[0], "functor", "") == "="
        }
        for rule in self.description.of_kind("initially"):
            key = entity_key(rule.entity)
            if _unbound(rule) and key not in grounded and rule_vertex(rule) in wanted:
                found.setdefault(key, []).append(rule)
        return found


def _unbound(rule: Rule) -> bool:
    """Whether the head of a rule stands for every instance of its fluent."""
    bound = bound_variables(rule.body)
    return any(variable.name not in bound for variable in variables(rule.entity))


def _terminated(levels: list[Level]) -> dict[Key, list[Scalar]]:
    found: dict[Key, list[Scalar]] = {}
    for level in levels:
        for timed in level.timed:
            for ref in asked(timed.body):
                if ref.reading != "terminated" or ref.key is None:
                    continue
                values = found.setdefault(ref.key, [])
                if isinstance(ref.value, Atom):
                    values.append(ref.value.name)
                elif isinstance(ref.value, Num):
                    values.append(ref.value.value)
    return found
