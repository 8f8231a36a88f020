"""A quick look through streams: which names, with how many arguments."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rtec.compiler.checks.stream_names import names_of_streams
from rtec.errors import StreamError

LINES = "go|1|1|a|b\r\n-go|2|1|a|b\nnear|1|1|5|true|a|\nhalt|3|3\nnonsense\n\n"


@pytest.mark.parametrize("packed", [False, True])
def test_lines(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "stream.csv"
    path.write_bytes(gzip.compress(LINES.encode()) if packed else LINES.encode())
    found = names_of_streams([path])
    assert found is not None
    assert found.events == {"go": {2}, "near": {3}, "halt": {0}}
    assert 1 in found.fluents["near"]


def test_json_and_parquet(tmp_path: Path) -> None:
    rows = [
        {"name": "go", "time": 1, "args": ["a", "b"], "value": None},
        {"name": "near", "time": 1, "end": 5, "args": ["a"], "value": "true"},
    ]
    jsonl, parquet = tmp_path / "stream.jsonl", tmp_path / "stream.parquet"
    jsonl.write_text(
        '{"name": "go", "time": 1, "args": ["a", "b"]}\n{broken\n'
        '{"name": "near", "time": 1, "end": 5, "value": "true", "args": ["a"]}\n'
    )
    pq.write_table(pa.Table.from_pylist(rows), parquet)
    for path in (jsonl, parquet):
        found = names_of_streams([path])
        assert found is not None
        assert (found.events, found.fluents) == ({"go": {2}}, {"near": {1}})


def test_nothing_to_look_through(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert names_of_streams([]) is None
    assert names_of_streams([Path("-"), tmp_path / "pipe"]) is None


@pytest.mark.parametrize("content", [None, b"\x1f\x8bnot gzip", b"PAR1 not parquet"])
def test_unreadable(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "stream"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StreamError, match="cannot read"):
        names_of_streams([path])


def test_long_streams_are_not_read_to_their_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "stream.csv"
    path.write_text("go|1|1\n" * 5 + "halt|1|1\n")
    found = names_of_streams([path])
    assert found is not None and found.complete and "halt" in found.events
    monkeypatch.setattr("rtec.compiler.checks.stream_names.MOST_RECORDS", 5)
    found = names_of_streams([path])
    assert found is not None and not found.complete and "halt" not in found.events
