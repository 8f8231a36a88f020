"""Check: whole numbers written as floats where terms are matched: 511.0 does not match 511."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.checks.case import Case
from rtec.compiler.references import reference
from rtec.compiler.terms import Compound, Num, Term, subterms
from rtec.errors import Problem

_MATCHES = {"=", "==", "\\=", "\\=="}


def check_numbers(case: Case) -> Iterator[Problem]:
    """Report float literals that look like whole numbers, where they are matched as terms."""
    for _, goal in case.goals():
        for matched in _matched(goal.term):
            for part in subterms(matched):
                if isinstance(part, Num) and _is_whole_float(part.value):
                    yield _report(case, part)


def _matched(goal: Term) -> list[Term]:
    found = reference(goal)
    if found is not None:
        return [t for t in (found.entity, found.value) if t is not None]
    if isinstance(goal, Compound) and goal.arity == 2 and goal.functor in _MATCHES:
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
