"""Hooks of existing background files: preProcessing/1 and what it may call, with --trust."""

from __future__ import annotations

import json
from pathlib import Path

from rtec.cli import execute

RULES = """
holdsFor(together(A,B)=true, I) :-
    holdsFor(close(A,B)=true, I).
points(coord(_,_)=true).
collectIntervals(close(_,_)=true).
"""
BACKGROUND = """
:- dynamic near/3.
preProcessing(Q) :-
    retractall(iePList(_, close(_,_)=true, _, _)),
    findall(T, both_near(a, b, T), Ts),
    makeIntervalsFromAllPoints(Ts, 1, Q, [], Is),
    assertz(iePList(a, close(a,b)=true, Is, [])).
both_near(A, B, T) :-
    holdsAtIE(coord(A,X)=true, T),
    holdsAtIE(coord(B,Y)=true, T),
    abs(X-Y) < 5,
    queryTime(Q),
    T =< Q.
"""


def results(tmp_path: Path, *options: str) -> list[dict[str, object]]:
    (tmp_path / "d.prolog").write_text(RULES)
    (tmp_path / "b.prolog").write_text(BACKGROUND)
    lines = [f"coord|{t}|{t}|true|{p}|{x}" for t in range(1, 13) for p, x in (("a", t), ("b", 8))]
    (tmp_path / "s.csv").write_text("\n".join(lines) + "\n")
    out = tmp_path / "out.jsonl"
    code = execute(
        ["run", "--desc", str(tmp_path / "d.prolog"), "--background", str(tmp_path / "b.prolog"),
         "--stream", str(tmp_path / "s.csv"), "--start", "0", "--end", "12", "--merge", "--quiet",
         "--out", str(out), *options]
    )  # fmt: skip
    assert code == 0
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_published_intervals_keep_their_start_across_windows(tmp_path: Path) -> None:
    """a is within 5 of b from 4 to 12, and still at the end."""
    whole = results(tmp_path, "--trust", "--window", "20", "--step", "20")
    assert [r["intervals"] for r in whole] == [[[4, None]]]
    assert results(tmp_path, "--trust", "--window", "4", "--step", "4") == whole
