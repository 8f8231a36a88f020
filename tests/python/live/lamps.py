"""A small description with something of everything, streams for it, and `rtec` as a process."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

RULES = """
initiatedAt(on(X)=true, T) :- happensAt(press(X), T).
terminatedAt(on(X)=true, T) :- happensAt(release(X), T).
initiatedAt(hot(X)=true, T) :- happensAt(start(on(X)=true), T).
terminatedAt(hot(X)=true, T) :- happensAt(cool(X), T).
fi(hot(X)=true, hot(X)=false, 25).
holdsFor(lit(X)=true, I) :- holdsFor(on(X)=true, I1), holdsFor(power(X)=true, I2),
    intersect_all([I1,I2], I).
happensAt(flash(X), T) :- happensAt(press(X), T), happensAt(release(X), T).
collectIntervals(power(_)=true).
"""
WINDOWS = ("--window", "30", "--step", "10", "--start", "0")
LINE = "from rtec.cli import main; main()"
PATIENCE = 60


def make_stream(seed: int, count: int) -> list[str]:
    """Lines in order of arrival: some late, some lost, some taken back, floats and terms."""
    rng = random.Random(seed)
    lines = []
    time = 0
    for _ in range(count):
        time += rng.choice((0, 1, 1, 2, 5))
        lamp = rng.choice(("a", "b", "lamp 7", "f(x,1)", "2.5", "7"))
        delay = rng.choice((0, 0, 0, 0, 4, 12, 45))
        name = rng.choice(("press", "press", "release", "release", "cool", "power"))
        interval = f"|{time + rng.randint(0, 20)}|true" if name == "power" else ""
        line = f"{name}|{time + delay}|{time}{interval}|{lamp}"
        lines.append((time + delay, line))
        if rng.random() < 0.1:
            later = time + delay + rng.randint(0, 15)
            lines.append((later, f"-{name}|{later}|{time}{interval}|{lamp}"))
    lines.sort(key=lambda pair: pair[0])
    return [line for _, line in lines]


def write_case(folder: Path, seed: int = 1, count: int = 400) -> Path:
    """Write a description and a stream; return the stream."""
    (folder / "lamps.prolog").write_text(RULES)
    stream = folder / "s.csv"
    stream.write_text("".join(f"{line}\n" for line in make_stream(seed, count)))
    return stream


def rtec(folder: Path, *arguments: object, **options: object) -> subprocess.Popen[bytes]:
    """Start the command in a folder."""
    command = [sys.executable, "-c", LINE, *map(str, arguments)]
    given = {"stderr": subprocess.PIPE, "stdout": subprocess.PIPE, **options}
    return subprocess.Popen(command, cwd=folder, **given)  # type: ignore[call-overload,no-any-return]


def run(folder: Path, *arguments: object, **options: object) -> subprocess.Popen[bytes]:
    """Start `rtec run` over the lamps."""
    return rtec(folder, "run", "--desc", "lamps.prolog", *arguments, **options)


def done(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    """Wait for a process; return its exit code, output and messages."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"it did not end; it said:\n{err.decode()}") from None
    return process.returncode, (out or b"").decode(), (err or b"").decode()


def interrupt(process: subprocess.Popen[bytes]) -> None:
    """Press Ctrl-C."""
    process.send_signal(signal.SIGINT)


def deep() -> bool:
    """Whether there is time for many cases."""
    return os.environ.get("RTEC_DEEP") == "1"
