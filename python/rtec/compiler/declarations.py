"""Pass: what is an input, a simple fluent, a static fluent, an output event.

Everything is inferred from the rules; declarations only add entities that no
rule mentions and say how the records of input fluents are laid out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rtec.compiler.bodies import goals
from rtec.compiler.description import Description, split_fvp
from rtec.compiler.references import Key, Reference, entity_key, reference
from rtec.compiler.terms import Atom, Compound, Num, Term, name_and_args

InputMode = Literal["interval", "build", "point", "fluent"]


@dataclass
class Entities:
    """The kinds of everything a description speaks of.

    Attributes:
        output_events: Heads of happensAt rules.
        input_events: Events that only a stream can provide.
        simple: Fluents with initiations, terminations or initial values.
        static: Fluents with holdsFor rules, and the values these rules are for.
        static_heads: The same with the constant arguments that tell rules apart.
        input_fluents: Fluents that only a stream can provide, and how.
        helpers: Plain predicates of the description.
    """

    output_events: set[Key] = field(default_factory=set)
    input_events: set[Key] = field(default_factory=set)
    simple: set[Key] = field(default_factory=set)
    static: dict[Key, list[Term]] = field(default_factory=dict)
    static_heads: dict[Key, list[tuple[Term, tuple[tuple[int, str], ...]]]] = field(
        default_factory=dict
    )
    input_fluents: dict[Key, InputMode] = field(default_factory=dict)
    helpers: set[Key] = field(default_factory=set)

    def kinds_of(self, key: Key) -> list[str]:
        """In which ways the fluent `key` gets its values."""
        kinds = []
        if key in self.simple:
            kinds.append("simple")
        if key in self.static:
            kinds.append("static")
        if key in self.input_fluents:
            kinds.append("input")
        return kinds


def all_references(description: Description) -> Iterator[Reference]:
    """Yield every temporal goal of the rules, declarations and helpers."""
    bodies = [rule.body for rule in description.rules]
    bodies += [clause.body for clause in description.helpers]
    for body in bodies:
        for goal in goals(body):
            found = reference(goal.term)
            if found is not None:
                yield found


def infer_entities(description: Description) -> Entities:
    """Sort all events and fluents of a description into their kinds."""
    entities = Entities()
    for rule in description.rules:
        key = entity_key(rule.entity)
        if rule.kind == "event":
            entities.output_events.add(key)
        elif rule.kind == "static":
            assert rule.value is not None
            values = entities.static.setdefault(key, [])
            if rule.value not in values:
                values.append(rule.value)
            heads = entities.static_heads.setdefault(key, [])
            if (rule.value, rule.fixed) not in heads:
                heads.append((rule.value, rule.fixed))
        elif rule.kind != "postponed":
            entities.simple.add(key)
    entities.helpers = {
        (named[0], len(named[1]))
        for clause in description.helpers
        if clause.head is not None and (named := name_and_args(clause.head)) is not None
    }
    read_as_fluents = {
        ref.key for ref in all_references(description) if ref.reading != "happens" and ref.key
    }
    _declared_inputs(description, entities, read_as_fluents)
    for ref in all_references(description):
        read = ref.key
        if read is None:
            continue
        if ref.reading == "happens":
            if read not in entities.output_events:
                entities.input_events.add(read)
        elif read not in entities.simple and read not in entities.static:
            entities.input_fluents.setdefault(read, "fluent")
    return entities


def _declared_inputs(
    description: Description, entities: Entities, read_as_fluents: set[Key]
) -> None:
    modes: dict[str, InputMode] = {
        "collectIntervals": "interval", "buildFromPoints": "build", "points": "point",
    }  # fmt: skip
    order: dict[str, int] = {"points": 0, "collectIntervals": 1, "buildFromPoints": 2}
    for hint in sorted(description.hints_of(*modes), key=lambda h: order[h.name]):
        fvp = split_fvp(hint.args[0])
        if fvp is not None:
            entities.input_fluents[entity_key(fvp[0])] = modes[hint.name]
    for hint in description.hints_of("event", "inputEntity", "grounding"):
        subject = hint.args[0]
        fvp = split_fvp(subject)
        if fvp is not None:
            key = entity_key(fvp[0])
            known = key in entities.simple or key in entities.static
            if not known and hint.name in ("grounding", "inputEntity"):
                entities.input_fluents.setdefault(key, "fluent")
        elif hint.name in ("event", "grounding") and name_and_args(subject) is not None:
            key = entity_key(subject)
            if key not in entities.output_events and not _is_fluent(key, entities):
                entities.input_events.add(key)
    for hint in description.hints_of("inputEntity"):
        key = entity_key(hint.args[0])
        if split_fvp(hint.args[0]) is None and not _is_fluent(key, entities):
            if key not in entities.output_events and key not in read_as_fluents:
                entities.input_events.add(key)


def _is_fluent(key: Key, entities: Entities) -> bool:
    return bool(entities.kinds_of(key))


def is_ground_value(value: Term) -> bool:
    """Whether a value is an atom or number, rather than a variable."""
    return isinstance(value, Atom | Num)


def values_may_match(one: Term, other: Term) -> bool:
    """Whether two values could be the same at run time."""
    if isinstance(one, Compound) or isinstance(other, Compound):
        return True
    if is_ground_value(one) and is_ground_value(other):
        return one == other
    return True
