"""Allen conditions in holdsFor rules, in both spellings."""

from __future__ import annotations

from rtec.compiler.terms import Atom, Compound, Term

RELATIONS = frozenset(
    {
        "before", "meets", "starts", "finishes", "during", "overlaps", "equal",
        "after", "met_by", "started_by", "finished_by", "contains", "overlapped_by",
    }
)  # fmt: skip
MODES = frozenset(
    {
        "source", "target", "union", "intersect", "complement", "complement_inv",
        "lhs", "rhs", "intersection", "relative_complement", "relative_complement_inverse",
    }
)  # fmt: skip


def allen_condition(goal: Term) -> tuple[Term, ...] | None:
    """Give relation, source, target, mode and result of an Allen condition.

    Both `allen(meets, S, T, target, I)` and `meets(S, T, target, I)` are conditions.
    """
    if not isinstance(goal, Compound):
        return None
    if goal.functor == "allen" and goal.arity == 5:
        return goal.args
    if goal.functor in RELATIONS and goal.arity == 4:
        mode = goal.args[2]
        if isinstance(mode, Atom) and mode.name in MODES:
            return (Atom(goal.functor), *goal.args)
    return None
