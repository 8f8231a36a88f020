"""When a rule gives the same answers on a part of the stream as on the whole.

Objects that stand at keys of one record belong together, and so do those that hang together
through several records: they form groups, and a part of the stream holds whole groups. A rule
may then be evaluated in each part by itself, if everything that it joins is of one group:

- its positive conditions hang together by objects at their keys,
- every other condition (negated, counted, in a branch) shares such an object with them,
- the keys of its head are among these objects.

By induction over the rules, all that is derived has the objects at its keys in one group, and
is derived in the part that has the group. Inputs without keys are sent to every part. What
follows from them alone, or from background knowledge, comes out in every part, and counts in
the one that has its object; so it may speak of one object only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rtec.compiler.bodies import GOAL_ARGUMENTS, goals
from rtec.compiler.description import Rule
from rtec.compiler.references import Key, entity_key, reference
from rtec.compiler.terms import Compound, Term, Var, conjuncts
from rtec.spark.necessary import necessary
from rtec.spark.positions import Entity, Keys, at, event, fluent, head_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found out about a rule.

    Attributes:
        fault: Why it needs the whole stream; None if it does not.
        spontaneous: Whether it may yield something about an object that no record mentions.
    """

    fault: str | None = None
    spontaneous: bool = False


@dataclass
class _Groups:
    """Key terms of a rule that are known to be of one group each."""

    sets: list[set[str]] = field(default_factory=list)

    def join(self, terms: Iterable[str]) -> None:
        joined = set(terms)
        apart = []
        for known in self.sets:
            if known & joined:
                joined |= known
            else:
                apart.append(known)
        self.sets = [*apart, joined]

    def know(self, terms: Iterable[str]) -> bool:
        return any(known & set(terms) for known in self.sets)

    def copy(self) -> _Groups:
        return _Groups([set(known) for known in self.sets])


class Fault(Exception):
    """Why a rule cannot be evaluated in parts."""


@dataclass(frozen=True)
class Criterion:
    """A choice of keys, to be tried on rules.

    Attributes:
        keys: The keys of every entity.
        dynamic: Domains that are computed from the stream.
        reading: Plain predicates that have temporal conditions inside.
    """

    keys: Keys
    dynamic: frozenset[Key]
    reading: frozenset[Key] = frozenset()

    def judge(self, rule: Rule) -> Verdict:
        """Find out whether a rule can be evaluated in parts."""
        try:
            if rule.kind == "static":
                return self._static(rule)
            return self._driven(rule)
        except Fault as fault:
            return Verdict(str(fault))

    def head_terms(self, rule: Rule) -> list[str]:
        """The terms at the keys of a rule's head."""
        return self.terms(head_of(rule), rule.entity)

    def terms(self, entity: Entity, term: Term) -> list[str]:
        """The terms at the keys of an entity, each once."""
        paths = self.keys.get(entity, ())
        found = [at(term, path) for path in paths]
        terms = list(dict.fromkeys(_name(t) for t in found if t is not None))
        if paths and not terms:
            raise Fault(f"`{entity[1]}/{entity[2]}` has no key here")
        return terms

    def _driven(self, rule: Rule) -> Verdict:
        """Judge a rule that is driven by events: conditions from left to right."""
        groups = _Groups()
        head = self.head_terms(rule)
        if rule.kind == "delay" and head:
            groups.join(head)  # it starts from an initiation of the fluent itself
        self._walk(rule.body, groups, nested=False)
        return self._conclude(rule, head, groups)

    def _static(self, rule: Rule) -> Verdict:
        """Judge a holdsFor rule: instances come from conditions that must not be empty."""
        head = self.head_terms(rule)
        literals, alternatives = necessary(rule)
        spontaneous = False
        for alternative in alternatives:
            groups = _Groups()
            for number in alternative:
                terms = self._condition(literals[number])
                if terms:
                    groups.join(terms)
            verdict = self._conclude(rule, head, groups)
            spontaneous |= verdict.spontaneous
            if not groups.sets and head:
                groups.join(head)  # the instance is given; its conditions are looked up
            for goal in goals(rule.body):
                terms = self._condition(goal.term)
                if terms and not groups.know(terms):
                    raise Fault(_unshared(goal.term, terms, groups))
        return Verdict(spontaneous=spontaneous)

    def _conclude(self, rule: Rule, head: list[str], groups: _Groups) -> Verdict:
        if len(groups.sets) > 1:
            first, second = (_shown(s) for s in groups.sets[:2])
            raise Fault(f"it joins {first} with {second}, and no condition has both at a key")
        if not groups.sets:
            if rule.kind == "terminated":
                return Verdict()
            if len(head) > 1:
                raise Fault(f"no condition brings {_shown(head)} together")
            return Verdict(spontaneous=bool(head))
        if not head:
            raise Fault(f"it gathers from every {_shown(groups.sets[0])} into something common")
        known = groups.sets[0]
        if rule.kind == "terminated":
            if not known & set(head):
                raise Fault(f"{_shown(known)} acts on every {_shown(head)}")
        elif not set(head) <= known:
            missing = [t for t in head if t not in known]
            raise Fault(f"no condition has {_shown(missing)} of its head at a key beside "
                         f"{_shown(known)}")  # fmt: skip
        return Verdict()

    def _walk(self, body: Term, groups: _Groups, nested: bool) -> None:
        for goal in conjuncts(body):
            inner = (
                GOAL_ARGUMENTS.get((goal.functor, goal.arity))
                if isinstance(goal, Compound)
                else None
            )
            if inner is not None and isinstance(goal, Compound):
                self._walk_inside(goal, inner, groups)
                continue
            terms = self._condition(goal)
            if not terms:
                continue
            if nested and not groups.know(terms):
                raise Fault(_unshared(goal, terms, groups))
            groups.join(terms)

    def _walk_inside(self, goal: Compound, positions: tuple[int, ...], groups: _Groups) -> None:
        """Judge what stands inside a negation, a findall or a branch."""
        one_after_another = goal.functor in ("->", "*->", "forall", "^")
        inside = groups.copy()
        for position in positions:
            self._walk(goal.args[position], inside, nested=True)
            if not one_after_another:
                inside = groups.copy()

    def _condition(self, goal: Term) -> list[str]:
        """The terms at the keys of a condition; none if it is nothing temporal, or keyless."""
        ref = reference(goal)
        if ref is None:
            key = entity_key(goal)
            if key in self.reading:
                raise Fault(f"`{key[0]}/{key[1]}` has temporal conditions inside")
            if key in self.dynamic:
                return self.terms(("domain", *key), goal)
            return []
        if ref.entity is None:
            raise Fault("which event or fluent a condition reads is known only at run time")
        entity = event(ref.entity) if ref.reading == "happens" else fluent(ref.entity)
        return self.terms(entity, ref.entity)


def _unshared(goal: Term, terms: Iterable[str], groups: _Groups) -> str:
    what = goal.functor if isinstance(goal, Compound) else "a condition"
    if not groups.sets:
        return f"`{what}` looks at every {_shown(terms)}"
    known = set().union(*groups.sets)
    return f"`{what}` looks at {_shown(terms)}, which does not hang together with {_shown(known)}"


def _name(term: Term) -> str:
    return term.name if isinstance(term, Var) else f"={term!r}"


def _shown(terms: Iterable[str]) -> str:
    names = sorted(t if not t.startswith("=") else "a constant" for t in terms)
    return " and ".join(f"`{n}`" for n in names)
