"""Answers that workers write: all of a job or nothing, and the same as of `rtec run`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rtec.errors import ConfigError
from rtec.runtime import answers
from rtec.spark.batch import recognise_into
from rtec.spark.files import read_frame
from rtec.spark.written import FILES, Folder

from spark.local import bundled, rows

ROWS = pa.RecordBatch.from_arrays(
    [pa.array([column], kind) for column, kind in zip(
        (10, "rich", '["ann"]', "true", 4, None), answers.schema().types, strict=True
    )],
    schema=answers.schema(),
)  # fmt: skip


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_only_what_counts_is_there(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    folder = Folder(str(out))
    with folder.committed(overwrite=False) as files:
        list(folder.write(iter([ROWS]), 3))  # an attempt that does not count
        told = list(folder.write(iter([ROWS, ROWS]), 3))
        files += [row["file"] for batch in told for row in batch.to_pylist()]
        assert names(out) == ["_temporary"]
    assert names(out) == ["_SUCCESS", files[0]]
    assert pq.read_table(out).num_rows == 2


def test_what_was_written_before_is_passed_on(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path / "out"))
    before = pa.RecordBatch.from_pylist([{"file": "other", "rows": 1}], FILES)
    with folder.committed(overwrite=False):
        told = pa.Table.from_batches(folder.write(iter([ROWS, before]), 0)).to_pylist()
    assert [row["rows"] for row in told] == [1, 1] and told[0]["file"] == "other"


def test_nothing_is_left_after_an_error(tmp_path: Path) -> None:
    out = tmp_path / "out"
    folder = Folder(str(out))
    with pytest.raises(KeyError), folder.committed(overwrite=False):
        list(folder.write(iter([ROWS]), 0))
        raise KeyError
    assert not out.exists()
    out.mkdir()
    (out / "old").touch()
    with pytest.raises(KeyError), folder.committed(overwrite=True):
        raise KeyError
    assert names(out) == ["old"]
    with pytest.raises(ConfigError, match="exists already"), folder.committed(overwrite=False):
        pass
    with folder.committed(overwrite=True):
        pass
    assert pq.read_table(out).num_rows == 0 and not (out / "old").exists()


@pytest.mark.parametrize("partitions", [1, 3])
@pytest.mark.parametrize("name", ["maritime", "toy"])
def test_the_same_as_rtec_run(
    spark: Any, tmp_path: Path, name: str, partitions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With lines in pieces, and two stages that both write."""
    monkeypatch.setattr("rtec.spark.pieces._LEAST", 1000)
    case = bundled(name)
    frame, form = read_frame(spark, case.chosen.streams)
    settings = {**case.settings, "form": form, "partitions": partitions}
    recognise_into(
        str(tmp_path / "out"), frame, case.program, **settings, files=case.chosen.streams
    )
    found = pq.read_table(tmp_path / "out").to_pylist()
    assert rows(found) == case.local()
    assert found
