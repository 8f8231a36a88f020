"""Random small descriptions in which much depends on the same uncertain facts, and streams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

IDS = ("a", "b")
TIMES = (1, 2, 3, 4, 5)
PROBS = (0.5, 0.25, 0.75, 0.9, 0.1)


@dataclass(frozen=True)
class Fact:
    """An event, or with a value a point or (with an end) an interval of an input fluent."""

    name: str
    time: int
    args: tuple[str, ...]
    prob: float | None = None
    value: str | None = None
    end: int | None = None


@dataclass(frozen=True, repr=False)
class Case:
    """A description, and facts for it."""

    text: str
    facts: tuple[Fact, ...]

    def __repr__(self) -> str:
        return f"{self.text}\n" + "\n".join(map(repr, self.facts))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))


BACKGROUND = "linked(a, b).\nspecial(a).\n"


@dataclass(frozen=True)
class _Fluent:
    """A fluent of one argument that rules may read."""

    name: str
    values: tuple[str, ...]


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    levels: int = 2,
    inputs: bool = True,
    statics: bool = True,
    changes: bool = True,
    cycles: bool = False,
    open_negations: bool = True,
    most: int = 7,
) -> Case:
    """Make a description of simple and static fluents over four events, with facts.

    Args:
        draw: Given by hypothesis.
        levels: How many levels of fluents.
        inputs: Whether there are input fluents.
        statics: Whether there are static fluents.
        changes: Whether rules ask for starts, ends, initiations and terminations.
        cycles: Whether fluents may read each other and themselves.
        open_negations: Whether there may be variables inside negations, and lists of what holds.
        most: How many uncertain facts at most.
    """
    maker = _Maker(draw, changes, open_negations)
    rules: list[str] = []
    if inputs:
        maker.fluents.append(_Fluent("i", ("true",)))
        rules.append(draw(st.sampled_from(["points", "collectIntervals"])) + "(i(_)=true).")
    intervals = rules[:1] == ["collectIntervals(i(_)=true)."]
    for level in range(1, levels + 1):
        made = []
        for name in draw(st.sampled_from([("p",), ("p", "q")])):
            fluent = _Fluent(f"{name}{level}", draw(st.sampled_from([("true",), ("lo", "hi")])))
            made.append(fluent)
        maker.own = made if cycles else []
        for fluent in made:
            rules += maker.simple(fluent)
        maker.own = []
        maker.fluents += made
        if statics and draw(st.booleans()):
            rules.append(maker.static(f"s{level}"))
            maker.fluents.append(_Fluent(f"s{level}", ("true",)))
    return Case("\n".join(rules) + "\n", _facts(draw, inputs, intervals, most))


class _Maker:
    """Makes rules; all fluents have one argument, events one or two."""

    def __init__(self, draw: st.DrawFn, changes: bool, open_negations: bool) -> None:
        self.draw = draw
        self.changes = changes
        self.open_negations = open_negations
        self.fluents: list[_Fluent] = []
        self.own: list[_Fluent] = []

    def choose(self, *items: Any) -> Any:
        return self.draw(st.sampled_from(items))

    def simple(self, fluent: _Fluent) -> list[str]:
        rules = []
        for value in fluent.values:
            for _ in range(self.choose(1, 1, 2)):
                rules.append(self._rule("initiatedAt", f"{fluent.name}(X)={value}"))
        for _ in range(self.choose(0, 1, 1, 2)):
            head = self.choose(f"{fluent.name}(X)={fluent.values[0]}", f"{fluent.name}(X)=_")
            head = self.choose(head, head, f"{fluent.name}(_)={fluent.values[-1]}")
            rules.append(self._rule("terminatedAt", head))
        if self.choose(False, False, True):
            rules.append(f"initially({fluent.name}({self.choose(*IDS)})={fluent.values[0]}).")
        return rules

    def _rule(self, kind: str, head: str) -> str:
        goals = [self._trigger()]
        for _ in range(self.choose(0, 1, 1, 2)):
            goals.append(self._condition())
        return f"{kind}({head}, T) :- {', '.join(goals)}."

    def _trigger(self) -> str:
        options = ["happensAt(e(X), T)", "happensAt(d(X), T)", "happensAt(c(X, _), T)"]
        if self.changes and self.fluents:
            fluent = self.choose(*self.fluents)
            change = self.choose("start", "end")
            options.append(f"happensAt({change}({fluent.name}(X)={fluent.values[0]}), T)")
        return str(self.choose(*options))

    def _condition(self) -> str:
        options = [
            "happensAt(e(X), T)",
            "happensAt(d(Y), T)",
            "\\+ happensAt(d(X), T)",
            "( happensAt(d(X), T) ; happensAt(c(X, X), T) )",
            "special(X)",
            "linked(X, _)",
        ]
        if self.open_negations:
            options.append("\\+ happensAt(c(_, X), T)")
            options.append("\\+ (happensAt(c(X, Y), T), happensAt(d(Y), T))")
        for fluent in (*self.fluents, *self.own):
            fvp = f"{fluent.name}(X)={self.choose(*fluent.values)}"
            options += [f"holdsAt({fvp}, T)", f"\\+ holdsAt({fvp}, T)", f"holdsAt({fvp}, T)"]
            if fluent not in self.own and self.open_negations:
                options.append(f"holdsAt({fluent.name}(_)={fluent.values[0]}, T)")
                options.append(f"\\+ holdsAt({fluent.name}(_)={fluent.values[0]}, T)")
                other = f"holdsAt({fluent.name}(Z)={fluent.values[0]}, T)"
                options.append(f"(findall(Z, {other}, L), length(L, N), N < 2)")
                if self.changes and fluent.name[0] in "pq":
                    options.append(f"\\+ initiatedAt({fvp}, T)")
                    options.append(f"\\+ terminatedAt({fvp}, T)")
        chosen = str(self.choose(*options))
        # Variables of two conditions are not the same.
        number = self.choose(*range(1000))
        for name in ("Y", "Z", "L", "N"):
            chosen = _renamed(chosen, name, f"{name}{number}")
        return chosen

    def static(self, name: str) -> str:
        one, two, three = (self.choose(*self.fluents) for _ in range(3))
        reads = ", ".join(
            f"holdsFor({f.name}(X)={self.choose(*f.values)}, I{i})"
            for i, f in enumerate((one, two, three), 1)
        )
        combine = self.choose(
            "union_all([I1, I2, I3], I)",
            "intersect_all([I1, I2, I3], I)",
            "relative_complement_all(I1, [I2, I3], I)",
            "union_all([I1, I2], I4), relative_complement_all(I4, [I3], I)",
            "union_all([I1, I2], I4), intersect_all([I4, I3], I)",
        )
        return f"holdsFor({name}(X)=true, I) :- {reads}, {combine}."


def _renamed(text: str, old: str, new: str) -> str:
    import re

    return re.sub(rf"\b{old}\b", new, text)


def _facts(draw: st.DrawFn, inputs: bool, intervals: bool, most: int) -> tuple[Fact, ...]:
    kinds = ["e", "e", "d", "d", "c"] + (["i", "i"] if inputs else [])
    facts: list[Fact] = []
    uncertain = draw(st.integers(2, most))
    for number in range(uncertain + draw(st.integers(0, 5))):
        name = draw(st.sampled_from(kinds))
        time = draw(st.sampled_from(TIMES))
        args = tuple(draw(st.sampled_from(IDS)) for _ in range(2 if name == "c" else 1))
        prob = draw(st.sampled_from(PROBS)) if number < uncertain else None
        value = "true" if name == "i" else None
        end = time + draw(st.sampled_from([1, 2, 3])) if name == "i" and intervals else None
        facts.append(Fact(name, time, args, prob, value, end))
    return tuple(facts)
