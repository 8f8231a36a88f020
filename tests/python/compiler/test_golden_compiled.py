"""Each folder of golden/compiler: a description beside what it is compiled to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rtec.compiler import compile_description
from rtec.runtime.session import Session

FOLDER = Path(__file__).resolve().parents[2] / "golden" / "compiler"
CASES = sorted(p.name for p in FOLDER.iterdir() if p.is_dir())


@pytest.mark.parametrize("case", CASES)
def test_compiled_text(
    case: str, golden: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER / case)
    program = compile_description(Path("rules.pl"), cached=False)
    golden(FOLDER / case / "compiled.pl", program.text)
    with Session(program, window=10) as session:  # and Prolog can load it
        assert list(session.query(10)) == []
