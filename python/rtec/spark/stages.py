"""Two stages: what is worked out for each object by itself, and what joins several.

The first stage has the records of an object together, and works out everything that is about
one object. The second has for each pair that meets what the pair and its two members have said:
the intervals and events of the first stage, each sent once to every part that needs it. (A
pair may be of three or more; what counts is that they stand in one record.)

    first    a rule about one object, all of whose conditions are about the same one
    pairs    a rule about the objects of a pair, brought together by a condition on that pair,
             all of whose conditions are about the pair or about one of its members
    alone    any other rule: its level and those above run in one part, over what the first
             stage says of all objects
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from rtec.compiler.bodies import Goal, goals
from rtec.compiler.candidates import candidate_literals
from rtec.compiler.dependencies import Graph, Vertex
from rtec.compiler.description import Rule
from rtec.compiler.references import Key, entity_key, reference
from rtec.compiler.terms import Compound, Term, Var, conjunction, variables
from rtec.spark.positions import Entity, Keys, Path, at, event, fluent, head_of


@dataclass(frozen=True)
class Reason:
    """A rule, and what it is about it that decides."""

    rule: Rule
    text: str


@dataclass(frozen=True)
class Stages:
    """Which outputs belong to which stage.

    Attributes:
        first: Outputs about one object, or about everybody.
        second: All others.
        feeds: What the second stage reads of the first one and of the records.
        copied: Records about pairs that the first stage reads, for each member.
        joined: For each output of the second stage the rule that put it there.
        alone: Why the second stage is in one part; None if it goes by pairs.
    """

    first: frozenset[Entity]
    second: frozenset[Entity] = frozenset()
    feeds: tuple[Entity, ...] = ()
    copied: frozenset[Entity] = frozenset()
    joined: Mapping[Entity, Reason] = field(default_factory=dict)
    alone: Reason | None = None


Subject: TypeAlias = tuple[Goal, Entity, Term]
"""A condition, and what it is about."""


class Unknown(Exception):
    """What a rule reads cannot be told from its text."""


@dataclass(frozen=True)
class Sorter:
    """Sorts the outputs of a description into stages, for a choice of keys.

    Attributes:
        keys: The keys of every entity.
        inputs: What comes from the stream.
        rules: All rules, those of auxiliaries too.
        graph: Who reads whom.
        reading: Plain predicates that have temporal conditions inside.
        dynamic: Domains that are computed from the stream.
        grounded: Outputs whose instances a grounding gives.
        known: What the conditions of rules are about, for all choices of keys.
    """

    keys: Keys
    inputs: frozenset[Entity]
    rules: tuple[Rule, ...]
    graph: Graph
    reading: frozenset[Key]
    dynamic: frozenset[Key]
    grounded: frozenset[Entity] = frozenset()
    known: dict[int, list[Subject]] = field(default_factory=dict)

    def stages(self) -> Stages:
        """Sort.

        Raises:
            Unknown: Some rule reads what is known only at run time.
        """
        outputs = {head_of(rule) for rule in self.rules}
        if outputs & self.inputs:
            raise Unknown("some fluent both comes from the stream and has rules")
        joined = self._joined(outputs)
        first, second = frozenset(outputs - set(joined)), frozenset(joined)
        reads = self._reads
        feeds = {read for head in second for read in reads.get(head, ())} - second
        copied = {
            read
            for head in first
            for read in reads.get(head, ())
            if read in self.inputs and len(self.keys[read]) > 1
        }
        alone = next(self._not_by_pairs(second), None)
        return Stages(
            first, second, tuple(sorted(feeds)), frozenset(copied), joined, alone
        )

    def _joined(self, outputs: set[Entity]) -> dict[Entity, Reason]:
        """The outputs that need more than one object, directly or through what they read."""
        joined: dict[Entity, Reason] = {}
        for rule, head in self._judged:
            fault = self.not_local(rule)
            if fault is not None:
                joined.setdefault(head, Reason(rule, fault))
        reads = self._reads
        changed = True
        while changed:
            changed = False
            for head in outputs - set(joined):
                below = sorted(read for read in reads.get(head, ()) if read in joined)
                if below:
                    rule = next(rule for rule, defined in self._judged if defined == head)
                    text = f"it reads `{below[0][1]}/{below[0][2]}`, which joins several objects"
                    joined[head] = Reason(rule, text)
                    changed = True
        return joined

    @cached_property
    def _judged(self) -> list[tuple[Rule, Entity]]:
        return [(rule, head_of(rule)) for rule in self.rules if rule.kind != "postponed"]

    @cached_property
    def _reads(self) -> dict[Entity, set[Entity]]:
        found: dict[Entity, set[Entity]] = {}
        for reader, reads in self.graph.edges.items():
            found.setdefault(_entity(reader), set()).update(map(_entity, reads))
        return found

    # -- one rule ------------------------------------------------------------------------

    def not_local(self, rule: Rule) -> str | None:
        """Say why a rule needs more than one object; None if it does not."""
        head = self._terms(head_of(rule), rule.entity)
        if len(set(head)) > 1:
            return f"it is about {_shown(head)}"
        for goal, entity, terms in self._conditions(rule):
            if not terms:
                continue
            what = _functor(goal.term)
            if not head:
                return f"`{what}` gathers from every {_shown(terms)} into something common"
            belongs = head[0] in terms if entity in self.inputs else set(terms) == {head[0]}
            if not belongs:
                return f"`{what}` is about {_shown(terms)}, the rule about {_shown(head)}"
        return None

    def not_by_pairs(self, rule: Rule) -> str | None:
        """Say why a rule needs more than one pair and its members; None if it does not."""
        paths = self.keys[head_of(rule)]
        head = self._terms(head_of(rule), rule.entity)
        if len(paths) < 2:
            return "it is not about a pair, but reads what joins several objects"
        if len(set(head)) < len(paths) or any(name.startswith("=") for name in head):
            return "its head does not leave the members of the pair open"
        if head_of(rule) in self.grounded:
            return "a grounding names its instances, whether they have met or not"
        if rule.kind == "initially":
            return "it holds initially, before any two have met"
        wanted = set(head)
        together = False
        for goal, entity, terms in self._conditions(rule):
            what = _functor(goal.term)
            if len(self.keys.get(entity, ())) > 1:
                if set(terms) != wanted or len(set(terms)) < len(terms):
                    return f"`{what}` is about {_shown(terms)}, the rule about {_shown(head)}"
                together |= not (goal.negated or goal.local or goal.branch)
            elif not set(terms) <= wanted:
                return f"`{what}` is about {_shown(terms)}, the rule about {_shown(head)}"
        if rule.kind == "static":
            together = self._always_together(rule, wanted)
        if not together and rule.kind not in ("terminated", "delay"):
            return f"no condition brings {_shown(head)} together"
        return None

    def _not_by_pairs(self, second: frozenset[Entity]) -> Iterator[Reason]:
        for rule, head in self._judged:
            if head in second:
                fault = self.not_by_pairs(rule)
                if fault is not None:
                    yield Reason(rule, fault)

    def _always_together(self, rule: Rule, wanted: set[str]) -> bool:
        """Whether the engine looks at two only if a condition on the pair says that they met.

        It enumerates instances by sets of literals; what these leave open is bound by other
        literals, those that the rule was lifted from first (`lowering/static.py`).
        """
        literals, alternatives = candidate_literals(rule)
        about = [set(self._condition(literal)[1]) for literal in literals]
        for chosen in alternatives:
            if any(about[n] == wanted for n in chosen):
                continue
            missing = wanted.difference(*(about[n] for n in chosen))
            others = [set(self._condition(literal)[1]) for literal in rule.context]
            others += [about[n] for n in range(len(literals)) if n not in chosen]
            binding = next((other for other in others if other & missing), set())
            if not missing or binding != wanted or self._bound_by_background(rule, missing):
                return False
        return True

    def _bound_by_background(self, rule: Rule, missing: set[str]) -> bool:
        return any(
            reference(goal.term) is None
            and any(variable.name in missing for variable in variables(goal.term))
            for goal in goals(rule.body)
        )

    def _conditions(self, rule: Rule) -> Iterator[tuple[Goal, Entity, list[str]]]:
        found = self.known.get(id(rule))
        if found is None:
            body = goals(conjunction([rule.body, *rule.context]))
            found = self.known[id(rule)] = [(goal, *self._subject(goal.term)) for goal in body]
        for goal, entity, term in found:
            yield goal, entity, self._terms(entity, term)

    def _condition(self, goal: Term) -> tuple[Entity, list[str]]:
        entity, term = self._subject(goal)
        return entity, self._terms(entity, term)

    def _subject(self, goal: Term) -> tuple[Entity, Term]:
        """What a condition is about, and the term that says of whom."""
        ref = reference(goal)
        if ref is None:
            key = entity_key(goal)
            kind = "helper" if key in self.reading else "plain"
            return ("domain" if kind == "plain" and key in self.dynamic else kind, *key), goal
        if ref.entity is None:
            return ("unknown", "", 0), goal
        return (event if ref.reading == "happens" else fluent)(ref.entity), ref.entity

    def _terms(self, entity: Entity, term: Term) -> list[str]:
        """The terms at the keys of an entity, in order."""
        if entity[0] == "unknown":
            raise Unknown("which event or fluent a condition reads is known only at run time")
        if entity[0] == "helper":
            return [f"whatever {entity[1]}/{entity[2]} reads"]
        return [_name(term, path) for path in self.keys.get(entity, ())]


def _entity(vertex: Vertex) -> Entity:
    kind = "event" if vertex.kind in ("event", "input event") else "fluent"
    return kind, vertex.name, vertex.arity


def _functor(term: Term) -> str:
    return term.functor if isinstance(term, Compound) else "a condition"


def _name(term: Term, path: Path) -> str:
    """Name what stands at a path; a constant, or the inside of a variable, begins with `=`."""
    leaf = at(term, path)
    if not isinstance(leaf, Var):
        return f"={leaf!r}"
    reached = next(n for n in range(len(path) + 1) if at(term, path[:n]) == leaf)
    return leaf.name if reached == len(path) else f"={leaf.name}{path[reached:]}"


def _shown(terms: Iterable[str]) -> str:
    names = sorted({t if not t.startswith("=") else "a constant" for t in terms})
    return " and ".join(f"`{n}`" for n in names)
