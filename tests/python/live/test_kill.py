"""Processes that are killed at random moments, and started again: nothing is lost or doubled."""

from __future__ import annotations

import random
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lamps import PATIENCE, WINDOWS, deep, done, rtec, run, write_case
from rtec.cli import execute

ROUNDS = 12 if deep() else 1
KILLS = 4 if deep() else 3


def undisturbed(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> dict[str, bytes]:
    """Run in one go; return the files that are written."""
    (folder / "whole").mkdir()
    monkeypatch.chdir(folder / "whole")
    code = execute(["run", "-q", "--desc", "../lamps.prolog", "--stream", "../s.csv", *arguments])
    assert code == 0
    return {path.name: path.read_bytes() for path in (folder / "whole").iterdir()}


def kill_and_restart(folder: Path, rng: random.Random, out: str, size: int, *args: object) -> int:
    """Kill a run some times, each time when its output has come a bit further; let it end."""
    killed = 0
    part = folder / f".{out}.rtec-part"
    goals = sorted(rng.randint(0, size) for _ in range(KILLS))
    for goal in goals:
        process = run(folder, "-q", "--checkpoint", "ck", *args)
        until = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < until:
            if part.exists() and part.stat().st_size >= goal:
                break
            time.sleep(0.001)
        time.sleep(rng.random() * 0.03)
        killed += process.poll() is None
        process.kill()
        process.communicate()
        assert time.monotonic() < until, "the run does not go on"
        if (folder / out).exists():
            return killed
    code, _, said = done(run(folder, "-q", "--checkpoint", "ck", *args))
    assert code == 0, said
    return killed


def assert_same(folder: Path, expected: dict[str, bytes]) -> None:
    for name, content in expected.items():
        assert (folder / name).read_bytes() == content, name
    assert not list(folder.glob(".*"))
    assert [p.name for p in (folder / "ck").iterdir()] == ["lock"]


@contextmanager
def replaying(folder: Path, rate: float, to: str = "tcp://127.0.0.1:0") -> Iterator[str]:
    """Serve the stream to whoever comes; yield the address."""
    process = rtec(folder, "replay", "s.csv", "--rate", rate, "--to", to, "--keep")
    try:
        assert process.stderr is not None
        said = process.stderr.readline().decode()
        match = re.search(r"listening at (\S+)", said)
        assert match, said
        yield match[1]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_run_over_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    write_case(tmp_path, seed, 250)
    args = (*WINDOWS, "--out", "o.jsonl", "--late", "l.jsonl")
    expected = undisturbed(tmp_path, monkeypatch, *args)
    size = len(expected["o.jsonl"])
    assert size > 8_000 and expected["l.jsonl"]
    rng = random.Random(seed)
    killed = kill_and_restart(tmp_path, rng, "o.jsonl", size, "--stream", "s.csv", *args)
    assert killed
    assert_same(tmp_path, expected)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_run_over_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    write_case(tmp_path, seed, 250)
    args = (*WINDOWS, "--out", "o.csv", "--late", "l.jsonl", "--changes", "--checkpoint-every", "3")
    expected = undisturbed(tmp_path, monkeypatch, *args)
    size = len(expected["o.csv"])
    rng = random.Random(seed)
    with replaying(tmp_path, 1500) as address:
        kill_and_restart(tmp_path, rng, "o.csv", size, "--stream", address, *args)
    assert_same(tmp_path, expected)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_source_that_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """The run waits, connects again with a notice, and goes on after the lines it has."""
    write_case(tmp_path, seed, 250)
    args = (*WINDOWS, "--out", "o.jsonl")
    expected = undisturbed(tmp_path, monkeypatch, *args)
    address = f"unix://{tmp_path / 'sock'}"
    with replaying(tmp_path, 400, address):
        process = run(tmp_path, "--stream", address, *args)
        assert process.stderr is not None
        wait_for_output(tmp_path, process)
    with replaying(tmp_path, float("inf"), address):
        code, _, said = done(process)
    assert code == 0, said
    assert re.search(r"notice: unix://\S+ was cut off after line \d+.*trying again", said)
    assert re.search(r"notice: connected to unix://\S+ again, after line \d+", said)
    assert (tmp_path / "o.jsonl").read_bytes() == expected["o.jsonl"]


def wait_for_output(folder: Path, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        if any(path.stat().st_size for path in folder.glob(".o.jsonl.*")):
            return
        time.sleep(0.005)
    raise AssertionError("nothing was recognised")
