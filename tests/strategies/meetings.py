"""Random descriptions of objects that meet, and streams for them.

Unlike those of `descriptions`, these can be split: first come fluents about one object, then
some about pairs, then (sometimes) fluents that join pairs and so need everything in one place.
They are made as text, for comparisons of one way of running with another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from rtec.runtime.records import Record

from .windowings import Run

OBJECTS: tuple[str | int, ...] = ("ann", "bob", 7, "cy", "f(d)")
_EVENTS = ("e0(X)", "e1(X, 1)", "e1(X, 2)", "e1(X, _)")
_PAIR_EVENTS = ("m0(X, Y)", "m1(X, Y)", "m0(Y, X)")
_ALLEN = ("during", "overlaps", "meets", "before", "starts", "contains", "after")


@dataclass(frozen=True)
class Meetings:
    """A description, a stream and a run.

    Attributes:
        text: The rules.
        records: The stream, not in order.
        run: Window, step, start, end and tick.
        second: Whether there are rules about pairs.
        alone: Whether there are rules that join pairs.
    """

    text: str
    records: list[Record]
    run: Run
    second: bool
    alone: bool

    def __repr__(self) -> str:
        shown = "\n".join(map(repr, self.records))
        return f"Meetings({self.run},\n{self.text}\n{shown})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Let hypothesis show a failing case as text."""
        printer.text(repr(self))


@st.composite
def meetings(
    draw: st.DrawFn,
    /,
    *,
    alone: bool | None = None,
    retractions: bool = True,
    ticks: tuple[int, ...] = (1, 1, 5),
    most_delay: int = 10,
    lasting: bool = False,
) -> Meetings:
    """Make a case.

    Args:
        draw: Given by hypothesis.
        alone: Asks for rules that join pairs; None leaves it open.
        retractions: Whether records are taken back.
        ticks: The ticks to choose from.
        most_delay: How many ticks after its time a record may arrive.
        lasting: Whether windows are so long that no record is ever lost.
    """
    run = draw(_runs(ticks, longer=most_delay if lasting else 0))
    rules = _Rules(draw, run.tick)
    for number in range(draw(st.integers(1, 4))):
        rules.about_one(number)
    pairs = draw(st.integers(0 if alone is None else 1, 3))
    for number in range(pairs):
        rules.about_two(number)
    joins = pairs > 0 and (alone if alone is not None else draw(st.integers(0, 3)) == 0)
    if joins:
        rules.about_many()
    records = draw(st.lists(_records(run, most_delay, retractions), min_size=20, max_size=60))
    return Meetings(
        "\n".join(["collectIntervals(near(_, _)=_).", "points(mood(_)=_).", *rules.text]) + "\n",
        records,
        run,
        pairs > 0,
        bool(joins),
    )


class _Rules:
    """Rules so far, and what further ones may read."""

    def __init__(self, draw: st.DrawFn, tick: int) -> None:
        self.text: list[str] = []
        self._draw = draw
        self._tick = tick
        self._one: list[tuple[str, str]] = [("mood(X)", "good"), ("mood(X)", "bad")]
        self._stored: list[tuple[str, str]] = []
        self._two: list[tuple[str, str]] = [("near(X, Y)", "true")]

    def _pick(self, options: Any) -> Any:
        return self._draw(st.sampled_from(list(options)))

    def _chance(self, of: int) -> bool:
        return bool(self._draw(st.integers(1, of)) == 1)

    def _add(self, head: str, *body: str) -> None:
        goals = ",\n    ".join(body)
        self.text.append(f"{head} :-\n    {goals}." if body else f"{head}.")

    # -- conditions --------------------------------------------------------------------------

    def _about_x(self) -> str:
        """A condition on X at T."""
        fluent, value = self._pick(self._one)
        return self._pick(
            [f"holdsAt({fluent}={value}, T)", f"\\+ holdsAt({fluent}={value}, T)",
             f"\\+ happensAt({self._pick(_EVENTS)}, T)"]
        )  # fmt: skip

    def _trigger(self) -> str:
        """Something that happens to X at T."""
        options = [f"happensAt({e}, T)" for e in (*_EVENTS, "m0(X, _)", "m1(_, X)")]
        for fluent, value in self._stored:
            options += [f"happensAt({w}({fluent}={value}), T)" for w in ("start", "end")]
        return str(self._pick(options))

    def _conditions(self, about: Any, most: int) -> list[str]:
        return [about() for _ in range(self._draw(st.sampled_from([0, 0, 1, *range(1, most + 1)])))]

    def _of_pair(self) -> str:
        """A condition on X, on Y or on both at T."""
        kind = self._draw(st.integers(0, 3))
        if kind == 0:
            fluent, value = self._pick(self._two)
            negated = "\\+ " if self._chance(2) else ""
            return f"{negated}holdsAt({fluent}={value}, T)"
        condition = self._about_x()
        return condition if kind < 3 else condition.replace("(X", "(Y")

    # -- fluents -----------------------------------------------------------------------------

    def about_one(self, number: int) -> None:
        """Add a fluent, or an event, about one object."""
        kind = self._draw(st.integers(0, 5))
        if kind == 0:
            self._add(f"happensAt(o{number}(X), T)", self._trigger(),
                      *self._conditions(self._about_x, 2))  # fmt: skip
        elif kind == 1 and len(self._stored) > 1:
            self._static(f"s{number}(X)", self._stored)
            self._one.append((f"s{number}(X)", "true"))
            self._stored.append((f"s{number}(X)", "true"))
        else:
            name, values = f"a{number}", ("on", "off")
            if self._chance(4):
                self._add(f"initially({name}(_)=off)")
            elif self._chance(5):
                self._add(f"initially({name}(ann)=on)")
            for _ in range(self._draw(st.integers(1, 2))):
                self._add(f"initiatedAt({name}(X)={self._pick(values)}, T)", self._trigger(),
                          *self._conditions(self._about_x, 2))  # fmt: skip
            if self._chance(2):
                self._add(f"terminatedAt({name}(X)={self._pick(values)}, T)", self._trigger(),
                          *self._conditions(self._about_x, 1))  # fmt: skip
            if self._chance(4):
                self._add(f"terminatedAt({name}(_)=on, T)", "happensAt(reset, T)")
            if self._chance(4):
                delay = self._draw(st.integers(1, 8)) * self._tick
                self._add(f"fi({name}(X)=on, {name}(X)=off, {delay})")
            self._one += [(f"{name}(X)", value) for value in values]
            self._stored += [(f"{name}(X)", value) for value in values]

    def about_two(self, number: int) -> None:
        """Add a fluent, or an event, about a pair."""
        meet = f"happensAt({self._pick(_PAIR_EVENTS)}, T)"
        kind = self._draw(st.integers(0, 5))
        if kind == 0:
            self._add(f"happensAt(q{number}(X, Y), T)", meet,
                      *self._conditions(self._of_pair, 3))  # fmt: skip
        elif kind in (1, 2) and self._stored:
            self._static_pair(f"r{number}(X, Y)")
            self._two.append((f"r{number}(X, Y)", "true"))
        else:
            name = f"p{number}(X, Y)"
            self._add(f"initiatedAt({name}=yes, T)", meet, *self._conditions(self._of_pair, 3))
            if self._chance(2):
                other = f"happensAt({self._pick(_PAIR_EVENTS)}, T)"
                self._add(f"initiatedAt({name}=no, T)", other,
                          *self._conditions(self._of_pair, 2))  # fmt: skip
            if self._chance(2):
                self._add(f"terminatedAt({name}=yes, T)", self._pick([meet, "happensAt(e0(X), T)"]),
                          *self._conditions(self._of_pair, 1))  # fmt: skip
            if self._chance(3):
                self._add(f"terminatedAt(p{number}(X, _)=_, T)", "happensAt(e1(X, 2), T)")
            if self._chance(4):
                self._add(f"terminatedAt(p{number}(_, _)=yes, T)", "happensAt(reset, T)")
            if self._chance(3):
                delay = self._draw(st.integers(1, 8)) * self._tick
                self._add(f"fi({name}=yes, {name}=no, {delay})")
            self._two += [(name, "yes"), (name, "no")]

    def about_many(self) -> None:
        """Add something that joins pairs."""
        fluent, value = self._pick(self._two)
        if self._chance(2):
            self._add("initiatedAt(popular(X)=true, T)", "happensAt(e0(X), T)",
                      f"findall(Y, holdsAt({fluent}={value}, T), Ys)", "Ys = [_|_]")  # fmt: skip
        else:
            self._add("initiatedAt(crowd=true, T)", "happensAt(e0(X), T)",
                      f"holdsAt({fluent}={value}, T)")  # fmt: skip
            self._add("terminatedAt(crowd=true, T)", "happensAt(reset, T)")

    def _static(self, name: str, read: list[tuple[str, str]]) -> None:
        chosen = [self._pick(read) for _ in range(2)]
        body = [f"holdsFor({f}={v}, I{n})" for n, (f, v) in enumerate(chosen)]
        last = self._pick(
            ["union_all([I0, I1], I)", "intersect_all([I0, I1], I)",
             "relative_complement_all(I0, [I1], I)", "complement_all([I0, I1], I)",
             f"allen({self._pick(_ALLEN)}, I0, I1, {self._pick(['source', 'target'])}, I)"]
        )  # fmt: skip
        self._add(f"holdsFor({name}=true, I)", *body, last)

    def _static_pair(self, name: str) -> None:
        pair, value = self._pick(self._two)
        body = [f"holdsFor({pair}={value}, I0)"]
        for n in (1, 2):
            fluent, value = self._pick(self._stored)
            other = fluent.replace("(X", "(Y") if n == 2 else fluent
            body.append(f"holdsFor({other}={value}, I{n})")
        goals = self._pick(
            [["intersect_all([I0, I1, I2], I)"], ["union_all([I1, I2], I3)",
             "intersect_all([I0, I3], I)"], ["relative_complement_all(I0, [I1, I2], I)"],
             ["complement_all([I0], I)"], ["union_all([I0, I1], I3)", "complement_all([I3], I)"],
             ["union_all([I1, I2], I3)", f"allen({self._pick(_ALLEN)}, I3, I0, target, I)"],
             ["intersect_all([I0, I1, I2], I3)", "intDurGreater(I3, 2, I)"]]
        )  # fmt: skip
        self._add(f"holdsFor({name}=true, I)", *body, *goals)


@st.composite
def _runs(draw: st.DrawFn, ticks: tuple[int, ...], longer: int) -> Run:
    tick = draw(st.sampled_from(ticks))
    start = draw(st.sampled_from([0, 7, 100])) * tick
    step = draw(st.integers(3, 9))
    queries = draw(st.integers(2, 6))
    window = draw(st.integers(step, 3 * step)) + longer
    return Run(start, start + queries * step * tick, tick, window * tick, step * tick)


@st.composite
def _records(draw: st.DrawFn, run: Run, most_delay: int, retractions: bool) -> Record:
    time = draw(st.sampled_from(run.points))
    arrival = time + draw(st.sampled_from([0, 0, 0, *range(1, most_delay + 1)])) * run.tick
    op = "-" if retractions and draw(st.integers(0, 12)) == 0 else "+"
    x, y = draw(st.sampled_from(OBJECTS)), draw(st.sampled_from(OBJECTS))
    kind = draw(st.integers(0, 9))
    if kind < 3:
        return Record("e0", time, (x,), arrival, op=op)
    if kind < 5:
        return Record("e1", time, (x, draw(st.integers(1, 2))), arrival, op=op)
    if kind == 5:
        return Record("mood", time, (x,), arrival, value=draw(st.sampled_from(["good", "bad"])),
                      op=op)  # fmt: skip
    if kind == 6:
        end = time + draw(st.integers(1, 10)) * run.tick
        return Record("near", time, (x, y), max(arrival, time), end, "true", op)
    if kind == 7:
        return Record("reset", time, (), arrival, op=op)
    return Record(draw(st.sampled_from(["m0", "m1"])), time, (x, y), arrival, op=op)
