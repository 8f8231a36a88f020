"""Records on their way to the engine: what is due at a query time, what came too late.

A record is due at the first query time that is neither before its arrival nor before its time.
If its time has left the window by then, it is lost. A retraction is due by the same rule; it
cancels one equal record that has not been handed over, or else takes one back that has, or
else waits for one to come.

What lies before the window is settled: of an interval that comes late, the engine is given the
part from the first time-point of the window on, and of one that is taken back, the part before
the window stays.

    arrival      a          b    c
    time            a  b c
    query time   ......|.........|.........|      window: two steps
                       q1        q2        q3
    a is on time at q1, b is late (its query time was q1), c is late as well at q3, and would
    be lost there if the window were one step.

Nothing here loops over records, except over retractions and what they may match.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from rtec.runtime.records import Bools, Column, Ints, Kind, RecordBatch, concat
from rtec.runtime.windows import Window

Key: TypeAlias = tuple[Any, ...]


@dataclass(slots=True)
class Counts:
    """What became of records.

    Attributes:
        on_time: Counted at the first query time at or after their time.
        late: Counted at a later one.
        lost: Never counted: before the window, or before the start of the run.
        retracted: Taken back, before or after they were counted.
    """

    on_time: int = 0
    late: int = 0
    lost: int = 0
    retracted: int = 0

    def add(self, other: Counts) -> None:
        """Add the counts of another query time."""
        self.on_time += other.on_time
        self.late += other.late
        self.lost += other.lost
        self.retracted += other.retracted


@dataclass(slots=True)
class Due:
    """What the engine has to know at a query time that it did not know before.

    Attributes:
        insert: New records inside the window.
        retract: Records inside the window, handed over earlier, that are no more.
        rest: What stays of those that are intervals: the parts before the window.
        lost: Records and retractions that came too late.
        counts: How many there are of each.
    """

    insert: list[RecordBatch] = field(default_factory=list)
    retract: list[RecordBatch] = field(default_factory=list)
    rest: list[RecordBatch] = field(default_factory=list)
    lost: list[RecordBatch] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)

    @property
    def records(self) -> int:
        """How many records are new or taken back."""
        return sum(map(len, self.insert)) + sum(map(len, self.retract))


class Buffer:
    """Records that are not due yet, and those in the window, which may yet be retracted.

    All of it is plain data, so that it can be pickled into a checkpoint.
    """

    def __init__(self, start: int | None = None, tick: int = 1) -> None:
        """Begin empty.

        Args:
            start: The start of the run; records before it are lost.
            tick: How far apart consecutive time-points are.
        """
        self.start = start
        self.tick = tick
        self._shelves: dict[tuple[str, Kind, int], _Shelf] = {}
        self._last_query: int | None = None

    def add(self, batch: RecordBatch) -> None:
        """Take records in, in any order."""
        shelf = self._shelves.get(batch.key)
        if shelf is None:
            shelf = self._shelves[batch.key] = _Shelf()
        if batch.retract is None:
            shelf.inserts.add(batch)
            return
        shelf.retractions.add(batch.filter(batch.retract))
        if not batch.retract.all():
            shelf.inserts.add(batch.filter(~batch.retract))

    def take(self, window: Window) -> Due:
        """Hand over what is due at a query time; query times must not go back."""
        due = Due()
        for shelf in self._shelves.values():
            shelf.forget(window.start)
            inserts = self._inside(shelf.inserts.take(window.query_time), window, due)
            retractions = self._inside(shelf.retractions.take(window.query_time), window, due)
            if retractions is not None or (shelf.owed and inserts is not None):
                inserts, taken_back, count = shelf.settle(inserts, retractions, self.tick)
                due.counts.retracted += count
                self._take_back(taken_back, window, due)
            if inserts is not None and len(inserts):
                self._hand_over(shelf, inserts, window, due)
        self._last_query = window.query_time
        return due

    def _inside(self, batch: RecordBatch | None, window: Window, due: Due) -> RecordBatch | None:
        """Leave out, and count, what lies before the window or before the run."""
        if batch is None:
            return None
        lower = window.start if self.start is None else max(window.start, self.start - 1)
        last = last_points(batch, self.tick)
        if last.min() > lower:
            return batch
        inside = last > lower
        lost = batch.filter(~inside)
        due.lost.append(lost)
        due.counts.lost += len(lost)
        return batch.filter(inside) if len(lost) < len(batch) else None

    def _take_back(self, taken_back: list[RecordBatch], window: Window, due: Due) -> None:
        for batch in filter(len, map(_not_empty, taken_back)):
            due.retract.append(batch)
            before = batch if batch.end is None else batch.filter(batch.time <= window.start)
            if before.end is not None and len(before):
                end = np.minimum(before.end, self._first_point(window))
                due.rest.append(replace(before, end=end))

    def _hand_over(self, shelf: _Shelf, batch: RecordBatch, window: Window, due: Due) -> None:
        before = self._last_query
        on_time = len(batch) if before is None else int(np.count_nonzero(batch.time > before))
        due.counts.on_time += on_time
        due.counts.late += len(batch) - on_time
        given = batch
        if batch.end is not None and (early := batch.time <= window.start).any():
            time = np.where(early, self._first_point(window), batch.time)
            given = replace(batch, time=time)
        shelf.keep(batch, given, self.tick)
        given = _not_empty(given)
        if len(given):
            due.insert.append(given)

    def _first_point(self, window: Window) -> int:
        """Return the first time-point of a window."""
        start = 0 if self.start is None else self.start
        if self.start is not None and window.start < start:
            return start
        return start + ((window.start - start) // self.tick + 1) * self.tick


def last_points(batch: RecordBatch, tick: int) -> Ints:
    """Return the last time-point that each record speaks of."""
    if batch.end is None:
        return batch.time
    return np.maximum(batch.end - tick, batch.time)


def _not_empty(batch: RecordBatch) -> RecordBatch:
    """Leave out intervals that hold no time-point; the engine need not know of them."""
    if batch.end is None or (batch.end > batch.time).all():
        return batch
    return batch.filter(batch.end > batch.time)


@dataclass(slots=True)
class _Waiting:
    """A batch in the order in which its rows are due, and how many have been taken."""

    batch: RecordBatch
    due: Ints
    taken: int = 0


@dataclass(slots=True)
class _Queue:
    """Batches whose rows are not all due yet."""

    waiting: list[_Waiting] = field(default_factory=list)

    def add(self, batch: RecordBatch) -> None:
        """Put a batch in, its rows in the order in which they are due."""
        if not len(batch):
            return
        due = np.maximum(batch.arrival, batch.time)
        if (due[1:] < due[:-1]).any():
            order = np.argsort(due, kind="stable")
            batch, due = batch.filter(order), due[order]
        self.waiting.append(_Waiting(batch, due))

    def take(self, query_time: int) -> RecordBatch | None:
        """Take out the rows that are due, by when they were; None if there are none.

        How the records were cut into batches makes no difference.
        """
        taken, due = [], []
        for each in self.waiting:
            if each.due[each.taken] <= query_time:
                count = int(each.due.searchsorted(query_time, "right"))
                rows = slice(each.taken, count)
                taken.append(each.batch.filter(rows))
                due.append(each.due[rows])
                each.taken = count
        if not taken:
            return None
        self.waiting = [each for each in self.waiting if each.taken < len(each.due)]
        if len(taken) == 1:
            return taken[0]
        batch, points = concat(taken), np.concatenate(due)
        in_order = (points[1:] >= points[:-1]).all()
        return batch if in_order else batch.filter(np.argsort(points, kind="stable"))


@dataclass(frozen=True, slots=True)
class _Handed:
    """Records that were handed over.

    Attributes:
        batch: As they came.
        given: As the engine knows them.
        last: The last time-point that any of them speaks of.
    """

    batch: RecordBatch
    given: RecordBatch
    last: int

    def filter(self, rows: Bools) -> _Handed:
        """Keep some of them."""
        batch = self.batch.filter(rows)
        given = batch if self.given is self.batch else self.given.filter(rows)
        return _Handed(batch, given, self.last)


@dataclass(slots=True)
class _Shelf:
    """Everything of one name, kind and number of arguments.

    Attributes:
        inserts: Records that are not due yet.
        retractions: Retractions that are not due yet.
        handed: What the engine has.
        owed: Retractions of records that have not come yet, as keys, with their number.
        owed_until: The last time-point that each owed retraction speaks of.
    """

    inserts: _Queue = field(default_factory=_Queue)
    retractions: _Queue = field(default_factory=_Queue)
    handed: deque[_Handed] = field(default_factory=deque)
    owed: Counter[Key] = field(default_factory=Counter)
    owed_until: dict[Key, int] = field(default_factory=dict)

    def keep(self, batch: RecordBatch, given: RecordBatch, tick: int) -> None:
        """Remember what is handed over, and what of it the engine is given."""
        self.handed.append(_Handed(batch, given, int(last_points(batch, tick).max())))

    def forget(self, until: int) -> None:
        """Drop what lies at or before a time-point."""
        while self.handed and self.handed[0].last <= until:
            self.handed.popleft()
        if self.owed:
            for key in [k for k, last in self.owed_until.items() if last <= until]:
                del self.owed[key], self.owed_until[key]

    def settle(
        self, inserts: RecordBatch | None, retractions: RecordBatch | None, tick: int
    ) -> tuple[RecordBatch | None, list[RecordBatch], int]:
        """Match retractions with records, one for one.

        Returns:
            The inserts that remain, what the engine has to give back, and how many were matched.
        """
        times = self._want(retractions, tick)
        before = self.owed.total()
        if inserts is not None:
            kept = ~self._match(inserts, times)
            inserts = inserts if kept.all() else inserts.filter(kept)
        taken_back: list[RecordBatch] = []
        handed: deque[_Handed] = deque()
        for each in self.handed:
            gone = self._match(each.batch, times) if self.owed else None
            if gone is not None and gone.any():
                taken_back.append(each.given.filter(gone))
                each = each.filter(~gone)
            if len(each.batch):
                handed.append(each)
        self.handed = handed
        matched = before - self.owed.total()
        self.owed += Counter()  # drops keys that are settled
        self.owed_until = {k: t for k, t in self.owed_until.items() if k in self.owed}
        return inserts, taken_back, matched

    def _want(self, retractions: RecordBatch | None, tick: int) -> Ints:
        """Add retractions to what is owed; return the times of all that is."""
        if retractions is not None:
            last = last_points(retractions, tick).tolist()
            for key, until in zip(keys(retractions), last, strict=True):
                self.owed[key] += 1
                self.owed_until[key] = until
        return np.array([key[0] for key in self.owed], np.int64)

    def _match(self, batch: RecordBatch, times: Ints) -> Bools:
        """Mark the records that a retraction is owed for, and settle it."""
        gone = np.zeros(len(batch), np.bool_)
        candidates = np.flatnonzero(np.isin(batch.time, times))
        if len(candidates):
            rows = zip(candidates.tolist(), keys(batch.filter(candidates)), strict=True)
            for row, key in rows:
                if self.owed.get(key):
                    self.owed[key] -= 1
                    gone[row] = True
        return gone


def keys(batch: RecordBatch) -> Iterable[Key]:
    """Make of each record what a retraction of it has in common with it, the time first."""
    return zip(*map(_hashable, batch.fields()), strict=True)


def _hashable(column: Column) -> Sequence[Hashable]:
    """List a column so that the float 1.0 and the integer 1 differ, as they do in Prolog."""
    items: list[Hashable] = column.tolist()
    if column.dtype == np.int64:
        return items
    return [(item,) if isinstance(item, float) else item for item in items]
