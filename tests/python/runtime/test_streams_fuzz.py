"""Whatever a file holds, reading it ends with records or with one clear error."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rtec.errors import StreamError
from rtec.runtime import files
from rtec.runtime.faults import Faults
from rtec.runtime.records import Input
from rtec.runtime.streams import read_stream

INPUTS = {
    "speed": (Input("speed", 2, "event"),),
    "near": (Input("near", 1, "fluent"), Input("near", 2, "interval")),
    "walk": (Input("walk", 0, "point"),),
}
TEXT = b"""speed|5|4|tug|3.5
near|9|2|8|true|tug
-speed|6|4|tug|3.5
walk|7|7|true
near|9|2|8|true|tug|f(a)
"""
JSON = b"""{"name": "speed", "time": 4, "arrival": 5, "args": ["tug", 3.5]}
{"name": "near", "time": 2, "end": 8, "value": "true", "args": ["tug"], "op": "-"}
{"name": "walk", "time": 7, "value": 1, "prob": 0.5}
"""


def parquet() -> bytes:
    sink = io.BytesIO()
    table = pa.table(
        {
            "name": ["speed", "near"],
            "time": [4, 2],
            "end": [None, 8],
            "value": [None, "true"],
            "args": [["tug", "3.5"], ["tug"]],
        }
    )
    pq.write_table(table, sink)
    return sink.getvalue()


PARQUET = parquet()


@st.composite
def mutated(draw: st.DrawFn, whole: bytes) -> bytes:
    """A good file with some bytes changed, left out, doubled or added."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(len(data) - 1, 0)))
        length = draw(st.integers(0, 8))
        match draw(st.sampled_from(["change", "cut", "double", "add", "stop"])):
            case "change":
                data[place : place + length] = draw(st.binary(min_size=length, max_size=length))
            case "cut":
                del data[place : place + length]
            case "double":
                data[place:place] = data[place : place + 3 * length]
            case "add":
                data[place:place] = draw(
                    st.sampled_from([b"|", b"\n", b"\r\n", b"-", b"\0", b"\xff", b"9" * 25, b"{"])
                )
            case "stop":
                del data[place:]
    return bytes(data)


def read(path: Path, on_error: str) -> int | None:
    """Count the records; None if there was an error of the kind that users are told."""
    faults = Faults(on_error)  # type: ignore[arg-type]
    try:
        stream = read_stream(path, INPUTS, faults)
        count = sum(len(batch) for block in stream for batch in block.batches)
    except StreamError as error:
        assert len(error.problems) == 1 and error.problems[0].slug
        return None
    assert all(str(w) for w in faults.warnings(INPUTS))
    return count


@pytest.mark.parametrize("block", [16, 1 << 20])
@given(
    st.one_of(
        st.binary(max_size=200),
        mutated(TEXT),
        mutated(JSON),
        mutated(gzip.compress(TEXT)),
        mutated(TEXT).map(gzip.compress),
        mutated(PARQUET),
    )
)
@settings(
    max_examples=400,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_any_file(tmp_path: Path, block: int, data: bytes) -> None:
    path = tmp_path / "s"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", block)
        stopped, skipped = read(path, "stop"), read(path, "skip")
    # What stops a run at the first malformed record is what is skipped otherwise.
    assert stopped is None or stopped == skipped
