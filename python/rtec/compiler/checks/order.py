"""Check: variables without a value when a comparison, a negation, holdsAt or allen needs one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rtec.compiler.checks.allen import allen_words
from rtec.compiler.checks.binding import (
    ARITHMETIC,
    DIFFERENCES,
    Call,
    calls,
    names,
    occurrences,
)
from rtec.compiler.checks.case import Case
from rtec.compiler.checks.safety import is_grounded
from rtec.compiler.description import Hint, Rule
from rtec.compiler.references import reference
from rtec.compiler.spelling import near_variable
from rtec.compiler.terms import Clause, Compound, Term, Var, subterms, variables
from rtec.errors import Problem


@dataclass(frozen=True)
class _Body:
    """A body with what is bound before it begins."""

    clause: Clause
    body: Term
    before: frozenset[str]
    head: frozenset[str]


def check_order(case: Case) -> Iterator[Problem]:
    """Report goals that come before their variables are bound, or without them being bound."""
    bodies = [_of_rule(case, rule) for rule in case.rules]
    bodies += [_of_hint(hint) for hint in case.hints]
    for body in bodies:
        yield from _body(case, body)


def _of_rule(case: Case, rule: Rule) -> _Body:
    head = names(rule.entity, rule.value)
    before = names(rule.lower, rule.upper)
    if rule.kind in ("initiated", "terminated", "event"):
        before |= names(rule.time)  # what the first condition has to bind, see first_condition
    if rule.kind in ("static", "delay", "postponed") or is_grounded(case, rule):
        before |= head
    return _Body(rule.clause, rule.body, frozenset(before), frozenset(head))


def _of_hint(hint: Hint) -> _Body:
    return _Body(hint.clause, hint.body, frozenset(), frozenset(names(*hint.args)))


def _body(case: Case, body: _Body) -> Iterator[Problem]:
    reported: set[str] = set()
    for call in calls(body.body, set(body.before)):
        for variable in _needed(case, call):
            if variable.name in call.bound or variable.name in reported:
                continue
            reported.add(variable.name)
            yield _unbound(case, body, call, variable)
        if call.negation is not None:
            yield from _negated(case, body, call, reported)


def _needed(case: Case, call: Call) -> Iterator[Var]:
    """The variables that must have a value when a goal is called."""
    goal = call.goal
    if not isinstance(goal, Compound) or goal.arity < 2:
        return
    if goal.arity == 2 and goal.functor in ARITHMETIC:
        yield from occurrences(goal)
    elif goal.arity == 2 and goal.functor == "is":
        yield from occurrences(goal.args[1])
    elif goal.arity == 2 and goal.functor == "\\=":
        yield from (arg for arg in goal.args if isinstance(arg, Var))
    elif words := allen_words(case, goal):
        yield from (word for _, word in words if isinstance(word, Var))
    else:
        found = reference(goal)
        if found is not None and found.reading == "holdsAt" and not call.local:
            if isinstance(found.time, Var):
                yield found.time


def _unbound(case: Case, body: _Body, call: Call, variable: Var) -> Problem:
    goal = call.goal
    is_time = isinstance(goal, Compound) and goal.functor == "holdsAt"
    later = _binder(case, body, variable)
    if is_time:
        message = f"nothing says which time `{variable.name}` is"
        remedy = "use the time of the first condition, or compute it before: T2 is T - 60"
    elif later is not None:
        message = f"`{variable.name}` has no value yet when `{case.text(goal)}` needs it"
        remedy = f"move the condition after `{case.text(later)}`"
    else:
        message = f"nothing gives `{variable.name}` a value, which `{case.text(goal)}` needs"
        remedy = "bind it in a condition before"
    others = {v.name for v in _all_variables(body.clause)} - {variable.name}
    like = near_variable(variable.name, others)
    if like and later is None:
        remedy += f"; did you mean `{like}`?"
    if is_time:
        return case.error("unbound-time", message, variable, remedy)
    if isinstance(goal, Compound) and goal.functor == "\\=":
        message = f"`{variable.name}` has no value here, so `{case.text(goal)}` never holds"
        return case.warning("unbound-variable", message, variable, remedy)
    return case.error("unbound-variable", message, variable, remedy)


def _binder(case: Case, body: _Body, variable: Var) -> Term | None:
    """The first goal that would bind a variable."""
    for call in calls(body.body, set()):
        needed = {id(v) for v in _needed(case, call)}
        if call.negation is not None or call.local:
            continue
        if isinstance(call.goal, Compound) and call.goal.functor in ARITHMETIC | DIFFERENCES:
            continue
        for occurrence in occurrences(call.goal):
            if occurrence.name == variable.name and id(occurrence) not in needed:
                return call.goal
    return None


def _negated(case: Case, body: _Body, call: Call, reported: set[str]) -> Iterator[Problem]:
    """A variable that is bound only after a negation means something else inside it."""
    for variable in variables(call.goal):
        name = variable.name
        if name in call.bound or name in reported or name.startswith("_"):
            continue
        later = _binder(case, body, variable)
        if later is None or (call.negation is not None and _inside(later, call.negation)):
            continue
        reported.add(name)
        yield case.warning(
            "negation-order",
            f"`{name}` has no value yet in the negation, so it stands for any at all",
            variable,
            f"move the negation after `{case.text(later)}`",
        )


def _inside(goal: Term, negation: Term) -> bool:
    return any(part is goal for part in subterms(negation))


def _all_variables(clause: Clause) -> list[Var]:
    found = variables(clause.body)
    return found + (variables(clause.head) if clause.head is not None else [])
