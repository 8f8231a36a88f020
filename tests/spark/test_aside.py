"""What goes from one task to another by files is what would have gone through Spark."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from rtec.errors import ConfigError, StreamError
from rtec.spark.aside import received, sending
from rtec.spark.written import Folder

SMALL, LARGE = ["facts"], [bytes(10_000), "facts"]


def folder(path: Path) -> Folder:
    return Folder(str(path), "job", str(path))


def test_without_a_folder_everything_is_sent_as_it_is() -> None:
    with sending(None) as sent:
        data = sent(pickle.dumps(LARGE))
    assert data == pickle.dumps(LARGE)
    assert received(data) == LARGE


def test_what_is_large_goes_by_a_file_of_the_task(tmp_path: Path) -> None:
    tasks: dict[int, list[bytes]] = {}
    for task in range(2):
        with sending(folder(tmp_path)) as sent:
            tasks[task] = [
                sent(pickle.dumps([task, content])) for content in (LARGE, SMALL, LARGE)
            ]
    assert len(list(tmp_path.iterdir())) == 2
    for task, (first, small, last) in tasks.items():
        assert len(first) < 1000
        assert small == pickle.dumps([task, SMALL])
        assert [received(data) for data in (first, small, last)] == [
            [task, content] for content in (LARGE, SMALL, LARGE)
        ]


def test_a_folder_that_is_gone_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file") as told:
        with sending(folder(tmp_path / "gone")):
            pass
    assert "unwritable-output" in str(told.value)


def test_a_file_that_is_gone_is_told_in_one_line(tmp_path: Path) -> None:
    with sending(folder(tmp_path)) as sent:
        data = sent(pickle.dumps(LARGE))
    for file in tmp_path.iterdir():
        file.unlink()
    with pytest.raises(StreamError, match="cannot read .*blocks-.*No such file"):
        received(data)


def test_a_full_disk_is_told_in_one_line() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no disk that is always full")
    from rtec.spark.aside import _Putting

    with full.open("wb", buffering=0) as file:
        sent = _Putting(file, full)
        with pytest.raises(ConfigError, match="No space left"):
            sent(pickle.dumps(LARGE))
