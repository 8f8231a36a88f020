"""Check: conditions that exclude each other, so that a rule can never fire."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rtec.compiler.checks.case import Case
from rtec.compiler.references import Reference, reference
from rtec.compiler.terms import Atom, Compound, Num, Term, Var, conjuncts
from rtec.errors import Problem

_MIRROR = {"<": ">", ">": "<", "=<": ">=", ">=": "=<", "=:=": "=:="}


def check_contradictions(case: Case) -> Iterator[Problem]:
    """Report rules whose conditions cannot all hold."""
    for rule in case.rules:
        goals = conjuncts(rule.body)
        yield from _constants(case, goals)
        yield from _ranges(case, goals)
        yield from _opposites(case, goals)
        yield from _two_values(case, goals)


def _never(case: Case, at: Term, why: str) -> Problem:
    return case.warning(
        "never-fires", f"the rule can never fire: {why}", at, "mend or remove the condition"
    )


def _constants(case: Case, goals: list[Term]) -> Iterator[Problem]:
    """Comparisons of constants that are false."""
    for goal in goals:
        if not isinstance(goal, Compound) or goal.arity != 2:
            continue
        left, right = goal.args
        if holds(goal.functor, left, right) is False:
            yield _never(case, goal, f"`{case.text(goal)}` is false")


def holds(comparison: str, left: Term, right: Term) -> bool | None:
    """Work out a comparison of constants; None if it is none.

    >>> holds("<", Num(3), Num(2)), holds("=", Atom("a"), Atom("a")), holds("<", Var("X"), Num(1))
    (False, True, None)
    """
    if left == right and isinstance(left, Var) and comparison in ("<", ">", "\\=", "\\==", "=\\="):
        return False
    if comparison in ("=", "==", "\\=", "\\=="):
        if isinstance(left, Atom | Num) and isinstance(right, Atom | Num):
            return (left == right) == (comparison in ("=", "=="))
        return None
    a, b = value_of(left), value_of(right)
    if a is None or b is None:
        return None
    results = {
        "<": a < b, ">": a > b, "=<": a <= b, ">=": a >= b, "=:=": a == b, "=\\=": a != b,
    }  # fmt: skip
    return results.get(comparison)


def value_of(term: Term) -> int | float | None:
    """The value of arithmetic over number literals; None for anything else."""
    if isinstance(term, Num):
        return term.value
    if isinstance(term, Compound) and term.functor == "-" and term.arity == 1:
        inner = value_of(term.args[0])
        return None if inner is None else -inner
    if isinstance(term, Compound) and term.arity == 2 and term.functor in "+-*":
        a, b = value_of(term.args[0]), value_of(term.args[1])
        if a is None or b is None:
            return None
        return a + b if term.functor == "+" else a - b if term.functor == "-" else a * b
    return None


@dataclass
class _Range:
    """What comparisons with constants leave for a variable."""

    low: float = float("-inf")
    high: float = float("inf")
    low_open: bool = False
    high_open: bool = False

    def narrow(self, comparison: str, value: int | float) -> None:
        if comparison in (">", ">=", "=:="):
            is_open = comparison == ">"
            if (value, is_open) > (self.low, self.low_open):
                self.low, self.low_open = value, is_open
        if comparison in ("<", "=<", "=:="):
            is_open = comparison == "<"
            if (-value, is_open) > (-self.high, self.high_open):
                self.high, self.high_open = value, is_open

    @property
    def empty(self) -> bool:
        return self.low > self.high or (
            self.low == self.high and (self.low_open or self.high_open)
        )


def _ranges(case: Case, goals: list[Term]) -> Iterator[Problem]:
    """Comparisons of one variable with constants that leave nothing."""
    ranges: dict[str, _Range] = {}
    given: dict[str, Term] = {}
    for goal in goals:
        if not isinstance(goal, Compound) or goal.arity != 2:
            continue
        left, right = goal.args
        if goal.functor in ("=", "==") and isinstance(left, Var) and isinstance(right, Atom | Num):
            if left.name in given and given[left.name] != right:
                first = case.text(given[left.name])
                yield _never(case, goal, f"`{left.name}` is already `{first}`")
            given.setdefault(left.name, right)
        comparison = goal.functor
        if not isinstance(left, Var):
            left, right, comparison = right, left, _MIRROR.get(comparison, "")
        value = value_of(right)
        if not isinstance(left, Var) or value is None or comparison not in _MIRROR:
            continue
        found = ranges.setdefault(left.name, _Range())
        was_empty = found.empty
        found.narrow(comparison, value)
        if found.empty and not was_empty:
            yield _never(case, goal, f"no `{left.name}` satisfies all its comparisons")


def _opposites(case: Case, goals: list[Term]) -> Iterator[Problem]:
    """A condition and its negation."""
    positive = {goal for goal in goals if isinstance(goal, Compound)}
    for goal in goals:
        if isinstance(goal, Compound) and goal.functor in ("\\+", "not") and goal.arity == 1:
            if goal.args[0] in positive:
                yield _never(
                    case, goal, f"`{case.text(goal.args[0])}` is required and excluded"
                )


def _two_values(case: Case, goals: list[Term]) -> Iterator[Problem]:
    """A simple fluent with two values at the same time-point."""
    seen: dict[tuple[Term, Term], Reference] = {}
    for goal in goals:
        found = reference(goal)
        if found is None or found.reading != "holdsAt" or found.key is None:
            continue
        if case.entities.kinds_of(found.key) != ["simple"]:
            continue
        if found.entity is None or not isinstance(found.value, Atom | Num):
            continue
        first = seen.setdefault((found.entity, found.time), found)
        if first.value != found.value and first.value is not None:
            shown = case.pair(found.entity, first.value)
            yield _never(case, goal, f"`{shown}` is required as well")
