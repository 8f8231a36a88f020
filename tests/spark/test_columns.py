"""What fluents hold, handed over as columns: all kinds of arguments and values, to any engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rtec
from rtec.compiler import compile_description
from rtec.runtime.records import TermText
from rtec.spark import stage_workers
from rtec.spark.columns import Columns, Learnt, Whereabouts
from rtec.spark.package import Moves
from rtec.spark.plan import plan
from rtec.spark.split import part_of_pair
from rtec.spark.staging import FirstPart, StageSession

from spark.local import Row, rows
from spark.parts import in_parts, line

RULES = """
initiatedAt(level(X)=V, T) :- happensAt(set(X, V), T).
initiatedAt(marked(X, M)=true, T) :- happensAt(mark(X, M), T).
terminatedAt(marked(X, M)=true, T) :- happensAt(unmark(X, M), T).
initiatedAt(close(X, Y)=true, T) :- happensAt(meet(X, Y), T).
terminatedAt(close(X, Y)=true, T) :- happensAt(part(X, Y), T).
holdsFor(alike(X, Y, V)=true, I) :-
    holdsFor(close(X, Y)=true, I1),
    holdsFor(level(X)=V, I2),
    holdsFor(level(Y)=V, I3),
    intersect_all([I1, I2, I3], I).
initiatedAt(joint(X, Y)=M, T) :- happensAt(meet(X, Y), T), holdsAt(marked(X, M)=true, T).
holdsFor(state(X)=low, I) :-
    holdsFor(level(X)=1, I1), holdsFor(level(X)=2, I2), union_all([I1, I2], I).
holdsFor(state(X)=high, I) :-
    holdsFor(level(X)=8, I1), holdsFor(level(X)=9, I2), union_all([I1, I2], I).
holdsFor(same(X, Y, V)=true, I) :-
    holdsFor(close(X, Y)=true, I1),
    holdsFor(state(X)=V, I2),
    holdsFor(state(Y)=V, I3),
    intersect_all([I1, I2, I3], I).
"""
"""The values of `state` are two steps, with a store each."""
OBJECTS = ["a", "B c", 7, 2.5, 7.0, "it's", "ä", TermText("f(a)"), TermText("f(b)")]


def records(objects: list[Any]) -> list[rtec.Record]:
    found = []
    for n, x in enumerate(objects):
        y = objects[(n + 1) % len(objects)]
        found += [rtec.Record("set", 3 * t + n, (x, (t + n) % 11)) for t in range(1, 12)]
        found += [rtec.Record("mark", 2 + n, (x, "m")), rtec.Record("unmark", 25, (x, "m"))]
        found += [rtec.Record("meet", t + n, (x, y)) for t in (2, 14)]
        found += [rtec.Record("part", 10 + n, (x, y))]
    return found


def in_parts_and_whole(
    program: rtec.Program, own: list[rtec.Record], end: int, parts: int, folder: Path
) -> tuple[list[Row], list[Row]]:
    """What the parts of a job report together, and what a run without parts does."""
    found = in_parts(program, plan(program), own, Moves(20, 10, 0, end), parts)
    stream = folder / "stream.csv"
    stream.write_text("".join(line(record) + "\n" for record in own))
    whole = rtec.run(program, stream, window=20, step=10, start=0, end=end)
    return found, rows(whole.to_arrow().to_pylist())


@pytest.mark.parametrize("objects", [OBJECTS, OBJECTS[:3], [1, 2, 3, 4]])
@pytest.mark.parametrize("taken", ["as columns", "told anew", "as rows", "after a refusal"])
def test_any_engine_takes_them(
    tmp_path: Path, objects: list[Any], taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rules.prolog"
    path.write_text(RULES)
    program = compile_description(path, cached=False)
    given = StageSession._give

    def give(self: StageSession, stores: Any, joined: Any, texts: Any, columns: Any) -> bool:
        if taken == "after a refusal" and columns:
            return False
        assert not columns or taken in ("as columns", "told anew")
        return given(self, stores, joined, texts, columns)

    def plain(self: StageSession, stores: Any, several: Any) -> None:
        if taken == "as rows":
            self._columns = None
        whole(self, stores, several)

    whole = StageSession.give
    monkeypatch.setattr(StageSession, "_give", give)
    monkeypatch.setattr(StageSession, "give", plain)
    if taken == "told anew":  # as in live queries
        monkeypatch.setattr(stage_workers, "FirstPart", lambda *args, **_: FirstPart(*args))
    how = plan(program)
    assert how.stages is not None and how.stages.second and how.alone is None
    own = records(objects)
    found, expected = in_parts_and_whole(program, own, 50, 3, tmp_path)
    assert found == expected
    assert {row[1] for row in found} >= {"alike", "joint", "same"}


@pytest.mark.parametrize("is_remembered", [True, False])
def test_a_store_that_has_no_columns_for_a_while(
    tmp_path: Path, is_remembered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compound in it goes another way; when it is gone, names are still known."""
    path = tmp_path / "rules.prolog"
    path.write_text(RULES)
    program = compile_description(path, cached=False)
    if not is_remembered:
        monkeypatch.setattr(stage_workers, "FirstPart", lambda *args, **_: FirstPart(*args))
    own = [rtec.Record(name, 12 + t, ("a0", TermText("f(a)")))
           for t, name in [(0, "mark"), (2, "unmark")]]  # fmt: skip
    for n in range(80):
        pair = (f"a{n}", f"b{n}")
        own += [rtec.Record("mark", 2, (x, "m")) for x in pair]
        own += [rtec.Record("meet", 5 * t, pair) for t in range(14)]
        own += [rtec.Record("part", 5 * t + 4, pair) for t in range(14)]
        own += [rtec.Record("meet", 55, (f"a{n}", f"b{(n + 1) % 80}"))]
    found, expected = in_parts_and_whole(program, own, 70, 2, tmp_path)
    assert found == expected


def test_a_store_that_has_no_columns_and_then_others(tmp_path: Path) -> None:
    """What comes after the compound has other names than what was there before."""
    path = tmp_path / "rules.prolog"
    path.write_text(RULES)
    program = compile_description(path, cached=False)
    levels = [(3, 1), (5, 2), (15, TermText("f(a)")), (45, 3), (85, 4)]
    own = [rtec.Record("set", t, (x, level)) for x in "ab" for t, level in levels]
    own += [rtec.Record("meet", 2, ("a", "b"))]
    found, expected = in_parts_and_whole(program, own, 120, 2, tmp_path)
    assert found == expected
    assert {row[3] for row in found if row[1] == "level"} >= {"1", "2", "3", "4"}


def test_names_are_told_again_when_others_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rules.prolog"
    path.write_text(RULES)
    program = compile_description(path, cached=False)
    told: dict[tuple[str, int], set[int]] = {}
    learn = Learnt.learn

    def noted(self: Learnt, columns: Columns, arity: int) -> None:
        told.setdefault((columns.predicate, columns.source), set()).add(columns.epoch)
        learn(self, columns, arity)

    monkeypatch.setattr(Learnt, "learn", noted)
    monkeypatch.setattr(Learnt, "rows", lambda *_: pytest.fail("the engine did not take columns"))
    # New objects come and go; one comes back again and again.
    own = [
        record
        for n in range(300)
        for x, y in [(f"o{n}", f"o{n + 1}"), ("buoy", f"o{n}")]
        for record in [
            rtec.Record("set", 5 * n, (x, n % 7)), rtec.Record("set", 5 * n, (y, n % 7)),
            rtec.Record("mark", 5 * n, (x, f"m{n}")),
            rtec.Record("unmark", 5 * n + 8, (x, f"m{n}")),
            rtec.Record("meet", 5 * n + 1, (x, y)), rtec.Record("part", 5 * n + 9, (x, y)),
        ]
    ]  # fmt: skip
    found, expected = in_parts_and_whole(program, own, 1500, 2, tmp_path)
    assert found == expected and found
    assert max(map(len, told.values())) > 1 and not any(0 in epochs for epochs in told.values())


def columns(epoch: int, keys: list[Any], values: list[Any], cells: list[list[int]]) -> Columns:
    spans = np.arange(2 * sum(count for _, _, count in cells))
    spans[-1] = 2**63 - 1
    data = np.array(cells, np.uint32).tobytes()
    return Columns("holds_f", 3, epoch, keys, values, data, spans.tobytes())


def test_columns_as_rows() -> None:
    learnt = Learnt()
    first = columns(9, [4, "a", 1, 7, "b", 2], [5, "x", 2, 5], [[4, 2, 2], [7, 5, 1]])
    learnt.learn(first, 2)
    assert list(learnt.rows(first)) == [["a", 1, 5, [0, 1, 2, 3]], ["b", 2, "x", [4, "inf"]]]
    later = columns(9, [1, "c", 3], [], [[1, 5, 1], [4, 5, 1]])
    learnt.learn(later, 2)
    assert [row[:3] for row in learnt.rows(later)] == [["c", 3, "x"], ["a", 1, "x"]]
    learnt.learn(columns(10, [4, "z", 1], [5, "y"], [[4, 5, 1]]), 2)
    assert [row[:3] for row in learnt.rows(columns(10, [], [], [[4, 5, 1]]))] == [["z", 1, "y"]]
    with pytest.raises(KeyError):
        list(learnt.rows(columns(10, [], [], [[7, 5, 1]])))


def test_whereabouts_tell_numbers_and_terms_apart() -> None:
    where = Whereabouts(2, everyone=[1], owns=lambda items: False)
    for item in [7, 7.0, "f(a)", TermText("f(a)"), *range(100, 200)]:
        where.number((item,))
    where.add(7.0, 0)
    where.add(TermText("f(a)"), 1)
    numbers = [where.number(i) for i in ((), (7,), (7.0,), ("f(a)",), (TermText("f(a)"),))]
    assert where.parts[numbers].T.tolist() == [
        [False, False, True, False, False], [True, False, False, False, True],
    ]  # fmt: skip


def test_a_pair_goes_to_its_part_from_the_part_that_owns_it() -> None:
    where = Whereabouts(3, everyone=[], owns=lambda items: items[0] == "tug")
    own, other = where.number(("tug", "ferry")), where.number(("ferry", "tug"))
    part = part_of_pair(("tug", "ferry"), 3)
    assert where.parts[own].tolist() == [part == 0, part == 1, part == 2]
    assert not where.parts[other].any()
