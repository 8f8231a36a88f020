"""Writers of recognitions, and files that are whole or absent."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtec.errors import ConfigError
from rtec.model import EventRecognition, FluentRecognition
from rtec.runtime.answers import COLUMNS, Recognitions
from rtec.runtime.outputs import Output
from rtec.runtime.sinks import json_lines, open_sink, table_text

ANSWERS = Recognitions(
    10,
    [
        ("b", [2, "x"], "true", [1, 4, 6, "inf"]),
        ("b", [10, "x"], "true", [1, 4]),
        ("b", ["a", 'q"\n'], 1.5, [2, 3]),
        ("a", [], -1, [2, 3]),
        ("b", [2, "x"], "false", [4, 6]),
    ],
    [("aux", ["f(a,b)"], [8, 9])],
)
ORDER = [
    ("a", (), -1),
    ("aux", ("f(a,b)",), None),
    ("b", (2, "x"), "false"),
    ("b", (2, "x"), "true"),
    ("b", (10, "x"), "true"),
    ("b", ("a", 'q"\n'), 1.5),
]


def written(path: Path, *answers: Recognitions) -> Path:
    with open_sink(path) as sink:
        for each in answers:
            sink.write(each)
    return path


def test_answers_are_ordered_by_name_arguments_and_value() -> None:
    found = [
        (r.fluent, r.args, r.value) if isinstance(r, FluentRecognition) else (r.event, r.args, None)
        for r in ANSWERS
    ]
    assert found == ORDER


def test_dataclasses() -> None:
    rows = list(ANSWERS)
    assert rows[1] == EventRecognition(10, "aux", ("f(a,b)",), (8, 9))
    assert rows[3] == FluentRecognition(10, "b", (2, "x"), "true", ((1, 4), (6, None)))
    assert len(ANSWERS) == 6


def test_json_lines(tmp_path: Path) -> None:
    text = written(tmp_path / "o.jsonl", ANSWERS).read_text()
    lines = text.splitlines()
    assert lines[1] == '{"query_time": 10, "event": "aux", "args": ["f(a,b)"], "times": [8, 9]}'
    assert lines[3] == (
        '{"query_time": 10, "fluent": "b", "args": [2, "x"], "value": "true", '
        '"intervals": [[1, 4], [6, null]]}'
    )
    assert [json.loads(line)["args"] for line in lines] == [list(args) for _, args, _ in ORDER]


_scalars = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8"), max_size=6),
)


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8"), max_size=5),
            st.lists(_scalars, max_size=3),
            _scalars,
            st.sampled_from([[1, 2], [1, 2, 5, "inf"], [3, "inf"]]),
        ),
        max_size=6,
    )
)
def test_json_lines_say_the_same_as_a_json_library(rows: list[Any]) -> None:
    lines = json_lines(Recognitions(7, rows)).split("\n")[:-1]
    made = [json.loads(line) for line in lines]
    expected = [
        {
            "query_time": 7,
            "fluent": name,
            "args": args,
            "value": value,
            "intervals": [
                [s, None if e == "inf" else e] for s, e in zip(ends[::2], ends[1::2], strict=True)
            ],
        }
        for name, args, value, ends in rows
    ]
    assert sorted(map(repr, made)) == sorted(map(repr, expected))


def test_numbers_that_json_does_not_have_are_texts() -> None:
    [line] = json_lines(Recognitions(1, [("a", [float("inf")], 1, [1, 2])])).splitlines()
    assert json.loads(line)["args"] == ["inf"]


ROWS = [
    ("10", "a", "[]", "-1", "2", "3"),
    ("10", "aux", '["f(a,b)"]', "", "8", "8"),
    ("10", "aux", '["f(a,b)"]', "", "9", "9"),
    ("10", "b", '[2, "x"]', "false", "4", "6"),
    ("10", "b", '[2, "x"]', "true", "1", "4"),
    ("10", "b", '[2, "x"]', "true", "6", ""),
    ("10", "b", '[10, "x"]', "true", "1", "4"),
    ("10", "b", '["a", "q\\"\\n"]', "1.5", "2", "3"),
]


def test_csv(tmp_path: Path) -> None:
    with open(written(tmp_path / "o.csv", ANSWERS), newline="") as handle:
        rows = list(csv.reader(handle))
    assert tuple(rows[0]) == COLUMNS
    assert list(map(tuple, rows[1:])) == ROWS


def test_parquet_has_the_same_rows(tmp_path: Path) -> None:
    table = pq.read_table(written(tmp_path / "o.parquet", ANSWERS, Recognitions(20, [])))
    assert tuple(table.column_names) == COLUMNS
    rows = [tuple("" if v is None else str(v) for v in r.values()) for r in table.to_pylist()]
    assert rows == ROWS
    assert table.column("value").null_count == 2 and table.column("end").null_count == 1


def test_parquet_in_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtec.runtime.sinks.Parquet.group", 5)
    path = written(tmp_path / "o.parquet", *[ANSWERS] * 3)
    assert pq.ParquetFile(path).num_row_groups == 3
    assert pq.read_table(path).num_rows == 24


def test_arrow_and_pandas() -> None:
    assert ANSWERS.to_arrow().num_rows == 8
    frame = ANSWERS.to_pandas()
    assert list(frame.columns) == list(COLUMNS)
    assert frame["start"].tolist() == [2, 8, 9, 4, 1, 6, 1, 2]
    assert Recognitions(1, []).to_pandas().empty


def test_table(tmp_path: Path) -> None:
    text = written(tmp_path / "o.txt", ANSWERS, Recognitions(20, [])).read_text()
    assert text.splitlines()[0] == "query time 10"
    assert "  b(2, x) = true     [1, 4) [6, ..." in text
    assert "query time 20" not in text and len(text.splitlines()) == 7
    assert table_text(1, [("e", [], [4])]) == "query time 1\n  e   at 4\n"


def test_an_empty_run_gives_a_whole_file(tmp_path: Path) -> None:
    assert written(tmp_path / "o.jsonl").read_text() == ""
    assert written(tmp_path / "o.csv").read_text() == ",".join(COLUMNS) + "\n"
    assert pq.read_table(written(tmp_path / "o.parquet")).num_rows == 0


@pytest.mark.parametrize("name", ["o.jsonl", "o.csv", "o.parquet", "o.txt"])
def test_a_run_that_fails_leaves_what_was_there(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("before")
    with pytest.raises(RuntimeError), open_sink(path) as sink:
        sink.write(ANSWERS)
        assert path.read_text() == "before"
        raise RuntimeError
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == [name]


def test_outputs_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot write .*No such file"):
        open_sink(tmp_path / "no" / "o.jsonl")
    with pytest.raises(ConfigError, match="it is a folder"):
        open_sink(tmp_path)
    with pytest.raises(ConfigError, match="Parquet cannot be written to standard output"):
        open_sink("-", "parquet")
    with pytest.raises(ConfigError, match="No space left"), Output("/dev/full") as output:
        output.write("x" * 1_000_000)


def test_devices_are_written_directly() -> None:
    with Output("/dev/null") as output:
        output.write("x")
    assert not Path("/dev/null").is_file()


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with open_sink(None, "table") as sink:
        sink.write(Recognitions(3, [("caf\u00e9", [], "v", [1, 2])]))
    assert capfdbinary.readouterr().out.decode() == "query time 3\n  caf\u00e9 = v   [1, 2)\n"
