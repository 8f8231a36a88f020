"""The temporal predicates that rule bodies call, in terms of an evaluator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from rtec.compiler.terms import Atom, Compound, Num, Term, Var, list_term

from .allen import RELATIONS, allen
from .arithmetic import GoalError, evaluate_number
from .points import Interval, Points, intersection, union
from .printer import to_text
from .solver import Key, Predicate, list_of
from .unify import Subst, is_ground, resolve, unify, walk

if TYPE_CHECKING:
    from .evaluator import Evaluator
    from .inputs import Fvp


def interval_list(intervals: Iterable[Interval]) -> Term:
    """Intervals as rules see them: `[(S,E), ...]`, `inf` for an open end."""
    return list_term(
        [
            Compound(",", (Num(start), Atom("inf") if end is None else Num(end)))
            for start, end in intervals
        ]
    )


def intervals_of(term: Term, s: Subst) -> list[Interval]:
    """The intervals of a list in a rule."""
    return [_interval(item) for item in list_of(term, s)]


def _interval(term: Term) -> Interval:
    if isinstance(term, Compound) and term.functor == "," and isinstance(term.args[0], Num):
        start, end = term.args
        assert isinstance(start, Num)
        if end == Atom("inf"):
            return int(start.value), None
        if isinstance(end, Num):
            return int(start.value), int(end.value)
    raise GoalError(f"not an interval: {to_text(term)}")


def temporal_predicates(evaluator: Evaluator) -> dict[Key, Predicate]:
    """Everything that a rule may ask about time."""
    calls = _Calls(evaluator)
    predicates: dict[Key, Predicate] = {
        ("happensAt", 2): calls.happens_at,
        ("holdsAt", 2): calls.holds_at,
        ("holdsFor", 2): calls.holds_for,
        ("initiatedAt", 2): calls.initiated_at,
        ("terminatedAt", 2): calls.terminated_at,
        ("initiatedAt", 4): calls.initiated_between,
        ("terminatedAt", 4): calls.terminated_between,
        ("union_all", 2): calls.union_all,
        ("intersect_all", 2): calls.intersect_all,
        ("relative_complement_all", 3): calls.relative_complement_all,
        ("complement_all", 2): calls.complement_all,
        ("intDurGreater", 3): calls.longer_than,
        ("allen", 5): calls.allen,
        ("queryTime", 1): calls.query_time,
        ("initTime", 1): calls.init_time,
    }
    for relation in RELATIONS:
        predicates[relation, 4] = calls.relation(relation)
    return predicates


class _Calls:
    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    # Time-points

    def _times(self, term: Term, s: Subst) -> list[int]:
        term = walk(term, s)
        points = self.evaluator.timeline.points
        if isinstance(term, Var):
            return list(points)
        if isinstance(term, Num) and isinstance(term.value, int):
            return [term.value] if term.value in points else []
        raise GoalError(f"not a time-point: {to_text(term)}")

    def happens_at(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        event = resolve(args[0], s)
        for t in self._times(args[1], s):
            for found in self._events(event, t):
                yield from _both(args[0], found, args[1], t, s)

    def _events(self, event: Term, t: int) -> Iterator[Term]:
        if isinstance(event, Var):
            raise GoalError("happensAt of an unbound event")
        if isinstance(event, Compound) and event.arity == 1 and event.functor in ("start", "end"):
            after = t + self.evaluator.timeline.tick
            for fvp, holds in list(self.evaluator.candidates(event.args[0], t)):
                now, then = holds(t), holds(after)
                if (not now and then) if event.functor == "start" else (now and not then):
                    yield Compound(event.functor, (Compound("=", fvp),))
            return
        name, arity = (
            (event.functor, event.arity) if isinstance(event, Compound) else (_name(event), 0)
        )
        yield from self.evaluator.events_at((name, arity), t)

    def holds_at(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        if isinstance(walk(args[1], s), Var):
            raise GoalError("holdsAt at an unbound time-point")
        previous = -self.evaluator.timeline.tick
        for t in self._times(args[1], s):
            for fvp, holds in list(self.evaluator.candidates(resolve(args[0], s), t + previous)):
                if holds(t):
                    yield from _both(args[0], Compound("=", fvp), args[1], t, s)

    def initiated_at(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        yield from self._changes(self.evaluator.simple.initiated_at, args[0], args[1], s)

    def terminated_at(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        yield from self._changes(self.evaluator.simple.terminated_at, args[0], args[1], s)

    def initiated_between(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        for s1 in self.initiated_at((args[0], args[2]), s):
            yield from _within(args, s1)

    def terminated_between(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        for s1 in self.terminated_at((args[0], args[2]), s):
            yield from _within(args, s1)

    def _changes(
        self,
        changes: Callable[[Term, int], Iterator[Fvp]],
        fvp: Term,
        time: Term,
        s: Subst,
    ) -> Iterator[Subst]:
        for t in self._times(time, s):
            for found in list(changes(resolve(fvp, s), t)):
                yield from _both(fvp, Compound("=", found), time, t, s)

    # Interval lists

    def _points(self, term: Term, s: Subst) -> Points:
        return self.evaluator.timeline.to_points(intervals_of(term, s))

    def _lists(self, term: Term, s: Subst) -> list[Points]:
        return [self._points(item, s) for item in list_of(term, s)]

    def _give(self, target: Term, points: Points, s: Subst) -> Iterator[Subst]:
        shown = interval_list(self.evaluator.timeline.to_intervals(points))
        s1 = unify(target, shown, s)
        if s1 is not None:
            yield s1

    def holds_for(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        fvp = resolve(args[0], s)
        found = list(self.evaluator.fvps(fvp))
        if not found and is_ground(fvp):
            yield from self._give(args[1], frozenset(), s)
        for instance, points in found:
            s1 = unify(args[0], Compound("=", instance), s)
            if s1 is not None:
                yield from self._give(args[1], points, s1)

    def union_all(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        yield from self._give(args[1], union(self._lists(args[0], s)), s)

    def intersect_all(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        yield from self._give(args[1], intersection(self._lists(args[0], s)), s)

    def relative_complement_all(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        rest = self._points(args[0], s) - union(self._lists(args[1], s))
        yield from self._give(args[2], rest, s)

    def complement_all(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        rest = self.evaluator.timeline.everything - union(self._lists(args[0], s))
        yield from self._give(args[1], rest, s)

    def longer_than(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        least = evaluate_number(args[1], s)
        kept = [
            (start, end)
            for start, end in intervals_of(args[0], s)
            if end is None or end - start > least
        ]
        yield from self._give(args[2], self.evaluator.timeline.to_points(kept), s)

    def allen(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        yield from self.relation(_name(walk(args[0], s)))(args[1:], s)

    def relation(self, relation: str) -> Predicate:
        def call(args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
            source, target = self._points(args[0], s), self._points(args[1], s)
            mode = _name(walk(args[2], s))
            points = allen(self.evaluator.timeline, relation, source, target, mode)
            yield from self._give(args[3], points, s)

        return call

    # The run

    def query_time(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        s1 = unify(args[0], Num(self.evaluator.timeline.end), s)
        if s1 is not None:
            yield s1

    def init_time(self, args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
        s1 = unify(args[0], Num(self.evaluator.timeline.start), s)
        if s1 is not None:
            yield s1


def _name(term: Term) -> str:
    if isinstance(term, Atom):
        return term.name
    raise GoalError(f"not an atom: {to_text(term)}")


def _both(pattern: Term, found: Term, time: Term, t: int, s: Subst) -> Iterator[Subst]:
    s1 = unify(pattern, found, s)
    s2 = None if s1 is None else unify(time, Num(t), s1)
    if s2 is not None:
        yield s2


def _within(args: tuple[Term, ...], s: Subst) -> Iterator[Subst]:
    """Keep a change at args[2] that lies in the range args[1] =< T < args[3]."""
    t = evaluate_number(args[2], s)
    low, high = walk(args[1], s), walk(args[3], s)
    if (isinstance(low, Var) or evaluate_number(low, s) <= t) and (
        isinstance(high, Var) or t < evaluate_number(high, s)
    ):
        yield s
