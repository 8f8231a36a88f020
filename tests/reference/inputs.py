"""What the records of a stream say: events, and the time-points of input fluents."""

from __future__ import annotations

from typing import TypeAlias

from rtec.compiler.terms import Atom, Compound, Num, Term

from .description import fluent_key
from .points import Points, Timeline
from .printer import to_text
from .records import Record, Scalar
from .solver import Key
from .unify import matches

Fvp: TypeAlias = tuple[Term, Term]


def to_scalar(term: Term) -> Scalar:
    """An argument as Python shows it: a compound is its Prolog text."""
    if isinstance(term, Atom):
        return term.name
    if isinstance(term, Num):
        return term.value
    return to_text(term)


def to_term(scalar: Scalar) -> Term:
    """The term of a field of a record."""
    return Atom(scalar) if isinstance(scalar, str) else Num(scalar)


def entity(record: Record) -> Term:
    """The event or fluent that a record speaks of."""
    args = tuple(to_term(a) for a in record.args)
    return Compound(record.name, args) if args else Atom(record.name)


def inside(timeline: Timeline, record: Record) -> bool:
    """Whether a record speaks of the run; one between two ticks is a mistake in the test."""
    last = record.last_point(timeline.tick)
    within = timeline.start <= last and record.time <= timeline.end
    if within and not (timeline.on_grid(record.time) and timeline.on_grid(last)):
        raise ValueError(f"between two ticks: {record}")
    return within


def input_events(records: list[Record]) -> dict[tuple[Key, int], list[Term]]:
    """The events, by name and time-point."""
    events: dict[tuple[Key, int], list[Term]] = {}
    for record in records:
        if record.is_event:
            event = entity(record)
            events.setdefault((fluent_key(event), record.time), []).append(event)
    return events


def input_fluents(
    records: list[Record], timeline: Timeline, built_from_points: list[Term]
) -> dict[Key, dict[Fvp, Points]]:
    """The time-points of each input FVP.

    An interval whose last time-point comes after the end of the run is open; so is one
    that is built from points and has a point at the end.
    """
    found: dict[Key, dict[Fvp, set[int]]] = {}
    for record in records:
        if record.value is None:
            continue
        fvp = entity(record), to_term(record.value)
        points = found.setdefault(fluent_key(fvp[0]), {}).setdefault(fvp, set())
        if record.end is not None:
            points |= timeline.to_points([(record.time, record.end)])
            continue
        points.add(record.time)
        built = any(matches(Compound("=", fvp), pattern) for pattern in built_from_points)
        if built and record.time == timeline.end:
            points.add(timeline.beyond)
    return {
        key: {fvp: frozenset(points) for fvp, points in fvps.items()}
        for key, fvps in found.items()
    }
