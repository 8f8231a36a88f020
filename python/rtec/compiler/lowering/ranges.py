"""Ranges that say nothing: `T1 =< T, T < T2` of a rule for the time-points T1 to T2.

The engine asks such a rule for a whole window, so every time-point that it may find is in the
range. Where nothing else in the rule asks for T1 and T2, it is the same rule without them.
"""

from __future__ import annotations

from dataclasses import replace

from rtec.compiler.bodies import map_goals
from rtec.compiler.description import Rule
from rtec.compiler.references import reference
from rtec.compiler.terms import Compound, Term, Var, conjunction, conjuncts, variables


def without_range(rule: Rule) -> Rule:
    """The rule without tests that its time-point is in the window; as it is if it asks for more."""
    if rule.lower is None and rule.upper is None:
        return rule

    def shown(goal: Term) -> Term:
        ref = reference(goal)
        if ref is None or ref.bounds is None or ref.time != rule.time:
            return goal
        assert isinstance(goal, Compound)
        low, high = ref.bounds
        low = Var("_") if low == rule.lower else low
        high = Var("_") if high == rule.upper else high
        return Compound(goal.functor, (goal.args[0], low, goal.args[2], high), goal.span)

    asking = [goal for goal in conjuncts(rule.body) if not _says_nothing(goal, rule)]
    kept = [map_goals(goal, shown) for goal in asking]
    return replace(rule, body=conjunction(kept)) if _asks_no_more(kept, rule) else rule


def _says_nothing(goal: Term, rule: Rule) -> bool:
    if not (isinstance(goal, Compound) and goal.arity == 2):
        return False
    low, time, high = rule.lower, rule.time, rule.upper
    tests = {
        "=<": ((low, time), (time, high)), "<": ((time, high),),
        ">=": ((time, low), (high, time)), ">": ((high, time),),
    }  # fmt: skip
    return goal.args in tests.get(goal.functor, ())


def _asks_no_more(goals: list[Term], rule: Rule) -> bool:
    used = {v.name for goal in goals for v in variables(goal)}
    return not any(isinstance(b, Var) and b.name in used for b in (rule.lower, rule.upper))
