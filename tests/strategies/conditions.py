"""Random conditions for the bodies of rules about time-points.

Each function draws one condition as a list of goals. Positive conditions may bind new
variables; checks bind nothing, so they may stand under negation and in disjunctions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import strategies as st
from rtec.compiler.terms import Compound, Num, Term, compound, conjunction

from .scope import TIME, Scope, choose
from .signatures import EventSignature, FluentSignature


@dataclass(frozen=True)
class Pool:
    """What the bodies of a level may mention.

    Attributes:
        events: Input events, and output events of lower levels.
        fluents: Input fluents, and fluents of lower levels.
        cyclic: Fluents of the same cycle, which `holdsAt` alone may mention.
        changes: Whether initiatedAt and terminatedAt may be conditions.
        search_defaults: Whether instances of a fluent with a default may be found by their start
            or end. One that is met later is known to its window before; the axioms do not say so.
        point_triggers: Whether they may be the first one, too.
        distances: How far from its own time-point a rule may look, in either direction.
        domain: Whether rules may ask for `seen/1`, a domain that comes from the stream.
    """

    events: tuple[EventSignature, ...]
    fluents: tuple[FluentSignature, ...] = ()
    cyclic: tuple[FluentSignature, ...] = ()
    changes: bool = True
    search_defaults: bool = True
    point_triggers: bool = False
    distances: tuple[int, ...] = ()
    domain: bool = False


def at(predicate: str, subject: Term) -> Compound:
    """A temporal goal at the time-point of the rule."""
    return compound(predicate, subject, TIME)


def negated(goal: Term) -> Term:
    """`\\+ goal`."""
    return compound("\\+", goal)


def trigger(scope: Scope, pool: Pool) -> Compound:
    """The positive happensAt that a rule begins with."""
    kinds: list[Callable[[Scope, Pool], Compound]] = [_happens]
    if pool.fluents:
        kinds.append(_starts_or_ends)
    if pool.point_triggers and any(f.is_simple for f in pool.fluents):
        kinds += [_initiated_or_terminated, _initiated_or_terminated]
    return scope.choose(*kinds)(scope, pool)


def _happens(scope: Scope, pool: Pool) -> Compound:
    event = scope.choose(*pool.events)
    return at("happensAt", event.term(scope.binding(event.types)))


def _starts_or_ends(scope: Scope, pool: Pool) -> Compound:
    fluent = scope.choose(*pool.fluents)
    listed = pool.search_defaults or not fluent.is_open
    args = scope.binding(fluent.types) if listed else scope.knowns(fluent.types)
    fvp = fluent.fvp(args, _value(scope, fluent))
    return at("happensAt", compound(scope.choose("start", "end"), fvp))


def _initiated_or_terminated(scope: Scope, pool: Pool) -> Compound:
    fluent = scope.choose(*(f for f in pool.fluents if f.is_simple))
    kind = scope.choose("initiatedAt", "terminatedAt")
    listed = pool.search_defaults or not fluent.is_open
    args = scope.binding(fluent.types) if listed else scope.knowns(fluent.types)
    value = _value(scope, fluent) if kind == "initiatedAt" else scope.choose(*fluent.value_terms)
    fvp = fluent.fvp(args, value)
    if scope.chance():
        low, high = scope.name("_From"), scope.name("_To")
        return compound(kind, fvp, low, TIME, high)
    return at(kind, fvp)


def _value(scope: Scope, fluent: FluentSignature) -> Term:
    """A value in a positive condition: a constant, or a variable that is bound by it."""
    if fluent.value_type and scope.chance():
        return scope.fresh(fluent.value_type)
    return scope.choose(*fluent.value_terms)


def conditions(scope: Scope, pool: Pool, most: int = 2) -> list[Term]:
    """Some further conditions."""
    goals: list[Term] = []
    for _ in range(scope.choose(*range(most + 1))):
        goals.extend(scope.draw(_condition(scope, pool)))
    return goals


@st.composite
def _condition(draw: st.DrawFn, scope: Scope, pool: Pool) -> list[Term]:
    # A strategy of its own, so that shrinking can drop it in one piece.
    kinds: list[Callable[[Scope, Pool], list[Term]]] = [_check_goal, _and_happens]
    if pool.fluents or pool.cyclic:
        kinds += [_and_holds, _and_holds]
    if any(f.types and not f.is_open for f in pool.fluents):
        kinds.append(_count_holding)
    kinds += [_look_up, _calculate, _disjunction, _if_then_else]
    if pool.distances:
        kinds += [_elsewhere] * 4
    return choose(draw, *kinds)(scope, pool)


def _and_happens(scope: Scope, pool: Pool) -> list[Term]:
    return [_happens(scope, pool)]


def _and_holds(scope: Scope, pool: Pool) -> list[Term]:
    fluent = scope.choose(*pool.cyclic, *pool.fluents)
    # The instances of an open fluent, or of one that is still being worked out, are not
    # listed: its arguments must be known.
    listed = not fluent.is_open and fluent not in pool.cyclic
    args = scope.binding(fluent.types) if listed else scope.knowns(fluent.types)
    return [at("holdsAt", fluent.fvp(args, _value(scope, fluent)))]


def _elsewhere(scope: Scope, pool: Pool) -> list[Term]:
    """Conditions at another time-point, a fixed distance away or no further than that."""
    there = scope.name("T")
    distance = scope.choose(*pool.distances)
    if distance < 0 and scope.chance():
        return _looked_for(scope, pool, there, -distance)
    operator = "-" if distance < 0 else "+"
    moved = compound("is", there, compound(operator, TIME, Num(abs(distance))))
    checks: list[Callable[[Scope, Pool], Term]] = [_no_event]
    if pool.fluents:
        checks += [_holds, _holds]
    if pool.changes and any(f.is_simple for f in pool.fluents):
        checks.append(_changes)
    outside = replace(pool, cyclic=())
    if scope.chance():
        goal = _moved(scope.choose(*checks)(scope, outside), there)
        return [moved, compound(";", goal, check(scope, pool))]
    binders = [_happens, _starts_or_ends] if pool.fluents else [_happens]
    return [moved, _moved(scope.choose(*binders, *checks)(scope, outside), there)]


def _looked_for(scope: Scope, pool: Pool, there: Term, far: int) -> list[Term]:
    """Something that happened a while ago at most, or nothing did."""
    if scope.chance():
        bound: Term = compound("<", compound("-", TIME, there), Num(far))
    else:
        bound = compound(">=", there, compound("-", TIME, Num(far)))
    before = compound(scope.choose("=<", "<"), there, TIME)
    if scope.chance():
        makers = [_happens, _starts_or_ends] if pool.fluents else [_happens]
        return [_moved(scope.choose(*makers)(scope, pool), there), bound, before]
    event = scope.choose(*pool.events)
    goal = _moved(at("happensAt", event.term(scope.opens(event.types))), there)
    return [negated(conjunction([goal, bound, before]))]


def _moved(goal: Term, there: Term) -> Term:
    """The same at another time-point."""
    if goal == TIME:
        return there
    if isinstance(goal, Compound):
        return Compound(goal.functor, tuple(_moved(arg, there) for arg in goal.args))
    return goal


def _count_holding(scope: Scope, pool: Pool) -> list[Term]:
    fluent = scope.choose(*(f for f in pool.fluents if f.types and not f.is_open))
    counted = scope.name("C")
    args: list[Term] = [counted, *scope.opens(fluent.types[1:])]
    goal = at("holdsAt", fluent.fvp(args, scope.choose(*fluent.value_terms)))
    items, count = scope.name("L"), scope.name("Count")
    return [
        compound("findall", counted, goal, items),
        compound("length", items, count),
        compound(scope.choose(">=", "<", "=:="), count, Num(scope.choose(1, 2))),
    ]


def _look_up(scope: Scope, pool: Pool) -> list[Term]:
    return [compound("rank", scope.known("id"), scope.fresh("number"))]


def _calculate(scope: Scope, pool: Pool) -> list[Term]:
    before = scope.known("number")
    total = scope.name("Sum")
    return [
        compound("is", total, compound("+", before, scope.constant("number"))),
        compound(scope.choose("<", ">="), total, Num(scope.choose(2, 3, 4))),
    ]


def _disjunction(scope: Scope, pool: Pool) -> list[Term]:
    return [compound(";", check(scope, pool), check(scope, pool))]


def _if_then_else(scope: Scope, pool: Pool) -> list[Term]:
    condition, then, otherwise = (check(scope, pool) for _ in range(3))
    return [compound(";", compound("->", condition, then), otherwise)]


def _check_goal(scope: Scope, pool: Pool) -> list[Term]:
    goal = check(scope, pool)
    if scope.chance():
        goal = compound(scope.choose("\\+", "not"), goal)
    return [goal]


def check(scope: Scope, pool: Pool) -> Term:
    """A condition that binds nothing."""
    kinds: list[Callable[[Scope, Pool], Term]] = [_is_special, _compares, _linked, _no_event]
    if pool.fluents or pool.cyclic:
        kinds += [_holds, _holds]
    if pool.changes and any(f.is_simple for f in pool.fluents):
        kinds.append(_changes)
    if pool.domain:
        kinds.append(_is_seen)
    return scope.choose(*kinds)(scope, pool)


def _is_special(scope: Scope, pool: Pool) -> Term:
    return compound("special", scope.known("id"))


def _is_seen(scope: Scope, pool: Pool) -> Term:
    return compound("seen", scope.known("id"))


def _linked(scope: Scope, pool: Pool) -> Term:
    return compound(scope.choose("linked", "apart"), scope.known("id"), scope.known("id"))


def _compares(scope: Scope, pool: Pool) -> Term:
    # Two constants would make a rule that never fires, or a condition that says nothing.
    types = [t for t, bound in scope.bound.items() if bound]
    if not types:
        return _is_special(scope, pool)
    type_ = scope.choose(*types)
    left = scope.choose(*scope.bound[type_])
    others = [v for v in scope.bound[type_] if v != left]
    right = scope.choose(*others, scope.constant(type_))
    if type_ == "id":
        return compound(scope.choose("\\=", "=", "\\==", "=="), left, right)
    return compound(scope.choose("<", ">", "=<", ">=", "=:=", "=\\="), left, right)


def _no_event(scope: Scope, pool: Pool) -> Term:
    event = scope.choose(*pool.events)
    return negated(at("happensAt", event.term(scope.opens(event.types))))


def _holds(scope: Scope, pool: Pool) -> Term:
    fluent = scope.choose(*pool.cyclic, *pool.fluents)
    value = scope.choose(*fluent.value_terms)
    return at("holdsAt", fluent.fvp(scope.knowns(fluent.types), value))


def _changes(scope: Scope, pool: Pool) -> Term:
    fluent = scope.choose(*(f for f in pool.fluents if f.is_simple))
    fvp = fluent.fvp(scope.knowns(fluent.types), scope.choose(*fluent.value_terms))
    return at(scope.choose("initiatedAt", "terminatedAt"), fvp)


