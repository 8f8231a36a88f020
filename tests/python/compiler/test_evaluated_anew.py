"""Which entities have delta rules: random tests compare answers, and would not miss them."""

from __future__ import annotations

from pathlib import Path

import pytest
from rtec.compiler import compile_description

BASE = """
initiatedAt(f(X)=low, T) :- happensAt(a(X), T).
initiatedAt(f(X)=high, T) :- happensAt(b(X), T).
"""

BY_CHANGES = {
    "a static fluent over a default": """
initially(f(_)=low).
holdsFor(g(X)=true, I) :- holdsFor(f(X)=low, I).
""",
    "initiatedAt as a condition": """
initiatedAt(g(X)=true, T) :- happensAt(c(X), T), not initiatedAt(f(X)=low, T).
terminatedAt(g(X)=true, T) :- initiatedAt(f(X)=high, T).
""",
    "terminatedAt as a condition": """
initiatedAt(g(X)=true, T) :- terminatedAt(f(X)=low, T).
happensAt(h(X), T) :- happensAt(c(X), T), not terminatedAt(f(X)=high, T).
""",
    "a condition at another time-point": """
initiatedAt(g(X)=true, T) :- happensAt(c(X), T), T1 is T-60, holdsAt(f(X)=low, T1).
terminatedAt(g(X)=true, T) :- happensAt(c(X), T), T1 is T+5, not happensAt(a(X), T1).
""",
    "a time-point that is looked for, not too far away": """
initiatedAt(g(X)=true, T) :- happensAt(c(X), T), happensAt(a(X), T1), T1 < T, T-T1 < 60.
terminatedAt(g(X)=true, T) :-
    happensAt(c(X), T),
    Since is T-10,
    not (happensAt(start(f(X)=low), T1), T1 >= Since, T1 < T).
""",
    "groundings from the stream that supply instances": """
dynamicDomain(d(_)).
grounding(a(X)) :- d(X).
grounding(g(X)=true) :- d(X).
initiatedAt(g(_)=true, T) :- happensAt(all, T).
""",
    "groundings from the stream that restrict": """
dynamicDomain(pair(_, _)).
grounding(c(X, Y)) :- pair(X, Y).
grounding(g(X, Y)=true) :- pair(X, Y).
holdsFor(g(X, Y)=true, I) :-
    holdsFor(f(X)=low, I1),
    holdsFor(f(Y)=low, I2),
    intersect_all([I1,I2], I).
happensAt(h(X), T) :- happensAt(c(X, Y), T), pair(Y, X).
""",
    "delayed effects with groundings that restrict": """
fi(f(X)=low, f(X)=high, 10).
grounding(f(X)=_) :- special(X).
special(x).
""",
    "a rule for a range of time-points": """
initiatedAt(g(X)=true, T1, T, T2) :- happensAt(c(X), T), T1 =< T, T < T2.
""",
    "a default with groundings": """
initially(f(_)=low).
grounding(f(X)=_) :- special(X).
special(x).
""",
}

ANEW = {
    "the query time": (
        "initiatedAt(g(X)=true, T) :- happensAt(c(X), T), queryTime(T).",
        "query time",
    ),
    "what reads it": (
        "initiatedAt(g(X)=true, T) :- happensAt(c(X), T), now(T).\nnow(T) :- queryTime(T).",
        "`now/1`",
    ),
    "a time-point that is looked for": (
        "initiatedAt(g(X)=true, T) :- happensAt(c(X), T), happensAt(a(X), T1), T1 < T.",
        "`happensAt(a(X), T1)` is at a time-point that may be any distance",
    ),
    "a distance that is known too late": (
        "initiatedAt(g(X)=true, T) :- happensAt(c(X), T), not happensAt(a(X), T1), T1 is T-5.",
        "any distance",
    ),
    "a distance that is said elsewhere": (
        "initiatedAt(g(X)=true, T) :- happensAt(c(X), T), happensAt(a(X), T1),\n"
        "    ( T1 > T-5 ; T1 < T ).",
        "any distance",
    ),
    "a pattern that ends a default": (
        "initially(f(_)=low).\nterminatedAt(f(_)=low, T) :- happensAt(c(_), T).",
        "instances that nobody has met",
    ),
    "a deadline that begins with a default": (
        "initially(f(_)=low).\nfi(f(X)=low, f(X)=high, 5).",
        "begins with its default",
    ),
    "an open value that ends": (
        "initiatedAt(g(X)=V, T) :- terminatedAt(f(X)=V, T).",
        "leaves open which value",
    ),
}  # fmt: skip


def anew(text: str, folder: Path) -> list[str]:
    file = folder / "rules.prolog"
    file.write_text(BASE + text)
    return [problem.message for problem in compile_description(file).anew]


@pytest.mark.parametrize("text", BY_CHANGES.values(), ids=BY_CHANGES)
def test_by_changes(text: str, tmp_path: Path) -> None:
    assert anew(text, tmp_path) == []


@pytest.mark.parametrize(("text", "reason"), ANEW.values(), ids=ANEW)
def test_anew(text: str, reason: str, tmp_path: Path) -> None:
    found = anew(text, tmp_path)
    assert found and all("is evaluated anew at each query time: " in m for m in found)
    assert any(reason in m for m in found), found
