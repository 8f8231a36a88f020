"""Which conditions of a holdsFor rule have to hold somewhere, if its result is to hold anywhere.

For a union any one of them, for an intersection and an Allen relation all, for a relative
complement the first, for a complement none. What is true of the whole run is wanted here, not
of one window: the engine looks for instances in its own, more generous way.
"""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

from rtec.compiler.allen import allen_condition
from rtec.compiler.bodies import goals
from rtec.compiler.description import Rule
from rtec.compiler.lifting import interval_inputs
from rtec.compiler.references import reference
from rtec.compiler.terms import Compound, Term, Var, list_items, variables

Alternatives: TypeAlias = list[frozenset[int]]
_MOST = 64


def necessary(rule: Rule) -> tuple[list[Compound], Alternatives]:
    """Give the holdsFor conditions of a rule, and the sets of them that may make it hold."""
    literals: list[Compound] = []
    made: dict[str, Alternatives] = {}
    for goal in goals(rule.body):
        ref = reference(goal.term)
        if ref is not None and ref.reading == "holdsFor":
            literals.append(ref.goal)
            if isinstance(ref.time, Var):
                made.setdefault(ref.time.name, []).append(frozenset({len(literals) - 1}))
        elif ref is None and isinstance(goal.term, Compound):
            _follow(goal.term, made)
    if isinstance(rule.time, Var):
        return literals, list(dict.fromkeys(made.get(rule.time.name, [frozenset()])))
    items, _ = list_items(rule.time) if rule.time is not None else ([], None)
    return literals, [frozenset()] if items else []


def _follow(goal: Compound, made: dict[str, Alternatives]) -> None:
    key = (goal.functor, goal.arity)
    if key in (("=", 2), ("==", 2)):
        _same(goal.args[0], goal.args[1], made)
        return
    output = goal.args[-1]
    allen = allen_condition(goal)
    if key == ("union_all", 2):
        result = _any(interval_inputs(goal), made)
    elif key == ("intersect_all", 2):
        result = _all(interval_inputs(goal), made)
    elif key == ("relative_complement_all", 3):
        first = goal.args[0]
        result = made.get(first.name, []) if isinstance(first, Var) else [frozenset()]
    elif key == ("complement_all", 2):
        result = [frozenset()]
    elif allen is not None:
        result = _all([v for v in allen[1:3] if isinstance(v, Var)], made)
    else:
        inputs = [v for v in variables(goal) if v.name in made]
        if inputs:
            result = _any(inputs, made)
            for variable in variables(goal):
                made.setdefault(variable.name, result)
        return
    if isinstance(output, Var):
        made[output.name] = made.get(output.name, []) + result


def _same(left: Term, right: Term, made: dict[str, Alternatives]) -> None:
    if isinstance(left, Var) and isinstance(right, Var):
        if left.name in made and right.name not in made:
            made[right.name] = made[left.name]
        elif right.name in made and left.name not in made:
            made[left.name] = made[right.name]


def _any(inputs: list[Var], made: dict[str, Alternatives]) -> Alternatives:
    return [alternative for v in inputs for alternative in made.get(v.name, [])]


def _all(inputs: list[Var], made: dict[str, Alternatives]) -> Alternatives:
    options = [made[v.name] for v in inputs if v.name in made]
    size = 1
    for option in options:
        size *= max(1, len(option))
    if not options or size > _MOST:
        return min(options, key=len) if options else [frozenset()]
    return [frozenset().union(*combination) for combination in product(*options)]
