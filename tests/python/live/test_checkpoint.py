"""Checkpoints as files: whole or refused, and never a wrong one."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtec.errors import ConfigError
from rtec.runtime.checkpoint import LATEST, PREVIOUS, Checkpoints, digest

IDENTITY = {"--window": 10, "what the description says": digest(b"a"), "--late": None}


def said_by(folder: Path, identity: dict[str, Any] | None = None) -> tuple[Any, list[str]]:
    """Load what is in a folder; return it, and what was said about it."""
    said: list[str] = []
    with Checkpoints(folder, IDENTITY if identity is None else identity, said.append) as found:
        return found.load(), said


def save(folder: Path, *states: Any) -> None:
    with Checkpoints(folder, IDENTITY, print) as checkpoints:
        for state in states:
            checkpoints.save(state)


def test_the_newest_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert said_by(folder) == (None, [])
    save(folder, {"step": 1})
    assert said_by(folder) == ({"step": 1}, [])
    save(folder, {"step": 2}, {"step": 3})
    assert said_by(folder) == ({"step": 3}, [])
    with Checkpoints(folder, IDENTITY, print) as checkpoints:
        checkpoints.clear()
    assert said_by(folder) == (None, [])


def test_a_process_that_ended_between_two_names(tmp_path: Path) -> None:
    save(tmp_path, 1, 2)
    (tmp_path / LATEST).unlink()
    (tmp_path / "new.checkpoint").write_bytes(b"half")
    assert said_by(tmp_path) == (1, [])
    save(tmp_path, 3)
    assert said_by(tmp_path) == (3, [])


@settings(max_examples=max(settings.default.max_examples // 2, 50))
@given(st.data())
def test_a_damaged_one_is_found_out(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        damage_one(Path(folder), data)


def damage_one(folder: Path, data: st.DataObject) -> None:
    save(folder, "before", "after" * 9)
    path = folder / LATEST
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    damage = data.draw(st.sampled_from(["flip", "cut", "insert"]))
    if damage == "flip":
        bit = 1 << data.draw(st.integers(0, 7))
        path.write_bytes(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
    elif damage == "cut":
        path.write_bytes(whole[:place])
    else:
        path.write_bytes(whole[:place] + b"7" + whole[place:])
    try:
        state, said = said_by(folder)
    except ConfigError as error:  # the version in the first line may have become another
        assert "its format is" in str(error)
        return
    assert state == "before"
    assert "is damaged" in said[0] and said[1] == "going on from the checkpoint before it"


def test_nothing_whole(tmp_path: Path) -> None:
    save(tmp_path, 1, 2)
    (tmp_path / LATEST).write_bytes(b"")
    (tmp_path / PREVIOUS).write_bytes(b"rtec checkpoint 2\n{}\n")
    with pytest.raises(ConfigError, match="no checkpoint in .* is whole"):
        said_by(tmp_path)


def test_another_format_is_not_damage(tmp_path: Path) -> None:
    save(tmp_path, 1)
    path = tmp_path / LATEST
    path.write_bytes(path.read_bytes().replace(b"rtec checkpoint 2", b"rtec checkpoint 1", 1))
    with pytest.raises(ConfigError, match="its format is 1, not 2"):
        said_by(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"--window": 20}, "--window was 10 and is 20"),
        ({"what the description says": digest(b"b")}, "what the description says is not the same"),
        ({"--late": "l.jsonl"}, "--late was not given and is l.jsonl"),
        ({"--follow": ["a", "b"]}, "--follow was not given and is a, b"),
    ],
)
def test_another_run_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    save(tmp_path, 1)
    with pytest.raises(ConfigError) as caught:
        said_by(tmp_path, {**IDENTITY, **change})
    assert message in str(caught.value)
    assert "remove the folder" in str(caught.value)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with (
        Checkpoints(tmp_path, IDENTITY, print),
        pytest.raises(ConfigError, match="another run keeps its checkpoints"),
    ):
        Checkpoints(tmp_path, IDENTITY, print)
    with Checkpoints(tmp_path, IDENTITY, print):
        pass


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot use the folder"):
        Checkpoints(tmp_path / "file", IDENTITY, print)
