"""Check: Allen relations and output modes that do not exist."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.checks.case import Case
from rtec.compiler.spelling import closest, distance
from rtec.compiler.terms import Compound, Term, Var, is_goal
from rtec.errors import Problem

RELATIONS = (
    "before", "meets", "starts", "finishes", "during", "overlaps", "equal",
    "after", "met_by", "started_by", "finished_by", "contains", "overlapped_by",
)  # fmt: skip
MODES = (
    "source", "target", "union", "intersect", "complement", "complement_inv",
    "lhs", "rhs", "intersection", "relative_complement", "relative_complement_inverse",
)  # fmt: skip


def check_allen(case: Case) -> Iterator[Problem]:
    """Report unknown relations and modes of `allen/5` and of `relation/4`."""
    for _, goal in case.goals():
        for what, word in allen_words(case, goal.term):
            if what == "relation":
                yield from _word(case, what, word, RELATIONS, RELATIONS)
            else:
                yield from _word(case, what, word, MODES, MODES[:6])


def allen_words(case: Case, goal: Term) -> list[tuple[str, Term]]:
    """The relation and the mode of a condition on Allen relations, as far as they are arguments."""
    if not isinstance(goal, Compound) or (goal.functor, goal.arity) in (
        case.entities.helpers | case.inspection.defined
    ):
        return []
    if is_goal(goal, "allen", 5):
        return [("relation", goal.args[0]), ("mode", goal.args[3])]
    if goal.functor in RELATIONS and goal.arity == 4:
        return [("mode", goal.args[2])]
    return []


def _word(
    case: Case, what: str, term: Term, words: tuple[str, ...], usual: tuple[str, ...]
) -> Iterator[Problem]:
    name = getattr(term, "name", None)
    if isinstance(term, Var) or name in words:
        return
    like = closest(str(name), words) or _nearest(str(name), words)
    shown = "an Allen relation" if what == "relation" else "an output mode"
    remedy = f"there are {', '.join(usual)}"
    if like:
        remedy = f"did you mean `{like}`? T{remedy[1:]}"
    yield case.error(f"unknown-{what}", f"`{case.text(term)}` is not {shown}", term, remedy)


def _nearest(name: str, words: tuple[str, ...]) -> str | None:
    """In so small a vocabulary even a distant word is a good guess."""
    best = min(words, key=lambda word: distance(name, word))
    return best if distance(name, best) <= max(1, len(best) // 3) else None
