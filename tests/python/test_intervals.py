"""`rtec.intervals`: the algebra on arrays says what Prolog says, and what sets of points say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from interval_lists import (
    IntervalList,
    ask_algebra,
    ask_allen,
    interval_lists,
    points,
    pointwise,
    quadratic,
    related_lists,
)
from rtec import intervals
from rtec.errors import ConfigError
from rtec.intervals import OPEN, Intervals, allen, maximal

OPERATIONS = ("union_all", "intersect_all", "relative_complement_all")


def operate(operation: str, lists: list[IntervalList]) -> Intervals:
    if operation == "relative_complement_all":
        return intervals.relative_complement_all(lists[0], lists[1:])
    return getattr(intervals, operation)(lists)


@given(lists=st.lists(interval_lists, min_size=1, max_size=4))
def test_the_algebra(lists: list[IntervalList]) -> None:
    by_prolog = ask_algebra([(operation, lists) for operation in OPERATIONS])
    for operation, prolog in zip(OPERATIONS, by_prolog, strict=True):
        note(operation)
        found = operate(operation, lists)
        assert found.to_list() == pointwise(operation, lists) == prolog
        assert Intervals.of(found.to_list()) == found  # maximal again


@given(lists=st.one_of(related_lists(), st.tuples(interval_lists, interval_lists)))
def test_allen(lists: tuple[IntervalList, IntervalList]) -> None:
    expected = quadratic(*lists)
    assert {relation for relation, _ in expected} == set(intervals.RELATIONS)
    assert {mode for _, mode in expected} == set(intervals.MODES)
    by_prolog = ask_allen(list(expected), *lists)
    for (relation, mode), prolog in zip(expected, by_prolog, strict=True):
        note(f"{relation} {mode}")
        found = allen(relation, lists[0], lists[1], mode)
        assert found.to_list() == expected[relation, mode] == prolog
        assert Intervals.of(found.to_list()) == found


@given(pairs=st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25))))
def test_maximal(pairs: IntervalList) -> None:
    found = maximal(pairs)
    assert Intervals.of(found.to_list()) == found
    assert points(found.to_list()) == points(pairs)


@given(one=interval_lists)
def test_contains(one: IntervalList) -> None:
    inside = Intervals.of(one).contains(np.arange(26))
    assert set(np.flatnonzero(inside).tolist()) == points(one)


def test_no_lists() -> None:
    assert intervals.union_all([]).to_list() == []
    assert intervals.intersect_all([]).to_list() == []
    assert intervals.relative_complement_all([(1, 2)], []).to_list() == [(1, 2)]


# Forms

LISTED = [(-3, 4), (6, None)]
FORMS = {
    "pairs": LISTED,
    "arrays": (np.array([-3, 6]), np.array([4, OPEN])),
    "columns": np.array([[-3, 4], [6, OPEN]]),
    "float columns": np.array([[-3, 4], [6, np.nan]]),
    "arrow lists": pa.array([[-3, 4], [6, None]]),
    "arrow pairs": pa.array([[-3, 4], [6, None]], pa.list_(pa.int64(), 2)),
    "small arrays": (np.array([-3, 6], np.int16), np.array([4, OPEN])),
    "floats": (np.array([-3.0, 6.0]), np.array([4.0, np.nan])),
    "arrow table": pa.table({"start": [-3, 6], "end": [4, None]}),
    "arrow structs": pa.array([{"start": -3, "end": 4}, {"start": 6, "end": None}]),
    "chunks": pa.chunked_array(
        [[{"start": -3, "end": 4}], [{"start": 6, "end": None}]],
        pa.struct({"start": pa.int64(), "end": pa.int64()}),
    ),
    "pandas": pd.DataFrame({"start": [-3, 6], "end": [4, None]}),
    "pandas integers": pd.DataFrame({"start": [-3, 6], "end": pd.array([4, None], "Int64")}),
    "intervals": Intervals.of(LISTED),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str) -> None:
    found = Intervals.of(FORMS[form])
    assert found.to_list() == LISTED
    assert found.start.dtype == found.end.dtype == np.int64


def test_to_arrow_and_back() -> None:
    table = Intervals.of(LISTED).to_arrow()
    assert table.to_pydict() == {"start": [-3, 6], "end": [4, None]}
    assert Intervals.of(table) == Intervals.of(LISTED)
    assert Intervals.of(table.to_pandas()) == Intervals.of(LISTED)
    assert Intervals.of(Intervals.none().to_arrow()) == Intervals.none()


def test_a_list_is_a_sequence() -> None:
    found = Intervals.of(LISTED)
    assert len(found) == 2
    assert list(found) == LISTED
    assert found[1] == (6, None)
    assert found != Intervals.none() and found != LISTED


# What is wrong with what was given

WRONG = {
    "touching": ([(1, 4), (4, 6)], "out of order, touch or overlap"),
    "out of order": ([(5, 6), (1, 2)], "out of order, touch or overlap"),
    "after an open one": ([(1, None), (8, 9)], "out of order, touch or overlap"),
    "empty": ([(4, 4)], "holds no time-point"),
    "backwards": ([(4, 1)], "holds no time-point"),
    "no pair": ([(1, 2, 3)], "not a pair"),
    "text": ([("a", "b")], "not a time-point"),
    "half": ([(1.5, 2)], "not a time-point"),
    "no start": ([(None, 2)], "not a time-point"),
    "null start": (pa.table({"start": [None, 3], "end": [2, 4]}), "a start is null"),
    "arrow text": (pa.table({"start": ["a"], "end": ["b"]}), "has no time-points"),
    "three columns": (np.array([[1, 2, 3]]), "not a pair"),
    "one column": (np.array([1, 2]), "not a pair"),
    "arrow numbers": (pa.array([1, 2]), "not a pair"),
    "lengths": ((np.array([1, 2]), np.array([3])), "2 starts and 1 ends"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_intervals(name: str) -> None:
    given_, said = WRONG[name]
    with pytest.raises(ConfigError, match=said):
        Intervals.of(given_)


def test_unknown_names() -> None:
    with pytest.raises(ConfigError, match="did you mean `meets`") as relation:
        allen("meet", [], [], "source")
    assert relation.value.problems[0].slug == "unknown-relation"
    with pytest.raises(ConfigError, match="is not an output mode") as mode:
        allen("meets", [], [], "everything")
    assert mode.value.problems[0].slug == "unknown-mode"
