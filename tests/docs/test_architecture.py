"""docs/architecture.md: the compiled module that it shows is the one that is made."""

from __future__ import annotations

import re
from pathlib import Path

from docs.blocks import blocks
from docs.pages import Page


def test_what_is_shown(root: Path, page: Page) -> None:
    page.run(blocks(root / "docs" / "architecture.md"))
    assert page.count == 1


def test_the_files_that_are_named_exist(root: Path) -> None:
    text = (root / "docs" / "architecture.md").read_text()
    folders = [root, *(root / "python" / "rtec" / f for f in ("", "compiler", "runtime", "spark"))]
    folders += [root / "prolog" / "rtec"]
    named = set(re.findall(r"`([\w/.]+(?:\.py|\.pl|/))`", text))
    assert len(named) > 20
    missing = {n for n in named if not any((folder / n).exists() for folder in folders)}
    assert missing == set()
