"""Changes over random streams: who applies them all has what the full report shows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lamps import RULES, make_stream
from rtec.cli import execute

DEFAULT = """
initially(idle(_)=true).
initiatedAt(idle(X)=false, T) :- happensAt(press(X), T).
initiatedAt(idle(X)=true, T) :- happensAt(release(X), T).
holdsFor(then(X)=true, I) :-
    holdsFor(power(X)=true, I1), holdsFor(on(X)=true, I2), allen(overlaps, I1, I2, union, I).
holdsFor(long(X)=true, I) :- holdsFor(power(X)=true, I1), intDurGreater(I1, 10, I).
"""


def rows(path: Path) -> Iterable[dict[str, Any]]:
    return map(json.loads, path.read_text().splitlines())


def facts(row: dict[str, Any]) -> set[tuple[Any, ...]]:
    """A recognition as facts: one for each interval, or each time-point of an event."""
    entity = (row.get("fluent", row.get("event")), *map(repr, row["args"]), row.get("value"))
    spans = row.get("intervals", [[t, t + 1] for t in row.get("times", ())])
    return {(entity, start, end) for start, end in spans}


def inside(known: set[tuple[Any, ...]], first: int) -> set[tuple[Any, ...]]:
    return {fact for fact in known if fact[2] is None or fact[2] > first}


@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 1000), step=st.integers(4, 25), times=st.integers(1, 4))
def test_changes_of_random_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, step: int, times: int
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lamps.prolog").write_text(RULES + DEFAULT)
    Path("s.csv").write_text("".join(f"{line}\n" for line in make_stream(seed, 60)))
    window = step * times
    common = ["run", "-q", "--desc", "lamps.prolog", "--stream", "s.csv", "--start", "0"]
    common += ["--window", str(window), "--step", str(step)]
    for name, flags in (("full", []), ("changes", ["--changes"]), ("merge", ["--merge"])):
        assert execute([*common, *flags, "--out", f"{name}.jsonl"]) == 0
    full: dict[int, set[tuple[Any, ...]]] = {}
    for row in rows(Path("full.jsonl")):
        full.setdefault(row["query_time"], set()).update(facts(row))
    known: set[tuple[Any, ...]] = set()
    changed = sorted(rows(Path("changes.jsonl")), key=lambda row: row["query_time"])  # stable
    last = max(full)
    for query_time in [*range(step, last, step), last]:
        while changed and changed[0]["query_time"] <= query_time:
            row = changed.pop(0)
            assert row["query_time"] == query_time
            if row["op"] == "-":
                assert facts(row) <= known
                known -= facts(row)
            else:
                assert not facts(row) & known
                known |= facts(row)
        first = query_time - window + (query_time > step)  # the first window has the start
        assert inside(known, first) == full.get(query_time, set())
    assert known == set().union(*map(facts, rows(Path("merge.jsonl"))))
