"""Small descriptions and streams, written out in a test, through the engine."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

from reference import query_times
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.model import FluentRecognition, Interval, Scalar
from rtec.runtime.records import Record
from rtec.runtime.session import Session

Fvp: TypeAlias = tuple[str, tuple[Scalar, ...], Scalar]
Held: TypeAlias = dict[Fvp, list[Interval]]


@cache
def program_of(rules: str, background: str = "") -> Program:
    """Compile rules, once however many tests use them."""
    folder = Path(tempfile.mkdtemp(prefix="rtec-described-"))
    path, facts = folder / "rules.prolog", folder / "background.prolog"
    path.write_text(rules)
    facts.write_text(background)
    return compile_description(path, [facts] if background else [])


def event(time: int, name: str, *args: Scalar, arrival: int | None = None) -> Record:
    """An event that arrives when it happens, or later."""
    return Record(name, time, args, arrival)


def interval(name: str, start: int, end: int, value: Scalar, *args: Scalar) -> Record:
    """An interval of an input fluent that is known as soon as it starts."""
    return Record(name, start, args, end=end, value=value)


def answers(
    rules: str, records: Iterable[Record], at: Sequence[int], *, window: int, start: int = 0
) -> dict[int, Held]:
    """What is held at each query time, with the intervals that reach into the window."""
    found: dict[int, Held] = {}
    with Session(program_of(rules), window=window, start=start) as session:
        session.insert(records)
        for q in at:
            found[q] = {
                (r.fluent, r.args, r.value): list(r.intervals)
                for r in session.query(q)
                if isinstance(r, FluentRecognition)
            }
    return found


def last_answer(
    rules: str, records: Iterable[Record], end: int, *, window: int, step: int, start: int = 0
) -> Held:
    """What is held at the end of a run in windows."""
    return answers(rules, records, query_times(start, end, step), window=window, start=start)[end]
