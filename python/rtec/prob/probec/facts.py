"""Records with their probabilities: the facts that everything else rests on.

A record that is certain has the number 0, one that is not has a number and a leaf of its own. The
number travels with the record as a last argument, so that the engine can say which records a rule
rests on.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from rtec.errors import Problem, StreamError
from rtec.prob.probec.formulas import FALSE, TRUE, Node, leaf
from rtec.runtime.buffer import Due, Key, keys, last_points
from rtec.runtime.records import Floats, Kind, RecordBatch


@dataclass(slots=True)
class Held:
    """A fact in the window, of one record or of several equal ones.

    Attributes:
        number: What proofs call it; 0 if it is certain.
        probs: How likely each of its records is, oldest first.
        node: The fact: that at least one of them is true.
        last: The last time-point it speaks of.
    """

    number: int
    probs: list[float]
    node: Node
    last: int


@dataclass(slots=True)
class Facts:
    """The facts in the window.

    Attributes:
        numbers: Where numbers come from, shared with everything else that has one.
        held: The facts by name, kind and arity, and by what makes records equal.
        nodes: The leaves of uncertain facts, by number.
    """

    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    held: dict[tuple[str, Kind, int], dict[Key, Held]] = field(default_factory=dict)
    nodes: dict[int, Node] = field(default_factory=dict)

    def take(self, due: Due, tick: int) -> Due:
        """Turn records that are due at a query time into changes of numbered facts.

        Raises:
            StreamError: A probability is not one.
        """
        changes = [self._retract(batch) for batch in due.retract]
        changes += [self._insert(batch, tick) for batch in due.insert]
        return replace(
            due,
            insert=[change[0] for change in changes if len(change[0])],
            retract=[change[1] for change in changes if len(change[1])],
        )

    def _insert(self, batch: RecordBatch, tick: int) -> _Changes:
        probs = checked_probs(batch)
        shelf = self.held.setdefault(batch.key, {})
        lasts = last_points(batch, tick).tolist()
        certain = [1.0] * len(batch) if probs is None else probs.tolist()
        changes = _Rows(batch)
        for row, key in enumerate(keys(batch)):
            if certain[row] > 0.0:
                held = shelf.setdefault(key, Held(-1, [], FALSE, lasts[row]))
                held.probs.append(certain[row])
                changes.note(row, *self._renumbered(held))
        return changes.result()

    def _retract(self, batch: RecordBatch) -> _Changes:
        """Take records back; those that are not there are left out."""
        shelf = self.held.get(batch.key, {})
        changes = _Rows(batch)
        for row, key in enumerate(keys(batch)):
            held = shelf.get(key)
            if held is None:
                continue
            held.probs.pop(0)
            changes.note(row, *self._renumbered(held))
            if not held.probs:
                del shelf[key]
        return changes.result()

    def _renumbered(self, held: Held) -> tuple[int, int]:
        """Work out a fact anew; say the numbers that it had and has, -1 if there is no fact."""
        before = held.number
        missing = 1.0
        for prob in held.probs:
            missing *= 1.0 - prob
        if not held.probs:
            held.number, held.node = -1, FALSE
        elif missing == 0.0:
            held.number, held.node = 0, TRUE
        else:
            held.number = before if before > 0 else next(self.numbers)
            held.node = leaf(1.0 - missing, held.last)
            self.nodes[held.number] = held.node
        return before, held.number

    def forget(self, until: int) -> None:
        """Drop what speaks of no time-point after `until`."""
        for shelf in self.held.values():
            for key in [key for key, held in shelf.items() if held.last <= until]:
                del shelf[key]
        self.nodes = {n: node for n, node in self.nodes.items() if node.until > until}

    def fluents(self, name: str, arity: int) -> Iterator[tuple[int, int | None, Any, Any, Node]]:
        """Yield the records of an input fluent: time, end, value, arguments and leaf of each."""
        kinds: tuple[Kind, ...] = ("point", "interval")
        for kind in kinds:
            for key, held in self.held.get((name, kind, arity), {}).items():
                time, *rest = (k[0] if isinstance(k, tuple) else k for k in key)
                end = rest.pop(0) if kind == "interval" else None
                yield time, end, rest[0], tuple(rest[1:]), held.node


_Changes: TypeAlias = tuple[RecordBatch, RecordBatch]
"""What is new, and what is no more."""


class _Rows:
    """Rows of a batch that become other facts, or none."""

    def __init__(self, batch: RecordBatch) -> None:
        self._batch = batch
        self._new: dict[int, int] = {}
        self._old: dict[int, int] = {}

    def note(self, row: int, before: int, after: int) -> None:
        """A row had one number, and has another one."""
        if before != after:
            if before >= 0:
                self._old[row] = before
            if after >= 0:
                self._new[row] = after

    def result(self) -> _Changes:
        """The facts that are new, and those that are no more."""
        return self._numbered(self._new), self._numbered(self._old)

    def _numbered(self, rows: dict[int, int]) -> RecordBatch:
        chosen = self._batch.filter(np.array(list(rows), np.int64))
        numbers = np.array(list(rows.values()), np.int64)
        return replace(chosen, args=(*chosen.args, numbers), prob=None, retract=None)


def checked_probs(batch: RecordBatch) -> Floats | None:
    """The probabilities of a batch, if it has any.

    Raises:
        StreamError: One is not between 0 and 1, or not a number.
    """
    probs = batch.prob
    if probs is None:
        return None
    fine = (probs >= 0.0) & (probs <= 1.0)
    if not fine.all():
        row = int(np.argmin(fine))
        record = next(batch.filter(slice(row, row + 1)).records())
        what = "missing or not a number" if np.isnan(probs[row]) else f"{probs[row]:g}"
        raise StreamError(
            Problem(
                f"the prob of a record is {what}, not a number from 0 to 1: "
                f"`{record.name}` at time {record.time}",
                "record-prob",
            )
        )
    return probs
