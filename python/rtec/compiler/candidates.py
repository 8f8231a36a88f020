"""Which instances a holdsFor rule can hold for: the literals that must not be empty.

The result of a rule is empty unless certain of its holdsFor literals are not:
for a union any one of them, for an intersection all, for a relative complement
the first. An Allen condition has to see either list, since it remembers intervals for
partners that come later. Enumerating the stored instances of those literals gives every
instance that may hold, without walking a domain.
"""

from __future__ import annotations

from itertools import product

from rtec.compiler.bodies import goals
from rtec.compiler.description import Rule
from rtec.compiler.lifting import interval_inputs
from rtec.compiler.references import reference
from rtec.compiler.terms import Compound, Term, Var, conjuncts, list_items, variables

Alternatives = list[frozenset[int]]
_MOST = 16


def candidate_literals(rule: Rule) -> tuple[list[Compound], Alternatives]:
    """Give the holdsFor goals of a rule, and which sets of them may make it non-empty.

    An empty set among the alternatives means that the rule may hold although all
    of its literals are empty (a complement).
    """
    literals: list[Compound] = []
    made: dict[str, Alternatives] = {}
    for goal in _flat(rule.body):
        if not isinstance(goal, Compound):
            continue
        ref = reference(goal)
        if ref is not None and ref.reading == "holdsFor":
            literals.append(goal)
            if isinstance(ref.time, Var):
                made.setdefault(ref.time.name, []).append(frozenset({len(literals) - 1}))
        elif ref is None:
            _follow(goal, made)
    if isinstance(rule.time, Var):
        return literals, _minimal(made.get(rule.time.name, [frozenset()]))
    return literals, [] if _is_empty_list(rule.time) else [frozenset()]


def _flat(body: Term) -> list[Term]:
    return [goal.term for goal in goals(body)] if conjuncts(body) else []


def _is_empty_list(term: Term | None) -> bool:
    return term is not None and not list_items(term)[0] and getattr(term, "name", "") == "[]"


def _follow(goal: Compound, made: dict[str, Alternatives]) -> None:
    """Work out the alternatives of the interval variables that a goal makes."""
    output = goal.args[-1]
    key = (goal.functor, goal.arity)
    if key == ("union_all", 2):
        result = _any(interval_inputs(goal), made)
    elif key == ("intersect_all", 2):
        result = _all(interval_inputs(goal), made)
    elif key == ("relative_complement_all", 3):
        first = goal.args[0]
        result = made.get(first.name, []) if isinstance(first, Var) else [frozenset()]
    elif key == ("complement_all", 2):
        result = [frozenset[int]()]
    elif key in (("=", 2), ("==", 2)):
        left, right = goal.args
        if isinstance(left, Var) and isinstance(right, Var):
            if left.name in made and right.name not in made:
                made[right.name] = made[left.name]
            elif right.name in made and left.name not in made:
                made[left.name] = made[right.name]
        return
    else:
        inputs = [v for v in variables(goal) if v.name in made]
        if not inputs:
            return
        result = _any(inputs, made)
        for variable in variables(goal):
            made.setdefault(variable.name, result)
        return
    if isinstance(output, Var):
        made[output.name] = made.get(output.name, []) + result


def _any(inputs: list[Var], made: dict[str, Alternatives]) -> Alternatives:
    return [alternative for v in inputs for alternative in made.get(v.name, [])]


def _all(inputs: list[Var], made: dict[str, Alternatives]) -> Alternatives:
    options = [made[v.name] for v in inputs if v.name in made]
    size = 1
    for option in options:
        size *= max(1, len(option))
    if size > _MOST:
        return min(options, key=len)
    return [frozenset().union(*combination) for combination in product(*options)]


def _minimal(alternatives: Alternatives) -> Alternatives:
    unique = list(dict.fromkeys(alternatives))
    return [a for a in unique if not any(b < a for b in unique)]
