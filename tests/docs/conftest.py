"""A folder for each page, with nothing of the user's in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.pages import Page


@pytest.fixture
def page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Page:
    """A page that has shown nothing yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RTEC_CACHE", "off")
    return Page(tmp_path, capfd)
