"""One level's session in one window: what it is told, and what it answers."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from rtec.errors import EngineError, Problem
from rtec.model import Scalar
from rtec.prob.probec.bodies import MOST_LISTED, TOO_LONG
from rtec.prob.probec.ground import Proof, typed
from rtec.prob.probec.plan import Plan
from rtec.prob.probec.program import LevelProgram
from rtec.runtime.buffer import Due
from rtec.runtime.records import Record, RecordBatch, batches
from rtec.runtime.session import Session
from rtec.runtime.windows import Window


class Row(NamedTuple):
    """A solution of a rule: its event, the arguments of its head, its proof, and when."""

    name: str
    args: tuple[Scalar, ...]
    proof: Proof
    times: list[int]


class Asking:
    """Questions to a session."""

    def __init__(self, session: Session, window: Window, level: LevelProgram, plan: Plan) -> None:
        """Ask nothing yet."""
        self.session = session
        self.window = window
        self.level = level
        self.plan = plan
        self.fed: list[RecordBatch] = []
        self._due = Due()
        self._told: set[Hashable] = set()

    def records(self, due: Due, stale: list[RecordBatch]) -> None:
        """Hand over records that the level reads; take back what it was told the last time."""
        entities = self.plan.entities
        names = {
            (name, arity + 1)
            for reading, (name, arity) in self.level.reads
            if (reading == "happens" and (name, arity) in entities.input_events)
            or (reading == "holdsAt" and self.plan.is_of_points((name, arity)))
        }
        insert = [b for b in due.insert if (b.name, b.arity) in names]
        retract = [b for b in due.retract if (b.name, b.arity) in names]
        self._due = Due(insert, [*retract, *stale])

    def tell(self, records: Iterable[Record]) -> bool:
        """Hand over what may hold or happen on lower levels; say whether any of it is new."""
        new = []
        for record in records:
            key = (record.name, record.time, record.end, typed(record.args))
            if key not in self._told:
                self._told.add(key)
                new.append(record)
        made = batches(new)
        self.fed.extend(made)
        self._due.insert.extend(made)
        return bool(new)

    def answer(self) -> Iterator[Row]:
        """Let the engine find all rules that may fire."""
        due, self._due = self._due, Due()
        try:
            events = self.session.advance(self.window, due).events
        except EngineError as error:
            if TOO_LONG not in str(error):
                raise
            raise EngineError(
                Problem(
                    f"a list (findall, aggregate_all) has more than {MOST_LISTED} uncertain items",
                    "prob-list",
                    remedy="ask about fewer items, or about single ones",
                )
            ) from None
        for name, args, times in events:
            proof = args[-1]
            yield Row(name, tuple(args[:-1]), json.loads(str(proof)), times)
