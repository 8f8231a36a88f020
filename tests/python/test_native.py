"""The library in C: compiled once, and done without where it cannot be had."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rtec import environment, native
from rtec.cli import doctor
from rtec.cli.doctor import State


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The home of SWI-Prolog, and an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(native.VARIABLE, raising=False)
    return environment.find_swipl().home


def test_compiled_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = native.find_native(home)
    assert first.library is not None and first.library.is_file()
    monkeypatch.setenv("CC", "no-such-compiler")
    assert native.find_native(home) == first
    assert [file.name for file in first.library.parent.iterdir()] == [first.library.name]


def test_prolog_is_told(home: Path) -> None:
    found = native.prepare_native(home)
    try:
        assert os.environ[native.VARIABLE] == str(found.library)
    finally:
        del os.environ[native.VARIABLE]


def test_no_compiler(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert native.find_native(home) == native.Native(None, "there is no C compiler")
    found = doctor.look_at_native()
    assert found.state is State.ABSENT
    assert not found.core


def test_failure_is_remembered(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(f"#!/bin/sh\necho tried >> {tmp_path}/tries\necho broken >&2\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    assert native.find_native(home) == native.Native(None, "broken")
    assert native.find_native(home) == native.Native(None, "broken")
    assert (tmp_path / "tries").read_text() == "tried\n"


def test_no_cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RTEC_CACHE", "off")
    assert native.find_native(home).library is None


def test_cache_that_cannot_be_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/cache")
    assert native.find_native(home).library is None


def test_switched_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(native.VARIABLE, "off")
    assert native.prepare_native(home).library is None


@pytest.mark.parametrize("name", ["activity", "maritime", "transport", "voting"])
def test_same_answers_without_it(name: str, tmp_path: Path, root: Path) -> None:
    out = tmp_path / "out.jsonl"
    command = ["run", "--desc", f"{name}.prolog", "--merge", "--quiet", "--out", str(out)]
    main = "from rtec.cli import main; main()"
    subprocess.run(
        [sys.executable, "-c", main, *command],
        env={**os.environ, native.VARIABLE: "off"},
        check=True,
        timeout=300,
    )
    assert out.read_text() == (root / "descriptions" / name / "expected.jsonl").read_text()


def test_the_papers_without_it(root: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        + ["tests/equations/test_papers.py"],
        env={**os.environ, native.VARIABLE: "off"},
        cwd=root,
        check=True,
        timeout=600,
    )
