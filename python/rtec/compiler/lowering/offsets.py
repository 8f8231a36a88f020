"""Conditions at other time-points: how far they are from that of their rule.

In `happensAt(a(X), T), T1 is T-60, holdsAt(f(X)=v, T1)` a change of f at T1 concerns the rule
at T1+60 and nowhere else. The distance has to be a number, and to be known before the condition
is asked, whichever way the body succeeds.

In `happensAt(a(X), T), happensAt(b(X), T1), T-T1 < 60` the time-point T1 is looked for. A change
at T1 may concern the rule at any time-point; but it looks back no further than 60, so that nothing
changes for it later than that after the window has left T1.
"""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.bodies import GOAL_ARGUMENTS, goals
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


def looked_for(rule: Rule) -> dict[str, int]:
    """The variables for time-points that are looked for, no further back than that.

    What says so has to stand beside the condition: under the same negation, in the same branch.
    """
    known = offsets(rule)
    found: dict[str, int] = {}
    for conjunction in _conjunctions(rule.body):
        times = {
            ref.time.name
            for goal in conjunction
            if (ref := reference(goal)) is not None and isinstance(ref.time, Var)
        }
        for goal in conjunction:
            bound = _bound(goal, known)
            if bound is not None and bound[0] in times - known.keys():
                found[bound[0]] = max(0, bound[1], found.get(bound[0], 0))
    # The same name elsewhere in the body may stand for another time-point.
    beside = [{v.name for goal in c for v in variables(goal)} for c in _conjunctions(rule.body)]
    return {name: far for name, far in found.items() if sum(name in b for b in beside) == 1}


def _conjunctions(body: Term) -> Iterator[list[Term]]:
    """The goals that stand beside each other, without those that are made of others."""
    inner = [g for g in conjuncts(body) if isinstance(g, Compound)]
    nested = [g for g in inner if (g.functor, g.arity) in GOAL_ARGUMENTS]
    yield [goal for goal in conjuncts(body) if goal not in nested]
    for goal in nested:
        for position in GOAL_ARGUMENTS[goal.functor, goal.arity]:
            yield from _conjunctions(goal.args[position])


def _bound(goal: Term, known: dict[str, int]) -> tuple[str, int] | None:
    """What `T1 > T-60` or `T-T1 < 60` says of T1: that it is at most 60 before T."""
    if not (isinstance(goal, Compound) and goal.arity == 2):
        return None
    low, high = goal.args
    if goal.functor in (">", ">="):
        low, high = high, low
    elif goal.functor not in ("<", "=<"):
        return None
    distance = _distance(low, known)
    if isinstance(high, Var) and distance is not None:
        return high.name, -distance
    if isinstance(high, Num) and type(high.value) is int:
        if isinstance(low, Compound) and low.functor == "-" and low.arity == 2:
            since = _distance(low.args[0], known)
            if since is not None and isinstance(low.args[1], Var):
                return low.args[1].name, high.value - since
    return None


def _distance(term: Term, known: dict[str, int]) -> int | None:
    """How far after the rule's time-point a sum is."""
    if isinstance(term, Var):
        return known.get(term.name)
    found = _assigned(Compound("is", (Var("_"), term)), known)
    return found[1] if found is not None else None


def reach(rule: Rule) -> tuple[int, int]:
    """How far before and after its own time-point a rule looks."""
    known = offsets(rule)
    distances = [0]
    for goal in goals(rule.body):
        ref = reference(goal.term)
        if ref is not None and isinstance(ref.time, Var):
            distances.append(known.get(ref.time.name, 0))
    return max(-min(distances), *looked_for(rule).values(), 0), max(distances)
