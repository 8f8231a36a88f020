"""Finds the rules of a window that may fire, level by level, by asking the ordinary engine.

Each level has a session of its own (see `program`). It gets the records, and what lower levels
say may hold or happen, and answers with the proofs of everything that may change. What may hold is
more than what does: it is decided when the proofs are followed through time.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from typing import Any, TypeAlias

from rtec.compiler.references import Key
from rtec.model import Scalar
from rtec.prob.probec.asking import Asking, Row
from rtec.prob.probec.bodies import ANY, NOW, change_name, known_name
from rtec.prob.probec.facts import Facts
from rtec.prob.probec.formulas import FALSE, TRUE
from rtec.prob.probec.ground import (
    READINGS,
    Change,
    Definition,
    Fluent,
    Fvp,
    Ground,
    Observed,
    Occurrence,
    Pattern,
    Point,
    Spans,
    expression_spans,
    possible_spans,
    typed,
)
from rtec.prob.probec.plan import Plan
from rtec.prob.probec.program import LevelProgram, level_program
from rtec.prob.probec.registry import Registry
from rtec.runtime.buffer import Due
from rtec.runtime.records import Record, RecordBatch
from rtec.runtime.session import Session
from rtec.runtime.windows import Window

_Points: TypeAlias = "list[tuple[Fluent, Point, list[int]]]"
_Patterns: TypeAlias = "list[tuple[Pattern, list[int]]]"


class Grounder:
    """Asks the engine, window by window."""

    def __init__(
        self,
        plan: Plan,
        background: tuple[str, ...],
        start: int,
        tick: int,
        name: str,
        time_limit: float | None = None,
    ) -> None:
        """Load the programs of all levels."""
        self.plan = plan
        self.tick = tick
        self.facts = Facts()
        self.registry = Registry(self.facts, plan.level_of())
        self.levels = [
            level_program(plan, level, background, f"{name}, level {number}")
            for number, level in enumerate(plan.levels, 1)
        ]
        self.sessions = [
            Session(level.program, window=1, start=start, tick=tick, time_limit=time_limit)
            for level in self.levels
        ]
        self._fed: list[list[RecordBatch]] = [[] for _ in self.levels]

    def close(self) -> None:
        """Give the engine's memory back."""
        for session in self.sessions:
            session.close()

    def ground(
        self, window: Window, due: Due, held: Collection[Fvp], known: Collection[Fluent]
    ) -> Ground:
        """Find the rules of a window.

        Args:
            window: Its time-points.
            due: Records that are new, and records that are taken back.
            held: The fluent-value pairs that may hold at its beginning.
            known: The instances of open fluents that are known at its beginning.
        """
        due = self.facts.take(due, self.tick)
        self.facts.forget(window.start)
        work = _Work(self, window, held, known)
        for number, level in enumerate(self.levels):
            asking = Asking(self.sessions[number], window, level, self.plan)
            asking.records(due, self._fed[number])
            work.level(level, asking)
            self._fed[number] = asking.fed
        return work.ground


class _Work:
    """Everything that is known of one window so far."""

    def __init__(
        self,
        grounder: Grounder,
        window: Window,
        held: Collection[Fvp],
        known: Collection[Fluent],
    ) -> None:
        self.plan = grounder.plan
        self.registry = grounder.registry
        self.facts = grounder.facts
        self.window = window
        self.tick = grounder.tick
        self.held = set(held)
        self.known = set(known)
        self.ground = Ground(meaning=dict(grounder.facts.nodes))
        self.by_key: dict[Key, dict[Fvp, Spans]] = {}
        self.moves: dict[Fvp, set[int]] = {}
        self.occurrences: dict[Key, dict[Hashable, tuple[tuple[Scalar, ...], Occurrence, int]]] = {}
        self.changes: dict[tuple[str, Fvp], int] = {}
        self._observe(grounder.levels)

    def _observe(self, levels: list[LevelProgram]) -> None:
        """Arrange the records of those input fluents whose pairs are asked for as such."""
        wanted = {
            key
            for level in levels
            for reading, key in level.reads
            if key in self.plan.entities.input_fluents
            and (reading in ("any", *READINGS) or not self.plan.is_of_points(key))
        }
        for key in sorted(wanted):
            for time, end, value, args, node in self.facts.fluents(*key):
                fvp = self.registry.fvp(key, args, value)
                observed = self.ground.observed.setdefault(fvp, Observed())
                if end is None:
                    observed.points.setdefault(time, []).append(node)
                else:
                    observed.spans.append((time, end, node))
        for fvp, observed in self.ground.observed.items():
            self._note(fvp, observed.possible(self.tick), observed.moves(self.tick))

    def _note(self, fvp: Fvp, spans: Spans, moves: set[int]) -> None:
        self.by_key.setdefault(fvp.key, {})[fvp] = spans
        self.moves[fvp] = moves
        self.ground.meaning[fvp.number] = fvp

    # -- a level -----------------------------------------------------------------------

    def level(self, level: LevelProgram, asking: Asking) -> None:
        """Ask a level until nothing new comes out, and take its answers in."""
        keys = {timed.key for timed in level.timed.values() if timed.kind != "event"}
        self._simple(keys, [], [])
        asking.tell(self._told(level))
        rows = list(asking.answer())
        points, patterns = self._take(level, rows)
        self._simple(keys, points, patterns)
        while level.cyclic and asking.tell(self._told(level)):
            rows = list(asking.answer())
            points, patterns = self._take(level, rows)
            self._simple(keys, points, patterns)
        for fluent, point, times in points:
            for time in times:
                self.ground.points.setdefault(time, {}).setdefault(fluent, []).append(point)
        for pattern, times in patterns:
            for time in times:
                self.ground.patterns.setdefault(time, []).append(pattern)
        self._events(level, rows)
        self._static(level, rows)

    def _told(self, level: LevelProgram) -> Iterator[Record]:
        """What a level has to know of lower levels, and of itself if it is cyclic."""
        query_time = self.window.query_time
        for reading, key in sorted(level.reads):
            name = key[0]
            if reading == "now":
                yield Record(NOW, query_time)
            elif reading == "happens":
                for args, occurrence, number in self.occurrences.get(key, {}).values():
                    yield Record(name, occurrence.time, (*args, number))
            elif reading == "known":
                for fluent in self.known:
                    if fluent.key == key:
                        known = known_name(name)
                        span = self.window.start + 1, query_time + 1
                        yield Record(known, span[0], (*fluent.args, "x"), None, span[1], "true")
            else:
                yield from self._told_fluent(reading, key)

    def _told_fluent(self, reading: str, key: Key) -> Iterator[Record]:
        first, last = self.window.start + 1, self.window.query_time
        for fvp, spans in self.by_key.get(key, {}).items():
            if reading == "any":
                name = change_name(reading, key[0])
                yield Record(name, last, (*fvp.args, fvp.value, fvp.number))
            elif reading != "holdsAt":
                name = change_name(reading, key[0])
                number = self._change(reading, fvp)
                for time in sorted(self.moves[fvp]):
                    if first <= time <= last:
                        yield Record(name, time, (*fvp.args, fvp.value, number))
            elif not self.plan.is_of_points(key):
                for start, end in spans:
                    if start <= last and end > first:
                        span = max(start, first), min(end, last + 1)
                        args = (*fvp.args, fvp.number)
                        yield Record(key[0], span[0], args, None, span[1], fvp.value)

    def _change(self, reading: Any, fvp: Fvp) -> int:
        number = self.changes.get((reading, fvp))
        if number is None:
            number = self.changes[(reading, fvp)] = next(self.facts.numbers)
            self.ground.meaning[number] = Change(reading, fvp)
        return number

    # -- answers -----------------------------------------------------------------------

    def _take(self, level: LevelProgram, rows: list[Row]) -> tuple[_Points, _Patterns]:
        """Find out what happens to which instances of simple fluents."""
        points: _Points = []
        patterns: _Patterns = []
        for row in rows:
            timed = level.timed.get(row.name)
            if timed is None or timed.kind == "event":
                continue
            args, value = row.args[:-1], row.args[-1]
            if ANY in args:
                if timed.kind in ("initiated", "terminated"):
                    point = Point("x" if timed.kind == "initiated" else "t", value, row.proof)
                    patterns.append((Pattern(timed.key, args, point), row.times))
                continue
            fluent = self.registry.fluent(timed.key, args)
            if timed.kind == "initially":
                self.ground.initially.setdefault(self.registry.value(fluent, value))
            elif timed.kind == "default":
                self._default(fluent, value)
            elif timed.kind == "terminated":
                points.append((fluent, Point("t", value, row.proof), row.times))
            else:
                if value != ANY:
                    self.registry.value(fluent, value)
                points.append((fluent, Point("i", value, row.proof), row.times))
        return points, patterns

    def _default(self, fluent: Fluent, value: Scalar) -> None:
        if fluent not in self.known:
            fvp = self.registry.value(fluent, value)
            self.ground.defaults[fluent] = fvp
            self.known.add(fluent)
            self.held.add(fvp)

    def _simple(self, keys: set[Key], points: _Points, patterns: _Patterns) -> None:
        """Work out where the simple fluents of a level may hold."""
        by_fluent: dict[Fluent, list[tuple[int, Point]]] = {}
        for fluent, point, times in points:
            by_fluent.setdefault(fluent, []).extend((time, point) for time in times)
        for pattern, times in patterns:
            for fluent in self.registry.fluents(pattern.key):
                if pattern.matches(fluent):
                    found = by_fluent.setdefault(fluent, [])
                    found.extend((time, pattern.point) for time in times)
        held = self.held.union(self.ground.initially)
        for key in keys:
            self.by_key.pop(key, None)
            for fluent in self.registry.fluents(key):
                mine = sorted(by_fluent.get(fluent, ()), key=lambda item: item[0])
                before = {fvp for fvp in fluent.values.values() if fvp in held}
                spans = possible_spans(mine, fluent, before, self.window.query_time, self.tick)
                moves = {time for time, _ in mine}
                for value in self.plan.terminated.get(key, ()) if mine else ():
                    spans.setdefault(self.registry.value(fluent, value), [])
                for fvp, where in spans.items():
                    self._note(fvp, where, moves)
                if mine or before:
                    self.ground.fluents.setdefault(key, {})[fluent] = None

    def _events(self, level: LevelProgram, rows: list[Row]) -> None:
        for row in rows:
            timed = level.timed.get(row.name)
            if timed is None or timed.kind != "event":
                continue
            shelf = self.occurrences.setdefault(timed.key, {})
            for time in row.times:
                name = (typed(row.args), time)
                if name not in shelf:
                    number = next(self.facts.numbers)
                    shelf[name] = (row.args, Occurrence(time), number)
                    self.ground.meaning[number] = shelf[name][1]
                shelf[name][1].proofs.append(row.proof)

    def _static(self, level: LevelProgram, rows: list[Row]) -> None:
        for row in rows:
            defined = level.defined.get(row.name)
            if defined is None:
                continue
            fvp = self.registry.fvp(defined.key, row.args[:-1], row.args[-1])
            if fvp in self.ground.static:
                continue
            members = tuple(
                FALSE if number == -1 else TRUE if number == 0 else self.ground.meaning[number]
                for number in row.proof
                if isinstance(number, int)
            )
            known = [member for member in members if isinstance(member, Fvp)]
            moves: set[int] = set().union(*(self.moves[member] for member in known))
            self.ground.static[fvp] = Definition(defined.expression, members, frozenset(moves))
            spans = expression_spans(defined.expression, [self._spans(m) for m in members])
            self._note(fvp, spans, moves)

    def _spans(self, member: Any) -> Spans:
        if isinstance(member, Fvp):
            return self.by_key[member.key][member]
        return [] if member is FALSE else [(-(2**62), self.window.query_time + 1)]
