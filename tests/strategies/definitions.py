"""Random definitions of simple fluents and output events."""

from __future__ import annotations

from hypothesis import strategies as st
from rtec.compiler.terms import Clause, Num, Term, compound

from .conditions import Pool, conditions, trigger
from .scope import TIME, Scope, chance, choose, make_clause
from .signatures import EventSignature, FluentSignature, Type

_VALUES: tuple[tuple[tuple[str, ...], Type | None], ...] = (
    (("true",), None),
    (("low", "high"), None),
    (("low", "middle", "high"), None),
    (("a", "b", "c"), "id"),
)


def draw_types(draw: st.DrawFn, most: int = 2) -> tuple[Type, ...]:
    """The types of some arguments, mostly identities."""
    count = choose(draw, *range(most + 1))
    return tuple(choose(draw, "id", "id", "number") for _ in range(count))


def draw_simple_signature(draw: st.DrawFn, name: str, open_initially: bool) -> FluentSignature:
    """A simple fluent, before its rules."""
    values, value_type = choose(draw, *_VALUES)
    types = draw_types(draw)
    is_open = open_initially and bool(types) and chance(draw)
    return FluentSignature(
        name, types, values, value_type=value_type, is_simple=True, is_open=is_open
    )


@st.composite
def simple_rules(
    draw: st.DrawFn, fluent: FluentSignature, pool: Pool, supplied: bool = False
) -> list[Clause]:
    """Make rules for every value of a simple fluent.

    Where groundings supply instances, initiations may leave arguments open, too.
    """
    clauses = _draw_initially(draw, fluent)
    values: list[Term | None] = [*fluent.value_terms]
    if fluent.value_type and chance(draw):
        values = [None]
    for _ in range(choose(draw, 0, 1)):
        values.append(choose(draw, *fluent.value_terms))
    clauses += [draw(_rule("initiat", fluent, value, pool, supplied)) for value in values]
    for _ in range(choose(draw, 0, 1, 2)):
        clauses.append(draw(_rule("terminat", fluent, None, pool)))
    return clauses


def _draw_initially(draw: st.DrawFn, fluent: FluentSignature) -> list[Clause]:
    scope = Scope(draw)
    if fluent.is_open:
        args: list[Term] = [scope.name("_") for _ in fluent.types]
    elif scope.chance():
        args = [scope.constant(t) for t in fluent.types]
    else:
        return []
    value = scope.choose(*fluent.value_terms)
    return [make_clause(compound("initially", fluent.fvp(args, value)), [])]


@st.composite
def _rule(
    draw: st.DrawFn,
    kind: str,
    fluent: FluentSignature,
    value: Term | None,
    pool: Pool,
    supplied: bool = False,
) -> Clause:
    """A rule that initiates (or terminates) a value; of no given one, a drawn one."""
    scope = Scope(draw)
    first = trigger(scope, pool)
    goals = conditions(scope, pool)
    if kind == "initiat":
        is_open = supplied and scope.chance()
        args = scope.opens(fluent.types) if is_open else scope.knowns(fluent.types)
        if value is None:
            assert fluent.value_type is not None
            value = scope.known(fluent.value_type)
    else:
        args = scope.opens(fluent.types)
        value = scope.choose(*fluent.value_terms, scope.name("_"))
    fvp = fluent.fvp(args, value)
    happens: tuple[str, ...] = ("event",) if first.functor == "happensAt" else ()
    spelling = scope.choose("two", "two", "four", *happens)
    if spelling == "four":
        low, high = scope.name("From"), scope.name("To")
        ranges = [compound("=<", low, TIME), compound("<", TIME, high)] if scope.chance() else []
        head = compound(f"{kind}edAt", fvp, low, TIME, high)
        return make_clause(head, [first, *ranges, *goals])
    if spelling == "event":
        return make_clause(compound(f"{kind}es", first.args[0], fvp, TIME), goals)
    return make_clause(compound(f"{kind}edAt", fvp, TIME), [first, *goals])


@st.composite
def output_events(
    draw: st.DrawFn, name: str, pool: Pool
) -> tuple[EventSignature, list[Clause]]:
    """Make an output event and its rules."""
    event = EventSignature(name, draw_types(draw))
    return event, [draw(_event_rule(event, pool)) for _ in range(choose(draw, 1, 2))]


@st.composite
def _event_rule(draw: st.DrawFn, event: EventSignature, pool: Pool) -> Clause:
    scope = Scope(draw)
    first = trigger(scope, pool)
    goals = conditions(scope, pool)
    head = compound("happensAt", event.term(scope.knowns(event.types)), TIME)
    return make_clause(head, [first, *goals])


@st.composite
def delayed_effects(
    draw: st.DrawFn, fluent: FluentSignature, tick: int, several: bool = False
) -> list[Clause]:
    """Make delayed effects between the values of a simple fluent.

    There is one at most from each, or two if there may be several. Of these one has a delay that
    no other has: two that are equally short would be a mistake of the description.
    """
    clauses = []
    for source in fluent.value_terms:
        others = [v for v in fluent.value_terms if v != source]
        if not others or not chance(draw):
            continue
        scope = Scope(draw)
        target = scope.choose(*others)
        args: list[Term] = [scope.fresh(t) for t in fluent.types]
        goals: list[Term] = []
        delay: Term = Num(scope.choose(1, 2, 3, 5, 8) * tick)
        if scope.bound["id"] and scope.chance():
            delay = scope.name("R")
            goals = [compound("patience", scope.choose(*scope.bound["id"]), delay)]
        head = compound("fi", fluent.fvp(args, source), fluent.fvp(args, target), delay)
        clauses.append(make_clause(head, goals))
        if several and scope.chance():
            other = fluent.fvp(args, scope.choose(*others))
            late = Num(scope.choose(4, 7) * tick)
            clauses.append(make_clause(compound("fi", fluent.fvp(args, source), other, late), []))
        if scope.chance():
            anything: list[Term] = [scope.name("_") for _ in fluent.types]
            clauses.append(make_clause(compound("p", fluent.fvp(anything, source)), []))
    return clauses
