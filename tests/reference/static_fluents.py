"""Static fluents: for each instance, the first clause that succeeds gives the intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rtec.compiler.terms import Clause, Compound, Term, Var, name_and_args, variables

from .allen import RELATIONS
from .description import Description, split_fvp
from .groundings import Groundings
from .inputs import Fvp
from .memory import Memory
from .points import NO_POINTS, Points, Timeline
from .predicates import intervals_of
from .solver import Frame, Key, Solver
from .unify import Subst, is_ground, resolve, unify


class StaticFluents:
    """The static fluents of a description over one stream."""

    def __init__(
        self,
        rules: Description,
        timeline: Timeline,
        solver: Solver,
        groundings: Groundings,
        matching: Callable[[Term], Iterator[tuple[Fvp, Points]]],
    ) -> None:
        """Take `matching` to find the FVPs of any kind that hold at some time-point."""
        self.rules = rules
        self.timeline = timeline
        self.solver = solver
        self.groundings = groundings
        self.matching = matching
        self.memory = Memory()

    def all_points(self, key: Key, value: Term) -> dict[Fvp, Points]:
        """The FVPs of a fluent that hold somewhere; of one value only, if `value` is bound.

        Kinds and dependencies are per FVP, so each value is worked out by itself.
        """
        groups: dict[Term | None, list[Clause]] = {}
        for clause in self.rules.static.get(key, []):
            assert isinstance(clause.head, Compound)
            _, v = split_fvp(clause.head.args[0])
            groups.setdefault(None if isinstance(v, Var) else v, []).append(clause)
        found: dict[Fvp, Points] = {}
        for group, clauses in groups.items():
            if group is None or isinstance(value, Var) or group == value:
                found.update(self._group((key, group), clauses))
        return found

    def _group(self, question: object, clauses: list[Clause]) -> dict[Fvp, Points]:
        return self.memory.once(question, lambda: self._derive(clauses))

    def _derive(self, clauses: list[Clause]) -> dict[Fvp, Points]:
        instances = [fvp for fvp in self._instances(clauses) if self.groundings.admit(fvp)]
        points = {fvp: self._first_success(clauses, fvp) for fvp in instances}
        return {split_fvp(fvp): found for fvp, found in points.items() if found}

    def _first_success(self, clauses: list[Clause], fvp: Term) -> Points:
        for clause in clauses:
            head = clause.head
            assert isinstance(head, Compound)
            s = unify(head.args[0], fvp, {})
            if s is None:
                continue
            frame = Frame()
            for s1 in self.solver.solve(clause.body, s, frame):
                return self.timeline.to_points(intervals_of(head.args[1], s1))
            if frame.cut:
                return NO_POINTS
        return NO_POINTS

    def _instances(self, clauses: list[Clause]) -> list[Term]:
        """The ground heads that conditions with intervals, background or groundings bind."""
        found: dict[Term, None] = {}
        for clause in clauses:
            head = clause.head
            assert isinstance(head, Compound)
            found.update(dict.fromkeys(self.groundings.instances(head.args[0])))
            goals = _generators(_positive_goals(clause.body), head.args[1])
            found.update(dict.fromkeys(self._bound(head.args[0], goals, {})))
        return list(found)

    def _bound(self, fvp: Term, goals: list[Term], s: Subst) -> Iterator[Term]:
        # A condition may bind variables or be empty and bind none: both ways are tried.
        instance = resolve(fvp, s)
        if is_ground(instance):
            yield instance
        elif goals:
            yield from self._bound(fvp, goals[1:], s)
            for s1 in self._bindings(goals[0], s):
                yield from self._bound(fvp, goals[1:], s1)

    def _bindings(self, goal: Term, s: Subst) -> Iterator[Subst]:
        name, args = name_and_args(goal) or ("", ())
        if (name, len(args)) == ("holdsFor", 2):
            for fvp, _ in self.matching(resolve(args[0], s)):
                s1 = unify(args[0], Compound("=", fvp), s)
                if s1 is not None:
                    yield s1
        elif (name, len(args)) in self.solver.clauses or name in ("=", "member"):
            yield from self.solver.solve(goal, s)


def _generators(goals: list[Term], result: Term) -> list[Term]:
    """The goals that may bind instances: holdsFor, and those that are not about intervals."""
    intervals = variables(result)
    for goal in goals:
        name, args = name_and_args(goal) or ("", ())
        if name == "holdsFor":
            intervals += variables(args[1])
        elif name.endswith("_all") or name == "allen" or name in RELATIONS:
            intervals += variables(goal)
    return [
        goal
        for goal in goals
        if (name_and_args(goal) or ("", ()))[0] == "holdsFor"
        or not any(v in intervals for v in variables(goal))
    ]


def _positive_goals(body: Term) -> list[Term]:
    """The goals of a body that are under no negation, whatever disjunction they are in."""
    found: list[Term] = []
    todo = [body]
    while todo:
        goal = todo.pop(0)
        if isinstance(goal, Compound) and goal.functor in (",", ";", "->") and goal.arity == 2:
            todo[:0] = goal.args
        else:
            found.append(goal)
    return found
