"""Lines of live sources: whole ones, their position, marks among them, what is left out."""

from __future__ import annotations

import gzip
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtec.errors import ConfigError, StreamError
from rtec.runtime import wires
from rtec.runtime.addresses import is_address, parse_address
from rtec.runtime.marks import Mark, parse_mark, split_marks
from rtec.runtime.wires import LineCutter, Piece, Position, Reading, unpacked

texts = st.lists(
    st.sampled_from([b"a|1|1", b"", b"#rtec time 5", b"#rtec  time", b"x\r", b"#rtec end?"]),
    max_size=8,
).map(lambda lines: b"".join(line + b"\n" for line in lines))


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted({p for p in places if p < len(data)}), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


@given(texts, st.lists(st.integers(1, 40)), st.booleans())
def test_lines_are_the_same_however_they_come(text: bytes, places: list[int], ends: bool) -> None:
    text = text if ends else text + b"rest"
    cutter = LineCutter("pipe")
    pieces = [cutter.cut(data) for data in cut(text, places)]
    assert all(piece.endswith(b"\n") for piece in pieces if piece)
    assert b"".join(pieces) + cutter.rest() == text


@given(texts)
def test_marks_are_found_and_nothing_is_lost(text: bytes) -> None:
    parts = list(split_marks(text))
    assert b"".join(raw for raw, _ in parts) == text
    assert [raw for raw, mark in parts if mark] == [
        line + b"\n" for line in text.split(b"\n") if line == b"#rtec time 5"
    ]


@pytest.mark.parametrize("mark", [Mark("replay"), Mark("from", 12), Mark("time", -3), Mark("end")])
def test_marks_are_read_as_they_are_written(mark: Mark) -> None:
    assert parse_mark(mark.line()) == mark
    assert parse_mark(mark.line().replace(b"\n", b"\r\n")) == mark
    assert parse_mark(b"x" + mark.line()) is None


@given(texts, st.integers(0, 10), st.integers(0, 10), st.lists(st.integers(1, 40)))
def test_what_was_read_before_is_left_out(
    text: bytes, had: int, start: int, places: list[int]
) -> None:
    """A source that says where it starts: of its lines those after the ones we have are taken."""
    lines = [line + b"\n" for line in text.split(b"\n")[:-1] if line != b"#rtec time 5"]
    said: list[str] = []
    reading = Reading("s", Position(had), False, said.append)
    cutter = LineCutter("s")
    taken = []
    for data in cut(Mark("from", start).line() + text, places):
        taken += [p for p in reading.take(cutter.cut(data)) if isinstance(p, Piece)]
    assert b"".join(piece.data for piece in taken) == b"".join(lines[max(had - start, 0) :])
    assert reading.position.lines == max(start + len(lines), had)
    assert bool(said) == (start > had)
    numbers = [(p.first_line, p.first_line + p.data.count(b"\n")) for p in taken]
    assert all(a[1] == b[0] for a, b in pairwise(numbers))


def test_a_source_that_starts_again_each_time() -> None:
    reading = Reading("s", Position(2), True, print)
    [piece] = reading.take(b"a\nb\nc\nd\n")
    assert piece == Piece(b"c\nd\n", 3, Position(4, 8, b"a\nb\nc\nd\n"))


def test_nothing_is_read_after_the_end() -> None:
    reading = Reading("s", Position(), False, print)
    parts = list(reading.take(b"a\n#rtec end\nb\n"))
    assert [p.data for p in parts if isinstance(p, Piece)] == [b"a\n"]
    assert reading.ended


@given(st.binary(max_size=300), st.binary(max_size=60), st.lists(st.integers(1, 400)))
def test_packed_bytes_are_unpacked_however_they_come(
    one: bytes, two: bytes, places: list[int]
) -> None:
    packed = gzip.compress(one) + gzip.compress(two)
    assert b"".join(unpacked(iter(cut(packed, places)))) == one + two
    plain = b"a|" + one
    assert b"".join(unpacked(iter(cut(plain, places)))) == plain


def test_packed_bytes_that_end_early() -> None:
    with pytest.raises(EOFError, match="in the middle"):
        list(unpacked(iter([gzip.compress(b"a|1|1\n" * 50)[:-9]])))


def test_a_line_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wires, "LONGEST_LINE", 100)
    cutter = LineCutter("tcp://127.0.0.1:1")
    with pytest.raises(StreamError, match="a line of tcp://127.0.0.1:1 is longer than"):
        for _ in range(20):
            cutter.cut(b"0123456789")


def test_addresses() -> None:
    assert parse_address("tcp://127.0.0.1:9000").port == 9000
    assert parse_address("tcp://[::1]:9000").host == "::1"
    assert parse_address("unix:///run/x").path == "/run/x"
    assert is_address("unix://x") and not is_address("s.csv") and not is_address("tcp.csv")


@pytest.mark.parametrize(
    "text", ["tcp://127.0.0.1", "tcp://:9000", "tcp://a:b", "unix://rel", "unix://", "tcp://a:1/x"]
)
def test_addresses_that_are_none(text: str) -> None:
    with pytest.raises(ConfigError, match="no address of a socket"):
        parse_address(text)
