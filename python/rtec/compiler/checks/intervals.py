"""Check: the interval lists of holdsFor rules, each made before it is used, and used."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.bodies import goals
from rtec.compiler.checks.case import Case
from rtec.compiler.description import Rule
from rtec.compiler.lifting import is_pointwise
from rtec.compiler.references import reference
from rtec.compiler.spelling import near_variable
from rtec.compiler.terms import (
    NIL,
    Compound,
    Term,
    Var,
    conjuncts,
    list_items,
    subterms,
    variables,
)
from rtec.errors import Problem


def check_intervals(case: Case) -> Iterator[Problem]:
    """Report interval variables that are never made, or made and never used."""
    for rule in case.rules:
        if rule.kind == "static":
            yield from _inputs(case, rule)
            yield from _head(case, rule)
            yield from _unused(case, rule)


def _inputs(case: Case, rule: Rule) -> Iterator[Problem]:
    """Walk through the body; what an interval operator reads must exist by then."""
    seen = {v.name for v in variables(rule.entity)}
    makers = _makers(rule)
    reported: set[str] = set()
    for goal in _goals(rule.body):
        if isinstance(goal, Compound) and is_pointwise(goal):
            yield from _shapes(case, goal, makers)
            for variable in _read(goal):
                if variable.name in seen or variable.name in reported:
                    continue
                reported.add(variable.name)
                yield _never_made(case, rule, variable, variable.name in makers)
        seen.update(v.name for v in variables(goal))


def _goals(body: Term) -> list[Term]:
    """All goals in order, those of disjunctions too."""
    return [goal.term for goal in goals(body)]


def _makers(rule: Rule) -> set[str]:
    """Variables that some goal gives an interval list."""
    made: set[str] = set()
    for goal in _goals(rule.body):
        found = reference(goal)
        if found is not None and found.reading == "holdsFor":
            made.update(v.name for v in variables(found.time))
        elif isinstance(goal, Compound) and is_pointwise(goal):
            made.update(v.name for v in variables(goal.args[-1]))
    return made


def _read(goal: Compound) -> Iterator[Var]:
    for arg in goal.args[:-1]:
        items, tail = list_items(arg)
        for item in [*items, tail]:
            if isinstance(item, Var):
                yield item


def _never_made(case: Case, rule: Rule, variable: Var, later: bool) -> Problem:
    name = variable.name
    if later:
        return case.error(
            "interval-never-made",
            f"the intervals `{name}` are used before they are made",
            variable,
            "move the goal that makes them before this one",
        )
    others = {v.name for v in variables(rule.body)} - {name}
    like = near_variable(name, others)
    remedy = f"make them with holdsFor(F=V, {name}) or an interval operator before"
    if like:
        remedy += f"; did you mean `{like}`?"
    return case.error(
        "interval-never-made", f"nothing makes the intervals `{name}`", variable, remedy
    )


def _shapes(case: Case, goal: Compound, makers: set[str]) -> Iterator[Problem]:
    """Operators take a list of interval lists; an interval list alone is a mistake."""
    lists = goal.args[:1] if goal.arity == 2 else goal.args[1:2]
    for arg in lists:
        if isinstance(arg, Var) and arg.name in makers:
            yield case.error(
                "interval-list",
                f"`{goal.functor}` takes a list of interval lists, and `{arg.name}` is one of them",
                arg,
                f"write [{arg.name}]",
            )
    if goal.functor == "relative_complement_all":
        items, tail = list_items(goal.args[0])
        if tail == NIL and len(items) == 1 and isinstance(items[0], Var):
            if items[0].name in makers:
                yield case.error(
                    "interval-list",
                    f"`{goal.functor}` subtracts from one interval list, not from a list of them",
                    goal.args[0],
                    f"write {items[0].name}",
                )


def _head(case: Case, rule: Rule) -> Iterator[Problem]:
    time = rule.time
    if not isinstance(time, Var) or not conjuncts(rule.body):
        if isinstance(time, Var):
            yield case.error(
                "interval-never-made",
                f"nothing makes the intervals `{time.name}`",
                time,
                "add conditions that say where the fluent holds",
            )
        return
    if any(isinstance(p, Var) and p.name == time.name for p in subterms(rule.body)):
        return
    like = near_variable(time.name, _makers(rule)) or _last_made(rule)
    remedy = "the last goal of the rule should make them"
    if like:
        remedy = f"did you mean `{like}`, which the rule makes?"
    yield case.error(
        "interval-never-made", f"nothing makes the intervals `{time.name}`", time, remedy
    )


def _last_made(rule: Rule) -> str | None:
    for goal in reversed(_goals(rule.body)):
        if isinstance(goal, Compound) and is_pointwise(goal):
            output = goal.args[-1]
            return output.name if isinstance(output, Var) else None
    return None


def _unused(case: Case, rule: Rule) -> Iterator[Problem]:
    singles = set(rule.clause.singletons)
    for goal in _goals(rule.body):
        if not isinstance(goal, Compound):
            continue
        found = reference(goal)
        is_maker = (found is not None and found.reading == "holdsFor") or is_pointwise(goal)
        output = goal.args[-1]
        if is_maker and isinstance(output, Var) and output.name in singles:
            yield case.warning(
                "interval-unused",
                f"the intervals `{output.name}` are made and never used",
                output,
                f"use them, leave the goal out, or write _{output.name}",
            )
