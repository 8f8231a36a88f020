"""What the rules come to in one window: instances, and what may change them when.

Everything here is plain data, made once per window by `grounding` and then followed through
time by `inertia`. Rules rest on *proofs*: lists of numbers, each standing for a fact, a
fluent or an event (see `program`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal, TypeAlias, get_args

from rtec.compiler.references import Key
from rtec.model import Scalar
from rtec.prob.probec.bodies import ANY
from rtec.prob.probec.formulas import Node, disj
from rtec.prob.probec.static_rules import Expression

Proof: TypeAlias = "list[int | Proof]"
Spans: TypeAlias = list[tuple[int, int]]
"""Intervals, the end left out, in order and apart."""

Reading: TypeAlias = Literal["start", "end", "initiated", "terminated"]
READINGS: tuple[Reading, ...] = get_args(Reading)


def typed(items: Iterable[Scalar]) -> tuple[Hashable, ...]:
    """Make a key of arguments: 1 and 1.0 are equal in Python, and different in Prolog.

    >>> typed((1, 1.0, "a"))
    (1, (1.0,), 'a')
    """
    return tuple((item,) if type(item) is float else item for item in items)


class Fvp:
    """A fluent-value pair; the same object is the same pair, as long as it is remembered.

    Attributes:
        key: Name and arity of the fluent.
        args: Its arguments.
        value: Its value.
        number: What proofs call it.
        rank: Something to sort by, the same in every run: what is read before what reads it.
        fluent: The instance that it is a value of, if the fluent is simple.
    """

    __slots__ = ("key", "args", "value", "number", "rank", "fluent")

    def __init__(
        self, key: Key, args: tuple[Scalar, ...], value: Scalar, number: int, level: int = 0
    ) -> None:
        """Make a pair; instances come from a `Registry`."""
        self.key = key
        self.args = args
        self.value = value
        self.number = number
        self.rank = (level, key, tuple(map(repr, args)), repr(value))
        self.fluent: Fluent | None = None

    def __repr__(self) -> str:
        return f"{self.key[0]}({', '.join(map(str, self.args))})={self.value}"


class Fluent:
    """An instance of a simple fluent, with its values."""

    __slots__ = ("key", "args", "values")

    def __init__(self, key: Key, args: tuple[Scalar, ...]) -> None:
        """Begin without values."""
        self.key = key
        self.args = args
        self.values: dict[Hashable, Fvp] = {}

    def __repr__(self) -> str:
        return f"{self.key[0]}({', '.join(map(str, self.args))})"


@dataclass(slots=True)
class Observed:
    """What records say about a fluent-value pair: at points, and over intervals."""

    points: dict[int, list[Node]] = field(default_factory=dict)
    spans: list[tuple[int, int, Node]] = field(default_factory=list)
    _latest: list[int] = field(default_factory=list)

    def at(self, time: int) -> Node:
        """Whether it holds at a time-point; to be asked when all spans are there."""
        if len(self._latest) != len(self.spans):
            self.spans.sort(key=lambda span: span[0])
            self._latest = list(accumulate((end for _, end, _ in self.spans), max))
        nodes = []
        place = bisect_right(self.spans, time, key=lambda span: span[0]) - 1
        # No span before a place ends later than the latest one there.
        while place >= 0 and self._latest[place] > time:
            _, end, node = self.spans[place]
            if time < end:
                nodes.append(node)
            place -= 1
        return disj(*self.points.get(time, ()), *nodes)

    def moves(self, tick: int) -> set[int]:
        """The time-points after which it may be different."""
        times = {t for point in self.points for t in (point - tick, point)}
        return times.union(*((s - tick, e - tick) for s, e, _ in self.spans))

    def possible(self, tick: int) -> Spans:
        """Where it may hold."""
        return union([(t, t + tick) for t in self.points] + [(s, e) for s, e, _ in self.spans])


@dataclass(frozen=True, slots=True)
class Point:
    """A possible initiation (`i`) or termination (`t`) of an instance; `$any` is every value.

    The kind `x` is an initiation that concerns no instance in particular: nothing begins, but
    every other value of the instances that match ends.
    """

    kind: Literal["i", "t", "x"]
    value: Scalar
    proof: Proof

    @property
    def sure(self) -> bool:
        """Whether it rests on nothing uncertain."""
        return all(item in (0, [0], [1]) for item in self.proof)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A point of all instances that match arguments in which `$any` may stand."""

    key: Key
    args: tuple[Scalar, ...]
    point: Point

    def matches(self, fluent: Fluent) -> bool:
        """Whether it concerns an instance."""
        return fluent.key == self.key and all(
            mine == ANY or (mine == other and type(mine) is type(other))
            for mine, other in zip(self.args, fluent.args, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Definition:
    """A static fluent-value pair in a window: how it follows from others, and when it may move."""

    expression: Expression
    members: tuple[Fvp | Node, ...]
    moves: frozenset[int]


@dataclass(slots=True)
class Occurrence:
    """An output event at a time-point, and the proofs that it happens."""

    time: int
    proofs: list[Proof] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Change:
    """A start, end, initiation or break of a fluent-value pair."""

    reading: Reading
    fvp: Fvp


@dataclass(slots=True)
class Ground:
    """The rules of one window.

    Attributes:
        points: The points of instances, by time.
        patterns: The points of patterns, by time.
        static: The static pairs.
        observed: The pairs of input fluents.
        meaning: What the numbers of proofs stand for.
        initially: What holds at the start of the run.
        defaults: Instances of open fluents that are mentioned, with their initial values.
        fluents: All instances of simple fluents that may hold or change, by name and arity.
    """

    points: dict[int, dict[Fluent, list[Point]]] = field(default_factory=dict)
    patterns: dict[int, list[Pattern]] = field(default_factory=dict)
    static: dict[Fvp, Definition] = field(default_factory=dict)
    observed: dict[Fvp, Observed] = field(default_factory=dict)
    meaning: dict[int, Any] = field(default_factory=dict)
    initially: dict[Fvp, None] = field(default_factory=dict)
    defaults: dict[Fluent, Fvp] = field(default_factory=dict)
    fluents: dict[Key, dict[Fluent, None]] = field(default_factory=dict)


def union(spans: Iterable[tuple[int, int]]) -> Spans:
    """Join intervals that overlap or touch.

    >>> union([(5, 7), (1, 3), (3, 4)])
    [(1, 4), (5, 7)]
    """
    result: Spans = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


def intersection(one: Spans, other: Spans) -> Spans:
    """Keep what two lists of intervals have in common.

    >>> intersection([(1, 4), (6, 9)], [(2, 7)])
    [(2, 4), (6, 7)]
    """
    result: Spans = []
    i = j = 0
    while i < len(one) and j < len(other):
        start, end = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if start < end:
            result.append((start, end))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return result


def expression_spans(expression: Expression, members: Sequence[Spans]) -> Spans:
    """Say where an expression may hold, from where its members may."""
    if isinstance(expression, int):
        return members[expression]
    kind, parts = expression
    if kind == "not":
        return [(-(2**62), 2**62)]
    spans = [expression_spans(part, members) for part in parts]
    if kind == "or":
        return union(span for each in spans for span in each)
    result = spans[0]
    for other in spans[1:]:
        result = intersection(result, other)
    return result


def possible_spans(
    points: Sequence[tuple[int, Point]], fluent: Fluent, held: set[Fvp], last: int, tick: int
) -> dict[Fvp, Spans]:
    """Say where each value of a simple fluent may hold, from its points in order of time.

    What is initiated may hold until it is certainly broken. `held` are the values that may hold at
    the beginning, from the least time-point on; `last` is the last time-point of interest.
    """
    least = -(2**62)
    opened = {fvp: least for fvp in held}
    found: dict[Fvp, Spans] = {fvp: [] for fvp in held}
    i = 0
    while i < len(points):
        time = points[i][0]
        now: list[Point] = []
        while i < len(points) and points[i][0] == time:
            now.append(points[i][1])
            i += 1
        sure = [point for point in now if point.sure]
        for fvp in [f for f in opened if _broken(f.value, sure)]:
            found[fvp].append((opened.pop(fvp), time + tick))
        for point in now:
            if point.kind == "i" and point.value != ANY and not _broken(point.value, sure):
                fvp = fluent.values[typed((point.value,))]
                found.setdefault(fvp, [])
                opened.setdefault(fvp, time + tick)
    for fvp, start in opened.items():
        found[fvp].append((start, last + 1))
    return {fvp: union(spans) for fvp, spans in found.items() if spans}


def _broken(value: Scalar, points: list[Point]) -> bool:
    return any(breaks(point, value) for point in points)


def breaks(point: Point, value: Scalar) -> bool:
    """Whether a point ends a value: by terminating it, or by initiating another one."""
    same = point.value == value and type(point.value) is type(value)
    if point.kind == "t":
        return same or point.value == ANY
    return not same
