"""Engine = reference, over whole streams and in windows of every size and step."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from reference import NotStratified, evaluate_window
from strategies import descriptions, streams, windowings

from equations.engine import compiled, differences, run_engine

LENIENT = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
FEATURES: dict[str, dict[str, Any]] = {
    "plain": {},
    "groundings": {"groundings": True},
    "cycles": {"cycles": True},
    "delays": {"delays": True, "open_initially": False},
    "both": {"cycles": True, "delays": True, "open_initially": False},
    "allen": {"allen": True},
    "several": {
        "groundings": True, "several_groundings": True, "delays": True, "several_delays": True,
        "open_initially": False, "point_triggers": True,
    },
}  # fmt: skip


def _check(data: st.DataObject, features: dict[str, Any], whole: bool, **stream: Any) -> None:
    run = data.draw(windowings(), label="run")
    if whole:
        span = run.end - run.start
        run = type(run)(run.start, run.end, run.tick, span + run.tick, span)
    made = descriptions(tick=run.tick, search_defaults=False, **features)
    description = data.draw(made, label="description")
    records = data.draw(streams(description, run, **stream), label="records")
    try:
        expected = evaluate_window(
            description.clauses, description.background, records,
            run.start, run.tick, run.query_times, run.window,
        )  # fmt: skip
    except NotStratified:
        return
    restart = data.draw(st.sampled_from([0, 0, 1, 2]), label="restart every")
    with compiled(description) as program:
        found = run_engine(program, records, run, restart_every=restart)
    for q in run.query_times:
        note(f"query time {q}")
        assert differences(found[q], expected[q]) == {}


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES)
@LENIENT
@given(data=st.data())
def test_whole_stream(data: st.DataObject, features: dict[str, Any]) -> None:
    """One window over everything gives what the axioms say."""
    _check(data, features, whole=True, most_delay=0)


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES)
@LENIENT
@given(data=st.data())
def test_windows(data: st.DataObject, features: dict[str, Any]) -> None:
    """Every window and step gives the same, restricted to the window."""
    _check(data, features, whole=False, most_delay=0)


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES)
@LENIENT
@given(data=st.data())
def test_late_records(data: st.DataObject, features: dict[str, Any]) -> None:
    """Records that arrive late, or too late, or are taken back."""
    retractions = data.draw(st.booleans(), label="retractions")
    if retractions:
        # An instance that was met stays so, even if what it was met by is taken back.
        features = {**features, "open_initially": False}
    _check(data, features, whole=False, most_delay=10, retractions=retractions)
