"""Which variables are bound when a goal is called, going through a body left to right.

What a predicate binds is not known, so every goal that is not a test counts as binding
all of its variables, and so does either branch of a disjunction. A variable that is
reported as unbound therefore really is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rtec.compiler.bodies import GOAL_ARGUMENTS
from rtec.compiler.terms import Compound, Term, Var, conjuncts, subterms, variables

ARITHMETIC = {"<", ">", "=<", ">=", "=:=", "=\\="}
DIFFERENCES = {"\\=", "\\=="}
_TESTS = {
    *((name, 2) for name in ARITHMETIC | DIFFERENCES | {"==", "@<", "@>", "@=<", "@>="}),
    *((name, 1) for name in ("var", "nonvar", "ground", "atom", "number", "integer", "float")),
    *((name, 1) for name in ("atomic", "compound", "callable", "is_list", "string")),
}  # fmt: skip
_NEGATIONS = {("\\+", 1), ("not", 1)}
_RESULTS = {
    ("findall", 3): (2,), ("findall", 4): (2, 3),
    ("aggregate_all", 3): (2,), ("aggregate_all", 4): (3,), ("forall", 2): (),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Call:
    """A goal that is no control construct, at the moment it is called.

    Attributes:
        goal: The goal.
        bound: Names of the variables that may have a value by then.
        negation: The innermost negation around it, if any.
        local: Whether its variables stay inside (findall, forall).
    """

    goal: Term
    bound: frozenset[str]
    negation: Term | None = None
    local: bool = False


def calls(body: Term, bound: set[str]) -> Iterator[Call]:
    """Yield the goals of a body in the order they are called.

    `bound` holds what is bound before, and afterwards what is bound by then.
    """
    yield from _calls(body, bound, None, False)


def _calls(term: Term, bound: set[str], negation: Term | None, local: bool) -> Iterator[Call]:
    key = (term.functor, term.arity) if isinstance(term, Compound) else ("", 0)
    if not isinstance(term, Compound) or key not in GOAL_ARGUMENTS:
        yield Call(term, frozenset(bound), negation, local)
        if key not in _TESTS:
            bound.update(v.name for v in variables(term))
        return
    if key == (",", 2):
        for goal in conjuncts(term):
            yield from _calls(goal, bound, negation, local)
        return
    if key in _NEGATIONS:
        yield from _calls(term.args[0], set(bound), term, local)
        return
    inside = bound
    if key in _RESULTS:
        inside = set(bound)
        local = True
    if key == (";", 2):
        yield from _branches(term, bound, negation, local)
        return
    for position in GOAL_ARGUMENTS[key]:
        yield from _calls(term.args[position], inside, negation, local)
    if key in _RESULTS:
        for position in _RESULTS[key]:
            bound.update(v.name for v in variables(term.args[position]))
    elif key in (("setof", 3), ("bagof", 3)):
        bound.update(v.name for v in variables(term))


def _branches(
    term: Compound, bound: set[str], negation: Term | None, local: bool
) -> Iterator[Call]:
    left, right = set(bound), set(bound)
    yield from _calls(term.args[0], left, negation, local)
    yield from _calls(term.args[1], right, negation, local)
    bound |= left | right


def bound_after(body: Term, before: set[str] | None = None) -> set[str]:
    """Names of the variables that may have a value after a body."""
    bound = set(before or ())
    for _ in calls(body, bound):
        pass
    return bound


def names(*terms: Term | None) -> set[str]:
    """Names of the variables of some terms."""
    return {v.name for term in terms if term is not None for v in variables(term)}


def occurrences(term: Term) -> Iterator[Var]:
    """Yield every occurrence of every variable, with its place."""
    for part in subterms(term):
        if isinstance(part, Var):
            yield part
