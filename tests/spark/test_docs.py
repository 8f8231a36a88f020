"""The examples of docs/spark.md run, and show what they show."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

from docs.blocks import blocks
from docs.conftest import page as page  # the fixture
from docs.pages import Page


def test_the_plan_that_is_shown(root: Path, page: Page) -> None:
    shown = [b for b in blocks(root / "docs" / "spark.md") if b.language == "console"]
    page.run(shown)
    assert page.count == 1


def test_examples(spark: Any, root: Path) -> None:
    page = (root / "docs" / "spark.md").read_text(encoding="utf-8")
    found = re.findall(r"^```(python|text)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    python = [text for kind, text in found if kind == "python"]
    assert len(python) >= 4
    names: dict[str, Any] = {"spark": spark}
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        for text in python:
            exec(compile(text, "docs/spark.md", "exec"), names)
    tables = [text for kind, text in found if kind == "text" and text.startswith("+")]
    assert shown.getvalue().strip() == tables[0].strip()
