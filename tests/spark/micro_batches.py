"""Spark's side of `transformWithState`, in this process: state, timers and a watermark.

What is kept between calls is what Spark would keep, as bytes; the open sessions are forgotten
from time to time, as if another worker had taken over.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd
from rtec.compiler.program import Program
from rtec.runtime.records import Record
from rtec.spark import buckets as processors
from rtec.spark.package import Moves, pack
from rtec.spark.plan import plan
from rtec.spark.split import Split
from rtec.spark.worker import LINE

from spark.parts import destinations, line

COLUMNS = ("fluent", "args", "value", "start", "end")


class _Value:
    """The state of one key."""

    def __init__(self) -> None:
        self.data: tuple[Any, ...] | None = None

    def exists(self) -> bool:
        return self.data is not None

    def get(self) -> tuple[Any, ...]:
        assert self.data is not None
        return self.data

    def update(self, data: tuple[Any, ...]) -> None:
        self.data = data


class _Handle:
    """What a processor gets for one key."""

    def __init__(self) -> None:
        self.value = _Value()
        self.timers: set[int] = set()

    def getValueState(self, name: str, columns: str) -> _Value:  # noqa: N802
        return self.value

    def registerTimer(self, at: int) -> None:  # noqa: N802
        self.timers.add(at)


class _Times:
    def __init__(self, watermark: int) -> None:
        self._watermark = watermark

    def getCurrentWatermarkInMs(self) -> int:  # noqa: N802
        return self._watermark


class _Operator:
    """A stateful operator with all its keys."""

    def __init__(self, processor: Any) -> None:
        self._processor = processor
        self._handles: dict[int, _Handle] = {}

    def run(self, rows: dict[int, pd.DataFrame], watermark: int) -> list[pd.DataFrame]:
        """One micro-batch: rows of all keys first, then the timers that are due."""
        found: list[pd.DataFrame] = []
        times = _Times(watermark)
        for key, frame in rows.items():
            self._processor.init(self._handles.setdefault(key, _Handle()))
            found += self._processor.handleInputRows((key,), iter([frame]), times)
        for key, handle in self._handles.items():
            due = [at for at in handle.timers if at <= watermark]
            for at in sorted(due):
                handle.timers.discard(at)
                self._processor.init(handle)
                found += self._processor.handleExpiredTimer((key,), times, None)
        return found


class MicroBatches:
    """A live query over micro-batches."""

    def __init__(self, program: Program, moves: Moves, buckets: int, disorder: int = 0) -> None:
        """Set the operators up as `stream` does."""
        how = plan(program, groups=False)
        self._split = Split({}, 1) if how.stages is None else Split.of(how, buckets)
        package = pack(program)
        self._first = _Operator(processors.FirstBucket(package, moves, self._split, "lines"))
        self._second = _Operator(processors.SecondBucket(package, moves, self._split, None))
        self._disorder = disorder
        self._last: int | None = None
        self._watermark = 0
        self._changes: list[dict[str, Any]] = []

    def take(self, records: list[Record]) -> None:
        """Run a micro-batch; the watermark moves after it."""
        rows: dict[int, pd.DataFrame] = {}
        for number in range(self._split.parts):
            own = [r for r in records if number in destinations(self._split, r)]
            if own:
                rows[number] = pd.DataFrame({LINE: map(line, own), "rtec_bucket": number})
        self._run(rows)
        arrivals = [r.time if r.arrival is None else r.arrival for r in records]
        self._last = max([*arrivals, *([] if self._last is None else [self._last])], default=None)
        if self._last is not None:
            self._watermark = max(self._watermark, (self._last - self._disorder) * 1000)
        processors._open.clear()

    def pass_time(self, until: int) -> None:
        """Let the watermark pass a time-point, in two micro-batches without records."""
        self._watermark = max(self._watermark, (until + 1) * 1000)
        self._run({})
        self._run({})

    def known(self, until: int) -> Counter[tuple[Any, ...]]:
        """What is known after all changes up to a query time."""
        found: Counter[tuple[Any, ...]] = Counter()
        for change in self._changes:
            if change["query_time"] <= until:
                row = tuple(None if pd.isna(change[c]) else change[c] for c in COLUMNS)
                found[row] += 1 if change["op"] == "+" else -1
        assert min(found.values(), default=0) >= 0
        return +found

    def _run(self, rows: dict[int, pd.DataFrame]) -> None:
        made = self._first.run(rows, self._watermark)
        if self._split.second:
            sent: dict[int, list[pd.DataFrame]] = {}
            for frame in made:
                for target, part in frame.groupby("target"):
                    sent.setdefault(int(target), []).append(part)
            joined = {target: pd.concat(parts) for target, parts in sent.items()}
            made = self._second.run(joined, self._watermark)
        for frame in made:
            self._changes += frame.to_dict("records")


def as_known(answers: list[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    """The rows of a merged run, to be compared with `MicroBatches.known`."""
    return Counter(tuple(answer[c] for c in COLUMNS) for answer in answers)
