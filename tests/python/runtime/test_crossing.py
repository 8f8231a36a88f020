"""Records reach Prolog by lists or by where they stand in memory, and are the same there."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.model import Scalar
from rtec.runtime.crossing import columns_in_memory
from rtec.runtime.records import Record, RecordBatch, TermText, column
from rtec.runtime.session import Session

CELLS = st.one_of(
    st.integers(-(2**70), 2**70),
    st.integers(-3, 3),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text("ab'\\ \U0001f600[]", max_size=3),
    st.sampled_from([TermText("f(x,'Y')"), TermText("[a,1]"), TermText("g(f(1.5))")]),
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    rules = tmp_path_factory.mktemp("crossing") / "rules.prolog"
    rules.write_text("initiatedAt(seen(X,Y)=T, T) :- happensAt(e(X,Y), T).\n")
    return compile_description(Path(rules))


def test_the_library_is_used(program: Program) -> None:
    for policy in (False, True):
        with Session(program, window=10, incremental=policy) as session:
            assert session._columns is not None


@given(rows=st.lists(st.tuples(st.integers(1, 9), CELLS, CELLS), max_size=30))
def test_same_facts(program: Program, rows: list[tuple[int, Scalar, Scalar]]) -> None:
    records = [Record("e", time, (first, second)) for time, first, second in rows]
    answers = []
    for by_memory, policy in itertools.product((True, False), ("never", "always")):
        with Session(program, window=8, incremental=policy) as session:
            if not by_memory:
                session._columns = None
            session.insert(records)
            answers.append([list(session.query(time)) for time in (5, 6, 8, 10)])
    assert all(found == answers[0] for found in answers)
    assert bool(rows) == any(answers[0])


@pytest.mark.parametrize(
    "values",
    [
        np.array([3, -(2**63), 2**63 - 1]),
        np.array([0.5, -0.0, 1e300]),
        np.arange(10, dtype=np.int64)[::3],
        column(["a", "b", "a", 1]),
        column([f"v{number % 5000}" for number in range(20_000)]),
    ],
    ids=["integers", "floats", "stride", "mixed", "many"],
)
def test_columns(program: Program, values: np.ndarray) -> None:
    times = np.arange(1, len(values) + 1)
    batch = RecordBatch("e", "event", times, times, (values, values))
    with Session(program, window=len(values) + 1) as session:
        session._buffer.add(batch)
        answers = {r.args: r.value for r in session.query(len(values) + 1)}  # type: ignore[union-attr]
    expected = {(cell, cell): time for time, cell in zip(times, values.tolist(), strict=True)}
    assert answers == expected


def test_distinct_cells_cross_once() -> None:
    columns = columns_in_memory()
    assert columns is not None
    names = ["a", "b"]
    batch = RecordBatch(
        "e", "event", np.arange(6), np.arange(6), (column([names[n % 2] for n in range(6)]),)
    )
    predicate, count, (time, arg) = columns.load(batch)
    assert (predicate, count, time[0]) == ("happens_e", 6, "int")
    assert arg[0] == "cells" and arg[2:] == [0, ["a", "b"]]
