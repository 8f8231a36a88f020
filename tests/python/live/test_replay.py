"""`rtec replay`: stored streams in the order and at the pace of their arrival."""

from __future__ import annotations

import gzip
import json
import os
import re
import socket
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lamps import done, rtec
from rtec.cli import execute
from rtec.errors import StreamError
from rtec.runtime.recording import Recording
from rtec.runtime.replay import Player

LINES = ["b|7|1|x", "a|3|3|x", "not a record", "c|20|20|x", "d|3|2|x"]
IN_ORDER = ["a|3|3|x", "d|3|2|x", "b|7|1|x", "not a record", "c|20|20|x"]


def written(folder: Path, text: str | bytes) -> str:
    path = folder / "s.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def lines_of(recording: Recording) -> list[str]:
    return [recording.line(i).decode().rstrip("\n") for i in range(len(recording))]


def test_lines_are_in_the_order_of_arrival(tmp_path: Path) -> None:
    text = "\n".join(LINES)
    assert lines_of(Recording(written(tmp_path, text))) == IN_ORDER
    assert lines_of(Recording(written(tmp_path, gzip.compress(text.encode())))) == IN_ORDER
    assert lines_of(Recording(written(tmp_path, "\ufeff" + text + "\n"))) == IN_ORDER


def test_json_lines(tmp_path: Path) -> None:
    items = [{"name": "b", "time": 5}, {"name": "a", "time": 9, "arrival": 2}]
    text = "".join(json.dumps(item) + "\n" for item in items)
    found = [json.loads(line) for line in lines_of(Recording(written(tmp_path, text)))]
    assert found == items[::-1]


def test_parquet_is_played_as_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    table = pa.table(
        {
            "name": ["on", "power"],
            "time": [0, 4],
            "arrival": [9, 6],
            "end": [None, 8],
            "value": [None, "true"],
            "args": [["a", "2.5"], ["7"]],
        }
    )
    pq.write_table(table, path)
    assert [json.loads(line) for line in lines_of(Recording(str(path)))] == [
        {"name": "power", "arrival": 6, "time": 4, "end": 8, "value": "true", "args": [7]},
        {"name": "on", "arrival": 9, "time": 0, "args": ["a", 2.5]},
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "no|record\n"])
def test_there_has_to_be_a_record(tmp_path: Path, text: str) -> None:
    with pytest.raises(StreamError, match="no record in"):
        Recording(written(tmp_path, text))


@given(
    st.lists(st.integers(0, 3000), min_size=1, max_size=20),
    st.integers(0, 20),
    st.sampled_from([0.5, 10.0, 1000.0, float("inf")]),
)
def test_every_line_is_due_in_time(arrivals: list[int], start: int, rate: float) -> None:
    with TemporaryDirectory() as folder:
        text = "".join(f"e|{a}|{a}|x\n" for a in arrivals)
        chunks = list(Recording(written(Path(folder), text)).chunks(start, rate))
    ordered = sorted(arrivals)
    sent = [(due, line) for due, data in chunks for line in data.decode().splitlines()]
    assert [line for _, line in sent] == [f"e|{a}|{a}|x" for a in ordered[start:]]
    for (due, _), arrival in zip(sent, ordered[start:], strict=True):
        assert abs(due - (arrival - ordered[0]) / rate) <= 0.005
    assert [due for due, _ in chunks] == sorted({due for due, _ in chunks})


def test_what_is_overdue_goes_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    now = [100.0]

    def sleep(seconds: float) -> None:
        slept.append(round(seconds, 3))
        now[0] += seconds

    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("time.sleep", sleep)
    text = "".join(f"e|{t}|{t}|x\n" for t in (0, 10, 20, 30))
    player = Player(Recording(written(tmp_path, text)), 10, print)
    sent: list[bytes] = []
    player.play(sent.append)
    assert slept == [1.0, 1.0, 1.0]
    player.play(sent.append, start=2)
    assert slept == [1.0, 1.0, 1.0] and len(sent) == 6


def test_to_standard_output_and_files(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    stream = written(tmp_path, "\n".join(LINES))
    expected = "".join(f"{line}\n" for line in IN_ORDER).encode()
    assert execute(["replay", stream, "--rate", "inf"]) == 0
    assert capfdbinary.readouterr().out == expected
    assert execute(["replay", stream, "--rate", "1e9", "--to", str(tmp_path / "o")]) == 0
    assert (tmp_path / "o").read_bytes() == expected


def test_to_a_named_pipe_whose_reader_goes_away(tmp_path: Path) -> None:
    """The next reader gets everything from the start."""
    lines = "".join(f"e|{t}|{t}|{'x' * 5000}\n" for t in range(100))
    written(tmp_path, lines)
    os.mkfifo(tmp_path / "fifo")
    process = rtec(tmp_path, "replay", "s.csv", "--rate", "inf", "--to", "fifo")
    with open(tmp_path / "fifo", "rb") as reader:
        assert reader.read(10) == b"e|0|0|xxxx"
    assert process.stderr is not None
    assert b"the reader of fifo went away; starting again" in process.stderr.readline()
    with open(tmp_path / "fifo", "rb") as reader:
        got = reader.read()
    assert (done(process)[0], got.decode()) == (0, lines)


def test_to_a_socket(tmp_path: Path) -> None:
    """A client that does not know marks gets the lines, one that does is told what it gets."""
    written(tmp_path, "".join(f"{line}\n" for line in IN_ORDER))
    process = rtec(
        tmp_path, "replay", "s.csv", "--rate", "inf", "--to", "tcp://127.0.0.1:0", "--keep"
    )
    assert process.stderr is not None
    match = re.search(rb"listening at tcp://127.0.0.1:(\d+)", process.stderr.readline())
    assert match
    port = int(match[1])
    try:
        plain = talk(port, b"")
        assert plain == "".join(f"{line}\n" for line in ["#rtec replay", *IN_ORDER])
        told = talk(port, b"#rtec from 3\n")
        marked = ["#rtec replay", "#rtec from 3", *IN_ORDER[3:], "#rtec end"]
        assert told == "".join(f"{line}\n" for line in marked)
    finally:
        process.kill()
        process.communicate()


def talk(port: int, request: bytes) -> str:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        client.sendall(request)
        data = b""
        while more := client.recv(1 << 16):
            data += more
    return data.decode()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nowhere.csv"], 1, "cannot read the stream nowhere.csv"),
        (["s.csv", "--to", "s.csv"], 1, "s.csv is the stream itself"),
        (["s.csv", "--to", "no/where"], 1, "cannot write no/where"),
        (["s.csv", "--to", "tcp://127.0.0.1"], 1, "no address of a socket"),
        (["s.csv", "--to", "unix:///no/where"], 1, "cannot listen at unix:///no/where"),
        (["s.csv", "--rate", "0"], 2, "--rate"),
        (["s.csv", "--keep"], 2, "--keep is for sockets"),
    ],
)
def test_wrong_usage(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "e|1|1|x\n")
    assert execute(["replay", *arguments]) == code
    assert message in capfd.readouterr().err


def test_a_socket_that_nobody_listens_to_any_more(tmp_path: Path) -> None:
    written(tmp_path, "e|1|1|x\n")
    path = tmp_path / "sock"
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(path))
    process = rtec(tmp_path, "replay", "s.csv", "--to", f"unix://{path}")
    assert process.stderr is not None
    assert b"listening at" in process.stderr.readline()
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        client.sendall(b"#rtec from 0\n")
        data = b""
        while more := client.recv(1000):
            data += more
    assert data == b"#rtec replay\n#rtec from 0\ne|1|1|x\n#rtec end\n"
    assert done(process)[0] == 0
    assert not path.exists()
