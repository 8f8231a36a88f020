"""Check: rules about time-points begin with a positive happensAt that gives their time."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.checks.case import Case
from rtec.compiler.description import Rule
from rtec.compiler.references import reference
from rtec.compiler.terms import Compound, Num, Term, Var, conjuncts
from rtec.errors import Problem

_TRIGGERS = {"happens", "start", "end", "initiated", "terminated"}


def check_first_condition(case: Case) -> Iterator[Problem]:
    """Report rules that begin otherwise, and rules whose time is that of another goal."""
    for rule in case.rules:
        if rule.kind in ("initiated", "terminated", "event"):
            yield from _rule(case, rule)


def other_times(rule: Rule) -> set[str]:
    """Names of the time variables of a first condition that are not the time of the head."""
    first = conjuncts(rule.body)[:1]
    times = _times(first[0]) if first and rule.kind != "static" else []
    return {time.name for time in times if isinstance(time, Var) and time != rule.time}


def _rule(case: Case, rule: Rule) -> Iterator[Problem]:
    head = rule.clause.head
    assert head is not None
    first = conjuncts(rule.body)[:1]
    if not first:
        if not isinstance(rule.time, Num):
            yield case.error(
                "first-condition",
                "the rule has no condition that says when",
                head,
                "add the event that it depends on: ... :- happensAt(Event, T).",
            )
        return
    wrong = _wrong_part(first[0])
    if wrong is not None:
        yield case.error(
            "first-condition",
            f"the first condition is `{case.text(wrong)}`, not a positive happensAt",
            wrong if wrong.span is not None else first[0],
            "begin with the event that the rule depends on, happensAt(Event, T); other "
            "conditions follow it",
        )
        return
    for time in _times(first[0]):
        if time != rule.time:
            head_time = case.text(rule.time) if rule.time is not None else "T"
            yield case.error(
                "head-time",
                f"the time of the head is `{head_time}`, but the first condition is at "
                f"`{case.text(time)}`",
                rule.time if isinstance(rule.time, Var | Num) else head,
                "a rule takes effect at the time of its first condition; for an effect after a "
                "delay use fi/3",
            )
            return


def _branches(goal: Term) -> list[Term] | None:
    """The goals that may be called first inside a control construct; None for a plain goal."""
    if not isinstance(goal, Compound):
        return None
    key = (goal.functor, goal.arity)
    if key == (";", 2):
        return [goal.args[0], goal.args[1]]
    if key in ((",", 2), ("->", 2), ("*->", 2), ("once", 1), ("call", 1)):
        return [goal.args[0]]
    return None


def _wrong_part(goal: Term) -> Term | None:
    branches = _branches(goal)
    if branches is not None:
        for branch in branches:
            wrong = _wrong_part(branch)
            if wrong is not None:
                return wrong
        return None
    found = reference(goal)
    return None if found is not None and found.reading in _TRIGGERS else goal


def _times(goal: Term) -> list[Term]:
    branches = _branches(goal)
    if branches is not None:
        return [time for branch in branches for time in _times(branch)]
    found = reference(goal)
    return [] if found is None else [found.time]
