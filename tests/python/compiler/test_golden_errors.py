"""Each folder of golden/errors: a description with mistakes, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rtec.compiler.examination import examine
from rtec.compiler.summary import summary

FOLDER = Path(__file__).resolve().parents[2] / "golden" / "errors"
CASES = sorted(p.name for p in FOLDER.iterdir() if p.is_dir())


@pytest.mark.parametrize("case", CASES)
def test_messages(
    case: str, golden: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER / case)
    declarations, background, stream = map(Path, ("declarations.pl", "background.pl", "stream.csv"))
    found = examine(
        Path("rules.pl"),
        [background] if background.exists() else [],
        declarations if declarations.exists() else None,
        streams=[stream] if stream.exists() else [],
    )
    lines = [*map(str, found.problems), f"rules.pl: {summary(found)}", ""]
    golden(FOLDER / case / "message.txt", "\n".join(lines))
