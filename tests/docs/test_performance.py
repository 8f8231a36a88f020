"""docs/performance.md: the figures of a run have the shape that the page shows."""

from __future__ import annotations

from pathlib import Path

from docs.blocks import blocks
from docs.pages import Page


def test_what_is_shown(root: Path, page: Page) -> None:
    page.run(blocks(root / "docs" / "performance.md"))
    assert page.count >= 2
