"""Check: declarations that contradict the rules, and fluents defined in two ways."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rtec.compiler.checks.case import Case
from rtec.compiler.checks.known import known
from rtec.compiler.checks.unification import all_unify, may_unify
from rtec.compiler.description import Hint, Rule, split_fvp
from rtec.compiler.references import entity_key
from rtec.compiler.spelling import closest, likeness
from rtec.compiler.terms import Atom, Num, Term, name_and_args
from rtec.errors import Problem

_SIMPLE = ("initiated", "initially", "delay")


def check_declared(case: Case) -> Iterator[Problem]:
    """Report declarations that say otherwise than the rules."""
    for hint in case.hints:
        if hint.name in ("simpleFluent", "sDFluent"):
            yield from _fluent_kind(case, hint)
        elif hint.name == "event":
            yield from _event(case, hint)
        elif hint.name == "inputEntity":
            yield from _input(case, hint)
        elif hint.name == "outputEntity":
            yield from _output(case, hint)
        if hint.name in ("index", "grounding", "cachingOrder", "collectIntervals", "points"):
            yield from _spelling(case, hint)
    yield from _two_kinds(case)


def _defining(case: Case, subject: Term) -> list[Rule]:
    """The rules that define an event, a fluent, or a fluent with a value."""
    fvp = split_fvp(subject)
    if fvp is None:
        return [r for r in case.rules if may_unify(subject, r.entity)]
    found = []
    for rule in case.rules:
        value = rule.target if rule.kind == "delay" else rule.value
        if value is not None and rule.kind in (*_SIMPLE, "static"):
            if all_unify([fvp[0], fvp[1]], [rule.entity, value]):
                found.append(rule)
    return found


def _otherwise(case: Case, hint: Hint, says: str, rule: Rule, is_: str) -> Problem:
    subject = _subject_text(case, hint.args[0])
    where = f"line {case.line(rule.clause)}"
    if rule.clause.span.path != hint.clause.span.path:
        where += f" of {Path(rule.clause.span.path).name}"
    return case.error(
        "declared-otherwise",
        f"`{subject}` is declared {says}, but {where} defines it as {is_}",
        hint.clause.head,
        "mend the declaration or the rule",
    )


def _subject_text(case: Case, subject: Term) -> str:
    fvp = split_fvp(subject)
    return case.pair(*fvp) if fvp else case.text(subject)


def _fluent_kind(case: Case, hint: Hint) -> Iterator[Problem]:
    rules = [r for r in _defining(case, hint.args[0]) if r.kind in (*_SIMPLE, "static", "event")]
    statics = [r for r in rules if r.kind == "static"]
    simples = [r for r in rules if r.kind in _SIMPLE]
    events = [r for r in rules if r.kind == "event"]
    if hint.name == "simpleFluent" and statics and not simples:
        yield _otherwise(case, hint, "a simple fluent", statics[0], "a static one, by holdsFor/2")
    elif hint.name == "sDFluent" and simples and not statics:
        yield _otherwise(
            case, hint, "a static fluent", simples[0], "a simple one, by what initiates it"
        )
    elif events and not simples and not statics:
        yield _otherwise(case, hint, "a fluent", events[0], "an event")


def _event(case: Case, hint: Hint) -> Iterator[Problem]:
    subject = hint.args[0]
    if name_and_args(subject) is None or split_fvp(subject) is not None:
        yield case.error(
            "declared-otherwise",
            f"`{_subject_text(case, subject)}` is declared an event, and events have no value",
            subject,
            "declare fluents with simpleFluent/1 or sDFluent/1",
        )
        return
    rules = [r for r in _defining(case, subject) if r.kind in (*_SIMPLE, "static", "event")]
    if rules and all(r.kind != "event" for r in rules):
        if entity_key(subject) not in known(case).used["event"]:
            yield _otherwise(case, hint, "an event", rules[0], "a fluent")


def _input(case: Case, hint: Hint) -> Iterator[Problem]:
    subject = hint.args[0]
    fvp = split_fvp(subject)
    rules = _defining(case, subject)
    if fvp is None:
        rules = [r for r in rules if r.kind == "event"]
    elif not isinstance(fvp[1], Atom | Num):
        return
    if rules:
        yield _otherwise(case, hint, "an input", rules[0], "an output")


def _output(case: Case, hint: Hint) -> Iterator[Problem]:
    subject = hint.args[0]
    fvp = split_fvp(subject)
    if name_and_args(subject) is None:
        return
    key = entity_key(fvp[0] if fvp else subject)
    entities = case.entities
    defined = key in entities.simple or key in entities.static or key in entities.output_events
    if not defined and not case.may_be_lost(key[0]):
        yield case.warning(
            "declared-undefined",
            f"`{_subject_text(case, subject)}` is declared an output, but no rule defines it",
            case.name_place(fvp[0] if fvp else subject),
            "add rules for it, or remove the declaration",
        )


def _spelling(case: Case, hint: Hint) -> Iterator[Problem]:
    """A declaration for a name that is almost, but not quite, one that the rules use."""
    subject = hint.args[0]
    fvp = split_fvp(subject)
    entity = fvp[0] if fvp else subject
    if name_and_args(entity) is None:
        return
    words = known(case)
    used = words.defined["event"] | words.defined["fluent"]
    used |= set(words.used["event"]) | set(words.used["fluent"])
    name, arity = entity_key(entity)
    if any(name == n for n, _ in used):
        return
    declared = [h for h in case.hints if h is not hint and entity_key(_entity(h)) == (name, arity)]
    if any(h.name in ("event", "inputEntity", "outputEntity") for h in declared):
        return
    like = closest(name, {n for n, a in used if a == arity})
    if like is not None and likeness(name, like) == "slip":
        yield case.warning(
            "unknown-name",
            f"the declaration is for `{name}`, which no rule mentions",
            case.name_place(entity),
            f"did you mean `{like}`?",
        )


def _entity(hint: Hint) -> Term:
    fvp = split_fvp(hint.args[0])
    return fvp[0] if fvp else hint.args[0]


def _two_kinds(case: Case) -> Iterator[Problem]:
    """The same fluent-value pair by initiatedAt and by holdsFor."""
    statics = [r for r in case.rules if r.kind == "static"]
    simples = [r for r in case.rules if r.kind in ("initiated", "initially")]
    reported: set[int] = set()
    for rule in statics:
        for other in simples:
            if entity_key(rule.entity) != entity_key(other.entity) or id(rule) in reported:
                continue
            if not isinstance(other.value, Atom | Num) or rule.value != other.value:
                continue
            if may_unify(rule.entity, other.entity):
                reported.add(id(rule))
                assert rule.value is not None
                yield case.error(
                    "two-kinds",
                    f"`{case.pair(rule.entity, rule.value)}` is defined by holdsFor "
                    f"here and by what initiates it in line {case.line(other.clause)}",
                    rule.clause.head,
                    "a fluent with a value is either simple or static; use one kind of rule",
                )
