"""Check: variables that occur only once, as mistyped ones do.

In rules a named variable that occurs once is worth a warning; in facts and declarations
only if another variable of the clause is spelled almost like it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.checks.binding import names, occurrences
from rtec.compiler.checks.case import Case, is_filler
from rtec.compiler.checks.first_condition import other_times
from rtec.compiler.description import Rule
from rtec.compiler.spelling import near_variable
from rtec.compiler.terms import TRUE, Clause, Compound, Term, Var
from rtec.errors import Problem


def check_singletons(case: Case) -> Iterator[Problem]:
    """Report variables that occur once."""
    for rule in case.rules:
        yield from _clause(case, rule.clause, rule.clause.body != TRUE, _times(rule))
    for hint in case.hints:
        yield from _clause(case, hint.clause, every=False)
    for helper in case.description.helpers:
        yield from _clause(case, helper, every=helper.body != TRUE and not is_filler(helper.body))


def _times(rule: Rule) -> set[str]:
    """Time variables that may well occur once: heads of initiates/3, and explicit ranges."""
    times = other_times(rule) | names(rule.lower, rule.upper)
    head = rule.clause.head
    if isinstance(head, Compound) and head.functor in ("initiates", "terminates"):
        times |= names(rule.time)
    return times


def _clause(
    case: Case, clause: Clause, every: bool, known: set[str] | frozenset[str] = frozenset()
) -> Iterator[Problem]:
    for name in clause.singletons:
        if name.startswith("_") or name in known:
            continue
        found = _find(clause, name)
        if found is None:
            continue
        others = {v.name for v in occurrences(_whole(clause))} - {name}
        like = near_variable(name, {o for o in others if not o.startswith("_")})
        if not every and like is None:
            continue
        remedy = f"write _{name} if that is meant"
        if like:
            remedy = f"did you mean `{like}`? If not, {remedy}"
        yield case.warning("singleton", f"the variable `{name}` occurs only once", found, remedy)


def _find(clause: Clause, name: str) -> Var | None:
    return next((v for v in occurrences(_whole(clause)) if v.name == name), None)


def _whole(clause: Clause) -> Term:
    if clause.head is None:
        return clause.body
    return Compound(":-", (clause.head, clause.body))
