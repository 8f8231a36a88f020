"""Files that grow, are cut short, or are replaced while they are read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lamps import WINDOWS, write_case
from rtec.cli import execute
from rtec.runtime.following import FollowWire
from rtec.runtime.wires import Piece, Position


class Follower:
    """Follows a file, and has everything by line."""

    def __init__(self, path: Path, position: Position | None = None) -> None:
        self.said: list[str] = []
        self.position = position or Position()
        self.closed = False
        pieces = FollowWire(str(path), self.said.append).pieces(self.position, lambda: self.closed)
        self._pieces: Iterator[object] = pieces

    def next(self) -> bytes:
        """Return the next lines that come."""
        piece = next(self._pieces)
        assert isinstance(piece, Piece)
        self.position = piece.position
        return piece.data

    def ends(self) -> bool:
        return next(self._pieces, None) is None


def soon(work: Callable[[], object]) -> None:
    """Do something while another waits."""
    threading.Timer(0.15, work).start()


def append(path: Path, text: str) -> None:
    with open(path, "a") as handle:
        handle.write(text)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log"
    path.write_text("one\ntwo\n")
    return path


def test_lines_come_when_they_are_whole(log: Path) -> None:
    follower = Follower(log)
    assert follower.next() == b"one\ntwo\n"
    append(log, "thr")
    soon(lambda: append(log, "ee\n"))
    assert follower.next() == b"three\n"
    assert follower.position == Position(3, 14, b"one\ntwo\nthree\n")
    assert not follower.said


def test_a_file_that_does_not_exist_yet(tmp_path: Path) -> None:
    path = tmp_path / "later"
    follower = Follower(path)
    soon(lambda: path.write_text("one\n"))
    assert follower.next() == b"one\n"
    assert follower.said == [f"waiting for {path}, which does not exist"]


def test_a_file_that_is_replaced(log: Path) -> None:
    """What was left of the old file comes first."""
    follower = Follower(log)
    follower.next()

    def rotate() -> None:
        append(log, "three\n")
        log.rename(log.with_suffix(".1"))
        log.write_text("four\n")

    rotate()
    assert follower.next() == b"three\n"
    assert follower.next() == b"four\n"
    assert follower.position == Position(4, 5, b"four\n")
    assert follower.said == [f"{log} was replaced; reading it from its start"]


def test_a_file_that_is_cut_short(log: Path) -> None:
    follower = Follower(log)
    follower.next()
    log.write_text("x\n")
    assert follower.next() == b"x\n"
    assert follower.position.lines == 3


def test_another_process_goes_on(log: Path) -> None:
    position = Position(1, 4, b"one\n")
    follower = Follower(log, position)
    assert follower.next() == b"two\n"
    assert follower.position.lines == 2


def test_another_process_finds_another_file(log: Path) -> None:
    follower = Follower(log, Position(7, 4, b"xyz\n"))
    assert follower.next() == b"one\ntwo\n"
    assert follower.position.lines == 9
    assert follower.said == [f"{log} is another file now; reading it from its start"]


def test_it_ends_when_it_says_so_or_nobody_wants_it(log: Path) -> None:
    append(log, "#rtec end\nmore\n")
    follower = Follower(log)
    assert follower.next() == b"one\ntwo\n"
    assert next(follower._pieces) is not None
    assert follower.ends()
    other = Follower(log)
    other.closed = True
    assert other.ends()


def test_a_run_that_follows_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = write_case(tmp_path, 5, 40).read_text().splitlines(keepends=True)
    args = ["run", "-q", "--desc", "lamps.prolog", *WINDOWS]
    assert execute([*args, "--stream", "s.csv", "--out", "whole.jsonl"]) == 0

    def grow() -> None:
        for part in ("".join(lines[:9]), "".join(lines[9:30])[:-3], "".join(lines[9:30])[-3:]):
            append(tmp_path / "log", part)
            time.sleep(0.05)
        append(tmp_path / "log", "".join(lines[30:]) + "#rtec end\n")

    soon(grow)
    assert execute([*args, "--follow", "log", "--out", "o.jsonl"]) == 0
    assert (tmp_path / "o.jsonl").read_text() == (tmp_path / "whole.jsonl").read_text()
