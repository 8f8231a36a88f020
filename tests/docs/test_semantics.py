"""docs/semantics.md: windows, late records and defaults do what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.blocks import Block
from docs.pages import Page, sections

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("heading, blocks", sections(ROOT / "docs" / "semantics.md"))
def test_examples(heading: str, blocks: list[Block], page: Page) -> None:
    page.run(blocks)
    assert page.count > 0, f"nothing is shown under {heading!r}"
