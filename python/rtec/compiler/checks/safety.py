"""Check: variables of a head that neither conditions nor groundings bind.

Such a fluent-value pair is never reported, although it still breaks the other values of
its fluent, so this is a warning. Terminations match everything, and `initially` is
true of every instance: there open variables are meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.checks.binding import bound_after, names, occurrences
from rtec.compiler.checks.case import Case
from rtec.compiler.checks.unification import all_unify, may_unify
from rtec.compiler.description import Rule, split_fvp
from rtec.compiler.terms import NIL, Term, compound
from rtec.errors import Problem


def check_safety(case: Case) -> Iterator[Problem]:
    """Report open variables of heads."""
    for rule in case.rules:
        if rule.kind == "delay":
            yield from _delay(case, rule)
        elif rule.kind in ("initiated", "static", "event") and rule.time != NIL:
            if not is_grounded(case, rule):
                yield from _rule(case, rule)


def is_grounded(case: Case, rule: Rule) -> bool:
    """Whether a grounding/1 clause gives the instances of what a rule defines."""
    for hint in case.hints:
        if hint.name != "grounding":
            continue
        fvp = split_fvp(hint.args[0])
        if rule.value is None:
            if fvp is None and may_unify(hint.args[0], rule.entity):
                return True
        elif fvp is not None and all_unify([fvp[0], fvp[1]], [rule.entity, rule.value]):
            return True
    return False


def _rule(case: Case, rule: Rule) -> Iterator[Problem]:
    bound = bound_after(rule.body) | names(rule.time)
    head: Term = rule.entity if rule.value is None else compound("=", rule.entity, rule.value)
    text = case.text(rule.entity) if rule.value is None else case.pair(rule.entity, rule.value)
    seen: set[str] = set()
    for variable in occurrences(head):
        if variable.name in bound or variable.name in seen:
            continue
        seen.add(variable.name)
        shown = "_" if variable.name[1:].isdigit() else variable.name
        consequence = "it is never reported"
        if rule.value is None:
            consequence = "the event is reported with an open argument"
        elif rule.kind == "initiated":
            consequence += ", but still breaks other values of the fluent"
        yield case.warning(
            "unsafe-variable",
            f"no condition binds `{shown}` of `{text}`: {consequence}",
            variable,
            "bind it in a condition, or give its domain with a grounding/1 clause",
        )


def _delay(case: Case, rule: Rule) -> Iterator[Problem]:
    """The value that a delay leads to must be known by then."""
    assert rule.target is not None
    bound = bound_after(rule.body, names(rule.entity, rule.value))
    for variable in occurrences(rule.target):
        if variable.name not in bound:
            yield case.warning(
                "unsafe-variable",
                f"no condition binds `{variable.name}`, the value that the delay leads to",
                variable,
                "bind it in the body of fi/3",
            )
