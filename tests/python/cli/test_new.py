"""`rtec new` makes something that runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rtec.cli import execute


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_it_makes_runs(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert execute(["new", "press-shop"]) == 0
    said = capfd.readouterr().out
    assert "rtec run --desc press-shop/press-shop.prolog" in said
    assert sorted(p.name for p in (folder / "press-shop").iterdir()) == [
        "press-shop.prolog",
        "press-shop.toml",
        "stream.csv",
    ]
    assert execute(["run", "--desc", "press-shop", "--merge"]) == 0
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    found = {(r["fluent"], *r["args"], r["value"]): r["intervals"] for r in lines}
    assert found == {
        ("overheating", "drill", "true"): [[34, 42]],
        ("overheating", "press", "true"): [[26, 53]],
        ("running", "drill", "true"): [[12, 42]],
        ("running", "press", "true"): [[3, 71]],
        ("temperature", "drill", "high"): [[34, None]],
        ("temperature", "press", "high"): [[26, 53]],
        ("temperature", "press", "normal"): [[6, 26], [53, None]],
    }


@pytest.mark.parametrize("name", ["", ".", "..", "9lives", "a b", "a/b/", "-x"])
def test_names_that_will_not_do(name: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert execute(["new", "--", name]) == 1
    assert capfd.readouterr().err.startswith("error: ")
    assert list(folder.iterdir()) == []


def test_nothing_is_overwritten(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "mine").write_text("precious")
    assert execute(["new", "mine"]) == 1
    assert "is there already" in capfd.readouterr().err
    assert (folder / "mine").read_text() == "precious"
