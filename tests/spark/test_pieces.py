"""Pieces of files: every line is in exactly one, and Spark reads what is not for workers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtec.errors import StreamError
from rtec.runtime import files
from rtec.spark import pieces
from rtec.spark.pieces import Piece, pieces_of


@given(
    lines=st.lists(st.text("ab\r", max_size=5), max_size=12),
    ends=st.booleans(),
    cuts=st.lists(st.integers(0, 60), max_size=5),
    block=st.integers(1, 9),
)
def test_every_line_is_in_one_piece(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[str],
    ends: bool,
    cuts: list[int],
    block: int,
) -> None:
    text = "\n".join(lines).encode() + (b"\n" if ends else b"")
    path = tmp_path_factory.getbasetemp() / "lines.csv"
    path.write_bytes(text)
    places = sorted({0, len(text), *(c for c in cuts if c < len(text))})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "BLOCK", block)
        found = [
            list(Piece(str(path), start, end).blocks())
            for start, end in zip(places, places[1:], strict=False)
        ]
    blocks = [data for piece in found for data in piece]
    assert b"".join(blocks) == text
    assert all(data.endswith(b"\n") for data in blocks[:-1])


def test_a_mark_of_byte_order_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "day.csv"
    path.write_bytes(files.BOM + b"a|1|1\n")
    assert list(Piece(str(path), 0, 9).blocks()) == [b"a|1|1\n"]


def test_a_line_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "day.csv"
    path.write_bytes(b"x" * 50)
    monkeypatch.setattr(pieces, "LONGEST_LINE", 10)
    with pytest.raises(StreamError, match="longer than"):
        list(Piece(str(path), 0, 5).blocks())
    with pytest.raises(StreamError, match="cannot read"):
        list(Piece(str(tmp_path / "none.csv"), 0, 5).blocks())


def test_pieces_are_neither_small_nor_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "_LEAST", 10)
    monkeypatch.setattr(pieces, "_MOST", 40)
    (tmp_path / "a.csv").write_bytes(b"x" * 30)
    (tmp_path / "b.csv").write_bytes(b"x" * 70)
    (tmp_path / "_left_out").write_bytes(b"x" * 70)
    paths = [str(tmp_path)]
    assert [(p.start, p.end) for p in pieces_of("local[2]", paths, "lines", 2)] == [
        (0, 30), (0, 40), (40, 70),
    ]  # fmt: skip
    assert len(pieces_of("local", paths, "json", 100)) == 10
    assert pieces_of("spark://host:7077", paths, "lines", 2) == []
    assert pieces_of("local[2]", paths, "table", 2) == []
    assert pieces_of("local[2]", [*paths, "hdfs://host/c.csv"], "lines", 2) == []
    (tmp_path / "c.csv.gz").write_bytes(b"")
    assert pieces_of("local[2]", paths, "lines", 2) == []
