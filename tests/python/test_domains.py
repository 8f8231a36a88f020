"""Domains that come from the stream, and groundings that supply or restrict instances."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import rtec
from rtec.cli import execute

RULES = """
initiatedAt(near(V,P)=true,T) :- happensAt(enters(V,P),T).
terminatedAt(near(V,P)=true,T) :- happensAt(leaves(V,P),T).
initially(checked(_)=no).
initiatedAt(checked(V)=yes,T) :- happensAt(inspect(V),T).
initiatedAt(alert(_V)=on,T) :- happensAt(alarm,T).
terminatedAt(alert(V)=on,T) :- happensAt(calm(V),T).
holdsFor(free(V)=true,I) :- holdsFor(near(V,p1)=true,I1), complement_all([I1],I).
grounding(enters(V,P)) :- vessel(V), port(P).
grounding(leaves(V,P)) :- vessel(V), port(P).
grounding(inspect(V)) :- vessel(V).
grounding(calm(V)) :- vessel(V).
grounding(near(V,P)=true) :- vessel(V), port(P).
grounding(checked(V)=no) :- vessel(V).
grounding(checked(V)=yes) :- vessel(V).
grounding(alert(V)=on) :- vessel(V).
grounding(free(V)=true) :- vessel(V).
dynamicDomain(vessel(_)).
"""
STREAM = """\
enters|2|2|a|p1
enters|3|3|a|p9
alarm|5|5
inspect|7|7|b
leaves|12|12|a|p1
alarm|13|13
calm|18|18|a
"""


def recognised(tmp_path: Path, *options: str) -> dict[tuple[Any, ...], Any]:
    """Intervals by fluent, arguments and value, merged over the run."""
    (tmp_path / "d.prolog").write_text(RULES)
    (tmp_path / "ports.prolog").write_text("port(p1).\nport(p2).\n")
    (tmp_path / "s.csv").write_text(STREAM)
    out = tmp_path / "out.jsonl"
    code = execute(
        ["run", "--desc", str(tmp_path / "d.prolog"), "--stream", str(tmp_path / "s.csv"),
         "--background", str(tmp_path / "ports.prolog"), "--start", "0", "--end", "20",
         "--merge", "--quiet", "--out", str(out), *options]
    )  # fmt: skip
    assert code == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    return {(r["fluent"], *r["args"], r["value"]): r["intervals"] for r in rows}


EXPECTED = {
    ("alert", "a", "on"): [[6, 19]],
    ("alert", "b", "on"): [[6, None]],
    ("checked", "a", "no"): [[0, None]],
    ("checked", "b", "no"): [[0, 8]],
    ("checked", "b", "yes"): [[8, None]],
    ("free", "a", "true"): [[0, 3], [13, None]],
    ("free", "b", "true"): [[0, None]],
    ("near", "a", "p1", "true"): [[3, 13]],
}


def test_one_window(tmp_path: Path) -> None:
    """Instances come from records (vessels) and from background facts (ports)."""
    assert recognised(tmp_path, "--window", "20", "--step", "20") == EXPECTED


def test_by_changes(tmp_path: Path) -> None:
    """Domains that change with the window, where everything is updated by what has changed."""
    cut = ("--window", "10", "--step", "2")
    by_changes = recognised(tmp_path, *cut, "--incremental", "always")
    assert by_changes == recognised(tmp_path, *cut)
    assert by_changes["alert", "a", "on"] == EXPECTED["alert", "a", "on"]


def test_windows(tmp_path: Path) -> None:
    """Instances that hold something at the window's start stay in the domain."""
    assert recognised(tmp_path, "--window", "10", "--step", "10") == EXPECTED


LATE = """
initiatedAt(on(X)=true, T) :- happensAt(up(X), T).
terminatedAt(on(X)=true, T) :- happensAt(down(X), T).
holdsFor(off(X)=true, I) :- holdsFor(on(X)=true, I1), complement_all([I1], I).
holdsFor(busy(X)=true, I) :- holdsFor(off(X)=true, I1), complement_all([I1], I).
dynamicDomain(device(_)).
grounding(up(X)) :- device(X).
grounding(down(X)) :- device(X).
grounding(off(X)=true) :- device(X).
"""


@pytest.mark.parametrize("incremental", [False, "always"])
@pytest.mark.parametrize(("window", "step"), [(30, 30), (5, 5), (10, 4), (3, 1)])
def test_complements_of_instances_met_late(
    tmp_path: Path, window: int, step: int, incremental: Any
) -> None:
    """What never was on has been off from the start of the run, also if it is seen much later."""
    (tmp_path / "late.prolog").write_text(LATE)
    program = rtec.compile(tmp_path / "late.prolog")
    stream = [
        rtec.Record(name, time, (device,))
        for name, time, device in [
            ("up", 2, "a"), ("down", 14, "a"), ("up", 16, "b"), ("down", 17, "b"), ("up", 22, "a"),
        ]
    ]  # fmt: skip
    found = rtec.run(
        program, stream, window=window, step=step, start=0, end=30, merge=True,
        incremental=incremental,
    )  # fmt: skip
    assert {(r.fluent, *r.args): r.intervals for r in found if r.fluent != "on"} == {
        ("off", "a"): ((0, 3), (15, 23)),
        ("off", "b"): ((0, 17), (18, None)),
        ("busy", "a"): ((3, 15), (23, None)),
        ("busy", "b"): ((17, 18),),
    }
