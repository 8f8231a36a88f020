"""The two stages as functions over the batches of a partition, for `mapInArrow`.

Between them go *blocks*: for each query time and part of the second stage one row, with the
facts that this part needs. Answers of the first stage travel the same way and are passed on, so
that both stages are one job; or only the names of the attempts do that have written them.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from rtec.errors import EngineError
from rtec.runtime.answers import Recognitions, to_table
from rtec.runtime.buffer import Counts
from rtec.runtime.merge import Merged
from rtec.runtime.records import GREATEST
from rtec.runtime.windows import Windowing
from rtec.spark.aside import received, sending
from rtec.spark.errors import named
from rtec.spark.intake import Intake
from rtec.spark.package import Moves, Package, chunks
from rtec.spark.packing import BlockStream
from rtec.spark.split import Split
from rtec.spark.staging import Facts, FirstPart, SecondPart
from rtec.spark.worker import ROWS_OUT, Adder, chunks_of, figures, peak_mb
from rtec.spark.written import AnswerFile, Folder

SENT = pa.schema([("target", pa.int32()), ("query_time", pa.int64()), ("data", pa.binary())])
"""What goes from the first stage to the second: a row for each part and query time."""
_BLOCKS_OUT = 64


@dataclass(frozen=True)
class FirstStage:
    """The first stage in one partition, or the only one.

    Attributes:
        package: The program.
        moves: Window, step, start and end.
        split: What is done in which part.
        metrics: Where figures go.
        partition: Gives the number of the partition.
        folder: Where answers are written, and facts put aside, if Spark does not pass them on.
    """

    package: Package
    moves: Moves
    split: Split
    metrics: Adder | None = None
    partition: Callable[[], int] = field(default=lambda: 0)
    folder: Folder | None = None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Recognise in a partition; with a second stage, yield blocks for it."""
        number = self.partition()
        with named(number):
            if not self.split.second:
                answers = (a for _, a, _ in self._query_times(batches, number))
                for chunk in chunks_of(answers, ROWS_OUT):
                    yield from to_table(chunk).to_batches()
                return
            for blocks in chunks(self._blocks(batches, number), _BLOCKS_OUT):
                yield pa.RecordBatch.from_pylist(blocks, SENT)

    def _blocks(self, batches: Iterator[pa.RecordBatch], number: int) -> Iterator[dict[str, Any]]:
        """Yield what the second stage gets: facts at query times, and answers to pass on."""
        waiting: list[Recognitions] = []
        rows, own = 0, number % self.split.targets
        file = None if self.folder is None else AnswerFile(self.folder, number)
        with sending(self.folder) as sent:
            for query_time, answers, facts in self._query_times(batches, number):
                for target, own_facts in facts.items():
                    yield _block(target, query_time, own_facts, sent)
                waiting.append(answers)
                rows += len(answers)
                if rows < ROWS_OUT:
                    continue
                if file is None:
                    yield _block(own, query_time, to_table(waiting))
                else:
                    file.add(*to_table(waiting).to_batches())
                waiting, rows = [], 0
        if file is not None:
            file.add(*to_table(waiting).to_batches())
            yield _block(own, GREATEST, file.finish())
        elif rows:
            yield _block(own, GREATEST, to_table(waiting))

    def _query_times(
        self, batches: Iterator[pa.RecordBatch], number: int
    ) -> Iterator[tuple[int, Recognitions, dict[int, Facts]]]:
        """Yield for each query time what is recognised, and what the second stage gets."""
        program = self.package.unpack()
        moves = self.moves
        stream = BlockStream(batches, moves)
        merged = Merged(moves.tick) if moves.merge else None
        counts, reported, recognise = Counts(), 0, 0.0
        intake = Intake.empty(self.split, number, moves)
        is_first = True
        with closing(FirstPart(program, moves, self.split, number, is_remembered=True)) as part:
            for window in Windowing(moves.size, moves.step).windows(moves.start, moves.end):
                for block in stream.until(window.query_time):
                    intake.take(block.batches, block.met)
                answers, due, facts = part.query(window, intake, is_first)
                counts.add(due.counts)
                recognise += part.session.timings.recognise
                if merged is not None:
                    merged.add(window, answers)
                    answers = Recognitions(window.query_time, [])
                reported += len(answers)
                yield window.query_time, answers, facts
                is_first = False
        if merged is not None and merged.query_time is not None:
            result = merged.result()
            reported += len(result)
            yield merged.query_time, result, {}
        if self.metrics is not None:
            self.metrics.add(figures(counts, reported, recognise, number))


def _block(
    target: int, query_time: int, content: Any, sent: Callable[[bytes], bytes] = bytes
) -> dict[str, Any]:
    data = sent(pickle.dumps(content, protocol=5))
    return {"target": target, "query_time": query_time, "data": data}


@dataclass(frozen=True)
class SecondStage:
    """The second stage in one partition; takes blocks in the order of query times."""

    package: Package
    moves: Moves
    split: Split
    metrics: Adder | None = None
    partition: Callable[[], int] = field(default=lambda: 0)

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Recognise in a partition; answers of the first stage are passed on."""
        number = self.partition()
        with named(number):
            passed_on: list[pa.Table] = []
            waiting: list[Recognitions] = []
            rows = 0
            for answers in self._answers(_by_query_time(batches, passed_on)):
                while passed_on:
                    yield from passed_on.pop().to_batches()
                waiting.append(answers)
                rows += len(answers)
                if rows >= ROWS_OUT:
                    yield from to_table(waiting).to_batches()
                    waiting, rows = [], 0
            for table in [*passed_on, to_table(waiting)]:
                yield from table.to_batches()

    def _answers(self, sent: Iterator[tuple[int, list[Facts]]]) -> Iterator[Recognitions]:
        moves = self.moves
        merged = Merged(moves.tick) if moves.merge else None
        reported, recognise = 0, 0.0
        following = next(sent, None)
        with closing(SecondPart(self.package.unpack(), moves, self.split)) as part:
            for window in Windowing(moves.size, moves.step).windows(moves.start, moves.end):
                facts: list[Facts] = []
                if following is not None and following[0] == window.query_time:
                    facts = following[1]
                    following = next(sent, None)
                answers = part.query(window, facts)
                recognise += part.session.timings.recognise
                if merged is not None:
                    merged.add(window, answers)
                    answers = Recognitions(window.query_time, [])
                reported += len(answers)
                yield answers
        if merged is not None and merged.query_time is not None:
            result = merged.result()
            reported += len(result)
            yield result
        for _ in sent:
            raise EngineError("facts of an unknown query time came to the second stage")
        if self.metrics is not None:
            found = {"recognitions": reported, "recognise_ms": round(recognise * 1000, 3)}
            number = self.partition()
            self.metrics.add({**found, f"peak:second:{number}": peak_mb()})


def _by_query_time(
    batches: Iterator[pa.RecordBatch], passed_on: list[pa.Table]
) -> Iterator[tuple[int, list[Facts]]]:
    """Yield the facts of each query time; put answers aside that are passed on."""
    at: int | None = None
    several: list[Facts] = []
    for batch in batches:
        times, contents = batch.column("query_time"), batch.column("data")
        for row in range(batch.num_rows):  # one by one: together they may be large
            query_time, content = times[row].as_py(), received(contents[row].as_buffer())
            if isinstance(content, pa.Table):
                passed_on.append(content)
                continue
            if at is not None and query_time != at:
                yield at, several
                several = []
            at = query_time
            several.append(content)
    if at is not None:
        yield at, several
