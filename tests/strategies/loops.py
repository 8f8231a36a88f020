"""Random cycles of several members, in which a change can go round.

`descriptions` makes cycles now and then; here every description has one. Its members read each
other in a ring, and mostly of one instance, so that instances are independent of each other in
some descriptions and mixed up in others. A member may also be triggered by what happens to those
before it: an output event, a start, an end or an initiation. Above the cycle are fluents that
read it.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from rtec.compiler.terms import Clause, Compound, Term, compound

from .conditions import Pool, at, conditions, negated
from .definitions import delayed_effects, draw_types, simple_rules
from .descriptions import (
    RandomDescription,
    backgrounds,
    draw_input_fluent,
    groundings_of,
    input_declarations,
    names_in,
)
from .scope import TIME, Scope, chance, choose, make_clause
from .signatures import EventSignature, FluentSignature

_VALUES = (("true",), ("low", "high"), ("low", "middle", "high"))


@st.composite
def loops(draw: st.DrawFn, *, tick: int = 1, open_initially: bool = True) -> RandomDescription:
    """Make a description with a cycle.

    Args:
        draw: Given by hypothesis.
        tick: The tick of the run, of which delays are multiples.
        open_initially: Whether `initially` may have `_` for the arguments of members.
    """
    events = [EventSignature("e0", ("id",)), EventSignature("e1", ("id", *draw_types(draw, 1)))]
    fluents = [draw_input_fluent(draw, "i0")] if chance(draw) else []
    lower = Pool(tuple(events), tuple(fluents), changes=False)
    clauses: list[Clause] = []
    if chance(draw):
        below = FluentSignature("below", ("id",), ("true",), is_simple=True)
        clauses += draw(simple_rules(below, lower))
        lower = replace(lower, fluents=(*lower.fluents, below))
    names = [f"f{i}" for i in range(choose(draw, 2, 1, 3))]
    members = tuple(_draw_member(draw, name, open_initially) for name in names)
    made = EventSignature("o0", ("id",)) if chance(draw) else None
    inner = replace(lower, cyclic=members)
    if made is not None:
        clauses.append(draw(_event_rule(made, members[0], inner)))
    for number, member in enumerate(members):
        following = members[(number + 1) % len(members)]
        clauses += draw(_member_rules(member, following, members[:number], made, inner))
        clauses += draw(delayed_effects(member, tick)) if chance(draw) else []
        clauses += groundings_of(member) if chance(draw) and chance(draw) else []
    for number in range(choose(draw, 0, 1, 2)):
        above = FluentSignature(f"above{number}", ("id",), ("true",), is_simple=True)
        clauses += draw(_above(above, members, lower))
    used = names_in(clauses)
    fluents = [f for f in fluents if f.name in used]
    clauses += [d for f in fluents for d in input_declarations(f)]
    return RandomDescription(
        clauses, draw(backgrounds(tick)), [e for e in events if e.name in used], fluents
    )


def _draw_member(draw: st.DrawFn, name: str, open_initially: bool) -> FluentSignature:
    types = ("id", *draw_types(draw, 1)) if chance(draw) else ("id",)
    values = choose(draw, *_VALUES)
    is_open = open_initially and chance(draw) and chance(draw)
    return FluentSignature(name, types, values, is_simple=True, is_open=is_open)


@st.composite
def _event_rule(
    draw: st.DrawFn, event: EventSignature, read: FluentSignature, pool: Pool
) -> Clause:
    scope = Scope(draw)
    first = _occurrence(scope, pool)
    goals = [_reading(scope, read), *conditions(scope, pool, 1)]
    return make_clause(at("happensAt", event.term(scope.knowns(event.types))), [first, *goals])


@st.composite
def _member_rules(
    draw: st.DrawFn,
    member: FluentSignature,
    following: FluentSignature,
    before: tuple[FluentSignature, ...],
    event: EventSignature | None,
    pool: Pool,
) -> list[Clause]:
    """Rules of one member; each value has one that reads the member which follows."""
    clauses = _initially(draw, member)
    for value in member.value_terms:
        scope = Scope(draw)
        first = _occurrence(scope, pool)
        goals = [_reading(scope, following), *conditions(scope, pool, 1)]
        clauses.append(_point(scope, "initiatedAt", member, value, [first, *goals]))
    for _ in range(choose(draw, 1, 2)):
        scope = Scope(draw)
        first = _mark(scope, before, event) or _occurrence(scope, pool)
        goals = conditions(scope, pool, 1)
        kind = scope.choose("terminatedAt", "initiatedAt")
        value = scope.choose(*member.value_terms)
        clauses.append(_point(scope, kind, member, value, [first, *goals]))
    return clauses


def _initially(draw: st.DrawFn, member: FluentSignature) -> list[Clause]:
    scope = Scope(draw)
    if member.is_open:
        args: list[Term] = [scope.name("_") for _ in member.types]
    elif scope.chance():
        args = [scope.constant(t) for t in member.types]
    else:
        return []
    value = scope.choose(*member.value_terms)
    return [make_clause(compound("initially", member.fvp(args, value)), [])]


def _point(
    scope: Scope, kind: str, member: FluentSignature, value: Term, goals: list[Term]
) -> Clause:
    """A rule of a member, of an instance that its first condition names; now and then of any."""
    if kind == "terminatedAt" and scope.chance():
        args = scope.opens(member.types)
    else:
        args = scope.knowns(member.types)
    if kind == "terminatedAt" and scope.chance():
        value = scope.name("_")
    return make_clause(compound(kind, member.fvp(args, value), TIME), goals)


def _occurrence(scope: Scope, pool: Pool) -> Term:
    event = scope.choose(*(e for e in pool.events if e.types))
    return at("happensAt", event.term([scope.fresh(t) for t in event.types]))


def _reading(scope: Scope, read: FluentSignature) -> Term:
    """A condition on a member, of an instance that is known."""
    value = scope.choose(*read.value_terms)
    goal: Compound = at("holdsAt", read.fvp(scope.knowns(read.types), value))
    return scope.choose(goal, negated(goal))


def _mark(
    scope: Scope, before: tuple[FluentSignature, ...], event: EventSignature | None
) -> Term | None:
    """What happens at the same time-point to a member that comes earlier."""
    if event is not None and scope.chance() and (not before or scope.chance()):
        return at("happensAt", event.term([scope.fresh(t) for t in event.types]))
    if not before:
        return None
    fluent = scope.choose(*before)
    value = scope.choose(*fluent.value_terms)
    fvp = fluent.fvp([scope.fresh(t) for t in fluent.types], value)
    kind = scope.choose("start", "end", "initiatedAt")
    return at("initiatedAt", fvp) if kind == "initiatedAt" else at("happensAt", compound(kind, fvp))


@st.composite
def _above(
    draw: st.DrawFn, fluent: FluentSignature, members: tuple[FluentSignature, ...], lower: Pool
) -> list[Clause]:
    """A fluent that is initiated by starts and ends of members, or asks what they hold."""
    clauses: list[Clause] = []
    for kind in ("initiatedAt", "terminatedAt"):
        scope = Scope(draw)
        read = scope.choose(*members)
        if scope.chance():
            args: list[Term] = [scope.fresh(t) for t in read.types]
            fvp = read.fvp(args, scope.choose(*read.value_terms))
            goals: list[Term] = [at("happensAt", compound(scope.choose("start", "end"), fvp))]
        else:
            goals = [_occurrence(scope, lower), _reading(scope, read)]
        clauses.append(_point(scope, kind, fluent, scope.choose(*fluent.value_terms), goals))
    return clauses
