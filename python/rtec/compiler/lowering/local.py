"""Rules of static fluents within a span of time, for where only what lies in it has changed.

Such a rule is a lowered one, with every interval list that it reads cut to the span. That says
the same as the whole rule, in the span, if the rule says point by point where its fluent holds.
"""

from __future__ import annotations

from rtec.compiler.bodies import goals
from rtec.compiler.description import Rule
from rtec.compiler.lifting import is_pointwise, is_whole
from rtec.compiler.references import reference
from rtec.compiler.terms import Compound, Term, Var, compound, conjunction, conjuncts, variables

SPAN = Var("RtecSpan")


def is_local(rule: Rule) -> bool:
    """Whether a rule says point by point where a fluent holds, without a look at anything else.

    A test whether a list is empty, for one, may turn out differently for a part of the list.
    """
    if is_whole(rule):
        return False
    intervals: set[str] = set()
    for goal in conjuncts(rule.body):
        ref = reference(goal)
        if ref is not None:
            intervals |= {v.name for v in variables(ref.time)}
        elif is_pointwise(goal):
            intervals |= {v.name for v in variables(goal)}
    return (
        isinstance(rule.time, Var)
        and all(
            reference(goal) is not None
            or is_pointwise(goal)
            or not any(v.name in intervals for v in variables(goal))
            for goal in conjuncts(rule.body)
        )
        and not any(g.branch or g.negated for g in goals(rule.body) if reference(g.term))
    )


def reaching(body: Term) -> Term:
    """Of the instances that a clause enumerates, those that hold in the span."""
    found: list[Term] = []
    for number, goal in enumerate(conjuncts(body)):
        if isinstance(goal, Compound) and goal.args[-1] == Var("_"):
            intervals = Var(f"RtecIs{number}")
            found.append(Compound(goal.functor, (*goal.args[:-1], intervals)))
            found.append(compound("touches_span", intervals, SPAN))
        else:
            found.append(goal)
    return conjunction(found)


def joined(body: Term, bound: set[str]) -> list[Term]:
    """The same where some variables are bound: what can be looked up at once comes first."""
    goals_left = conjuncts(body)
    if not all(isinstance(g, Compound) and g.args[-1] == Var("_") for g in goals_left):
        return conjuncts(reaching(body))
    ordered: list[Term] = []
    known = set(bound)
    while goals_left:
        goal = min(goals_left, key=lambda g: len({v.name for v in variables(g)} - known - {"_"}))
        goals_left.remove(goal)
        ordered.append(goal)
        known |= {v.name for v in variables(goal)}
    return conjuncts(reaching(conjunction(ordered)))


def cut(body: Term) -> Term:
    """A lowered rule with every list that is read cut to the span."""
    found: list[Term] = []
    for number, goal in enumerate(conjuncts(body)):
        found.append(_cut_read(goal, Var(f"RtecIs{number}")))
    return conjunction(found)


def _cut_read(goal: Term, whole: Var) -> Term:
    """`( holds_f(.., I) *-> true ; I = [] )`, as lowering writes a holdsFor, with I cut."""
    if not (isinstance(goal, Compound) and goal.functor == ";"):
        return goal
    read, otherwise = goal.args
    if not (isinstance(read, Compound) and read.functor == "*->"):
        return goal
    stored = read.args[0]
    assert isinstance(stored, Compound)
    fact = Compound(stored.functor, (*stored.args[:-1], whole))
    here = compound("within_span", SPAN, whole, stored.args[-1])
    return compound(";", compound("*->", fact, here), otherwise)
