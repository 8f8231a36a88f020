"""Answers that workers write: all of a job or nothing, and the same as of `rtec run`."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark import TaskContext
from pyspark.errors import PythonException
from pyspark.sql.pandas.types import from_arrow_schema
from rtec.errors import ConfigError
from rtec.runtime import answers
from rtec.spark.batch import recognise, recognise_into
from rtec.spark.committer import committed
from rtec.spark.files import read_frame
from rtec.spark.written import FILES, Folder, Written

from spark.local import bundled, rows

ROWS = pa.RecordBatch.from_arrays(
    [pa.array([column], kind) for column, kind in zip(
        (10, "rich", '["ann"]', "true", 4, None), answers.schema().types, strict=True
    )],
    schema=answers.schema(),
)  # fmt: skip


def names(folder: Path) -> list[str]:
    """What is in a folder, but for the checksums that Java writes beside its files."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".crc")


def written(spark: Any, folder: Folder, broken: int | None = None) -> list[str]:
    """Have two tasks write a row each, of which one may break; the attempts that Spark names."""

    def work(batches: Any) -> Iterator[pa.RecordBatch]:
        yield ROWS
        if partition() == broken:
            list(batches)
            time.sleep(1)  # for the other task to write as well
            raise RuntimeError("broken")

    def partition() -> int:
        return int(TaskContext.get().partitionId())

    numbers = spark.range(0, 2, 1, 2)
    columns = from_arrow_schema(FILES)
    told = numbers.mapInArrow(Written(work, folder, partition), columns).collect()
    assert [row.rows for row in told] == [1, 1]
    return [row.attempt for row in told]


@pytest.fixture(params=["1", "2"])
def algorithm(spark: Any, request: pytest.FixtureRequest) -> Iterator[None]:
    """Both ways in which Hadoop commits."""
    name = "mapreduce.fileoutputcommitter.algorithm.version"
    spark.conf.set(name, request.param)
    yield
    spark.conf.unset(name)


@pytest.mark.usefixtures("algorithm")
def test_only_attempts_that_spark_names_are_there(spark: Any, tmp_path: Path) -> None:
    out = tmp_path / "new" / "a b%41ü"
    with committed(spark, str(out), overwrite=False) as (folder, attempts):
        others = written(spark, folder)
        attempts += written(spark, folder)
        assert names(out) == ["_temporary"]
        assert names(Path(folder.attempts)) == sorted([*others, *attempts])
    assert names(out) == ["_SUCCESS", *(f"part-0000{n}-{folder.job}.parquet" for n in (0, 1))]
    assert pq.read_table(out).num_rows == 2


def test_what_was_written_before_is_passed_on(tmp_path: Path) -> None:
    before = pa.RecordBatch.from_pylist([{"attempt": "other", "rows": 1}], FILES)
    folder = Folder(str(tmp_path), "job", str(tmp_path))
    told = pa.Table.from_batches(folder.write(iter([ROWS, before]), 7)).to_pylist()
    assert [row["rows"] for row in told] == [1, 1]
    assert [row["attempt"] for row in told] == ["other", "attempt_job_0000_m_000007_0"]


@pytest.mark.usefixtures("algorithm")
def test_everything_is_as_before_after_an_error_in_a_task(spark: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(PythonException), committed(spark, str(out), False) as (folder, _):
        written(spark, folder, broken=1)
    assert not out.exists()
    (out / "old").mkdir(parents=True)
    (out / "_SUCCESS").touch()
    with pytest.raises(PythonException), committed(spark, str(out), True) as (folder, _):
        written(spark, folder, broken=0)
    assert names(out) == ["_SUCCESS", "old"]


@pytest.mark.usefixtures("algorithm")
def test_what_was_there_is_replaced(spark: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    killed = out / "_temporary" / "0" / "task_old_0000_m_000000"  # in the middle of a commit
    killed.mkdir(parents=True)
    for old in (out / "part-old.parquet", killed / "part-killed.parquet"):
        pq.write_table(pa.Table.from_batches([ROWS]), old)
    with committed(spark, str(out), overwrite=True) as (folder, attempts):
        attempts += written(spark, folder)
        assert (out / "part-old.parquet").exists()
    assert len(names(out)) == 3 and pq.read_table(out).num_rows == 2


def test_a_folder_without_answers_can_be_read(spark: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with committed(spark, str(out), overwrite=False):
        pass
    assert len(names(out)) == 2
    assert pq.read_table(out).schema.equals(answers.schema())
    assert spark.read.parquet(str(out)).count() == 0
    with pytest.raises(ConfigError, match="exists already"), committed(spark, str(out), False):
        pass


def test_what_cannot_be_committed(spark: Any, tmp_path: Path) -> None:
    """A file is gone; and then only the last step goes wrong, with and without something old."""
    out = tmp_path / "out"
    (out / "old").mkdir(parents=True)
    with (
        pytest.raises(ConfigError, match=f"cannot write {out}: .* are gone"),
        committed(spark, str(out), True) as (folder, attempts),
    ):
        attempts += written(spark, folder)
        shutil.rmtree(Path(folder.attempts, attempts[0]))
    assert names(out) == ["old"]
    new = tmp_path / "new"
    with (
        pytest.raises(ConfigError, match=f"cannot write {new}: .*_SUCCESS"),
        committed(spark, str(new), False) as (folder, attempts),
    ):
        attempts += written(spark, folder)
        Path(folder.attempts, attempts[0], "_SUCCESS").mkdir()  # so that it cannot be made
    assert names(new) == ["_SUCCESS"]
    (new / "_SUCCESS").rmdir()
    pq.write_table(pa.Table.from_batches([ROWS]), new / "part-old.parquet")
    with (
        pytest.raises(ConfigError, match=f"cannot write {new}: .*_SUCCESS"),
        committed(spark, str(new), True) as (folder, attempts),
    ):
        attempts += written(spark, folder)
        Path(folder.attempts, attempts[0], "_SUCCESS").mkdir()
    assert names(new) == ["_SUCCESS", "part-old.parquet"]


def test_what_cannot_be_put_aside(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "_SUCCESS"):
        (tmp_path / name).touch()
    rename, moved = Path.rename, []

    def fails(self: Path, target: Path) -> Path:
        if target.parent.name.startswith("_replaced_"):
            if moved:
                raise OSError("not that one")
            moved.append(self)
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with (
        pytest.raises(ConfigError, match="not that one"),
        committed(spark, str(tmp_path), True) as (folder, attempts),
    ):
        attempts += written(spark, folder)
    assert names(tmp_path) == ["_SUCCESS", "a", "b"]


def test_unwritable_folder(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for out, overwrite in [("file", True), ("file/out", False)]:
        with (
            pytest.raises(ConfigError, match="cannot write .*: Not a directory"),
            committed(spark, str(tmp_path / out), overwrite),
        ):
            pass
    assert names(tmp_path) == ["file"]


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


def test_one_task_reads_many_pieces(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_LEAST", "_MOST"):
        monkeypatch.setattr(f"rtec.spark.pieces.{name}", 50_000)
    case = bundled("maritime")
    frame, form = read_frame(spark, case.chosen.streams)
    settings = {**case.settings, "form": form, "partitions": 1}
    recognise_into(
        str(tmp_path / "out"), frame, case.program, **settings, files=case.chosen.streams
    )
    assert rows(pq.read_table(tmp_path / "out").to_pylist()) == case.local()


def test_large_blocks_go_by_files_that_are_gone_in_the_end(spark: Any, tmp_path: Path) -> None:
    case = bundled("maritime")
    frame, form = read_frame(spark, case.chosen.streams)
    out, settings = tmp_path / "out", {**case.settings, "form": form, "partitions": 2}
    with committed(spark, str(out), False) as (folder, attempts):
        told = recognise(frame, case.program, **settings, folder=folder).collect()
        attempts += [row.attempt for row in told]
        sizes = [file.stat().st_size for file in Path(folder.asides).iterdir()]
    assert len(sizes) > 2  # of tasks that read, and of the first stage
    assert max(sizes) > 1 << 12
    assert all(name == "_SUCCESS" or name.startswith("part-") for name in names(out))
    assert rows(pq.read_table(out).to_pylist()) == case.local()
