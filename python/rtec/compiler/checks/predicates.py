"""Check: goals that call a predicate nobody defines."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.checks.allen import RELATIONS
from rtec.compiler.checks.case import Case
from rtec.compiler.checks.inspection import goal_text
from rtec.compiler.references import Key, entity_key, is_temporal
from rtec.compiler.spelling import closest, likeness
from rtec.compiler.terms import Term, Var, name_and_args
from rtec.errors import Problem

LANGUAGE: frozenset[Key] = frozenset(
    {
        ("union_all", 2), ("intersect_all", 2), ("relative_complement_all", 3),
        ("complement_all", 2), ("allen", 5), ("queryTime", 1), ("initTime", 1),
        ("holdsAtIE", 2), ("iePList", 4), ("makeIntervalsFromAllPoints", 5),
        *((relation, 4) for relation in RELATIONS),
    }
)  # fmt: skip
"""Predicates that rules and background may call because rtec has them."""


def check_predicates(case: Case) -> Iterator[Problem]:
    """Report unknown predicates, with what may have been meant."""
    if case.inspection.opaque and not case.inspection.verdicts:
        return
    domains = {entity_key(h.args[0]) for h in case.hints if h.name == "dynamicDomain"}
    helpers = case.entities.helpers
    everything = LANGUAGE | helpers | case.inspection.defined | domains
    for _, goal in case.goals():
        problem = _unknown(case, goal.term, everything)
        if problem is not None:
            yield problem


def _unknown(case: Case, goal: Term, everything: frozenset[Key]) -> Problem | None:
    if isinstance(goal, Var) or name_and_args(goal) is None or is_temporal(goal):
        return None
    key = entity_key(goal)
    verdict = case.inspection.verdicts.get(goal_text(case.description, goal), ("ok", ""))
    if key in everything or verdict[0] != "unknown" or case.may_be_lost(key[0]):
        return None
    name, arity = key
    others = sorted(a for n, a in everything if n == name)
    like = closest(name, {n for n, a in everything if a == arity})
    if others:
        remedy = f"it is known with {' or '.join(map(str, others))} arguments"
    elif like:
        remedy = f"did you mean `{like}`?"
    else:
        remedy = "define it, or give the file that does with --background"
    is_slip = like is not None and likeness(name, like) == "slip"
    certain = is_slip and not others and not case.inspection.opaque
    make = case.error if certain else case.warning
    return make(
        "unknown-predicate",
        f"nothing defines the predicate `{name}/{arity}`",
        case.name_place(goal),
        remedy,
    )
