"""Simple fluents by the axioms, time-point by time-point.

Inertia follows thesis (3.7) to (3.9), which are (2.1) to (2.4) with a break at the very
time-point of the initiation counted; delayed effects follow (3.16) to (3.18).
`initially(F=V)` counts as an initiation one tick before the start.
"""

from __future__ import annotations

from collections.abc import Iterator

from rtec.compiler.terms import Clause, Compound, Num, Term, Var

from .arithmetic import GoalError
from .description import Description, fluent_key, split_fvp
from .groundings import Groundings
from .inputs import Fvp
from .memory import Memory
from .points import Points, Timeline
from .printer import to_text
from .solver import Key, Solver
from .unify import is_ground, matches, rename, rename_clause, resolve, unify


def fvp_term(fvp: Fvp) -> Term:
    """`F=V` as one term."""
    return Compound("=", fvp)


class SimpleFluents:
    """The simple fluents of a description over one stream."""

    def __init__(
        self, rules: Description, timeline: Timeline, solver: Solver, groundings: Groundings
    ) -> None:
        """Nothing is derived yet."""
        self.rules = rules
        self.timeline = timeline
        self.solver = solver
        self.groundings = groundings
        self.memory = Memory()

    def _points_before(self, t: int) -> range:
        return range(self.timeline.before, t, self.timeline.tick)

    # What the rules say

    def rule_initiations(self, key: Key, t: int) -> list[Fvp]:
        """What the rules initiate at t, open variables and all."""
        if t == self.timeline.before:
            return self.memory.once(("initially", key), lambda: self._initially(key))
        rules = self.rules.initiations.get(key, [])
        return self.memory.once(("initiated", key, t), lambda: self._derive(rules, t))

    def rule_terminations(self, key: Key, t: int) -> list[Fvp]:
        """What the rules terminate at t, open variables and all."""
        if t == self.timeline.before:
            return []
        rules = self.rules.terminations.get(key, [])
        return self.memory.once(("terminated", key, t), lambda: self._derive(rules, t))

    def initial_fvps(self) -> list[Fvp]:
        """The ground FVPs that hold when the run starts."""
        found = [fvp for key in self.rules.initially for fvp in self._initially(key)]
        return [fvp for fvp in found if is_ground(fvp_term(fvp))]

    def _initially(self, key: Key) -> list[Fvp]:
        found: dict[Fvp, None] = {}
        for clause in self.rules.initially.get(key, []):
            head, body = rename_clause(clause)
            assert isinstance(head, Compound)
            for s in self.solver.solve(body, {}):
                found[split_fvp(resolve(head.args[0], s))] = None
        return list(found)

    def _derive(self, rules: list[Clause], t: int) -> list[Fvp]:
        found: dict[Fvp, None] = {}
        low, high = Num(self.timeline.start), Num(self.timeline.beyond)
        for clause in rules:
            assert clause.head is not None
            s = unify(clause.head, Compound("rule", (Var("_Fvp"), low, Num(t), high)), {})
            for s1 in self.solver.solve(clause.body, s) if s is not None else ():
                fvp = resolve(Var("_Fvp"), s1)
                found[split_fvp(fvp if is_ground(fvp) else rename(fvp)[0])] = None
        return list(found)

    # Initiations, immediate and delayed

    def values_initiated(self, fluent: Term, t: int) -> list[Term]:
        """The values of a ground fluent that are initiated at t, at once or with delay.

        Those that groundings leave out do not exist; they only break the others.
        """
        found = self.values_breaking(fluent, t)
        return [v for v in found if self.groundings.admit(fvp_term((fluent, v)))]

    def values_breaking(self, fluent: Term, t: int) -> list[Term]:
        """The same with those that groundings leave out."""
        return self.memory.once(("values", fluent, t), lambda: self._values(fluent, t))

    def _values(self, fluent: Term, t: int) -> list[Term]:
        values: dict[Term, None] = {}
        for pattern, value in self.rule_initiations(fluent_key(fluent), t):
            s = unify(pattern, fluent, {})
            if s is not None:
                values[resolve(value, s)] = None
        values.update(dict.fromkeys(self._delayed_values(fluent, t)))
        return list(values)

    def _delayed_values(self, fluent: Term, t: int) -> Iterator[Term]:
        """Rule (3.16): earlier initiations that take effect at t."""
        clauses = self.rules.delays.get(fluent_key(fluent), [])
        for ts in self._points_before(t) if clauses else ():
            for source in self.values_initiated(fluent, ts):
                for target, delay in self._delays(clauses, fluent, source):
                    if ts + delay == t and not self._cancelled(fluent, source, ts, t):
                        yield target

    def _delays(
        self, clauses: list[Clause], fluent: Term, source: Term
    ) -> Iterator[tuple[Term, int]]:
        for clause in clauses:
            head = clause.head
            assert isinstance(head, Compound)
            s = unify(head.args[0], fvp_term((fluent, source)), {})
            for s1 in self.solver.solve(clause.body, s) if s is not None else ():
                delay = resolve(head.args[2], s1)
                if not (isinstance(delay, Num) and type(delay.value) is int and delay.value > 0):
                    raise GoalError(f"a delay of {to_text(delay)}")
                yield split_fvp(resolve(head.args[1], s1))[1], delay.value

    def _cancelled(self, fluent: Term, value: Term, ts: int, t: int) -> bool:
        """Rules (3.17) and (3.18): broken in [ts, t), or postponed in (ts, t)."""
        between = range(ts, t, self.timeline.tick)
        if any(self.broken(fluent, value, tb) for tb in between):
            return True
        return self._may_be_postponed((fluent, value)) and any(
            value in self.values_initiated(fluent, tb) for tb in between if tb > ts
        )

    def _may_be_postponed(self, fvp: Fvp) -> bool:
        for clause in self.rules.postponable:
            assert isinstance(clause.head, Compound)
            s = unify(clause.head.args[0], fvp_term(fvp), {})
            if s is not None and self.solver.first(clause.body, s) is not None:
                return True
        return False

    # Inertia

    def broken(self, fluent: Term, value: Term, t: int) -> bool:
        """Rules (3.8) and (3.9): terminated at t, or another value initiated at t."""
        terminated = any(
            matches(fvp_term(pattern), fvp_term((fluent, value)))
            for pattern in self.rule_terminations(fluent_key(fluent), t)
        )
        return terminated or any(v != value for v in self.values_breaking(fluent, t))

    def holds(self, fluent: Term, value: Term, t: int) -> bool:
        """Rule (3.7) for a ground FVP: initiated at some ts < t and not broken in [ts, t).

        One that its groundings leave out never holds, but breaks the other values all the same.
        """
        question = ("holds", fluent, value, t)
        return self.memory.once(question, lambda: self._holds(fluent, value, t))

    def _holds(self, fluent: Term, value: Term, t: int) -> bool:
        if t < self.timeline.start or not self.groundings.admit(fvp_term((fluent, value))):
            return False
        for ts in self._points_before(t):
            since = range(ts, t, self.timeline.tick)
            if value in self.values_initiated(fluent, ts) and not any(
                self.broken(fluent, value, tb) for tb in since
            ):
                return True
        return False

    # Instances

    def known_fluents(self, key: Key, t: int) -> list[Term]:
        """The ground fluents of a name that something has happened to by t.

        They are those with an initiation, and those of an open one, such as
        `initially(f(_)=v)`, that have been terminated or that a `grounding` names.
        """
        known: dict[Term, None] = {}
        open_fvps: list[Term] = []
        for ts in self._points_before(t + self.timeline.tick):
            for fvp in self.rule_initiations(key, ts):
                if is_ground(fvp[0]):
                    known[fvp[0]] = None
                else:
                    open_fvps.extend(rename(fvp_term(fvp)))
                    grounded = self.groundings.instances(fvp_term(fvp))
                    known.update({split_fvp(g)[0]: None for g in grounded})
            for fvp in self.rule_terminations(key, ts):
                if is_ground(fvp[0]) and any(matches(fvp_term(fvp), o) for o in open_fvps):
                    known[fvp[0]] = None
        return list(known)

    def values_by(self, fluent: Term, t: int) -> list[Term]:
        """The values of a ground fluent that have been initiated at or before t."""
        values: dict[Term, None] = {}
        for ts in self._points_before(t + self.timeline.tick):
            values.update(dict.fromkeys(self.values_initiated(fluent, ts)))
        return list(values)

    def candidates(self, fluent: Term, value: Term, t: int) -> Iterator[Fvp]:
        """The ground FVPs that match, are known by t, and so might hold or change."""
        fluents = [fluent] if is_ground(fluent) else self.known_fluents(fluent_key(fluent), t)
        for f in fluents:
            s = unify(fluent, f, {})
            if s is None:
                continue
            v = resolve(value, s)
            for candidate in [v] if is_ground(v) else self.values_by(f, t):
                if matches(candidate, v):
                    yield f, candidate

    # Answers

    def initiated_at(self, fvp: Term, t: int) -> Iterator[Fvp]:
        """The FVPs that match and are initiated at t."""
        for f, v in self.candidates(*split_fvp(fvp), t):
            if v in self.values_initiated(f, t):
                yield f, v

    def terminated_at(self, fvp: Term, t: int) -> Iterator[Fvp]:
        """The FVPs that match and are broken at t: terminated, or another value initiated."""
        fluent, value = split_fvp(fvp)
        found = dict.fromkeys(self.candidates(fluent, value, t))
        for pattern in self.rule_terminations(fluent_key(fluent), t):
            s = unify(Compound("=", rename(*pattern)), fvp, {})
            if s is not None and is_ground(resolve(fvp, s)):
                found[split_fvp(resolve(fvp, s))] = None
        for f, v in found:
            if self.broken(f, v, t):
                yield f, v

    def all_points(self, key: Key) -> dict[Fvp, Points]:
        """The known FVPs of a fluent that hold at some time-point, with those time-points."""
        return self.memory.once(("all", key), lambda: self._all_points(key))

    def _all_points(self, key: Key) -> dict[Fvp, Points]:
        found: dict[Fvp, Points] = {}
        for fluent in self.known_fluents(key, self.timeline.end):
            for value in self.values_by(fluent, self.timeline.end):
                points = self.points(fluent, value)
                if points:
                    found[fluent, value] = points
        return found

    def points(self, fluent: Term, value: Term) -> Points:
        """The time-points at which a ground FVP holds, whether it is known or not."""
        return frozenset(t for t in self.timeline.everything if self.holds(fluent, value, t))
