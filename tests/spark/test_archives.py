"""Archives are read again when they have changed, and only then."""

from __future__ import annotations

import importlib
import sys
import zipfile
import zipimport
from pathlib import Path
from typing import Any

import pytest
from rtec.spark.archives import trust_archives


def write(path: Path, *names: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(f"{name}.py", "")


def test_an_archive_is_read_again_if_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "some.zip"
    write(path, "rtec_test_one")
    monkeypatch.syspath_prepend(str(path))
    importlib.import_module("rtec_test_one")
    trust_archives()
    trust_archives()
    read: list[Any] = []
    listed = zipimport._read_directory  # type: ignore[attr-defined]
    monkeypatch.setattr(
        zipimport, "_read_directory", lambda archive: read.append(archive) or listed(archive)
    )
    importlib.invalidate_caches()
    assert str(path) not in read
    write(path, "rtec_test_one", "rtec_test_two")
    importlib.invalidate_caches()
    importlib.import_module("rtec_test_two")
    assert str(path) in read
    for name in ("rtec_test_one", "rtec_test_two"):
        del sys.modules[name]
