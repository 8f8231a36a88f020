"""Conditions at other time-points: which variables of a rule are a fixed distance from its own.

In `happensAt(a(X), T), T1 is T-60, holdsAt(f(X)=v, T1)` a change of f at T1 concerns the rule
at T1+60 and nowhere else. The distance has to be a number, and to be known before the condition
is asked, whichever way the body succeeds.
"""

from __future__ import annotations

from rtec.compiler.bodies import goals
from rtec.compiler.description import Rule
from rtec.compiler.references import reference
from rtec.compiler.terms import Compound, Num, Term, Var, conjuncts, variables


def offsets(rule: Rule) -> dict[str, int]:
    """The variables that stand for a time-point that far after the rule's own.

    The rule's time-point is one of them. Variables that a condition reads before the distance
    is known are none.
    """
    if not isinstance(rule.time, Var):
        return {}
    found = {rule.time.name: 0}
    read: set[str] = set()
    for goal in conjuncts(rule.body):
        assigned = _assigned(goal, found)
        if assigned is not None and assigned[0] not in found.keys() | read:
            found[assigned[0]] = assigned[1]
        read |= {v.name for v in variables(goal)}
    return found


def _assigned(goal: Term, known: dict[str, int]) -> tuple[str, int] | None:
    """What `T1 is T-60` says of T1, if T is known."""
    if not (isinstance(goal, Compound) and goal.functor == "is" and goal.arity == 2):
        return None
    target, sum_ = goal.args
    if not isinstance(target, Var) or not isinstance(sum_, Compound) or sum_.arity != 2:
        return None
    left, right = sum_.args
    if sum_.functor == "+" and isinstance(left, Num):
        left, right = right, left
    if not isinstance(left, Var) or left.name not in known or not isinstance(right, Num):
        return None
    if type(right.value) is not int or sum_.functor not in ("+", "-"):
        return None
    distance = right.value if sum_.functor == "+" else -right.value
    return target.name, known[left.name] + distance


def reach(rule: Rule) -> tuple[int, int]:
    """How far before and after its own time-point a rule looks."""
    known = offsets(rule)
    distances = [0]
    for goal in goals(rule.body):
        ref = reference(goal.term)
        if ref is not None and isinstance(ref.time, Var):
            distances.append(known.get(ref.time.name, 0))
    return -min(distances), max(distances)
