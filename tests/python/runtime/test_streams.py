"""Streams from many places: the same records, whatever holds them, in order of arrival."""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rtec.errors import StreamError
from rtec.runtime import files, tabular
from rtec.runtime.faults import Faults
from rtec.runtime.records import GREATEST, Input, Record
from rtec.runtime.streams import read_stream

INPUTS = {
    "speed": (Input("speed", 2, "event"),),
    "ping": (Input("ping", 0, "event"),),
    "near": (Input("near", 1, "fluent"),),
}
RECORDS = [
    Record("speed", 1, ("tug", 3.5), 1),
    Record("ping", 2, (), 2),
    Record("near", 1, ("tug",), 3, 9, "true"),
    Record("near", 3, (7,), 3, None, "yes"),
    Record("speed", 2, ("f(a,b)", 4), 5),
    Record("speed", 1, ("tug", 3.5), 6, op="-"),
]


def read(origin: Any, faults: Faults | None = None) -> list[Record]:
    stream = read_stream(origin, INPUTS, faults)
    return [r for block in stream for batch in block.batches for r in batch.records()]


def lines(records: list[Record]) -> str:
    return "".join(line(r) + "\n" for r in records)


def line(record: Record) -> str:
    name = record.name if record.op == "+" else f"-{record.name}"
    parts = [name, record.arrival, record.time, record.end, record.value, *record.args]
    return "|".join(str(p) for p in parts if p is not None)


def json_lines(records: list[Record]) -> str:
    return "".join(json.dumps(row(r)) + "\n" for r in records)


def row(record: Record) -> dict[str, Any]:
    return {
        "name": record.name,
        "arrival": record.arrival,
        "time": record.time,
        "end": record.end,
        "value": record.value,
        "args": list(record.args),
        "op": record.op,
    }


def table(records: list[Record], args: Callable[[list[Any]], Any], kind: Any) -> pa.Table:
    columns = {k: [row(r)[k] for r in records] for k in row(records[0])}
    columns["args"] = [args(a) for a in columns["args"]]
    made = {k: pa.array(v) for k, v in columns.items() if k != "args"}
    return pa.table({**made, "args": pa.array(columns["args"], kind)})


def texts_table(records: list[Record]) -> pa.Table:
    return table(records, lambda a: [str(x) for x in a], pa.list_(pa.string()))


def json_table(records: list[Record]) -> pa.Table:
    return table(records, json.dumps, pa.string())


def columns_table(records: list[Record]) -> pa.Table:
    made = texts_table(records)
    for position in (0, 1):
        values = [str(r.args[position]) if len(r.args) > position else None for r in records]
        made = made.append_column(f"arg{position + 1}", pa.array(values, pa.string()))
    return made.drop_columns(["args"])


def frame(records: list[Record]) -> pd.DataFrame:
    return pd.DataFrame([row(r) for r in records])


def in_order(records: list[Record]) -> list[str]:
    return sorted(map(repr, records))


@pytest.fixture
def holders(tmp_path: Path) -> dict[str, Callable[[list[Record]], Any]]:
    """Ways to hold a stream, by name."""

    def written(name: str, data: bytes) -> Path:
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    def parquet(records: list[Record]) -> str:
        pq.write_table(texts_table(records), tmp_path / "s.parquet", row_group_size=2)
        return str(tmp_path / "s.parquet")

    return {
        "text": lambda r: written("s.csv", lines(r).encode()),
        "gzip": lambda r: written("s.csv.gz", gzip.compress(lines(r).encode())),
        "json": lambda r: written("s.jsonl", json_lines(r).encode()),
        "json.gz": lambda r: written("s.jsonl.gz", gzip.compress(json_lines(r).encode())),
        "parquet": parquet,
        "arrow": texts_table,
        "arrow with JSON": json_table,
        "arrow with columns": columns_table,
        "arrow batch": lambda r: texts_table(r).to_batches()[0],
        "pandas": frame,
        "pandas with JSON": lambda r: json_table(r).to_pandas(),
        "pandas with arrays": lambda r: texts_table(r).to_pandas(),
        "list": list,
        "tuple": tuple,
        "generator": lambda r: (x for x in r),
    }


HOLDERS = [
    "text",
    "gzip",
    "json",
    "json.gz",
    "parquet",
    "arrow",
    "arrow with JSON",
    "arrow with columns",
    "arrow batch",
    "pandas",
    "pandas with JSON",
    "pandas with arrays",
    "list",
    "tuple",
    "generator",
]


@pytest.mark.parametrize("holder", HOLDERS)
def test_all_holders_give_the_same_records(holder: str, holders: Any) -> None:
    assert in_order(read(holders[holder](RECORDS))) == in_order(RECORDS)


@pytest.mark.parametrize("holder", HOLDERS)
def test_no_record_comes_after_its_floor(
    holder: str, holders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the order of a file, a query waits for all that arrives before it."""
    monkeypatch.setattr(files, "BLOCK", 40)
    monkeypatch.setattr(tabular, "ROWS", 2)
    shuffled = [RECORDS[i] for i in (3, 5, 0, 2, 4, 1)]
    stream = read_stream(holders[holder](shuffled), INPUTS)
    if holder != "generator":
        assert_floors_hold(stream)
    assert in_order(read(holders[holder](shuffled))) == in_order(RECORDS)


def assert_floors_hold(stream: Any) -> None:
    promised = -GREATEST
    last = None
    for block in stream:
        for batch in block.batches:
            assert batch.arrival.min() >= promised
        last = block.floor
        promised = promised if last is None else last
    assert last is None


_arrivals = st.lists(st.integers(0, 60), max_size=40)


@given(st.lists(_arrivals, min_size=1, max_size=4), st.sampled_from([30, 100]), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_files_are_merged_by_arrival(
    tmp_path: Path, arrivals: list[list[int]], block: int, keep: bool
) -> None:
    made = []
    for number, points in enumerate(arrivals):
        path = tmp_path / f"{number}.csv"
        data = "".join(f"speed|{a}|{a}|v{number}|{i}\n" for i, a in enumerate(points)).encode()
        path.write_bytes(gzip.compress(data) if number % 2 else data)
        made.append(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", block)
        patch.setattr("rtec.runtime.streams.KEPT", 1 << 20 if keep else 0)
        assert_floors_hold(read_stream(made, INPUTS))
        found = sorted((r.args, r.arrival) for r in read(made))
    expected = [((f"v{n}", i), a) for n, ps in enumerate(arrivals) for i, a in enumerate(ps)]
    assert found == sorted(expected)


def test_a_file_in_sorted_pieces_is_read_in_order(tmp_path: Path) -> None:
    """The later half first: blocks are read by arrival, so that little is held back."""
    path = tmp_path / "s.csv"
    later = "".join(f"speed|{t}|{t}|a|1\n" for t in range(500, 1000))
    earlier = "".join(f"speed|{t}|{t}|a|1\n" for t in range(500))
    path.write_text(later + earlier)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", 1000)
        patch.setattr("rtec.runtime.streams.KEPT", 0)
        stream = read_stream(path, INPUTS)
        starts = [int(b.arrival[0]) for block in stream for b in block.batches]
    # One block holds the seam, and is due with the earliest of its records.
    assert starts[2:] == sorted(starts[2:]) and stream.done == pytest.approx(1)


def test_line_numbers_count_from_the_start_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("ping|1|1\n" * 1000 + "ping|x|1\n" + "ping|1|1\n" * 1000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", 100)
        with pytest.raises(StreamError, match=rf"^{path}:1001:1: .*`x`"):
            read(path)
        faults = Faults("skip")
        assert len(read(path, faults)) == 2000 and faults.skipped == 1


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_text(lines(RECORDS)))
    writer.start()
    assert in_order(read(path)) == in_order(RECORDS)
    writer.join()


def test_byte_order_mark_and_missing_newline(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_bytes(b"\xef\xbb\xbfping|1|1\nping|2|2")
    assert [r.time for r in read(path)] == [1, 2]
    path.write_bytes(b'\xef\xbb\xbf{"name": "ping", "time": 3}')
    assert read(path) == [Record("ping", 3, (), 3)]


def test_empty_files_are_empty_streams(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_bytes(b"")
    assert read(tmp_path / "s.csv") == [] and read([]) == [] and read(iter([])) == []


def unreadable(tmp_path: Path) -> Iterator[tuple[str, bytes | None]]:
    yield "No such file", None
    yield "ended before", gzip.compress(b"ping|1|1\n" * 999)[:-20]
    yield "arquet", b"PAR1 but not really"
    yield "longer than", b"x" * (17 << 20)


@pytest.mark.parametrize("case", range(4))
def test_unreadable_files(tmp_path: Path, case: int) -> None:
    reason, data = list(unreadable(tmp_path))[case]
    path = tmp_path / "s"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(StreamError, match=reason):
        read(path)


def test_a_folder_is_not_a_stream(tmp_path: Path) -> None:
    with pytest.raises(StreamError, match="it is a folder"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"name": "ping"}', "time is None"),
        ('{"time": 1}', "name"),
        ('{"name": "ping", "time": "1"}', "not an integer"),
        ('{"name": "ping", "time": 1.0}', "not an integer"),
        ('{"name": "ping", "time": true}', "not an integer"),
        ('{"name": "ping", "time": 99999999999999999999}', "64 bits"),
        ('{"name": "ping", "time": 1, "args": "x"}', "not a list"),
        ('{"name": "ping", "time": 1, "args": [1]}', "it needs name, arrival, time and no arg"),
        ('{"name": "speed", "time": 1, "args": [1, null]}', "neither a number nor a text"),
        ('{"name": "speed", "time": 1, "args": [1, NaN]}', "not a number"),
        ('{"name": "near", "time": 5, "end": 4, "value": "v", "args": [1]}', "before its start"),
        ('{"name": "near", "time": 5, "end": 9, "args": [1]}', "no value"),
        ('{"name": "ping", "time": 1, "op": "x"}', "neither"),
        ('{"name": "ping", "time": 1, "prob": 2}', "0 to 1"),
        ("[1]", "an object"),
        ("{", "not JSON"),
        ('{"name": "ping", "time": 1} x', "something follows"),
        ("{" + '"a":[' * 5000, "not JSON"),
        ('{"name": ["ping"], "time": 1}', "name"),
    ],
)
def test_malformed_json_lines(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"name": "ping", "time": 1}\n' + text + "\n")
    with pytest.raises(StreamError, match=reason) as caught:
        read(path)
    assert caught.value.problems[0].place is not None
    assert caught.value.problems[0].place.line == 2
    faults = Faults("skip")
    assert len(read(path, faults)) == 1 and faults.skipped == 1


def test_json_keeps_texts_of_numbers(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"name": "speed", "time": 1, "args": ["007", true], "extra": 1}\n')
    assert read(path)[0].args == ("007", "true")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"time": [1, None]}, "time is not an integer"),
        ({"time": [1, 1.5]}, "time is not an integer"),
        ({"time": ["1", "x"]}, "time is not an integer"),
        ({"arrival": [1, 1.5]}, "arrival is not an integer"),
        ({"name": ["ping", None]}, "no name"),
        ({"end": [None, 3]}, "an end but no value"),
        ({"op": ["+", "x"]}, "neither"),
        ({"prob": [None, 1.5]}, "0 to 1"),
        ({"args": [[], ["x"]]}, "it needs name, arrival, time and no arguments"),
        ({"args": ["[]", "nonsense"]}, "not a list"),
        ({"args": ["[]", "[{}]"]}, "neither a number nor a text"),
        ({"name": ["ping", "speed"], "args": [[], ["a", None]]}, "is null"),
        ({"name": ["ping", "speed"], "arg1": [None, None], "arg2": [None, 1]}, "null"),
    ],
)
def test_malformed_rows_of_tables(change: dict[str, list[Any]], reason: str) -> None:
    made = pa.table({"name": ["ping", "ping"], "time": [1, 2], **change})
    with pytest.raises(StreamError, match=rf"^<table>:2:1: error: .*{reason}"):
        read(made)
    faults = Faults("skip")
    assert len(read(made, faults)) == 1 and faults.skipped == 1


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"time": [1]}, "no column `name`"),
        ({"name": ["ping"]}, "no column `time`"),
        ({"name": ["ping"], "time": [pd.Timestamp(0)]}, "`time` of <table> holds timestamp"),
        ({"name": [[1]], "time": [1]}, "`name` of <table> holds"),
        ({"name": ["ping"], "time": [1], "args": [1]}, "`args` of <table> holds int64"),
        ({"name": ["ping"], "time": [1], "prob": ["x"]}, "`prob` of <table> holds string"),
    ],
)
def test_tables_without_the_right_columns(columns: dict[str, list[Any]], reason: str) -> None:
    with pytest.raises(StreamError, match=reason):
        read(pa.table(columns), Faults("skip"))


def test_parquet_without_the_right_columns(tmp_path: Path) -> None:
    pq.write_table(pa.table({"name": ["ping"], "when": [1]}), tmp_path / "s.parquet")
    with pytest.raises(StreamError, match="no column `time`, only `name`, `when`"):
        read(tmp_path / "s.parquet")


def test_pandas_with_gaps_and_mixed_types() -> None:
    made = pd.DataFrame(
        {
            "name": ["near", "near", "ping"],
            "time": [1, 2, 3],
            "end": [5, None, None],
            "value": ["true", 4.5, None],
            "args": [["a"], [7], []],
        }
    )
    assert in_order(read(made)) == in_order(
        [
            Record("near", 1, ("a",), 1, 5, "true"),
            Record("near", 2, (7,), 2, None, 4.5),
            Record("ping", 3, (), 3),
        ]
    )


def test_numbers_in_typed_lists_and_columns() -> None:
    made = pa.table({"name": ["speed"], "time": [1], "args": pa.array([[1, 2]])})
    assert read(made)[0].args == (1, 2)
    made = pa.table({"name": ["speed"], "time": [1], "arg1": [2.5], "arg2": [True]})
    assert read(made)[0].args == (2.5, "true")
    names = pa.array(["ping", "ping"]).dictionary_encode()
    assert len(read(pa.table({"name": names, "time": pa.array([1, 2], pa.int32())}))) == 2


def test_probabilities_come_along() -> None:
    made = read(pa.table({"name": ["ping", "ping"], "time": [1, 2], "prob": [0.25, None]}))
    assert [r.prob for r in made] == [0.25, 1.0]
    assert read([Record("ping", 1, prob=0.5)])[0].prob == 0.5


def test_what_is_no_stream() -> None:
    with pytest.raises(StreamError, match="cannot read records from int"):
        read(5)
    with pytest.raises(StreamError, match="cannot read records from Schema"):
        read(pa.schema([]))
    with pytest.raises(StreamError, match="cannot read a record from dict"):
        read(iter([{"name": "ping"}]))
