"""Which events and fluents are known, with how many arguments, and from where."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal
from weakref import WeakKeyDictionary

from rtec.compiler.bodies import goals
from rtec.compiler.checks.case import Case
from rtec.compiler.description import split_fvp
from rtec.compiler.references import Key, entity_key, reference
from rtec.compiler.terms import Term, name_and_args

Sort = Literal["event", "fluent"]

MANUAL = ("event", "inputEntity")
"""Declarations that say what the inputs are; where they stand, everything is declared."""
_FLUENTS = ("simpleFluent", "sDFluent", "collectIntervals", "buildFromPoints", "points")
_EITHER = ("inputEntity", "outputEntity", "internalEntity", "grounding", "index", "cachingOrder")


@dataclass
class Known:
    """The vocabulary of a description.

    Attributes:
        defined: Events and fluents that rules define.
        declared: Events and fluents that declarations name.
        used: How often each stands in a condition.
        own: Events that share their name with the fluent that they initiate or terminate.
        manual: Whether the declarations are those of the manual, which name every input.
    """

    defined: dict[Sort, set[Key]] = field(default_factory=lambda: {"event": set(), "fluent": set()})
    declared: dict[Sort, set[Key]] = field(
        default_factory=lambda: {"event": set(), "fluent": set()}
    )
    used: dict[Sort, Counter[Key]] = field(
        default_factory=lambda: {"event": Counter(), "fluent": Counter()}
    )
    own: set[Key] = field(default_factory=set)
    manual: bool = False

    def vouched(self, sort: Sort) -> set[Key]:
        """What is known for more than having been used."""
        return self.defined[sort] | self.declared[sort]


_KNOWN: WeakKeyDictionary[Case, Known] = WeakKeyDictionary()


def known(case: Case) -> Known:
    """Collect the vocabulary of a description, once."""
    if case not in _KNOWN:
        _KNOWN[case] = _collect(case)
    return _KNOWN[case]


def _collect(case: Case) -> Known:
    result = Known()
    entities = case.entities
    result.defined["event"] |= entities.output_events
    result.defined["fluent"] |= entities.simple | set(entities.static)
    for found in case.references():
        if found.key is not None:
            result.used["event" if found.reading == "happens" else "fluent"][found.key] += 1
    for rule in case.rules:
        if rule.kind in ("initiated", "terminated"):
            key = entity_key(rule.entity)
            if any(_happens(goal.term, key) for goal in goals(rule.body)):
                result.own.add(key)
    _declarations(case, result)
    return result


def _happens(goal: Term, key: Key) -> bool:
    found = reference(goal)
    return found is not None and found.reading == "happens" and found.key == key


def _declarations(case: Case, result: Known) -> None:
    for hint in case.hints:
        result.manual = result.manual or hint.name in MANUAL
        subject = hint.args[0]
        if hint.name == "event":
            _add(result.declared["event"], subject)
        elif hint.name in _FLUENTS:
            _add_fluent(result.declared["fluent"], subject)
    for hint in case.hints:
        subject = hint.args[0]
        if hint.name not in _EITHER or name_and_args(subject) is None:
            continue
        if split_fvp(subject) is not None:
            _add_fluent(result.declared["fluent"], subject)
            continue
        key = entity_key(subject)
        fluents = result.declared["fluent"] | result.defined["fluent"]
        used_as_fluent = key in result.used["fluent"] and key not in result.used["event"]
        is_event = key in result.declared["event"] | result.defined["event"]
        sort: Sort = "fluent" if not is_event and (key in fluents or used_as_fluent) else "event"
        result.declared[sort].add(key)


def _add(keys: set[Key], subject: Term) -> None:
    if name_and_args(subject) is not None:
        keys.add(entity_key(subject))


def _add_fluent(keys: set[Key], subject: Term) -> None:
    """Add a fluent; the manual also declares fluents without a value."""
    fvp = split_fvp(subject)
    _add(keys, fvp[0] if fvp else subject)
