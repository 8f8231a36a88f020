"""docs/probability.md says what happens: its commands, pictures and Python examples are run."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest
from rtec.cli import execute


def test_commands_and_pictures(
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = (root / "docs" / "probability.md").read_text()
    stored = root / "docs" / "probability"
    for path in (*stored.glob("*.csv"), *stored.glob("*.prolog")):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    count = 0
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in block.split("$ ")[1:]:
            command, _, expected = part.partition("\n")
            arguments = shlex.split(command)
            assert arguments[0] == "rtec"
            assert execute(arguments[1:]) == 0
            assert capsys.readouterr().out == expected
            count += 1
    assert count == 9
    drawn = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert drawn == sorted(path.name for path in stored.glob("*.svg"))
    for name in drawn:
        assert (tmp_path / name).read_text() == (stored / name).read_text(), name
        assert f"(probability/{name})" in text


def test_files_are_shown_as_they_are(root: Path) -> None:
    text = (root / "docs" / "probability.md").read_text()
    rules = (root / "docs" / "probability" / "walk.prolog").read_text()
    records = (root / "docs" / "probability" / "walk.csv").read_text()
    assert rules[rules.index("initiatedAt") :] in text
    assert "".join(records.splitlines(keepends=True)[:3]) in text


def test_python_examples(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root / "docs" / "probability")
    outcome = doctest.testfile(str(root / "docs" / "probability.md"), module_relative=False)
    assert outcome.attempted > 10
    assert outcome.failed == 0
