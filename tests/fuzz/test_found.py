"""What the fuzz tests have found, made small: each must be accepted for ever after."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.outcomes import OUT, accept, call_apart

F = "initiatedAt(f=true, T) :- happensAt(e, T).\n"
V = "initiatedAt(f(X)=true, T) :- happensAt(v(X), T).\n"
E = "e|1|1\n"
NESTED = "f(" * 100_000 + "a" + ")" * 100_000


CASES = [
    pytest.param(F + "holdsFor(g(X)=true, I) :- holdsFor(X=true, I).\n", E, [],
                 id="a variable as a fluent"),
    pytest.param(F + "holdsFor(g=true, I) :- holdsFor(f=true, _), I = 5.\n", E,
                 ["--window", "1", "--step", "1", "--end", "4"],
                 id="a number as intervals"),
    pytest.param("initiatedAt(f=1r3, T) :- happensAt(e, T).\n", E, [], id="a rational number"),
    pytest.param(F + "X :- happensAt(e, _).\n", E, [], id="a variable as a head"),
    pytest.param("a :- " + "b, " * 50_000 + "c.\n", E, [],
                 id="many conditions"),
    pytest.param("collectIntervals(f=true).\nholdsFor(g=true, I) :- holdsFor(f=true, I).\n",
                 "f|1|2|5|true\n", ["--tick", str(2**63)],
                 id="a tick beyond 64 bits"),
    pytest.param(V, f"v|1|1|{NESTED}\n", [],
                 id="an argument nested deeply"),
    pytest.param(V, "v|1|1|f(" + "- " * 100_000 + "a)\n", [], id="an argument of many signs"),
    pytest.param(V + f"x({NESTED}).\n", E, [], id="a fact nested deeply"),
    pytest.param(V + "x :- " + "\\+ " * 100_000 + "a.\n", E, [], id="many negations"),
    pytest.param(V, E, ["--start", str(-(2**63) - 1)], id="a start beyond 64 bits"),
    pytest.param(V, "v|1|1|f(a b)\n", [], id="an argument that is almost a term"),
    pytest.param(V, "v|1|1|f(X,Y)\n", [], id="an argument with variables"),
    pytest.param(F + "initiatedAt(g=true, T) :- happensAt(e, T), union_all(_, _).\n", E, [],
                 id="union of nothing known"),
    pytest.param("initiatedAt(f=true, T) :- happensAt(e, T), throw(oops(_, T)).\n", E, [],
                 id="an exception with variables"),
]  # fmt: skip


@pytest.mark.parametrize(("description", "stream", "flags"), CASES)
def test_it(description: str, stream: str, flags: list[str], tmp_path: Path) -> None:
    (tmp_path / "d.prolog").write_text(description)
    (tmp_path / "s.csv").write_text(stream)
    arguments = ["run", "--desc", "d.prolog", "--stream", "s.csv", "--out", OUT, *flags]
    accept(call_apart(arguments, tmp_path))
