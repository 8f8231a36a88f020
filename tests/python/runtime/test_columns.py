"""Whole columns are read by the rule for single fields."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from rtec.runtime.columns import text_column, time_column
from rtec.runtime.records import GREATEST, LEAST, read_field

_digits = st.from_regex(r"-?[0-9]{1,20}", fullmatch=True)
_decimals = st.from_regex(r"-?[0-9]{1,4}\.[0-9]{1,4}", fullmatch=True)
_nearly = st.from_regex(r"[-0-9./]{0,6}", fullmatch=True)
_words = st.sampled_from(["a", "0x1F", "1e5", "1e-05", "f(a)", "", " 1", "2024-05-01"])
_texts = st.one_of(
    st.lists(_digits, min_size=1),
    st.lists(_decimals, min_size=1),
    st.lists(_nearly, min_size=1),
    st.lists(_digits | _decimals, min_size=1),
    st.lists(st.one_of(_digits, _decimals, _nearly, _words, st.text(max_size=3)), min_size=1),
)


@given(_texts, st.booleans())
def test_column_equals_its_fields(texts: list[str], sliced: bool) -> None:
    array = pa.array(["x", *texts], pa.string()).slice(1) if sliced else pa.array(texts)
    read = text_column(array).tolist()
    expected = [read_field(t) for t in texts]
    assert [(type(v), v) for v in read] == [(type(v), v) for v in expected]


@given(_texts)
def test_time_points_are_the_integers(texts: list[str]) -> None:
    points, bad = time_column(pa.array(texts))
    for i, text in enumerate(texts):
        value = read_field(text)
        if isinstance(value, int) and LEAST <= value <= GREATEST:
            assert points[i] == value
            assert bad is None or not bad[i]
        else:
            assert bad is not None and bad[i]
