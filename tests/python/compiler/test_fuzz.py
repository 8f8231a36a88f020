"""Whatever a description looks like, the checks end with an answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtec.compiler.examination import examine
from rtec.compiler.passes import compile_examined
from rtec.errors import DescriptionError
from rtec.runtime.sidecar import bundled_descriptions, find_description

TEXTS = [find_description(name).read_text() for name in bundled_descriptions()]
PIECES = [
    "(", ")", ",", ".", ":-", "=", "_", "X", "T", "true", "holdsAt", "happensAt", "not ", "[", "]",
    "fi(", "p(", "0", "1.0", "\\+", ";", "->", "'", '"', "%", "/*", "I", "union_all", "start(",
    "initiatedAt", "holdsFor", "findall(", "!", "|", "{", "}", "\n",
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A part of a bundled description with a few pieces cut out, doubled or put in."""
    text = draw(st.sampled_from(TEXTS))
    start = draw(st.integers(0, max(0, len(text) - 400)))
    text = text[start : start + draw(st.integers(50, 1500))]
    for _ in range(draw(st.integers(0, 6))):
        position = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 12))
        piece = draw(st.sampled_from([*PIECES, text[position : position + length]]))
        removed = draw(st.integers(0, length))
        text = text[:position] + piece + text[position + removed :]
    return text


def look(folder: Path, data: bytes) -> None:
    """Examine a description, and compile it if nothing is said against it."""
    path = folder / "rules.prolog"
    path.write_bytes(data)
    try:
        found = examine(path)
    except DescriptionError as error:
        assert str(error)
        return
    for problem in found.problems:
        assert problem.slug and str(problem)
    if not found.errors:
        compile_examined(path, found)


@given(text=mutated())
def test_mutated_descriptions(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    look(tmp_path_factory.mktemp("fuzz"), text.encode())


@given(data=st.binary(max_size=200))
def test_bytes(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    look(tmp_path_factory.mktemp("fuzz"), data)


@given(text=st.text("aAT_0.,()=:-[]|'\"\\+;! \n%", max_size=120))
def test_prolog_like_text(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    look(tmp_path_factory.mktemp("fuzz"), text.encode())
