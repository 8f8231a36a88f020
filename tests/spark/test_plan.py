"""Partition plans: what descriptions can be split by, and which rule keeps others whole."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner
from rtec.cli import cli
from rtec.compiler.source_files import read_description
from rtec.spark.plan import PartitionPlan, derive
from rtec.spark.split import Split

from spark.local import bundled


def planned(folder: Path, text: str) -> PartitionPlan:
    path = folder / "rules.prolog"
    path.write_text(text)
    return derive(read_description([path]))


def keys(plan: PartitionPlan) -> dict[str, tuple[tuple[int, ...], ...]]:
    return {name: paths for (_, name, _), paths in plan.keys.items()}


def names(entities: Iterable[tuple[str, str, int]]) -> set[str]:
    return {name for _, name, _ in entities if not name.startswith("rtec_aux")}


def test_maritime_has_a_stage_of_vessels_and_one_of_pairs() -> None:
    from rtec.spark.plan import plan

    found = plan(bundled("maritime").program)
    assert found.stages is not None and found.warning is None
    pairs = {"tugging", "pilotBoarding", "rendezVous", "suspiciousRendezVous"}
    assert names(found.stages.second) == pairs
    assert "trawling" in names(found.stages.first)
    assert {"proximity", "towingSpeed", "gap"} <= names(found.stages.feeds)
    assert keys(found)["proximity"] == ((0,), (1,))
    assert keys(found)["velocity"] == ((0,),)


def test_one_key(tmp_path: Path) -> None:
    found = planned(
        tmp_path,
        "initiatedAt(f(X)=true, T) :- happensAt(a(_, X), T), \\+ holdsAt(g(X)=true, T).\n"
        "initiatedAt(g(X)=true, T) :- happensAt(b(X), T).\n",
    )
    assert keys(found)["a"] == ((1,),)
    assert not found.relational and not found.whole
    assert found.stages is not None and not found.stages.second


FIRST = "initiatedAt(f(X)=true, T) :- happensAt(a(X), T).\n"
SHARED = {
    "records only": (FIRST, False),
    "holds initially": (FIRST + "initially(f(X)=true) :- known(X).\n", True),
    "complement of nothing": (
        FIRST + "holdsFor(g(X)=true, I) :-\n"
        "    known(X), holdsFor(f(X)=true, J), complement_all([J], I).\n",
        True,
    ),
    "about everybody": (FIRST + "initiatedAt(h=true, T) :- happensAt(b, T).\n", True),
    "copied to both": (
        FIRST + "initiatedAt(f(Y)=true, T) :- happensAt(meet(_, Y), T).\n"
        "initiatedAt(g(X)=true, T) :- happensAt(meet(X, _), T).\n",
        True,
    ),
}


@pytest.mark.parametrize("case", SHARED.values(), ids=SHARED)
def test_whether_several_parts_may_find_the_same(tmp_path: Path, case: tuple[str, bool]) -> None:
    text, shared = case
    assert Split.of(planned(tmp_path, text), 2).shared is shared


ALONE = {
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


@pytest.mark.parametrize("case", ALONE.values(), ids=ALONE)
def test_needs_one_partition_for_some_rule(tmp_path: Path, case: tuple[str, int]) -> None:
    text, line = case
    found = planned(tmp_path, text)
    assert found.warning is not None and found.warning.severity == "warning"
    assert found.warning.place is not None and found.warning.place.line == line


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
    assert planned(tmp_path, text).warning is None


def test_what_cannot_be_split_at_all(tmp_path: Path) -> None:
    found = planned(tmp_path, "initiatedAt(f=true, T) :- happensAt(e(_), T).\n")
    assert found.whole and found.fault is not None


def test_command() -> None:
    shown = CliRunner().invoke(cli, ["spark", "plan", "--desc", "maritime.prolog"]).output
    assert "first stage, by Vessel" in shown and "second stage, by pairs" in shown
    assert "proximity/2" in shown and "maritime.prolog:" in shown
    shown = CliRunner().invoke(cli, ["spark", "plan", "--desc", "activity.prolog"]).output
    assert "second stage, in one partition" in shown and "activity.prolog:29" in shown
    shown = CliRunner().invoke(cli, ["spark", "plan", "--desc", "netbill.prolog"]).output
    assert "groups of objects that meet" in shown
    shown = CliRunner().invoke(cli, ["spark", "plan", "--desc", "phage.prolog"]).output
    assert "one partition: the stream cannot be split" in shown
