"""Which variables the goals of a body bind."""

from __future__ import annotations

from collections.abc import Iterable

from rtec.compiler.bodies import goals
from rtec.compiler.terms import (
    Compound,
    Term,
    conjunction,
    conjuncts,
    subterms,
    variables,
)

_COMPARISONS = {"<", ">", "=<", ">=", "=:=", "=\\=", "\\=", "\\==", "@<", "@>", "@=<", "@>="}


def binds(goal: Term) -> bool:
    """Whether a goal may bind variables, rather than only test them."""
    return isinstance(goal, Compound) and goal.functor not in _COMPARISONS | {"\\+", "not"}


def has_interval(goal: Term, literals: list[Compound]) -> bool:
    """Whether a goal speaks of the intervals that holdsFor literals make."""
    intervals = {v.name for literal in literals for v in variables(literal.args[-1])}
    return any(v.name in intervals for v in variables(goal)) or (
        isinstance(goal, Compound) and goal.functor.endswith("_all")
    )


def bound_variables(body: Term) -> set[str]:
    """Names of the variables that the positive goals of a body bind."""
    bound: set[str] = set()
    for goal in goals(body):
        if goal.negated or goal.local:
            continue
        term = goal.term
        if isinstance(term, Compound) and term.functor in _COMPARISONS:
            continue
        bound.update(v.name for v in variables(term))
    for goal_term in _result_terms(body):
        bound.update(v.name for v in variables(goal_term))
    return bound


def _result_terms(body: Term) -> Iterable[Term]:
    """Results of findall and the like: bound outside although their goals are local."""
    for term in subterms(body):
        if isinstance(term, Compound) and term.functor in ("findall", "aggregate_all"):
            yield term.args[-1]


def after_trigger(body: Term, goal: Term) -> Term:
    """Put a goal that supplies instances right after the first goal of a body."""
    first, rest = conjuncts(body)[:1], conjuncts(body)[1:]
    return conjunction([*first, goal, *rest])
