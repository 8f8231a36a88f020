"""Check: whole numbers written as floats where terms are matched: 511.0 does not match 511."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.bodies import goals
from rtec.compiler.checks.binding import names
from rtec.compiler.checks.case import Case
from rtec.compiler.references import is_temporal, reference
from rtec.compiler.terms import Compound, Num, Term, subterms
from rtec.errors import Problem

_MATCHES = {"=", "==", "\\=", "\\=="}


def check_numbers(case: Case) -> Iterator[Problem]:
    """Report float literals that look like whole numbers, where they are matched as terms."""
    bodies = [rule.body for rule in case.rules]
    bodies += [clause.body for clause in case.description.helpers]
    for body in bodies:
        read: set[str] = set()
        for goal in goals(body):
            for matched in _matched(goal.term, read):
                for part in subterms(matched):
                    if isinstance(part, Num) and _is_whole_float(part.value):
                        yield _report(case, part)
            if is_temporal(goal.term):
                read |= names(goal.term)


def _matched(goal: Term, read: set[str]) -> list[Term]:
    """The terms that a goal matches with what was read from events and fluents."""
    found = reference(goal)
    if found is not None:
        return [t for t in (found.entity, found.value) if t is not None]
    if isinstance(goal, Compound) and goal.arity == 2 and goal.functor in _MATCHES:
        if names(goal) & read:
            return list(goal.args)
    return []


def _is_whole_float(value: int | float) -> bool:
    return isinstance(value, float) and value.is_integer()


def _report(case: Case, number: Num) -> Problem:
    return case.warning(
        "number-kind",
        f"`{number.value}` does not match `{int(number.value)}`, which streams may write",
        number,
        "match a variable and compare it by value: X =:= " + str(int(number.value)),
    )
