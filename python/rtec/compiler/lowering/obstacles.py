"""What keeps an entity from being reasoned about by its changes, if anything does.

Delta rules (deltas.py, cycle_deltas.py) say for which instances, and at which time-points, the
changes of what a rule reads can make a difference. Where that cannot be told from the rule, or
where something changes that nobody notes, there are none: the engine then evaluates the entity
from scratch, and compares. `rtec check --incremental` says so, in the words of this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtec.compiler.bodies import Goal, goals
from rtec.compiler.declarations import all_references, values_may_match
from rtec.compiler.dependencies import Vertex
from rtec.compiler.description import Rule
from rtec.compiler.emit import term_text
from rtec.compiler.lowering.binding import bound_variables
from rtec.compiler.lowering.offsets import looked_for, offsets
from rtec.compiler.references import Key, Reference, entity_key, reference
from rtec.compiler.terms import (
    NIL,
    Atom,
    Clause,
    Num,
    Term,
    Var,
    conjunction,
    conjuncts,
    name_and_args,
    variables,
)

if TYPE_CHECKING:
    from rtec.compiler.lowering.program import Lowering

_TRIGGERS = ("happens", "start", "end", "initiated", "terminated")


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why an entity has no delta rules, and the clause that is the reason."""

    reason: str
    clause: Clause | None = None


class Obstacles:
    """Finds them."""

    def __init__(self, lowering: Lowering, changing: set[str]) -> None:
        """Take the lowered description, and the plain predicates whose answers change."""
        self.lowering = lowering
        self.changing = changing

    # -- entities ------------------------------------------------------------------------

    def of_cycle(
        self, component: Sequence[Vertex], by_vertex: Mapping[Vertex, Sequence[Rule]]
    ) -> Obstacle | None:
        """Of the members of a cycle, or of a simple fluent that is treated like one."""
        members = frozenset((v.name, v.arity) for v in component)
        for vertex in component:
            found = self._of_member(vertex, by_vertex.get(vertex, ()), members)
            if found is not None:
                return found
        return None

    def of_rules(self, rules: Sequence[Rule]) -> Obstacle | None:
        """Of a simple fluent like most."""
        for rule in rules:
            reason = self.of_rule(rule) or self._of_open_value(rule)
            if reason:
                return Obstacle(reason, rule.clause)
        return None

    def of_event(self, key: Key, rules: Sequence[Rule]) -> Obstacle | None:
        """Of an output event."""
        for rule in rules:
            reason = self.of_rule(rule)
            if not reason and self.lowering.leaves_open(rule):
                reason = "its rule leaves arguments open"
            if reason:
                return Obstacle(reason, rule.clause)
        for hint in self.lowering.event_groundings(key):
            reason = self._of_grounding(hint.body)
            if reason:
                return Obstacle(reason, hint.clause)
        return None

    def of_static(self, key: Key, rules: Sequence[Rule]) -> Obstacle | None:
        """Of a static fluent."""
        for rule in rules:
            reason = self._of_intervals(rule)
            if reason:
                return Obstacle(reason, rule.clause)
        return self._of_groundings(key)

    def _of_member(
        self, vertex: Vertex, rules: Sequence[Rule], members: frozenset[Key]
    ) -> Obstacle | None:
        key = (vertex.name, vertex.arity)
        if vertex.kind == "event":
            hints = self.lowering.event_groundings(key)
            if hints:
                return Obstacle("it is an event of a cycle, with groundings", hints[0].clause)
        elif vertex.kind == "simple":
            found = self._of_groundings(key) or self._of_default(key, rules) or self._of_ends(key)
            if found is not None:
                return found
        else:
            return Obstacle("it is a static fluent of a cycle")
        for rule in rules:
            reason = self.of_rule(rule, members)
            if not reason and rule.kind in ("initiated", "terminated", "event"):
                reason = self._of_instance(rule)
            if reason:
                return Obstacle(reason, rule.clause)
        return None

    def _of_groundings(self, key: Key) -> Obstacle | None:
        for hint in self.lowering.groundings.get(key, ()):
            reason = self._of_grounding(hint.body)
            if not reason and self.has_stream_grounding(key):
                reason = self._of_stream_grounding(key)
            if reason:
                return Obstacle(reason, hint.clause)
        return None

    def _of_stream_grounding(self, key: Key) -> str:
        """Groundings whose solutions come and go have no say in what happens by itself."""
        if key in self.lowering.defaults:
            return "it has a default, and instances that come from the stream"
        rules = self.lowering.description.of_kind("delay")
        delays = any(entity_key(rule.entity) == key for rule in rules)
        if delays and self.lowering.restricts(key):
            return "it has delayed effects, and groundings that the stream decides on"
        return ""

    def _of_grounding(self, body: Term) -> str:
        if any(reference(goal.term) is not None for goal in goals(body)):
            return "its grounding asks what holds or happens"
        return self._of_calls(body)

    def _of_default(self, key: Key, rules: Sequence[Rule]) -> Obstacle | None:
        """A delay that begins with a default: nobody knows since when it counts."""
        if key not in self.lowering.defaults:
            return None
        values = [rule.value for rule in rules if rule.kind == "initially"]
        for rule in rules:
            if rule.kind == "delay" and (
                not isinstance(rule.value, Atom | Num)
                or any(v is None or values_may_match(v, rule.value) for v in values)
            ):
                return Obstacle("a delayed effect begins with its default", rule.clause)
        return None

    def _of_ends(self, key: Key) -> Obstacle | None:
        """What is ended, where rules ask for it, has to be known without a look at the window."""
        for ref in all_references(self.lowering.description):
            if ref.reading == "terminated" and ref.key == key:
                reason = self._of_reading_ends(ref)
                if reason:
                    return Obstacle(f"`{term_text(ref.goal)}` {reason}")
        return None

    def _of_reading_ends(self, ref: Reference) -> str:
        if not isinstance(ref.value, Atom | Num):
            return "leaves open which value is ended"
        if ref.key is not None and self.has_patterns(ref.key):
            return "is of a fluent whose rules end all instances of a pattern"
        return ""

    # -- rules ---------------------------------------------------------------------------

    def of_rule(self, rule: Rule, members: frozenset[Key] = frozenset()) -> str:
        """Why the changes of what a rule reads do not say where it has to be asked again."""
        if rule.kind in ("initially", "delay", "postponed"):
            if any(reference(goal.term) is not None for goal in goals(rule.body)):
                return "its body asks what holds or happens"
            return self._of_calls(rule.body)
        conditions = conjuncts(rule.body)
        if not conditions or not isinstance(rule.time, Var):
            return "its time-point is fixed"
        used = {v.name for v in variables(rule.body)}
        if any(isinstance(b, Var) and b.name in used for b in (rule.lower, rule.upper)):
            return "its rule asks for the borders of the window"
        first = self.lowering.read_as(reference(conditions[0]))
        if first is None or first.reading not in _TRIGGERS or first.time != rule.time:
            return "its first condition is not what happens at its time-point"
        known = offsets(rule)
        for goal in goals(rule.body):
            ref = self.lowering.read_as(reference(goal.term))
            if ref is not None:
                reason = self._of_reading(rule, goal, ref, known, members)
                if reason:
                    return f"`{term_text(goal.term)}` {reason}"
        return self._of_calls(rule.body)

    def _of_open_value(self, rule: Rule) -> str:
        if rule.kind == "initiated" and rule.value is not None:
            bound = bound_variables(rule.body)
            if any(v.name not in bound for v in variables(rule.value)):
                return "its rule leaves the value open"
        return ""

    def _of_instance(self, rule: Rule) -> str:
        """A rule of a cycle is asked again for instances that it names, or for a pattern."""
        if self._is_bound(rule) or self.is_supplied(rule) or self.is_pattern(rule):
            return ""
        if entity_key(rule.entity) in self.lowering.defaults:
            return "its rule ends the default of instances that nobody has met"
        return "its rule names its instance in some cases only"

    def _of_reading(
        self,
        rule: Rule,
        goal: Goal,
        ref: Reference,
        known: Mapping[str, int],
        members: frozenset[Key],
    ) -> str:
        if ref.key is None:
            return "asks for something that is known only at run time"
        if ref.reading == "holdsFor":
            return "asks for intervals"
        if not isinstance(ref.time, Var) or ref.time.name not in {**known, **looked_for(rule)}:
            return "is at a time-point that may be any distance from the rule's"
        if ref.key in members:
            return self._of_reading_member(rule, goal, ref, known.get(ref.time.name))
        if ref.reading == "terminated" and (reason := self._of_reading_ends(ref)):
            return reason
        if ref.key in self.lowering.defaults and self.has_patterns(ref.key):
            return "is of a fluent with a default, which its rules end for all instances"
        return ""

    def _of_reading_member(
        self, rule: Rule, goal: Goal, ref: Reference, distance: int | None
    ) -> str:
        if distance != 0:
            return "reads a member of its cycle at another time-point"
        if ref.reading == "terminated":
            return "asks in a cycle what is terminated"
        if ref.bounds is not None and not all(
            isinstance(b, Var) and b.name.startswith("_") for b in ref.bounds
        ):
            return "asks in a cycle for a range of time-points"
        if ref.reading == "holdsAt" and ref.key in self.lowering.defaults:
            if not self._names_instance(rule, goal, ref):
                return "looks in a cycle for instances that have a default"
        return ""

    def _of_intervals(self, rule: Rule) -> str:
        """Of a static fluent: it reads intervals of fluents, whose changes are noted."""
        read = [
            ref for goal in goals(rule.body) if (ref := reference(goal.term)) is not None
        ]
        if not read and rule.time != NIL:
            return "it reads no fluent"
        for ref in read:
            if ref.reading != "holdsFor" or ref.key is None:
                return f"`{term_text(ref.goal)}` is no condition on intervals of a fluent"
            if ref.key in self.lowering.defaults and self.has_patterns(ref.key):
                return (
                    f"`{term_text(ref.goal)}` is of a fluent with a default, which its rules "
                    "end for all instances"
                )
        return self._of_calls(rule.body)

    def _of_calls(self, body: Term) -> str:
        """Plain predicates whose answers may change; domains from the stream are looked after."""
        for goal in goals(body):
            named = name_and_args(goal.term)
            if named is None:
                return "it calls what is known only at run time"
            name, arity = named[0], len(named[1])
            if reference(goal.term) is None and (name, arity) not in self.lowering.domains:
                if name == "queryTime":
                    return "it asks for the query time, which is another one each time"
                if name in self.changing:
                    return f"it calls `{name}/{arity}`, whose answers may change at any query time"
        return ""

    # -- what rules are like ---------------------------------------------------------------

    def has_patterns(self, key: Key) -> bool:
        """Whether rules initiate or end values of all instances of a pattern."""
        return any(
            rule.kind in ("initiated", "terminated")
            and entity_key(rule.entity) == key
            and self.lowering.leaves_open(rule)
            and not self.is_supplied(rule)
            for rule in self.lowering.description.rules
        )

    def has_stream_grounding(self, key: Key) -> bool:
        """Whether groundings ask for a domain that comes from the stream."""
        return any(
            (named := name_and_args(goal.term)) is not None
            and (named[0], len(named[1])) in self.lowering.domains
            for hint in self.lowering.groundings.get(key, ())
            for goal in goals(hint.body)
        )

    def is_supplied(self, rule: Rule) -> bool:
        """Whether groundings bind what the body leaves open."""
        return (
            rule.kind != "event"
            and self.lowering.leaves_open(rule)
            and self.lowering.supplies(rule)
        )

    def is_pattern(self, rule: Rule) -> bool:
        """Whether a rule ends a value of all instances of a pattern, whichever way it succeeds.

        With a default it would end that of instances as well that nobody has met.
        """
        key = entity_key(rule.entity)
        if rule.kind not in ("initiated", "terminated") or self.is_supplied(rule):
            return False
        if key in self.lowering.defaults or self._of_open_value(rule):
            return False
        bound = bound_variables(rule.body)
        return any(v.name not in bound for v in variables(rule.entity))

    def _is_bound(self, rule: Rule) -> bool:
        """Whether the head's instance is bound, whichever way the body succeeds."""
        always = conjunction(
            [c for c in conjuncts(rule.body) if not any(goal.branch for goal in goals(c))]
        )
        bound = bound_variables(always)
        head = variables(rule.entity)
        if rule.kind == "initiated" and rule.value is not None:
            head += variables(rule.value)
        return all(v.name in bound for v in head)

    def _names_instance(self, rule: Rule, goal: Goal, ref: Reference) -> bool:
        """Whether an instance with a default is asked for, rather than looked for.

        Which instances are known by then depends on more than what has happened.
        """
        assert ref.entity is not None
        before: list[Term] = []
        for conjunct in conjuncts(rule.body):
            if any(inner.term is goal.term for inner in goals(conjunct)):
                break
            if not any(inner.branch for inner in goals(conjunct)):
                before.append(conjunct)
        bound = bound_variables(conjunction(before))
        return all(v.name in bound for v in variables(ref.entity))
