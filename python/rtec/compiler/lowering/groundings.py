"""Which instances exist: grounding declarations, and domains that come from the stream."""

from __future__ import annotations

from collections import Counter

from rtec.compiler.bodies import map_goals
from rtec.compiler.declarations import Entities, values_may_match
from rtec.compiler.dependencies import Graph
from rtec.compiler.description import Description, Hint, Rule, split_fvp
from rtec.compiler.lowering.bodies import BodyLowering
from rtec.compiler.lowering.lowered import Section, general, heads, indicator
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
    name_and_args,
    subterms,
)


class GroundingLowering(BodyLowering):
    """Lowers `grounding/1` and `dynamicDomain/1`."""

    def __init__(self, description: Description, entities: Entities, graph: Graph) -> None:
        """Sort the grounding declarations by fluent."""
        super().__init__(description, entities, graph)
        self.groundings = self._groundings()

    def _groundings(self) -> dict[Key, list[Hint]]:
        found: dict[Key, list[Hint]] = {}
        for hint in self.description.hints_of("grounding"):
            fvp = split_fvp(hint.args[0])
            if fvp is not None:
                found.setdefault(entity_key(fvp[0]), []).append(hint)
        return found

    def is_grounded(self, key: Key) -> bool:
        """Whether a fluent has grounding declarations."""
        return key in self.groundings

    def supplies(self, rule: Rule) -> bool:
        """Whether groundings name instances of what a rule speaks of, where it leaves any open."""
        key = entity_key(rule.entity)
        heads = [split_fvp(hint.args[0]) for hint in self.groundings.get(key, ())]
        if rule.kind != "terminated":
            return any(
                head is not None and (rule.value is None or values_may_match(head[1], rule.value))
                for head in heads
            )
        # What no grounding speaks of exists, too, and is ended by a pattern.
        ended = [rule.value] if isinstance(rule.value, Atom | Num) else self._values(key)
        return bool(heads) and all(
            any(head is not None and _covers(*head, value) for head in heads) for value in ended
        )

    def _values(self, key: Key) -> list[Term]:
        """The values that rules give a fluent."""
        rules = [rule for rule in self.description.rules if entity_key(rule.entity) == key]
        found = [r.value for r in rules if r.kind in ("initiated", "initially", "delay")]
        return [v for v in [*found, *(r.target for r in rules)] if v is not None]

    def has_stream_domain(self, key: Key) -> bool:
        """Whether groundings take instances from the stream, so that some may come late."""
        return any(
            named is not None and (named[0], len(named[1])) in self.domains
            for hint in self.groundings.get(key, [])
            for named in map(name_and_args, conjuncts(hint.body))
        )

    def event_groundings(self, key: Key) -> list[Hint]:
        """The grounding declarations of an output event."""
        return [
            hint
            for hint in self.description.hints_of("grounding")
            if split_fvp(hint.args[0]) is None and entity_key(hint.args[0]) == key
        ]

    def restricts(self, key: Key) -> bool:
        """Whether groundings say more than that arguments come from the stream."""
        for hint in self.groundings.get(key, []):
            for goal in conjuncts(hint.body):
                named = name_and_args(goal)
                if named is None or (named[0], len(named[1])) not in self.domains:
                    return True
                if len(named[1]) > 1:
                    return True
        return False

    def _grounded(self, section: Section, key: Key) -> None:
        name = self.symbol("grounded", key)
        if any(h.functor == name for h in heads(self.out.sections) if isinstance(h, Compound)):
            return
        for hint in self.groundings.get(key, []):
            fvp = split_fvp(hint.args[0])
            assert fvp is not None
            body = map_goals(hint.body, self._goal)
            section.add(compound(name, fvp[0], fvp[1]), body, hint.clause)
        if self.restricts(key):
            self._admitted(section, key)

    def _admitted(self, section: Section, key: Key) -> None:
        """Clauses that say which fluent-value pairs exist: of those that no head speaks of, all."""
        admitted, mentioned = self.symbol("admitted", key), self.symbol("mentioned", key)
        fluent, value = general(key), Var("V")
        heads = [split_fvp(hint.args[0]) for hint in self.groundings[key]]
        section.add(
            compound(admitted, fluent, value),
            compound(self.symbol("grounded", key), fluent, value),
        )
        if any(head is not None and _is_general(*head) for head in heads):
            return
        for head in heads:
            assert head is not None
            section.add(compound(mentioned, *map(_anonymous, head)))
        section.add(
            compound(admitted, fluent, value),
            compound("\\+", compound(mentioned, fluent, value)),
        )

    def _domain_steps(self, section: Section) -> list[Term]:
        steps: list[Term] = []
        for key in sorted(self.used_domains):
            name, arity = key
            self.out.declare(f"domain_{name}", arity)
            rules = f"domain_rules_{name}"
            for hint in self.description.hints_of("grounding"):
                for goal in conjuncts(hint.body):
                    if entity_key(goal) == key:
                        body = self._domain_source(hint)
                        if body is not None:
                            section.add(compound(rules, goal), body, hint.clause)
            instance = general(key)
            section.add(
                compound(rules, instance),
                compound("catch", instance, Var("_"), Atom("fail")),
            )
            steps.append(compound("domain", indicator(key), Atom(f"domain_{name}"), Atom(rules)))
        return steps

    def _domain_source(self, hint: Hint) -> Term | None:
        """Where the arguments of a grounded entity come from in a window."""
        fvp = split_fvp(hint.args[0])
        if fvp is None:
            named = name_and_args(hint.args[0])
            if named is None or (named[0], len(named[1])) not in self.entities.input_events:
                return None
            return compound(f"happens_{named[0]}", Var("_"), *named[1])
        key = entity_key(fvp[0])
        named = name_and_args(fvp[0])
        assert named is not None
        if key in self.entities.input_fluents:
            return Compound(self.store(key, "input"), (*named[1], fvp[1], Var("_")))
        kinds = self.entities.kinds_of(key)
        if not kinds:
            return None
        fact = Compound(self.store(key, kinds[0]), (*named[1], fvp[1], Var("Is")))
        return conjunction(
            [
                fact,
                compound("rtec_window", Var("W"), Var("_")),
                compound("is", Var("T"), compound("+", Var("W"), Num(1))),
                compound("holds_at", Var("Is"), Var("T")),
            ]
        )


def _is_general(fluent: Term, value: Term) -> bool:
    """Whether a grounding speaks of every instance and value of its fluent."""
    named = name_and_args(fluent)
    arguments = [*(named[1] if named is not None else ()), value]
    names = [v.name for v in arguments if isinstance(v, Var)]
    return len(set(names) - {"_"}) + names.count("_") == len(arguments)


def _covers(fluent: Term, named: Term, value: Term) -> bool:
    """Whether a grounding speaks of every instance of a fluent with this value."""
    return _is_general(fluent, Var("_")) and (isinstance(named, Var) or named == value)


def _anonymous(term: Term) -> Term:
    """A head as a fact: variables that stand there once are anonymous."""
    times = Counter(v.name for v in subterms(term) if isinstance(v, Var))

    def go(part: Term) -> Term:
        if isinstance(part, Var):
            return Var("_") if times[part.name] == 1 else part
        if isinstance(part, Compound):
            return Compound(part.functor, tuple(map(go, part.args)))
        return part

    return go(term)
