"""Cases of the language that need care, each over one window and over several."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rtec.cli import execute


def merged(folder: Path, rules: str, stream: str, *options: str) -> dict[tuple[Any, ...], Any]:
    """Intervals and time-points by name, arguments and value, over the whole run."""
    (folder / "d.prolog").write_text(rules)
    (folder / "s.csv").write_text(stream)
    out = folder / "out.jsonl"
    arguments = ["run", "--desc", str(folder / "d.prolog"), "--stream", str(folder / "s.csv")]
    arguments += ["--start", "0", "--end", "40", "--merge", "--quiet", "--out", str(out)]
    assert execute([*arguments, *options]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    return {
        (r.get("fluent") or r["event"], *r["args"], r.get("value", "at")): r.get(
            "intervals", r.get("times")
        )
        for r in rows
    }


SWITCHES = """
initiatedAt(a(X)=true,T) :- happensAt(a_on(X),T).
terminatedAt(a(X)=true,T) :- happensAt(a_off(X),T).
initiatedAt(b(X)=true,T) :- happensAt(b_on(X),T).
"""
SWITCHED = "a_on|1|1|x\na_off|4|4|x\na_on|21|21|x\na_off|27|27|x\nb_on|33|33|x\n"

CASES = {
    "before remembers its source": (
        SWITCHES + "holdsFor(late(X)=true,I) :- holdsFor(a(X)=true,S), holdsFor(b(X)=true,T), "
        "allen(before,S,T,target,I).",
        SWITCHED,
        {("late", "x", "true"): [[34, None]]},
    ),
    "a complement lasts": (
        SWITCHES + "holdsFor(no_a(X)=true,I) :- holdsFor(a(X)=true,S), complement_all([S],I).",
        SWITCHED,
        {("no_a", "x", "true"): [[0, 2], [5, 22], [28, None]]},
    ),
    "another fluent makes a default known": (
        """
        initially(door(_)=closed).
        initiatedAt(door(D)=open,T) :- happensAt(open(D),T).
        initiatedAt(lamp(D)=on,T) :- happensAt(on(D),T).
        holdsFor(dark(D)=true,I) :-
            holdsFor(door(D)=closed,I1), holdsFor(lamp(D)=on,I2),
            relative_complement_all(I1,[I2],I).
        """,
        "on|13|13|back\nopen|25|25|back\n",
        {("dark", "back", "true"): [[0, 14]], ("door", "back", "closed"): [[0, 26]]},
    ),
    "heads that differ in a constant": (
        """
        holdsFor(close(A,24)=true,I) :- holdsFor(dist(A)=near,I).
        holdsFor(close(A,25)=true,I) :-
            holdsFor(close(A,24)=true,I1), holdsFor(dist(A)=mid,I2), union_all([I1,I2],I).
        collectIntervals(dist(_)=_).
        """,
        "dist|1|1|5|near|x\ndist|5|5|18|mid|x\n",
        {("close", "x", 24, "true"): [[1, 5]], ("close", "x", 25, "true"): [[1, 18]]},
    ),
    "a pattern breaks instances that nobody met": (
        """
        initiatedAt(f(a,b)=low,T) :- happensAt(e,T).
        terminatedAt(f(_,_)=_,T) :- happensAt(r,T).
        initiatedAt(g=true,T) :- happensAt(r,T), terminatedAt(f(a,a)=low,T).
        """,
        "r|3|3\n",
        {("g", "true"): [[4, None]]},
    ),
    "a fact of an output event": (
        "happensAt(fixed,25).\ninitiatedAt(f=true,T) :- happensAt(fixed,T).",
        "",
        {("fixed", "at"): [25], ("f", "true"): [[26, None]]},
    ),
    "groundings of output events": (
        """
        happensAt(call(P),T) :- happensAt(alarm,T), P > 1.
        grounding(call(P)) :- member(P,[1,2,3]).
        """,
        "alarm|9|9\n",
        {("call", 2, "at"): [9], ("call", 3, "at"): [9]},
    ),
    "initiatedAt of an input fluent is its start": (
        """
        initiatedAt(f=true,T) :- initiatedAt(i=on,T).
        terminatedAt(f=true,T) :- terminatedAt(i=on,T).
        collectIntervals(i=on).
        """,
        "i|5|5|9|on\n",
        {("f", "true"): [[5, 9]]},
    ),
}


ONE, SEVERAL = ("--window", "40", "--step", "40"), ("--window", "10", "--step", "10")


@pytest.mark.parametrize("windows", [ONE, SEVERAL], ids=["one", "several"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_case(
    case: tuple[str, str, dict[tuple[Any, ...], Any]], windows: tuple[str, ...], tmp_path: Path
) -> None:
    rules, stream, expected = case
    found = merged(tmp_path, rules, stream, *windows)
    assert {key: found.get(key) for key in expected} == expected
