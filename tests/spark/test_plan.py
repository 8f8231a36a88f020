"""Partition plans: what descriptions can be split by, and which rule keeps others whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from rtec.cli import cli
from rtec.compiler import read_description
from rtec.spark.plan import PartitionPlan, derive

from spark.local import bundled


def planned(folder: Path, text: str) -> PartitionPlan:
    path = folder / "rules.prolog"
    path.write_text(text)
    return derive(read_description([path]))


def keys(plan: PartitionPlan) -> dict[str, tuple[tuple[int, ...], ...]]:
    return {name: paths for (_, name, _), paths in plan.keys.items()}


def test_maritime_is_split_by_vessels_that_meet() -> None:
    from rtec.spark.plan import plan

    found = plan(bundled("maritime").program)
    assert found.relational and not found.whole and not found.spontaneous
    assert keys(found)["proximity"] == ((0,), (1,))
    assert keys(found)["velocity"] == ((0,),)
    assert found.feeds[("fluent", "tugging", 2)] == (("fluent", "towingSpeed", 1),)


def test_one_key(tmp_path: Path) -> None:
    found = planned(
        tmp_path,
        "initiatedAt(f(X)=true, T) :- happensAt(a(_, X), T), \\+ holdsAt(g(X)=true, T).\n"
        "initiatedAt(g(X)=true, T) :- happensAt(b(X), T).\n",
    )
    assert keys(found)["a"] == ((1,),)
    assert not found.relational and not found.whole


REFUSED = {
    "counts over all": (
        "initiatedAt(crowd=true, T) :-\n"
        "    happensAt(enter(_), T),\n"
        "    findall(X, holdsAt(inside(X)=true, T), Xs), length(Xs, N), N > 3.\n"
        "initiatedAt(inside(X)=true, T) :- happensAt(enter(X), T).\n",
        1,
    ),
    "joins without a shared key": (
        "initiatedAt(near(X, Y)=true, T) :-\n"
        "    happensAt(at(X, P), T), happensAt(at(Y, Q), T), X @< Y, abs(P-Q) < 5.\n",
        1,
    ),
    "joins through background": (
        "initiatedAt(a(X)=true, T) :- happensAt(e(X), T).\n"
        "initiatedAt(b(X)=true, T) :-\n"
        "    happensAt(e(X), T), partner(X, Y), holdsAt(a(Y)=true, T).\n"
        "partner(1, 2).\n",
        2,
    ),
    "a keyed event that acts on everybody": (
        "initiatedAt(a(X)=true, T) :- happensAt(e(X), T).\n"
        "terminatedAt(a(_)=true, T) :- happensAt(stop(Y), T), happensAt(e(Y), T).\n",
        2,
    ),
    "a complement over pairs": (
        "holdsFor(apart(X, Y)=true, I) :- holdsFor(met(X, Y)=true, J), complement_all([J], I).\n"
        "initiatedAt(met(X, Y)=true, T) :- happensAt(meet(X, Y), T).\n"
        "terminatedAt(met(X, Y)=true, T) :- happensAt(gone(X), T), happensAt(gone(Y), T).\n",
        1,
    ),
    "counted before it is bound": (
        "initiatedAt(a(X)=true, T) :- happensAt(e(X), T).\n"
        "initiatedAt(b(X)=true, T) :-\n"
        "    happensAt(e(X), T), \\+ holdsAt(a(Y)=true, T), happensAt(m(X, Y), T).\n",
        2,
    ),
    "conditions in a plain predicate": (
        "initiatedAt(a(X)=true, T) :- happensAt(e(X), T), busy(T).\n"
        "busy(T) :- happensAt(e(_), T).\n",
        1,
    ),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_needs_the_whole_stream(tmp_path: Path, case: tuple[str, int]) -> None:
    text, line = case
    found = planned(tmp_path, text)
    assert found.whole
    assert found.fault is not None and found.fault.severity == "warning"
    assert found.fault.place is not None and found.fault.place.line == line


ACCEPTED = {
    "a keyless event": "initiatedAt(a(X)=true, T) :- happensAt(e(X), T).\n"
    "terminatedAt(a(_)=true, T) :- happensAt(reset, T).\n",
    "pairs that meet": "initiatedAt(a(X)=true, T) :- happensAt(e(X), T).\n"
    "initiatedAt(b(X, Y)=true, T) :-\n"
    "    happensAt(meet(X, Y), T), holdsAt(a(X)=true, T), \\+ holdsAt(a(Y)=true, T).\n"
    "terminatedAt(b(X, _)=true, T) :- happensAt(e(X), T).\n",
    "counting around one object": "initiatedAt(a(X)=true, T) :-\n"
    "    happensAt(e(X), T), findall(Y, holdsAt(b(X, Y)=true, T), Ys), length(Ys, 2).\n"
    "initiatedAt(b(X, Y)=true, T) :- happensAt(m(X, Y), T).\n",
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_can_be_split(tmp_path: Path, text: str) -> None:
    assert not planned(tmp_path, text).whole


def test_command() -> None:
    shown = CliRunner().invoke(cli, ["spark", "plan", "--desc", "maritime.prolog"]).output
    assert "split by groups of objects that meet: Vessel" in shown
    assert "proximity/2" in shown and "maritime.prolog:" in shown
    shown = CliRunner().invoke(cli, ["spark", "plan", "--desc", "activity.prolog"]).output
    assert "one partition" in shown and "activity.prolog:" in shown
