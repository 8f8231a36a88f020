"""Check: names that nothing defines and no stream provides, and wrong numbers of arguments.

In the manual's spelling every input is declared, so a name that is not is a mistake. In
today's spelling inputs are inferred, so an unknown name is one only if it looks like a
slip of a known name; anything else is an input.
"""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.checks.case import Case
from rtec.compiler.checks.known import Known, Sort, known
from rtec.compiler.references import Key, Reference
from rtec.compiler.spelling import closest, distance, likeness
from rtec.errors import Problem


def check_names(case: Case) -> Iterator[Problem]:
    """Report each unknown name and each wrong arity where it is used."""
    words = known(case)
    for found in case.references():
        key = found.key
        if key is None or found.entity is None or key == ("=", 2):
            continue
        sort: Sort = "event" if found.reading == "happens" else "fluent"
        if key in words.vouched(sort) or case.may_be_lost(key[0]):
            continue
        if sort == "event" and key in words.own:
            continue
        if _in_stream(case, sort, key) or _is_other_sort(words, sort, key):
            continue
        problem = _arity(case, words, sort, found) or _unknown(case, words, sort, found)
        if problem is not None:
            yield problem


def _in_stream(case: Case, sort: Sort, key: Key) -> bool:
    if case.stream is None:
        return False
    names = case.stream.events if sort == "event" else case.stream.fluents
    return key[1] in names.get(key[0], ())


def _is_other_sort(words: Known, sort: Sort, key: Key) -> bool:
    """A known fluent used as an event, or the reverse, is reported elsewhere."""
    other: Sort = "fluent" if sort == "event" else "event"
    return key in words.vouched(other)


def _arity(case: Case, words: Known, sort: Sort, found: Reference) -> Problem | None:
    assert found.key is not None and found.entity is not None
    name, arity = found.key
    others = {a for n, a in words.vouched(sort) if n == name}
    if case.stream is not None and sort == "event":
        others |= case.stream.events.get(name, set())
    others.discard(arity)
    place = case.name_place(found.entity)
    message = f"{sort} `{name}` is used with {_arguments(arity)}"
    if others:
        wanted = " or ".join(_arguments(a) for a in sorted(others))
        remedy = f"`{name}` is known with {wanted}"
        if arity < min(others):
            remedy += "; write `_` for those that do not matter"
        return case.error("wrong-arity", message, place, remedy)
    uses = {a: n for (other, a), n in words.used[sort].items() if other == name and a != arity}
    if uses and max(uses.values()) > words.used[sort][found.key]:
        usual = max(uses, key=lambda a: uses[a])
        return case.warning(
            "wrong-arity", message, place, f"elsewhere `{name}` has {_arguments(usual)}"
        )
    return None


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count or 'no'} arguments"


def _unknown(case: Case, words: Known, sort: Sort, found: Reference) -> Problem | None:
    assert found.key is not None and found.entity is not None
    name, arity = found.key
    place = case.name_place(found.entity)
    vouched = {n for n, a in words.vouched(sort) if a == arity}
    if case.stream is not None:
        streamed = case.stream.events if sort == "event" else case.stream.fluents
        vouched |= {n for n, arities in streamed.items() if arity in arities}
    if words.manual:
        like = closest(name, vouched)
        how = "event/1 and inputEntity/1" if sort == "event" else "simpleFluent/1 or sDFluent/1"
        remedy = f"declare it with {how}" + (f"; did you mean `{like}`?" if like else "")
        return case.error(
            f"undeclared-{sort}", f"{sort} `{name}` is not declared", place, remedy
        )
    uses = words.used[sort]
    usual = {n for (n, a), count in uses.items() if a == arity and count > uses[found.key]}
    like = closest(name, vouched) or closest(name, usual)
    if like is None:
        return None
    grade = likeness(name, like)
    if like not in vouched and grade != "slip":
        return None
    looked = case.stream is not None and case.stream.complete
    certain = grade == "slip" or (looked and distance(name, like) == 1)
    make = case.error if certain else case.warning
    args = ", ".join("_" for _ in range(arity))
    declared = f"{name}({args})" if arity else name
    if sort == "fluent":
        declared += "=_"
    return make(
        f"unknown-{sort}",
        f"nothing defines the {sort} `{name}`",
        place,
        f"did you mean `{like}`? If it comes from the stream, say so: inputEntity({declared}).",
    )
