"""Many growing series at once: as each alone."""

from __future__ import annotations

import pickle

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtec.errors import StreamError
from rtec.prob import Durations, Opiec, OpiecMany
from rtec.prob.series import RowError


@given(
    st.integers(0, 2**32),
    st.lists(st.integers(0, 60), min_size=1, max_size=6),
    st.sampled_from([None, 1, 5, 40]),
    st.booleans(),
)
def test_many_streams_are_as_each_alone(
    seed: int, lengths: list[int], bound: int | None, keep: bool
) -> None:
    rng = np.random.default_rng(seed)
    many = OpiecMany(0.5, bound=bound, keep=keep)
    alone: dict[str, Opiec] = {}
    for _ in range(4):
        rows: list[tuple[str, int, float]] = []
        for k, length in enumerate(rng.permutation(lengths).tolist()):
            name = f"s{k}"
            if length:
                stream = alone.setdefault(name, Opiec(0.5, bound=bound, keep=keep))
                begin = 1 if stream.last is None else stream.last[0] + int(rng.integers(1, 3))
                probs = np.clip(np.round(rng.normal(0.4, 0.3, length), 1), 0, 1).tolist()
                rows += [(name, begin + i, prob) for i, prob in enumerate(probs)]
        rows.sort(key=lambda row: row[1])
        columns = list(zip(*rows, strict=True)) or [(), (), ()]
        found = many.update(
            {
                "series": pa.array(columns[0], pa.string()),
                "time": pa.array(columns[1], pa.int64()),
                "prob": pa.array(columns[2], pa.float64()),
            }
        )
        ending = set()
        for name in {row[0] for row in rows}:
            mine = [row for row in rows if row[0] == name]
            new = alone[name].update([row[2] for row in mine], [row[1] for row in mine])
            ending |= {(name, s, e) for s, e in new}
        table = found.to_arrow()
        names = table["series"].to_pylist()
        assert ending == set(
            zip(names, table["start"].to_pylist(), table["end"].to_pylist(), strict=True)
        )
        assert len(ending) == table.num_rows
        for name, stream in alone.items():
            assert many[name].support_set() == stream.support_set()
            assert list(many[name].intervals()) == list(stream.intervals())
            assert many[name].sum == stream.sum


def test_rows_without_times_follow_what_came_before() -> None:
    many = OpiecMany(0.5)
    many.update({"series": ["a", "b", "a"], "prob": [0, 1, 0.5]})
    found = many.update({"series": ["a", "b"], "prob": [0.7, 0.2]})
    assert [tuple(row.values())[:3] for row in found.to_arrow().to_pylist()] == [
        ("a", 2, 3),
        ("b", 1, 2),
    ]


def test_batches_may_be_arrow() -> None:
    table = pa.table({"series": [4, 4], "time": [1, 2], "prob": [0.5, 0.4]})
    for batch in (table, table.to_batches()[0]):
        assert OpiecMany(0.5).update(batch).to_arrow()["series"].to_pylist() == [4]
    typed = OpiecMany(0.5)
    typed.update(table)
    assert typed.intervals().to_arrow().schema.field("series").type == pa.int64()


def test_a_bad_row_changes_nothing() -> None:
    many = OpiecMany(0.5)
    many.update({"series": ["a", "b"], "time": [5, 5], "prob": [0.5, 0.5]})
    before = pickle.dumps(many)
    with pytest.raises(RowError, match="row 3, column `time`: time-point 5 is there twice"):
        many.update({"series": ["b", "c", "a"], "time": [6, 1, 5], "prob": [0.5] * 3})
    with pytest.raises(RowError, match="row 2, column `prob`: 2.0 is not a probability"):
        many.update({"series": ["b", "c"], "time": [6, 1], "prob": [0.5, 2]})
    with pytest.raises(RowError, match="row 2, column `time`: .* time-points are missing"):
        many.update({"series": ["b", "a"], "time": [6, 10**9], "prob": [0.5, 0.2]})
    assert pickle.dumps(many) == before
    assert "c" not in many


def test_columns_are_checked() -> None:
    many = OpiecMany(0.5)
    with pytest.raises(StreamError, match="column `prob` is missing"):
        many.update({"series": ["a"], "time": [1]})
    with pytest.raises(StreamError, match="column `probability` is not known"):
        many.update({"series": ["a"], "prob": [1], "probability": [0.5]})


def test_series_draw_from_generators_of_their_own() -> None:
    rng = np.random.default_rng(3)
    values = np.round(rng.random((300, 4)) * 0.7, 2)
    settings = {"bound": 4, "durations": Durations(10, 8), "rng": 7}
    rowwise, blockwise = OpiecMany(0.5, **settings), OpiecMany(0.5, **settings)
    names = list("abcd")
    for row in values:
        rowwise.update({"series": names, "prob": row})
    for name, column in zip(names, values.T, strict=True):
        for value in column:
            blockwise.update({"series": [name], "prob": [value]})
    for name in names:
        assert rowwise[name].support_set() == blockwise[name].support_set()


def test_a_series_that_has_ended_can_be_dropped() -> None:
    many = OpiecMany(0.5)
    many.update({"series": ["a", "b"], "prob": [1, 1]})
    many.drop("a")
    assert len(many) == 1
    assert many.intervals().to_arrow()["series"].to_pylist() == ["b"]
