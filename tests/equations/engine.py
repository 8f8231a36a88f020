"""The engine on the random descriptions and streams that the reference gets."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from reference import Record, Result
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.model import FluentRecognition
from rtec.runtime.records import Record as EngineRecord
from rtec.runtime.session import Session
from strategies import RandomDescription, Run


@contextmanager
def compiled(description: RandomDescription) -> Iterator[Program]:
    """Compile a random description; its background is a file as long as the context lasts."""
    with tempfile.TemporaryDirectory(prefix="rtec-equations-") as name:
        rules, background = Path(name) / "random.prolog", Path(name) / "background.prolog"
        rules.write_text(description.text)
        background.write_text(description.background_text)
        yield compile_description(rules, [background])


def engine_records(records: Iterable[Record]) -> list[EngineRecord]:
    """The same records in the engine's words."""
    return [
        EngineRecord(
            name=r.name,
            time=r.time,
            args=r.args,
            arrival=r.arrival,
            end=r.end,
            value=r.value,
            op=r.op,
        )
        for r in records
    ]


def as_result(recognitions: Iterable[object]) -> Result:
    """Recognitions of one query time in the reference's words."""
    fluents, events = {}, {}
    for r in recognitions:
        if isinstance(r, FluentRecognition):
            fluents[(r.fluent, r.args, r.value)] = [tuple(i) for i in r.intervals]
        else:
            events[(r.event, r.args)] = list(r.times)
    return Result(fluents, events)


def run_engine(
    program: Program, records: list[Record], run: Run, *, restart_every: int = 0
) -> dict[int, Result]:
    """Reports of the engine at each query time, with restarts from snapshots if asked."""
    session = Session(program, window=run.window, start=run.start, tick=run.tick)
    session.insert(engine_records(records))
    reports = {}
    for number, q in enumerate(run.query_times, 1):
        reports[q] = as_result(session.query(q))
        if restart_every and number % restart_every == 0:
            snapshot = session.snapshot()
            session.close()
            session = Session.restore(program, snapshot)
    session.close()
    return reports


def differences(found: Result, expected: Result) -> dict[object, tuple[object, object]]:
    """What the engine and the reference say differently: entity -> (found, expected)."""
    pairs = {}
    for ours, theirs in ((found.fluents, expected.fluents), (found.events, expected.events)):
        for key in sorted({*ours, *theirs}, key=repr):
            if ours.get(key) != theirs.get(key):
                pairs[key] = (ours.get(key), theirs.get(key))
    return pairs
