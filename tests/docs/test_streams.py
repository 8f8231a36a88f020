"""docs/streams.md: late and retracted records, changes, live sources and checkpoints as shown."""

from __future__ import annotations

from pathlib import Path

from docs.blocks import blocks
from docs.pages import Page


def test_what_is_shown(root: Path, page: Page) -> None:
    page.run(blocks(root / "docs" / "streams.md"))
    assert page.count >= 9
