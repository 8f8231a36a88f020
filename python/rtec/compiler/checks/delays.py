"""Check: delayed effects, `fi` and `p` (thesis, Definition 11)."""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.bodies import goals
from rtec.compiler.checks.binding import bound_after, names
from rtec.compiler.checks.case import Case
from rtec.compiler.checks.contradictions import value_of
from rtec.compiler.checks.inspection import clause_id, goal_text
from rtec.compiler.checks.unification import all_unify
from rtec.compiler.description import Rule
from rtec.compiler.references import is_temporal
from rtec.compiler.terms import Atom, Num, Term, Var, conjuncts
from rtec.errors import Problem

_SHOWN = 3  # wrong values of one delay


def check_delays(case: Case) -> Iterator[Problem]:
    """Report delays that make no sense."""
    delays = [rule for rule in case.rules if rule.kind == "delay"]
    for rule in delays:
        yield from _delay(case, rule)
        if rule.value == rule.target and isinstance(rule.value, Atom | Num):
            yield case.error(
                "bad-delay",
                f"the delay leads from `{case.text(rule.value)}` to itself",
                rule.target,
                "a delayed effect gives the fluent another value",
            )
    yield from _same(case, delays)
    for rule in case.rules:
        if rule.kind == "postponed" and not any(_same_source(rule, d) for d in delays):
            if not case.may_be_lost("fi"):
                assert rule.value is not None
                yield case.error(
                    "p-without-fi",
                    f"`p` for `{case.pair(rule.entity, rule.value)}`, which has no "
                    "delayed effect to postpone",
                    rule.clause.head,
                    "add the fi/3 that it belongs to, or remove it",
                )


def _same_source(one: Rule, other: Rule) -> bool:
    assert one.value is not None and other.value is not None
    return all_unify([one.entity, one.value], [other.entity, other.value])


def _delay(case: Case, rule: Rule) -> Iterator[Problem]:
    delay = rule.delay
    assert delay is not None
    if not isinstance(delay, Var):
        value = value_of(delay)
        if not isinstance(value, int) or value < 1 or not isinstance(delay, Num):
            yield _bad(case, delay, case.text(delay))
        return
    if delay.name not in bound_after(rule.body, names(rule.entity, rule.value)):
        yield case.error(
            "bad-delay",
            f"nothing gives the delay `{delay.name}` a value",
            delay,
            "write a positive integer, or compute it in the body: fi(F=a, F=b, R) :- deadline(R).",
        )
        return
    worked_out = computed(case, rule)
    if worked_out is None:
        return
    if not worked_out and not _reads_head(rule):
        yield case.warning(
            "never-fires",
            f"nothing gives the delay `{delay.name}` a value, so it has no effect",
            delay,
            "check the facts that its body reads",
        )
    wrong = [str(found) for found in worked_out if not isinstance(found, int) or found < 1]
    if wrong:
        shown = wrong[:_SHOWN] + (["..."] if len(wrong) > _SHOWN else [])
        yield _bad(case, delay, "`, `".join(shown))


def computed(case: Case, rule: Rule) -> list[int | str] | None:
    """What a delay comes to, as far as that is known before the run."""
    if isinstance(rule.delay, Num):
        return [rule.delay.value if isinstance(rule.delay.value, int) else str(rule.delay.value)]
    found = case.inspection.delays.get(clause_id(rule))
    return None if _has_unknown(case, rule) else found


def _has_unknown(case: Case, rule: Rule) -> bool:
    """Whether the body has a goal that cannot be called before the run."""
    return any(
        case.inspection.verdicts.get(goal_text(case.description, goal.term), ("ok", ""))[0] != "ok"
        for goal in goals(rule.body)
        if not is_temporal(goal.term)
    )


def _reads_head(rule: Rule) -> bool:
    """Whether a body depends on which instance it is for; then facts may come from elsewhere."""
    return bool(names(rule.body) & names(rule.entity, rule.value))


def _bad(case: Case, delay: Term, text: str) -> Problem:
    return case.error(
        "bad-delay",
        f"the delay is `{text}`; it has to be a positive integer",
        delay,
        "delays are counted in time-points: 1, 2, 3, ...",
    )


def _same(case: Case, delays: list[Rule]) -> Iterator[Problem]:
    """Two effects of one pair at the same time: neither value would win."""
    for i, rule in enumerate(delays):
        for earlier in delays[:i]:
            if not _same_source(rule, earlier):
                continue
            clash = _clash(case, earlier, rule)
            if clash is not None:
                assert rule.delay is not None and rule.value is not None
                yield case.error(
                    "same-delay",
                    f"`{case.pair(rule.entity, rule.value)}` has another delayed "
                    f"effect after {clash}, in line {case.line(earlier.clause)}",
                    rule.delay,
                    "only the shortest delay takes effect; give one of them another delay, or "
                    "remove it",
                )
                break


def _clash(case: Case, earlier: Rule, rule: Rule) -> int | str | None:
    """The delay that both give to every instance, or to some instance of the background."""
    if _always(rule) and _always(earlier):
        mine, its = computed(case, rule), computed(case, earlier)
        return mine[0] if mine and mine == its and len(mine) == 1 else None
    if _has_unknown(case, rule) or _has_unknown(case, earlier):
        return None
    found = case.inspection.clashes.get((clause_id(earlier), clause_id(rule)))
    return found[0] if found else None


def _always(rule: Rule) -> bool:
    """Whether a delay applies to every instance: its body does not look at the head."""
    return not conjuncts(rule.body) or not _reads_head(rule)
