"""Follows the rules of a window through time, from one time-point to the next.

At each time-point at which something may change, the formulas of what is initiated and what is
broken are made from the facts of that time-point and the state; they give the next state, and then
they are forgotten. At no time is there more than one time-point's worth of formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rtec.compiler.references import Key
from rtec.prob.probec.exact import Evaluator
from rtec.prob.probec.formulas import FALSE, TRUE, Node, any_of, conj, disj, neg, none_of
from rtec.prob.probec.ground import (
    Change,
    Definition,
    Fluent,
    Fvp,
    Ground,
    Occurrence,
    Point,
    Proof,
    breaks,
)
from rtec.prob.probec.methods import Methods
from rtec.prob.probec.state import State
from rtec.prob.probec.static_rules import Expression

Report = Callable[[Fvp, int, float], None]
"""Takes a fluent-value pair, a time-point, and how likely the pair is from there on."""


class Moment:
    """Everything at one time-point: what holds there, and what holds at the next one."""

    def __init__(self, state: State, ground: Ground, time: int, tick: int, ev: Evaluator) -> None:
        """Look at a time-point from the state in which everything before it left things."""
        self.state = state
        self.ground = ground
        self.time = time
        self.tick = tick
        self.evaluator = ev
        self.changed: dict[Fvp, Node] = {}
        self._points: dict[Fluent, list[Point]] = {}
        self._initiated: dict[Fvp, Node] = {}
        self._broken: dict[Fvp, Node] = {}
        self._events: dict[int, Node] = {}
        self._done: set[Fluent] = set()
        self._now: dict[Fvp, Node] = {}
        self._following: dict[Fvp, Node] = {}
        self._find_points()

    def _find_points(self) -> None:
        """Collect the points of this time-point; those of patterns concern several instances."""
        ground = self.ground
        for fluent, points in ground.points.get(self.time, {}).items():
            self._points[fluent] = points
        for pattern in ground.patterns.get(self.time, ()):
            for fluent in ground.fluents.get(pattern.key, ()):
                if pattern.matches(fluent):
                    self._points[fluent] = [*self._points.get(fluent, ()), pattern.point]

    def step(self) -> None:
        """Let everything change that may change here."""
        for fluent in list(self._points):
            self._change(fluent)
        self.state.move(self.changed, self.time)

    # -- what holds ----------------------------------------------------------------------

    def now(self, fvp: Fvp) -> Node:
        """Whether a pair holds at this time-point."""
        known = self._now.get(fvp)
        if known is None:
            definition = self.ground.static.get(fvp)
            observed = self.ground.observed.get(fvp)
            if definition is not None:
                known = self._static(definition, self.now)
            elif observed is not None:
                known = observed.at(self.time)
            else:
                return self.state.nodes.get(fvp, FALSE)
            self._now[fvp] = known
        return known

    def following(self, fvp: Fvp) -> Node:
        """Whether a pair holds at the next time-point."""
        known = self._following.get(fvp)
        if known is None:
            definition = self.ground.static.get(fvp)
            observed = self.ground.observed.get(fvp)
            if definition is not None:
                known = self._static(definition, self.following)
            elif observed is not None:
                known = observed.at(self.time + self.tick)
            else:
                self._change_of(fvp)
                return self.changed.get(fvp, self.state.nodes.get(fvp, FALSE))
            self._following[fvp] = known
        return known

    def _static(self, definition: Definition, holds: Callable[[Fvp], Node]) -> Node:
        members = definition.members

        def node(expression: Expression) -> Node:
            if isinstance(expression, int):
                member = members[expression]
                return member if isinstance(member, Node) else holds(member)
            kind, parts = expression
            nodes = [node(part) for part in parts]
            if kind == "not":
                return neg(nodes[0])
            return conj(*nodes) if kind == "and" else disj(*nodes)

        return node(definition.expression)

    # -- what changes ----------------------------------------------------------------------

    def _change_of(self, fvp: Fvp) -> None:
        if fvp.fluent in self._points:
            self._change(fvp.fluent)

    def _change(self, fluent: Fluent) -> None:
        """Work out what holds of a fluent at the next time-point."""
        if fluent in self._done:
            return
        self._done.add(fluent)
        points = self._points[fluent]
        proved = [(point, self.proved(point.proof)) for point in points]
        for fvp in fluent.values.values():
            initiated = any_of(
                node for point, node in proved if point.kind == "i" and _same(point, fvp)
            )
            broken = any_of(node for point, node in proved if breaks(point, fvp.value))
            self._initiated[fvp], self._broken[fvp] = initiated, broken
            now = self.state.nodes.get(fvp, FALSE)
            following = self.evaluator.inertia(now, initiated, broken)
            if following is not now:
                self.changed[fvp] = following

    # -- proofs ------------------------------------------------------------------------------

    def proved(self, proof: Proof) -> Node:
        """All that a proof rests on."""
        return conj(*(self._item(item) for item in proof))

    def _item(self, item: int | Proof) -> Node:
        if isinstance(item, int):
            return TRUE if item == 0 else self._meaning(item)
        sign, *proofs = item
        nodes = [self.proved(proof) for proof in proofs if isinstance(proof, list)]
        return conj(*nodes) if sign == 1 else none_of(nodes)

    def _meaning(self, number: int) -> Node:
        meaning: Any = self.ground.meaning[number]
        if isinstance(meaning, Node):
            return meaning
        if isinstance(meaning, Fvp):
            return self.now(meaning)
        if isinstance(meaning, Occurrence):
            if number not in self._events:
                self._events[number] = any_of([self.proved(p) for p in meaning.proofs])
            return self._events[number]
        assert isinstance(meaning, Change)
        return self._changes(meaning)

    def _changes(self, change: Change) -> Node:
        fvp = change.fvp
        if change.reading == "start":
            return conj(self.following(fvp), neg(self.now(fvp)))
        if change.reading == "end":
            return conj(self.now(fvp), neg(self.following(fvp)))
        self._change_of(fvp)
        found = self._initiated if change.reading == "initiated" else self._broken
        return found.get(fvp, FALSE)


def _same(point: Point, fvp: Fvp) -> bool:
    return point.value == fvp.value and type(point.value) is type(fvp.value)


class Follower:
    """Moves a state through windows."""

    def __init__(self, outputs: frozenset[Key], tick: int, methods: Methods) -> None:
        """Take what is reported."""
        self.outputs = outputs
        self.tick = tick
        self.methods = methods
        self.evaluator = Evaluator()

    def follow(
        self, state: State, ground: Ground, after: int, until: int, report: Report | None
    ) -> None:
        """Take the steps at time-points after one and up to another.

        `report` is told about everything that changes, once it does.
        """
        reported = self._static_times(ground, after, until) if report is not None else {}
        times = {t for t in (*ground.points, *ground.patterns) if after < t <= until}
        for time in sorted(times.union(reported)):
            moment = Moment(state, ground, time, self.tick, self.evaluator)
            for fvp in reported.get(time, ()):
                assert report is not None
                report(fvp, time, self._prob(fvp, moment))
            if time not in times:
                continue
            moment.step()
            for fvp in moment.changed:
                if report is not None and fvp.key in self.outputs:
                    prob = self.evaluator.prob(state.nodes.get(fvp, FALSE))
                    report(fvp, time + self.tick, prob)

    def probs(self, state: State, ground: Ground, time: int, report: Report) -> None:
        """Report everything that may hold at a time-point."""
        for fvp, node in state.nodes.items():
            if fvp.key in self.outputs:
                report(fvp, time, self.evaluator.prob(node))
        moment = Moment(state, ground, time, self.tick, self.evaluator)
        for fvp in ground.static:
            if fvp.key in self.outputs:
                report(fvp, time, self._prob(fvp, moment))

    def _prob(self, fvp: Fvp, moment: Moment) -> float:
        node = moment.now(fvp)
        prob = self.evaluator.prob(node)
        self.methods.count(fvp.key, node)
        return prob

    def _static_times(self, ground: Ground, after: int, until: int) -> dict[int, list[Fvp]]:
        """When static pairs may be different from before: one tick after something moved."""
        found: dict[int, list[Fvp]] = {}
        for fvp, definition in ground.static.items():
            if fvp.key in self.outputs:
                for move in definition.moves:
                    if after < move + self.tick <= until + self.tick:
                        found.setdefault(move + self.tick, []).append(fvp)
        return found
