"""Check: values that nothing gives a fluent, so that conditions on them never hold."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.checks.case import Case
from rtec.compiler.checks.unification import all_unify
from rtec.compiler.description import Rule
from rtec.compiler.references import Key, Reference, entity_key
from rtec.compiler.spelling import closest
from rtec.compiler.terms import Atom, Num, Term
from rtec.errors import Problem

FluentValue = tuple[Term, Term]


def check_values(case: Case) -> Iterator[Problem]:
    """Report conditions, terminations and delays on values that are never given."""
    given = given_values(case)
    for found in case.references():
        if found.entity is None or found.value is None or found.key is None:
            continue
        if found.reading in ("initiated", "terminated") and found.key not in case.entities.simple:
            yield _not_simple(case, found)
        else:
            yield from _value(case, given, found.entity, found.value, "the condition never holds")
    for rule in case.rules:
        if rule.value is None:
            continue
        key = entity_key(rule.entity)
        if rule.kind == "terminated" and not _is_given(case, given, rule.entity, rule.value):
            if key not in given:
                yield _never_begins(case, rule)
            else:
                yield from _value(
                    case, given, rule.entity, rule.value, "there is nothing to terminate"
                )
        elif rule.kind == "delay":
            yield from _value(
                case, given, rule.entity, rule.value, "the delay never begins"
            )


def _not_simple(case: Case, found: Reference) -> Problem:
    assert found.entity is not None and found.value is not None and found.key is not None
    kind = "a static" if found.key in case.entities.static else "an input"
    what, verb = ("start", "initiates") if found.reading == "initiated" else ("end", "terminates")
    pair = case.pair(found.entity, found.value)
    return case.warning(
        "never-fires",
        f"`{found.key[0]}` is {kind} fluent, which nothing {verb}: "
        "the condition never holds",
        case.name_place(found.entity),
        f"write happensAt({what}({pair}), {case.text(found.time)})",
    )


def given_values(case: Case) -> dict[Key, list[FluentValue]]:
    """For each fluent that rules define, the pairs that rules give."""
    given: dict[Key, list[FluentValue]] = {}
    for rule in case.rules:
        key = entity_key(rule.entity)
        if rule.kind in ("initiated", "initially", "static") and rule.value is not None:
            given.setdefault(key, []).append((rule.entity, rule.value))
        elif rule.kind == "delay" and rule.target is not None:
            given.setdefault(key, []).append((rule.entity, rule.target))
    return given


def _is_given(
    case: Case, given: dict[Key, list[FluentValue]], fluent: Term, value: Term
) -> bool:
    key = entity_key(fluent)
    if key in case.entities.input_fluents or case.may_be_lost(key[0]):
        return True
    if case.stream is not None and key[1] in case.stream.fluents.get(key[0], ()):
        return True
    return any(all_unify([fluent, value], [f, v]) for f, v in given.get(key, []))


def _value(
    case: Case, given: dict[Key, list[FluentValue]], fluent: Term, value: Term, consequence: str
) -> Iterator[Problem]:
    key = entity_key(fluent)
    if key not in given or _is_given(case, given, fluent, value):
        return
    values = [v for f, v in given[key] if isinstance(v, Atom | Num)]
    shown = list(dict.fromkeys(case.text(v) for v in values))
    text = case.text(value)
    if isinstance(value, Atom | Num) and text not in shown:
        like = closest(text, shown)
        verb = "only value is" if len(shown) == 1 else "values are"
        remedy = f"its {verb} {', '.join(f'`{v}`' for v in shown)}"
        if like:
            remedy = f"did you mean `{like}`? I{remedy[1:]}"
        yield case.warning(
            "never-fires",
            f"nothing gives `{key[0]}` the value `{text}`: {consequence}",
            value,
            remedy,
        )
    else:
        yield case.warning(
            "never-fires",
            f"no rule is for `{case.pair(fluent, value)}`: {consequence}",
            fluent,
            f"rules for `{key[0]}` have other arguments; compare them",
        )


def _never_begins(case: Case, rule: Rule) -> Problem:
    name = entity_key(rule.entity)[0]
    return case.warning(
        "never-fires",
        f"`{name}` is terminated, but nothing ever initiates it",
        case.name_place(rule.entity),
        "add an initiatedAt/2 or initially/1 rule",
    )
