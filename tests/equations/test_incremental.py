"""By changes = from scratch, at every query time.

From scratch equals the reference (test_windows.py), so what is compared here are two engines:
one that updates what it knows by what came and went since the last query time, and one that
does not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from rtec.compiler.program import Program
from rtec.runtime.session import Session
from strategies import RandomDescription, Run, descriptions, loops, streams, windowings

from equations.engine import as_result, compiled, differences, engine_records

# What makes a simple fluent one that is treated like a cycle is left out, except where it is meant.
_DELTA = {"changes": False, "open_initially": False}
FEATURES: dict[str, dict[str, Any]] = {
    "plain": _DELTA,
    "flat": {**_DELTA, "levels": 1},
    "allen": {**_DELTA, "allen": True, "durations": True},
    "delays": {**_DELTA, "delays": True},
    "cycles": {**_DELTA, "cycles": True, "delays": True},
    "groundings": {"groundings": True},
    "anything": {},
    "points": {"point_triggers": True},
    "elsewhere": {"distances": (-1, -3, 2), "point_triggers": True},
    "domains": {"domains": True},
    "several": {
        "groundings": True, "several_groundings": True, "delays": True, "several_delays": True,
        "open_initially": False,
    },
}  # fmt: skip

LENIENT = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@st.composite
def _overlapping(draw: st.DrawFn) -> Run:
    """Many query times, windows of at least two steps: most of a window was known before."""
    run = draw(windowings(most_queries=10))
    step = min(run.step, (run.end - run.start) // 3 // run.tick * run.tick or run.tick)
    return replace(run, step=step, window=max(run.window, 2 * step))


def _sessions(program: Program, run: Run, memory: int | None, policy: str) -> tuple[Session, ...]:
    common: dict[str, Any] = {"window": run.window, "start": run.start, "tick": run.tick}
    plain = Session(program, memory=memory, **common)
    by_changes = Session(program, memory=memory, incremental=policy, **common)  # type: ignore[arg-type]
    return plain, by_changes


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES)
@LENIENT
@given(data=st.data())
def test_changes_equal_scratch(data: st.DataObject, features: dict[str, Any]) -> None:
    """Late records, retractions, restarts and both policies, over random descriptions."""
    run = data.draw(_overlapping(), label="run")
    description = data.draw(descriptions(tick=run.tick, **features), label="description")
    _assert_equal(data, run, description)


@LENIENT
@given(data=st.data())
def test_loops(data: st.DataObject) -> None:
    """The same for descriptions that all have a cycle of several members."""
    run = data.draw(_overlapping(), label="run")
    _assert_equal(data, run, data.draw(loops(tick=run.tick), label="description"))


def _assert_equal(data: st.DataObject, run: Run, description: RandomDescription) -> None:
    """Ask both engines at every query time."""
    records = engine_records(
        data.draw(
            streams(description, run, most_delay=10, retractions=True, most_records=60),
            label="records",
        )
    )
    policy = data.draw(st.sampled_from(["always", "always", "auto"]), label="policy")
    restart = data.draw(st.sampled_from([0, 0, 0, 3]), label="restart every")
    memory = data.draw(st.sampled_from([None, None, 5]), label="memory") if not restart else None
    with compiled(description) as program:
        plain, by_changes = _sessions(program, run, memory, policy)
        plain.insert(records)
        by_changes.insert(records)
        for number, q in enumerate(run.query_times, 1):
            expected, found = as_result(plain.query(q)), as_result(by_changes.query(q))
            note(f"query time {q}, {by_changes.mode}")
            assert differences(found, expected) == {}
            if restart and number % restart == 0:
                snapshot = by_changes.snapshot()
                by_changes.close()
                by_changes = Session.restore(program, snapshot, incremental=policy)  # type: ignore[arg-type]
        plain.close()
        by_changes.close()
