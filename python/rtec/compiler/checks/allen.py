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
    taken = case.entities.helpers | case.inspection.defined
    for _, goal in case.goals():
        term = goal.term
        if not isinstance(term, Compound):
            continue
        if is_goal(term, "allen", 5) and ("allen", 5) not in taken:
            yield from _word(case, "relation", term.args[0], RELATIONS, RELATIONS)
            yield from _word(case, "mode", term.args[3], MODES, MODES[:6])
        elif term.functor in RELATIONS and term.arity == 4:
            if (term.functor, 4) not in taken:
                yield from _word(case, "mode", term.args[2], MODES, MODES[:6])


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
