"""A description over a whole stream: the parts together, and the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rtec.compiler.terms import Clause, Compound, Num, Term, Var, name_and_args

from .arithmetic import GoalError
from .description import Description, fluent_key, sort_clauses, split_fvp
from .groundings import Groundings
from .inputs import Fvp, input_events, input_fluents, inside, to_scalar
from .memory import Memory
from .points import Interval, Points, Timeline
from .predicates import temporal_predicates
from .printer import to_text
from .records import Record, Scalar, apply_retractions
from .simple_fluents import SimpleFluents, fvp_term
from .solver import Key, Solver
from .static_fluents import StaticFluents
from .unify import is_ground, matches, resolve, unify

FluentName: TypeAlias = tuple[str, tuple[Scalar, ...], Scalar]
EventName: TypeAlias = tuple[str, tuple[Scalar, ...]]


@dataclass(frozen=True)
class Result:
    """What was recognised: output fluents and output events, none of them empty."""

    fluents: dict[FluentName, list[Interval]]
    events: dict[EventName, list[int]]


def evaluate(
    clauses: list[Clause],
    background: list[Clause],
    records: Iterable[Record],
    start: int,
    end: int,
    tick: int = 1,
) -> Result:
    """Evaluate a description over a whole stream, everything in it known.

    Records before `start` and after `end` do not count.
    """
    timeline = Timeline(start, end, tick)
    return Evaluator(sort_clauses(clauses), background, records, timeline).report()


class Evaluator:
    """One description over one stream."""

    def __init__(
        self,
        rules: Description,
        background: list[Clause],
        records: Iterable[Record],
        timeline: Timeline,
    ) -> None:
        """Sort the records into events and input fluents; nothing is derived yet."""
        self.rules = rules
        self.timeline = timeline
        self.memory = Memory()
        self.solver = Solver([*background, *rules.plain], temporal_predicates(self))
        self.groundings = Groundings(rules, self.solver)
        self.simple = SimpleFluents(rules, timeline, self.solver, self.groundings)
        self.static = StaticFluents(rules, timeline, self.solver, self.groundings, self.fvps)
        known = [r for r in apply_retractions(records) if inside(timeline, r)]
        self._input_events = input_events(known)
        self._input_fluents = input_fluents(known, timeline, rules.built_from_points)
        events = [e for es in self._input_events.values() for e in es]
        fvps = [Compound("=", f) for fs in self._input_fluents.values() for f in fs]
        holding = [fvp_term(f) for f in self.simple.initial_fvps()]
        self.groundings.fill_domains(rules.dynamic_domains, [*events, *fvps, *holding])

    def events_at(self, key: Key, t: int) -> list[Term]:
        """The events of a name, input and output, that happen at a time-point."""
        return self.memory.once((key, t), lambda: self._events_at(key, t))

    def _events_at(self, key: Key, t: int) -> list[Term]:
        events = dict.fromkeys(self._input_events.get((key, t), []))
        for clause in self.rules.events.get(key, []):
            head = clause.head
            assert isinstance(head, Compound)
            s = unify(head.args[1], Num(t), {})
            for s1 in self.solver.solve(clause.body, s) if s is not None else ():
                event = resolve(head.args[0], s1)
                if not is_ground(event):
                    raise GoalError(f"open output event {to_text(event)}")
                if self.groundings.admit(event):
                    events[event] = None
        return list(events)

    def fvps(self, fvp: Term) -> Iterator[tuple[Fvp, Points]]:
        """The FVPs of any kind that match `fvp` and hold at some time-point."""
        fluent, value = split_fvp(fvp)
        key = fluent_key(fluent)
        tables = [self._input_fluents.get(key, {}), self.static.all_points(key, value)]
        if key in self.rules.simple:
            # An open initial value is true of instances that nothing has happened to.
            ground = is_ground(fvp)
            tables.append(
                {(fluent, value): self.simple.points(fluent, value)}
                if ground
                else self.simple.all_points(key)
            )
        for table in tables:
            for found, points in table.items():
                if points and matches(Compound("=", found), fvp):
                    yield found, points

    def candidates(self, fvp: Term, t: int) -> Iterator[tuple[Fvp, Callable[[int], bool]]]:
        """The FVPs that match and are known by t, each with a test of when it holds."""
        fluent, value = split_fvp(fvp)
        key = fluent_key(fluent)
        for table in (self._input_fluents.get(key, {}), self.static.all_points(key, value)):
            for found, points in table.items():
                if matches(Compound("=", found), fvp):
                    yield found, points.__contains__
        if key in self.rules.simple:
            for simple in self.simple.candidates(fluent, value, t):
                yield simple, self._holds_test(simple)

    def _holds_test(self, fvp: Fvp) -> Callable[[int], bool]:
        return lambda t: self.simple.holds(*fvp, t)

    def report(self) -> Result:
        """Everything that the rules define, over the whole run."""
        found: dict[Fvp, Points] = {}
        for key in self.rules.simple:
            found.update(self.simple.all_points(key))
        for key in self.rules.static:
            found.update(self.static.all_points(key, Var("_Value")))
        fluents = {
            _shown_fvp(fvp): self.timeline.to_intervals(points) for fvp, points in found.items()
        }
        events: dict[EventName, list[int]] = {}
        for key in self.rules.events:
            for t in self.timeline.points:
                for event in self.events_at(key, t):
                    events.setdefault(_shown(event), []).append(t)
        return Result(fluents, events)


def _shown(entity: Term) -> EventName:
    name, args = name_and_args(entity) or ("", ())
    return name, tuple(to_scalar(a) for a in args)


def _shown_fvp(fvp: Fvp) -> FluentName:
    return *_shown(fvp[0]), to_scalar(fvp[1])
