"""Answers from memory: entries and intervals as the library in C keeps them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import rtec
from rtec.runtime.held import HeldStores

OPEN = np.iinfo(np.int64).max


class Memory:
    """A store as it would stand in C."""

    def __init__(self, entries: list[tuple[int, int, int, int]], spans: list[int]) -> None:
        self.entries = np.array(entries, np.uint32)
        self.spans = np.array(spans, np.int64)

    def told(self, name: str, epoch: int, keys: list[Any], values: list[Any]) -> list[Any]:
        places = [self.entries.ctypes.data, self.spans.ctypes.data]
        return [name, epoch, len(self.entries), *places, keys, values]


def test_rows() -> None:
    memory = Memory([(4, 9, 0, 2), (7, 9, 2, 1)], [1, 4, 6, 8, 5, OPEN])
    found = HeldStores().rows([memory.told("f", 1, [4, ["a", 3], 7, ["b", 2.5]], [9, "true"])])
    assert found == [
        ("f", ["a", 3], "true", [1, 4, 6, 8]),
        ("f", ["b", 2.5], "true", [5, "inf"]),
    ]


def test_names_last_as_long_as_their_epoch() -> None:
    stores = HeldStores()
    memory = Memory([(0, 1, 0, 1)], [1, 4])
    stores.rows([memory.told("f", 1, [0, ["a"]], [1, "on"])])
    assert stores.rows([memory.told("f", 1, [], [])]) == [("f", ["a"], "on", [1, 4])]
    assert stores.rows([memory.told("f", 2, [0, ["b"]], [1, "off"])]) == [
        ("f", ["b"], "off", [1, 4])
    ]


def test_what_nobody_sees_and_what_is_empty() -> None:
    stores = HeldStores()
    memory = Memory([(0, 1, 0, 1), (0, 2, 1, 1)], [1, 4, 4, 9])
    found = stores.rows([memory.told("f", 1, [0, []], [1, None, 2, "on"])])
    assert found == [("f", [], "on", [4, 9])]
    assert stores.rows([Memory([], []).told("f", 1, [], [])]) == []


def test_many_instances_come_and_go() -> None:
    """Terms get new numbers in between; as many answers as records say so."""
    program = rtec.compile("toy.prolog")
    session = rtec.Session(program, window=10)
    for number in range(60):
        at = 10 * number + 5
        people = [f"p{number}_{i}" for i in range(100)]
        session.insert(rtec.Record("win_lottery", at, (who,)) for who in people)
        session.insert(rtec.Record("lose_wallet", at + 2, (who,)) for who in people)
        found = [r for r in session.query(10 * (number + 1)) if r.fluent == "rich"]
        assert sorted(r.args[0] for r in found) == sorted(people)
        assert {r.intervals for r in found} == {((at + 1, at + 3),)}
    session.close()


def test_a_store_that_is_partly_facts_for_a_while(tmp_path: Path) -> None:
    """One value has an instance that does not fit into C; when it is gone, the others are known."""
    path = tmp_path / "rules.prolog"
    path.write_text("""
    initiatedAt(level(X)=V, T) :- happensAt(set(X, V), T).
    initiatedAt(lift(X)=V, T) :- happensAt(up(X, V), T).
    holdsFor(state(X)=low, I) :- holdsFor(level(X)=1, I1), union_all([I1], I).
    holdsFor(state(X)=high, I) :- holdsFor(lift(X)=8, I1), union_all([I1], I).
    """)
    session = rtec.Session(rtec.compile(path), window=10)
    session.insert([rtec.Record("set", 1, (who, 1)) for who in ("a", "b")])
    session.insert([rtec.Record("up", 21, (2**70, 8)), rtec.Record("up", 23, (2**70, 2))])
    seen = [
        {(r.args[0], r.value) for r in session.query(q) if r.fluent == "state"}
        for q in range(10, 60, 10)
    ]
    session.close()
    always = {("a", "low"), ("b", "low")}
    assert seen == [always, always, always | {(2**70, "high")}, always, always]
