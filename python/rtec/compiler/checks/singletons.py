"""Check: variables that occur only once, as mistyped ones do.

In rules a named variable that occurs once is worth a warning; in facts and declarations
only if another variable of the clause is spelled almost like it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.checks.binding import occurrences
from rtec.compiler.checks.case import Case, is_filler
from rtec.compiler.spelling import near_variable
from rtec.compiler.terms import TRUE, Clause, Compound, Term, Var
from rtec.errors import Problem


def check_singletons(case: Case) -> Iterator[Problem]:
    """Report variables that occur once."""
    description = case.description
    rules = [rule.clause for rule in case.rules]
    others = [hint.clause for hint in case.hints]
    for clause in dict.fromkeys(id(c) for c in rules):
        found = next(c for c in rules if id(c) == clause)
        yield from _clause(case, found, every=found.body != TRUE)
    for clause_ in others:
        yield from _clause(case, clause_, every=False)
    for helper in description.helpers:
        yield from _clause(case, helper, every=helper.body != TRUE and not is_filler(helper.body))


def _clause(case: Case, clause: Clause, every: bool) -> Iterator[Problem]:
    for name in clause.singletons:
        if name.startswith("_"):
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
