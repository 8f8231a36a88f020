"""README.md: its commands and its Python do what it says, in the order in which they stand."""

from __future__ import annotations

import re
from pathlib import Path

from docs.blocks import blocks
from docs.pages import Page


def test_readme(root: Path, page: Page) -> None:
    page.run(blocks(root / "README.md"))
    assert page.count > 10


def test_the_first_example_is_the_toy(root: Path) -> None:
    shown = {block.title: block.text for block in blocks(root / "README.md")}
    bundled = (root / "descriptions" / "toy" / "toy.prolog").read_text()
    assert shown["day.prolog"] == re.sub(r"^(%.*)?\n", "", bundled, flags=re.MULTILINE)
    assert shown["day.csv"] == (root / "data" / "toy" / "stream.csv").read_text()
