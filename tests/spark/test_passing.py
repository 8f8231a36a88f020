"""Records about pairs on their way to the second stage, and who is told of their objects."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rtec.compiler import compile_description
from rtec.runtime.buffer import Due
from rtec.runtime.records import RecordBatch, TermText
from rtec.spark.meetings import by_part, members
from rtec.spark.passing import Passing, together
from rtec.spark.plan import plan
from rtec.spark.split import PairPlaces, Places, Split, part_of, part_of_pair

RULES = """
initiatedAt(armed(X)=true, T) :- happensAt(arm(X), T).
initiatedAt(duel(X, Y)=true, T) :-
    happensAt(meet(X, Y), T), holdsAt(armed(X)=true, T), holdsAt(armed(Y)=true, T).
terminatedAt(duel(X, Y)=true, T) :- happensAt(part(X, Y), T).
"""
COPIED = "initiatedAt(met(X)=true, T) :- happensAt(meet(X, _), T).\n"


def split_of(tmp_path: Path, rules: str) -> Split:
    path = tmp_path / "duels.prolog"
    path.write_text(rules)
    return Split.of(plan(compile_description(path, cached=False)), 3)


def batch(name: str, rows: list[tuple[int, str, str]]) -> RecordBatch:
    times = np.array([time for time, _, _ in rows], np.int64)
    columns = zip(*(pair for _, *pair in rows), strict=True)
    args = tuple(np.array(column, object) for column in columns)
    return RecordBatch(name, "event", times, times, args)


def test_records_of_pairs_that_only_the_second_stage_reads_are_passed_on(tmp_path: Path) -> None:
    split = split_of(tmp_path, RULES)
    assert split.passed == {("event", "meet", 2), ("event", "part", 2)}
    assert [name for _, name, _ in split.feeds] == ["armed"]
    copied = split_of(tmp_path, RULES + COPIED)
    assert copied.passed == {("event", "part", 2)}
    assert ("event", "meet", 2) in copied.copied
    assert ("event", "meet", 2) in copied.feeds


def test_each_record_goes_to_the_part_of_its_pair(tmp_path: Path) -> None:
    rows = [(t, f"a{t % 5}", f"b{t % 7}") for t in range(40)]
    own = RecordBatch("arm", "event", np.arange(2), np.arange(2), (np.array(["a1", "a2"], object),))
    due = Due([own, batch("meet", rows)], [batch("meet", rows[:3])])
    kept, passed = Passing(split_of(tmp_path, RULES)).apart(due)
    assert [b.name for b in kept.insert] == ["arm"]
    assert not kept.retract
    for target, there in passed.items():
        wanted = [row for row in rows if part_of_pair(row[1:], 3) == target]
        assert [(r.time, *r.args) for b in there.insert for r in b.records()] == wanted
        taken_back = [(r.time, *r.args) for b in there.retract for r in b.records()]
        assert taken_back == [row for row in rows[:3] if row in wanted]
    joined = together(passed.values())
    assert sum(map(len, joined.insert)) == len(rows)
    assert sum(map(len, joined.retract)) == 3


@pytest.mark.parametrize("first", [["a", "a", "b"], [7, 7.0, TermText("f(x)")]])
def test_members_are_told_once_to_the_part_of_the_object(first: list[object]) -> None:
    second = ["c", "c", "c"]
    met = members([first, second], PairPlaces(2))
    assert len(met) == len({(item, type(item), part) for item, part in met})
    told = by_part(met, Places(3))
    assert sum(map(len, told.values())) == len(met)
    assert {part for part, own in told.items() for item, _ in own if item == "c"} == {
        part_of("c", 3)
    }
