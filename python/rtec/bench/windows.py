"""A description over a stream, window by window, with the figures of each query time."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rtec.bench.floor import measure_floor
from rtec.bench.report import median
from rtec.compiler import compile_description
from rtec.generate.blocks import Block
from rtec.runtime.run import plan_run, run_stream
from rtec.runtime.session import Session
from rtec.runtime.settings import RunSettings
from rtec.runtime.streams import read_stream


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured: a description with its background, and files of records."""

    description: Path
    background: tuple[Path, ...]
    streams: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """One query time: what there was to do, and the CPU seconds that it took.

    Attributes:
        query_time: When.
        records: Records in the window.
        answers: Fluent-value pairs, and occurrences of output events.
        hand_over: Seconds for handing over the records that are new.
        recognise: Seconds for recognition.
        collect: Seconds for collecting the answers.
        floor: Seconds for the floor; 0 if it was not measured.
    """

    query_time: int
    records: int
    answers: int
    hand_over: float
    recognise: float
    collect: float
    floor: float


def measure(
    subject: Subject, settings: RunSettings, *, only: Iterable[int] | None = None
) -> list[Figures]:
    """Run a description over its streams, and note the figures of each query time.

    Args:
        subject: The description and its streams.
        settings: Windows, start and end.
        only: The query times of interest; without them, all.
    """
    wanted = None if only is None else set(only)
    program = compile_description(subject.description, subject.background)
    plan = plan_run(read_stream(list(map(str, subject.streams)), program.inputs), settings)
    found = []
    with Session(program, window=plan.windowing.size, start=plan.start, tick=plan.tick) as session:
        for answers in run_stream(session, plan):
            if wanted is not None and answers.query_time not in wanted:
                continue
            floor = measure_floor(session)
            timings = session.timings
            found.append(
                Figures(
                    answers.query_time,
                    floor.records,
                    floor.answers,
                    timings.hand_over_cpu,
                    timings.recognise_cpu,
                    timings.collect_cpu,
                    floor.seconds,
                )
            )
    gc.collect()
    return found


def typical(figures: Sequence[Figures]) -> Figures:
    """Take the median of each figure over several query times."""
    return Figures(
        figures[-1].query_time if figures else 0,
        round(median(f.records for f in figures)),
        round(median(f.answers for f in figures)),
        median(f.hand_over for f in figures),
        median(f.recognise for f in figures),
        median(f.collect for f in figures),
        median(f.floor for f in figures),
    )


def write_stream(path: Path, blocks: Iterable[Block]) -> int:
    """Write a generated stream into a file; return the number of its records."""
    count = 0
    with path.open("wb") as file:
        for block in blocks:
            file.write(block.text())
            count += len(block)
    return count
