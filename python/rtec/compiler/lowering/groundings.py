"""Which instances exist: grounding declarations, and domains that come from the stream."""

from __future__ import annotations

from rtec.compiler.bodies import map_goals
from rtec.compiler.declarations import Entities
from rtec.compiler.dependencies import Graph
from rtec.compiler.description import Description, Hint, split_fvp
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
