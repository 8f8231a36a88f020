"""`rtec run` over live sources: the same as over a file, by event time or by the clock."""

from __future__ import annotations

import json
import os
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lamps import WINDOWS, done, interrupt, rtec, run, write_case
from rtec.cli import execute
from rtec.runtime.faults import Faults
from rtec.runtime.feed import Feed
from rtec.runtime.interrupt import Interrupt, Stopped
from rtec.runtime.live import HELD, LiveSettings
from rtec.runtime.records import Input
from rtec.runtime.stats import Stats
from rtec.runtime.streams import read_stream

Serve = Callable[[socket.socket], None]


@contextmanager
def server(serve: Serve, clients: int = 1) -> Iterator[str]:
    """Listen on loopback and serve some clients, one after the other; yield the address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)

        def work() -> None:
            for _ in range(clients):
                try:
                    client, _ = listener.accept()
                except OSError:
                    return
                with client:
                    serve(client)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{listener.getsockname()[1]}"
    thread.join(10)


def sending(*parts: str) -> Serve:
    """Send parts of a stream with a bit of time in between, then close."""

    def serve(client: socket.socket) -> None:
        for part in parts:
            client.sendall(part.encode())
            time.sleep(0.02)

    return serve


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_case(tmp_path, seed=5, count=80)
    return tmp_path


def recognised(folder: Path, *arguments: str) -> str:
    out = folder / "o.jsonl"
    assert execute(["run", "-q", "--desc", "lamps.prolog", *arguments, "--out", str(out)]) == 0
    return out.read_text()


@pytest.fixture
def from_file(folder: Path) -> str:
    return recognised(folder, "--stream", "s.csv", *WINDOWS)


def parts(text: str) -> list[str]:
    """Cut a text at a few places, anywhere in a line."""
    places = sorted(random.Random(2).sample(range(1, len(text)), 4))
    edges = [0, *places, len(text)]
    return [text[a:b] for a, b in zip(edges, edges[1:], strict=False)]


def test_a_socket(folder: Path, from_file: str) -> None:
    text = (folder / "s.csv").read_text()
    with server(sending(*parts(text), "#rtec end\n")) as address:
        assert recognised(folder, "--stream", address, *WINDOWS) == from_file


def test_json_over_a_socket(folder: Path) -> None:
    """The start of the run follows from the first record."""
    records = [
        {"name": "press", "time": 12, "args": ["a"]},
        {"name": "release", "time": 14, "arrival": 33, "args": ["a"]},
    ]
    text = "".join(json.dumps(r) + "\n" for r in records)
    with server(sending(*parts(text), "#rtec end\n")) as address:
        got = recognised(folder, "--stream", address, "--window", "30", "--step", "10")
    rows = [json.loads(line) for line in got.splitlines()]
    assert [(r["query_time"], r["intervals"]) for r in rows if r["fluent"] == "on"] == [
        (20, [[13, None]]),
        (30, [[13, None]]),
        (33, [[13, 15]]),
    ]


def test_a_named_pipe_and_standard_input(folder: Path, from_file: str) -> None:
    os.mkfifo("fifo")
    replay = rtec(folder, "replay", "s.csv", "--rate", "inf", "--to", "fifo")
    assert recognised(folder, "--stream", "fifo", *WINDOWS) == from_file
    assert done(replay)[0] == 0
    with open("s.csv", "rb") as stream:
        code, out, _ = done(run(folder, "--stream", "-", *WINDOWS, stdin=stream))
    assert (code, out) == (0, from_file)


def test_several_sources(folder: Path, from_file: str) -> None:
    lines = (folder / "s.csv").read_text().splitlines(keepends=True)
    (folder / "one.csv").write_text("".join(lines[::3]))
    two = sending(*parts("".join(lines[1::3])), "#rtec end\n")
    three = sending(*parts("".join(lines[2::3])), "#rtec end\n")
    with server(two) as second, server(three) as third:
        sources = ["--stream", "one.csv", "--stream", second, "--stream", third]
        assert recognised(folder, *sources, *WINDOWS) == from_file


@pytest.mark.parametrize("lateness", [0, 20])
def test_out_of_order_within_the_lateness(folder: Path, from_file: str, lateness: int) -> None:
    """Lines that come in another order, though not by more than the lateness, change nothing."""
    rng = random.Random(7)
    lines = (folder / "s.csv").read_text().splitlines(keepends=True)
    moved = sorted(lines, key=lambda line: int(line.split("|")[1]) + rng.randint(0, 20))
    assert moved != lines
    with server(sending(*parts("".join(moved)), "#rtec end\n")) as address:
        got = recognised(folder, "--stream", address, "--lateness", str(lateness), *WINDOWS)
    assert (got == from_file) == (lateness > 0)


def test_a_socket_that_is_cut_off_and_starts_again(
    folder: Path, from_file: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """A server that says it starts from the beginning: what was read before is left out."""
    text = (folder / "s.csv").read_text()
    third = len(text) // 3
    ends = iter([text[:third], text[: 2 * third], text + "#rtec end\n"])

    def serve(client: socket.socket) -> None:
        client.sendall(b"#rtec from 0\n" + next(ends).encode())

    with server(serve, clients=3) as address:
        assert recognised(folder, "--stream", address, *WINDOWS) == from_file
    said = capfd.readouterr().err
    assert said.count("was cut off after line") == said.count("again, after line") == 2


def test_a_socket_that_knows_nothing_of_marks_goes_on(folder: Path, from_file: str) -> None:
    lines = (folder / "s.csv").read_text().splitlines(keepends=True)
    ends = iter(["".join(lines[:20]) + "press|99", "".join(lines[20:]) + "#rtec end\n"])

    def serve(client: socket.socket) -> None:
        client.sendall(next(ends).encode())

    with server(serve, clients=2) as address:
        assert recognised(folder, "--stream", address, *WINDOWS) == from_file


def test_without_reconnection_the_end_of_a_connection_is_the_end(
    folder: Path, from_file: str
) -> None:
    text = (folder / "s.csv").read_text().rstrip("\n")
    with server(sending(text)) as address:
        got = recognised(folder, "--stream", address, "--reconnect", "0", *WINDOWS)
    assert got == from_file


def test_nobody_listens(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    args = ["--stream", f"tcp://127.0.0.1:{port}", "--reconnect", "0.1", *WINDOWS]
    assert execute(["run", "--desc", "lamps.prolog", *args]) == 1
    assert f"cannot connect to tcp://127.0.0.1:{port}" in capfd.readouterr().err


def test_a_source_may_say_what_time_it_is(folder: Path) -> None:
    """Query times go by though no record comes; delayed effects have their effect."""
    ready = threading.Event()

    def serve(client: socket.socket) -> None:
        client.sendall(b"press|3|3|a\n#rtec time 40\n")
        ready.wait(60)

    with server(serve) as address:
        process = run(folder, "-q", "--stream", address, "--step", "10", "--start", "0")
        assert process.stdout is not None
        rows = [json.loads(process.stdout.readline()) for _ in range(9)]
        ready.set()
        interrupt(process)
        done(process)
    assert [r["query_time"] for r in rows if r["fluent"] == "on"] == [10, 20, 30, 40]
    assert {(r["query_time"], r["value"]) for r in rows if r["fluent"] == "hot"} == {
        (10, "true"),
        (20, "true"),
        (30, "true"),
        (30, "false"),
        (40, "false"),
    }


def test_by_the_clock_a_silent_source_does_not_hold_back(folder: Path) -> None:
    """The source says one thing and stays silent; windows close, the delayed effect fires."""
    finished = threading.Event()

    def serve(client: socket.socket) -> None:
        client.sendall(b"press|3|3|a\n")
        finished.wait(60)

    clock = ["--clock", "--clock-rate", "60", "--clock-origin", "first"]
    with server(serve) as address:
        got = recognised(folder, "--stream", address, "--step", "10", "--end", "40", *clock)
        finished.set()
    rows = [json.loads(line) for line in got.splitlines()]
    assert [r["query_time"] for r in rows if r["fluent"] == "on"] == [10, 20, 30, 40]
    hot = [(r["query_time"], r["value"]) for r in rows if r["fluent"] == "hot"]
    assert hot == [(10, "true"), (20, "true"), (30, "false"), (30, "true"), (40, "false")]


def test_by_the_clock_a_file_is_played(folder: Path, from_file: str) -> None:
    clock = ["--clock", "--clock-rate", "5000", "--clock-origin", "start"]
    assert recognised(folder, "--stream", "s.csv", *clock, *WINDOWS) == from_file


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--stream", "tcp://127.0.0.1:1"], 1, "give --window or --step"),
        (["--follow", "s.csv"], 1, "give --window or --step"),
        (["--stream", "tcp://nowhere", "--step", "5"], 1, "no address of a socket"),
        (["--stream", "s.csv", "--clock-rate", "5"], 2, "need --clock"),
        (["--stream", "s.csv", "--step", "5", "--clock", "--clock-origin", "noon"], 1, "`noon`"),
    ],
)
def test_wrong_usage(
    arguments: list[str], code: int, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert execute(["run", "--desc", "lamps.prolog", *arguments]) == code
    assert message in capfd.readouterr().err


def test_a_slow_reader_stops_the_sender() -> None:
    """However much a source has to say, what is not taken stays with it."""
    sent = 0
    line = b"press|1|1|" + b"a" * 1000 + b"\n"

    def serve(client: socket.socket) -> None:
        nonlocal sent
        client.settimeout(1.0)
        try:
            while sent < 1000 * HELD:
                sent += client.send(line * 64)
        except OSError:
            return

    inputs = {"press": (Input("press", 1, "event"),)}
    with server(serve) as address:
        stream = read_stream(address, inputs, Faults(), LiveSettings())
        stream.start()
        deadline = time.monotonic() + 30
        before = -1
        while sent != before and time.monotonic() < deadline:
            before = sent
            time.sleep(0.5)
        held = sent
        block = stream.read(0)
        stream.close()
    assert HELD <= held < 40 * HELD
    assert sum(map(len, block.batches)) * len(line) < 2 * HELD


def test_ctrl_c_while_waiting(folder: Path) -> None:
    """What is complete is written, also if the end of the run is not known."""
    read, write = os.pipe()
    args = ("--stream", "-", "--step", "10", "--start", "0", "--out", "o.csv")
    process = run(folder, *args, stdin=read)
    os.write(write, b"press|3|3|a\nrelease|15|15|a\npress|17|17|b\n")
    part = folder / f".o.csv.{process.pid}.part"
    until = time.monotonic() + 60
    while not (part.exists() and part.stat().st_size > 60) and time.monotonic() < until:
        time.sleep(0.01)
    interrupt(process)
    code, _, said = done(process)
    os.close(read)
    os.close(write)
    assert code == 130, said
    assert "stopped after query time 10" in said
    rows = (folder / "o.csv").read_text().splitlines()[1:]
    assert [row.split(",")[:2] for row in rows] == [["10", "hot"], ["10", "on"]]
    assert not list(folder.glob(".*"))


def test_ctrl_c_and_go_on(folder: Path, from_file: str) -> None:
    """With checkpoints, what is complete appears, and the same command goes on."""
    lines = (folder / "s.csv").read_text().splitlines(keepends=True)
    rounds = iter([(lines[:40], threading.Event()), (lines, None)])

    def serve(client: socket.socket) -> None:
        part, more = next(rounds)
        client.sendall(b"#rtec from 0\n" + "".join(part).encode())
        if more is None:
            client.sendall(b"#rtec end\n")
        else:
            client.settimeout(60)
            client.recv(1)

    with server(serve, clients=2) as address:
        args = ("--stream", address, "--out", "o2.jsonl", "--checkpoint", "ck", *WINDOWS)
        process = run(folder, *args)
        until = time.monotonic() + 60
        at = len(from_file) // 4
        part = folder / ".o2.jsonl.rtec-part"
        while not (part.exists() and part.stat().st_size > at) and time.monotonic() < until:
            time.sleep(0.01)
        interrupt(process)
        code, _, said = done(process)
        assert code == 130 and "the same command goes on from there" in said, said
        so_far = (folder / "o2.jsonl").read_text()
        assert from_file.startswith(so_far) and len(so_far) > at
        code, _, said = done(run(folder, *args))
    assert code == 0, said
    assert (folder / "o2.jsonl").read_text() == from_file


def test_a_feed_that_is_asked_to_stop() -> None:
    ask = Interrupt()
    read, write = os.pipe()
    stream = read_stream(f"/dev/fd/{read}", {"press": (Input("press", 1, "event"),)})
    feed = Feed(stream, 1, Stats(), ask)
    threading.Timer(0.1, ask.ask).start()
    with pytest.raises(Stopped):
        feed.read_until(10)
    feed.close()
    os.close(write)
    os.close(read)
    with pytest.raises(KeyboardInterrupt):
        ask.ask()
