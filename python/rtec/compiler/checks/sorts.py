"""Check: fluents used as events, events used as fluents, fluents without a value."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.bodies import goals
from rtec.compiler.checks.case import Case
from rtec.compiler.checks.known import Known, known
from rtec.compiler.description import Rule, split_fvp
from rtec.compiler.references import Reference, entity_key, reference
from rtec.compiler.terms import Compound, Term, Var, is_goal
from rtec.errors import Problem


def check_sorts(case: Case) -> Iterator[Problem]:
    """Report goals whose subject is of the wrong sort."""
    words = known(case)
    for found in case.references():
        if found.reading == "happens":
            yield from _event(case, words, found)
        else:
            yield from _fluent(case, words, found)
    for rule in case.rules:
        if rule.kind == "static":
            yield from _nameless(case, rule)


def _nameless(case: Case, rule: Rule) -> Iterator[Problem]:
    """Report holdsFor conditions of which nobody knows what they read: they come in levels."""
    for goal in goals(rule.body):
        found = reference(goal.term)
        if found is None or found.reading != "holdsFor" or found.entity is not None:
            continue
        subject = found.goal.args[0]
        fluent = subject.args[0] if is_goal(subject, "=", 2) else subject  # type: ignore[union-attr]
        if isinstance(fluent, Var):
            yield case.error(
                "bad-fluent",
                f"`{case.text(fluent)}` is a variable; a condition has to name its fluent",
                fluent,
                "write a rule for each fluent, as in holdsFor(open(Door)=true, I)",
            )


def _event(case: Case, words: Known, found: Reference) -> Iterator[Problem]:
    event, key = found.entity, found.key
    if event is None or key is None:
        if not isinstance(found.goal.args[0], Var):
            yield case.error(
                "bad-event",
                f"`{case.text(found.goal.args[0])}` is not an event",
                found.goal.args[0],
                "an event is an atom or a compound, as in happensAt(stop(Bus), T)",
            )
        return
    if key == ("=", 2):
        yield _as_moment(case, event)
        return
    if key[0] in ("start", "end") and key[1] == 1 and isinstance(event, Compound):
        inner = event.args[0]
        if not isinstance(inner, Var) and entity_key(inner) in words.vouched("fluent"):
            yield _without_value(case, inner)
        return
    is_event = (
        key in words.vouched("event")
        or key in words.own
        or (case.stream is not None and key[1] in case.stream.events.get(key[0], ()))
    )
    if key in words.vouched("fluent") and not is_event:
        yield _as_moment(case, event)


def _as_moment(case: Case, subject: Term) -> Problem:
    fvp = split_fvp(subject)
    fluent = fvp[0] if fvp else subject
    shown = case.pair(*fvp) if fvp else f"{case.text(subject)}=true"
    return case.error(
        "fluent-as-event",
        f"`{entity_key(fluent)[0]}` is a fluent, and only events happen",
        case.name_place(fluent),
        f"for the moment it begins or ends write happensAt(start({shown}), T) or "
        f"happensAt(end({shown}), T); while it holds, holdsAt({shown}, T)",
    )


def _fluent(case: Case, words: Known, found: Reference) -> Iterator[Problem]:
    if found.entity is None or found.key is None:
        subject = found.goal.args[0]
        if found.goal.functor != "happensAt" and not isinstance(subject, Var):
            yield from _malformed(case, words, subject)
        return
    key = found.key
    is_fluent = key in words.vouched("fluent") or (
        case.stream is not None and key[1] in case.stream.fluents.get(key[0], ())
    )
    if is_fluent or case.may_be_lost(key[0]):
        return
    if key in words.vouched("event"):
        yield _as_fluent(case, found.entity, certain=True)
    elif key in words.used["event"]:
        in_stream = case.stream is not None and key[1] in case.stream.events.get(key[0], ())
        yield _as_fluent(case, found.entity, certain=in_stream)


def _malformed(case: Case, words: Known, subject: Term) -> Iterator[Problem]:
    key = entity_key(subject)
    if is_goal(subject, "=", 2):
        if isinstance(subject, Compound) and not isinstance(subject.args[0], Var):
            yield case.error(
                "bad-fluent",
                f"`{case.text(subject.args[0])}` is not a fluent",
                subject,
                "a fluent is an atom or a compound, as in holdsAt(open(Door)=true, T)",
            )
    elif key in words.vouched("event") and key not in words.vouched("fluent"):
        yield _as_fluent(case, subject, certain=True)
    else:
        yield _without_value(case, subject)


def _as_fluent(case: Case, subject: Term, certain: bool) -> Problem:
    make = case.error if certain else case.warning
    return make(
        "event-as-fluent",
        f"`{entity_key(subject)[0]}` is an event, and only fluents hold",
        case.name_place(subject),
        f"write happensAt({case.text(subject)}, T)",
    )


def _without_value(case: Case, subject: Term) -> Problem:
    return case.error(
        "missing-value",
        f"the fluent `{case.text(subject)}` has no value",
        subject,
        f"write it with its value, as in {case.text(subject)}=true",
    )
