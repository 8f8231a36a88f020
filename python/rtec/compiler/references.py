"""Goals that speak of events and fluents at times: what a rule reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from rtec.compiler.description import split_fvp
from rtec.compiler.terms import Compound, Term, name_and_args

Key: TypeAlias = tuple[str, int]
Reading = Literal["happens", "start", "end", "holdsAt", "holdsFor", "initiated", "terminated"]

_TEMPORAL = {
    ("happensAt", 2), ("holdsAt", 2), ("holdsFor", 2), ("initiatedAt", 2), ("initiatedAt", 4),
    ("terminatedAt", 2), ("terminatedAt", 4),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reference:
    """One temporal goal, taken apart.

    Attributes:
        reading: Which predicate it is.
        entity: The event or fluent; None if it is a variable, known only at run time.
        value: The fluent's value; None for events.
        time: The time-point, or for holdsFor the interval list.
        bounds: T1 and T2 of a 4-argument goal.
        goal: The goal itself.
    """

    reading: Reading
    entity: Term | None
    value: Term | None
    time: Term
    bounds: tuple[Term, Term] | None
    goal: Compound

    @property
    def key(self) -> Key | None:
        """Name and arity of the entity."""
        return None if self.entity is None else entity_key(self.entity)


def entity_key(entity: Term) -> Key:
    """Name and arity of an event or fluent."""
    named = name_and_args(entity)
    if named is None:
        return "", 0
    return named[0], len(named[1])


def is_temporal(goal: Term) -> bool:
    """Whether a goal is `happensAt`, `holdsAt`, `holdsFor`, `initiatedAt` or `terminatedAt`."""
    return isinstance(goal, Compound) and (goal.functor, goal.arity) in _TEMPORAL


def reference(goal: Term) -> Reference | None:
    """Take a temporal goal apart; None for any other goal, and for one that is malformed."""
    if not isinstance(goal, Compound) or not is_temporal(goal):
        return None
    subject = goal.args[0]
    if goal.functor == "happensAt":
        return _event_reference(goal, subject)
    readings: dict[str, Reading] = {
        "holdsAt": "holdsAt", "holdsFor": "holdsFor",
        "initiatedAt": "initiated", "terminatedAt": "terminated",
    }  # fmt: skip
    reading = readings[goal.functor]
    time = goal.args[2] if goal.arity == 4 else goal.args[1]
    bounds = (goal.args[1], goal.args[3]) if goal.arity == 4 else None
    fvp = split_fvp(subject)
    if fvp is None:
        return Reference(reading, None, None, time, bounds, goal)
    return Reference(reading, fvp[0], fvp[1], time, bounds, goal)


def _event_reference(goal: Compound, event: Term) -> Reference:
    time = goal.args[1]
    if isinstance(event, Compound) and event.functor in ("start", "end") and event.arity == 1:
        fvp = split_fvp(event.args[0])
        if fvp is not None:
            reading: Reading = "start" if event.functor == "start" else "end"
            return Reference(reading, fvp[0], fvp[1], time, None, goal)
    if name_and_args(event) is None:
        return Reference("happens", None, None, time, None, goal)
    return Reference("happens", event, None, time, None, goal)
