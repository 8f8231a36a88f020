"""Jobs: forms of input and output, objects without records, and what goes wrong."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rtec
from click.testing import CliRunner
from rtec.cli import cli
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.errors import ConfigError, StreamError
from rtec.spark.batch import recognise
from rtec.spark.errors import plain_errors
from rtec.spark.files import read_frame
from rtec.spark.plan import plan

from spark.local import bundled, collected, rows

DAY = [
    ("win_lottery", 3, ["ann"]), ("go_to", 5, ["ann", "pub"]), ("go_to", 7, ["bob", "pub"]),
    ("lose_wallet", 9, ["ann"]), ("go_to", 11, ["bob", "home"]), ("win_lottery", 12, ["7"]),
]  # fmt: skip
RECORDS = "name string, time bigint, args array<string>"


def described(folder: Path, text: str, background: str | None = None) -> Program:
    rules = folder / "rules.prolog"
    rules.write_text(text)
    files = []
    if background is not None:
        files = [folder / "background.prolog"]
        files[0].write_text(background)
    return compile_description(rules, files, cached=False)


@pytest.fixture
def toy() -> Program:
    return bundled("toy").program


def test_forms_of_input(spark: Any, toy: Program, tmp_path: Path) -> None:
    table = [{"name": n, "time": t, "arrival": t, "args": a} for n, t, a in DAY]
    paths = {form: tmp_path / f"day.{form}" for form in ("parquet", "jsonl", "csv")}
    pq.write_table(pa.Table.from_pylist(table), paths["parquet"])
    paths["jsonl"].write_text("".join(json.dumps(r) + "\n" for r in table))
    paths["csv"].write_text("".join(f"{n}|{t}|{t}|{'|'.join(a)}\n" for n, t, a in DAY))
    for path in paths.values():
        frame, form = read_frame(spark, [str(path)])
        found = recognise(frame, toy, window=10, step=5, form=form, partitions=2)
        assert collected(found) == rows(
            rtec.run(toy, path, window=10, step=5).to_arrow().to_pylist()
        )


def test_columns_of_arguments_and_late_records(spark: Any, toy: Program) -> None:
    frame = spark.createDataFrame(
        [("win_lottery", 6, 14, "ann"), ("lose_wallet", 5, 6, "ann"), ("win_lottery", 1, 19, "bo")],
        "name string, time bigint, arrival bigint, arg1 string",
    )
    found = collected(recognise(frame, toy, window=15, step=10, start=0, end=20, partitions=2))
    assert [r[0] for r in found if r[1] == "rich"] == [20]


def test_objects_without_records(spark: Any, tmp_path: Path) -> None:
    program = described(
        tmp_path,
        "initially(lamp(X)=off) :- room(X).\n"
        "initiatedAt(lamp(X)=on, T) :- happensAt(switch(X), T).\n"
        "initiatedAt(lamp(X)=off, T) :- happensAt(blackout, T), room(X).\n"
        "initiatedAt(dark=true, T) :- happensAt(blackout, T).\n"
        "terminatedAt(dark=true, T) :- happensAt(repair, T).\n",
        "room(hall). room(attic). room(7).\n",
    )
    assert plan(program).stages is not None
    day = [("switch", 3, ["hall"]), ("switch", 4, ["7"]), ("blackout", 6, []), ("repair", 8, [])]
    frame = spark.createDataFrame(day, RECORDS)
    own = [rtec.Record(n, t, [7 if a == "7" else a for a in args]) for n, t, args in day]
    expected = rows(rtec.run(program, own, start=0, end=9, window=9).to_arrow().to_pylist())
    for partitions in (1, 3):
        found = recognise(frame, program, start=0, end=9, window=9, partitions=partitions)
        assert collected(found) == expected


def test_objects_that_meet_stay_together(spark: Any, tmp_path: Path) -> None:
    program = described(
        tmp_path,
        "initiatedAt(angry(X)=true, T) :- happensAt(insult(X), T).\n"
        "initiatedAt(fight(X, Y)=true, T) :-\n"
        "    happensAt(meet(X, Y), T), holdsAt(angry(X)=true, T), holdsAt(angry(Y)=true, T).\n",
    )
    day = [("insult", t, [f"p{t}"]) for t in range(1, 9)]
    day += [("meet", 10 + t, [f"p{t}", f"p{t + 1}"]) for t in (1, 2, 5, 7)]
    expected = [rtec.Record(n, t, a) for n, t, a in day]
    frame = spark.createDataFrame(day, RECORDS)
    found = recognise(frame, program, start=0, end=20, window=20, partitions=3)
    assert collected(found) == rows(
        rtec.run(program, expected, start=0, end=20, window=20).to_arrow().to_pylist()
    )


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("time bigint, args array<string>", "no column `name`"),
        ("name string, args array<string>", "no column `time`"),
        ("name string, time string", "`time` holds string"),
        ("name string, time bigint, args double", "`args` holds double"),
    ],
)
def test_wrong_columns_are_said_before_any_job(
    spark: Any, toy: Program, columns: str, said: str
) -> None:
    with pytest.raises(StreamError, match=said):
        recognise(spark.createDataFrame([], columns), toy, window=5)


def test_a_null_key_names_partition_row_and_value(spark: Any, toy: Program) -> None:
    day = [("go_to", 4, [None, "pub"]), ("go_to", 5, ["ann", "pub"])]
    found = recognise(
        spark.createDataFrame(day, RECORDS), toy, window=5, start=0, end=9, partitions=1
    )
    with pytest.raises(StreamError) as error, plain_errors():
        found.collect()
    text = str(error.value)
    assert "partition 0" in text and "an argument is null" in text and "'pub'" in text
    assert "Traceback" not in text


def test_malformed_records_may_be_skipped(spark: Any, toy: Program) -> None:
    frame = spark.createDataFrame([("go_to", 4, [None, "pub"]), ("go_to", 4, ["a", "b"])], RECORDS)
    found = recognise(frame, toy, window=9, start=0, end=9, on_error="skip", partitions=2)
    assert [r[2] for r in collected(found)] == ['["a"]']


def test_missing_prolog_is_one_error_that_names_the_host(
    spark: Any,
) -> None:
    import socket

    frame = spark.createDataFrame([("go_to", 4, ["a", "b"])], RECORDS)

    def broken(batches: Any) -> Any:
        from rtec import environment
        from rtec.spark.errors import named

        os.environ["SWI_HOME_DIR"] = os.sep + "nowhere"
        try:
            with named(0):
                environment.prepare_swipl()
        finally:
            del os.environ["SWI_HOME_DIR"]
        yield from batches

    with pytest.raises(ConfigError) as error, plain_errors():
        frame.mapInArrow(broken, RECORDS).collect()
    text = str(error.value)
    assert socket.gethostname() in text and "no-swi-prolog" in text
    assert "Traceback" not in text


def test_command(spark: Any, tmp_path: Path) -> None:
    out, stats = tmp_path / "out", tmp_path / "stats.json"
    asked = ["spark", "run", "--desc", "toy.prolog", "--output", str(out)]
    done = CliRunner().invoke(cli, [*asked, "--format", "jsonl", "--stats", str(stats)])
    assert done.exit_code == 0, done.output
    found = [json.loads(x) for f in out.glob("*.json") for x in f.read_text().splitlines()]
    assert rows(found) == bundled("toy").local()
    assert (out / "_SUCCESS").exists()
    assert json.loads(stats.read_text())["totals"]["records"] == 5
    again = CliRunner().invoke(cli, asked)
    assert isinstance(again.exception, ConfigError) and "exists already" in str(again.exception)


def test_command_leaves_everything_as_it_was_after_an_error(spark: Any, tmp_path: Path) -> None:
    stream, out = tmp_path / "bad.csv", tmp_path / "out"
    stream.write_text("go_to|4|4|a|b\ngo_to|x|5|a|c\n")
    asked = ["spark", "run", "--desc", "toy.prolog", "--input", str(stream), "--output", str(out)]
    done = CliRunner().invoke(cli, asked)
    assert isinstance(done.exception, StreamError)
    assert "go_to|x|5|a|c" in str(done.exception)
    assert not out.exists()
    out.mkdir()
    (out / "old").touch()
    done = CliRunner().invoke(cli, [*asked, "--overwrite"])
    assert isinstance(done.exception, StreamError)
    assert [path.name for path in out.iterdir()] == ["old"]


def test_unreadable_files(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(StreamError, match="cannot read the stream"):
        read_frame(spark, [str(tmp_path / "none.csv")])


@pytest.mark.parametrize("name", ["cut.parquet", "cut.csv.gz"])
def test_damaged_files(spark: Any, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith("parquet"):
        path.write_bytes(b"PAR1 and then nothing that makes sense")
    else:
        path.write_bytes(gzip.compress(b"go_to|4|4|a|b\n" * 1000)[:-20])
    out = tmp_path / "out"
    asked = ["spark", "run", "--desc", "toy.prolog", "--input", str(path), "--output", str(out)]
    done = CliRunner().invoke(cli, asked)
    assert isinstance(done.exception, StreamError), done.exception
    assert f"cannot read the stream {path}" in str(done.exception)
    assert not out.exists() or not list(out.glob("part-*"))


def test_a_wrong_type_in_json_names_partition_row_and_value(spark: Any, tmp_path: Path) -> None:
    path = tmp_path / "day.jsonl"
    path.write_text(
        '{"name": "go_to", "time": 4, "args": ["a", "b"]}\n'
        '{"name": "go_to", "time": "noon", "args": ["a", "c"]}\n'
    )
    asked = ["spark", "run", "--desc", "toy.prolog", "--input", str(path)]
    done = CliRunner().invoke(cli, [*asked, "--output", str(tmp_path / "out")])
    assert isinstance(done.exception, StreamError)
    assert "in partition" in str(done.exception) and "'noon'" in str(done.exception)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_blank_lines_are_nothing(spark: Any, tmp_path: Path, form: str) -> None:
    lines = {
        "csv": ["", "go_to|4|4|a|b", "   ", "go_to|5|5|a|c", ""],
        "jsonl": ["", '{"name": "go_to", "time": 4, "args": ["a", "b"]}', " "],
    }[form]
    path = tmp_path / f"day.{form}"
    path.write_text("\n".join(lines) + "\n")
    frame, shape = read_frame(spark, [str(path)])
    program = bundled("toy").program
    found = recognise(frame, program, form=shape, window=9, start=0, end=9, partitions=2)
    assert {r[1] for r in collected(found)} == {"location"}
