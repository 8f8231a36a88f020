"""`rtec run` from end to end: what it writes, and what it says about wrong input."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from rtec.cli import execute

RULES = """
initiatedAt(on(X)=true, T) :- happensAt(press(X), T).
terminatedAt(on(X)=true, T) :- happensAt(release(X), T).
holdsFor(lit(X)=true, I) :- holdsFor(on(X)=true, I1), holdsFor(power(X)=true, I2),
    intersect_all([I1,I2], I).
happensAt(flash(X), T) :- happensAt(press(X), T), happensAt(release(X), T).
collectIntervals(power(_)=true).
"""
STREAM = """press|3|3|a
power|4|1|9|true|a
release|6|6|a
press|14|14|b
press|15|15|a
release|24|15|a
press|35|21|lamp 7
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lamp.prolog").write_text(RULES)
    (tmp_path / "s.csv").write_text(STREAM)
    return tmp_path


ARGS = ["run", "--desc", "lamp.prolog", "--stream", "s.csv", "--window", "20", "--step", "10"]


class Ran:
    """What a call of the command said and left."""

    def __init__(self, capfd: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = execute(list(arguments))
        said = capfd.readouterr()
        self.out, self.err = said.out, said.err

    def lines(self) -> list[str]:
        made = []
        for line in self.out.splitlines():
            item = json.loads(line)
            name = item.get("fluent") or item["event"]
            when = item.get("intervals") or item["times"]
            made.append(f"{item['query_time']} {name}{item['args']}={item.get('value')} {when}")
        return made


def test_windows_late_records_events_and_intervals(capfd: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capfd, *ARGS)
    assert ran.code == 0
    assert ran.lines() == [
        "10 lit['a']=true [[4, 7]]",
        "10 on['a']=true [[4, 7]]",
        "20 lit['a']=true [[4, 7]]",
        "20 on['a']=true [[4, 7], [16, None]]",
        "20 on['b']=true [[15, None]]",
        "30 flash['a']=None [15]",
        "30 on['b']=true [[15, None]]",
        "35 on['b']=true [[15, None]]",
        "35 on['lamp 7']=true [[22, None]]",
    ]
    assert "4 query times, 7 records" in ran.err
    assert "5 on time, 2 late but used, 0 lost" in ran.err


def test_merged(capfd: pytest.CaptureFixture[str]) -> None:
    assert Ran(capfd, *ARGS, "--merge").lines() == [
        "35 flash['a']=None [15]",
        "35 lit['a']=true [[4, 7]]",
        "35 on['a']=true [[4, 7]]",
        "35 on['b']=true [[15, None]]",
        "35 on['lamp 7']=true [[22, None]]",
    ]


def test_changes(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capfd, *ARGS, "--changes")
    ops = [json.loads(line)["op"] for line in ran.out.splitlines()]
    assert [f"{op} {line}" for op, line in zip(ops, ran.lines(), strict=True)] == [
        "+ 10 lit['a']=true [[4, 7]]",
        "+ 10 on['a']=true [[4, 7]]",
        "+ 20 on['a']=true [[16, None]]",
        "+ 20 on['b']=true [[15, None]]",
        "- 30 on['a']=true [[16, None]]",
        "+ 30 flash['a']=None [15]",
        "+ 35 on['lamp 7']=true [[22, None]]",
    ]
    for name in ("c.csv", "c.parquet", "c.txt"):
        assert Ran(capfd, *ARGS, "--changes", "--out", name).code == 0
    assert (folder / "c.csv").read_text().splitlines()[5] == '30,on,"[""a""]",true,16,,-'
    table = pq.read_table(folder / "c.parquet")
    assert table.column("op").to_pylist() == ["+", "+", "+", "+", "-", "+", "+"]
    assert "query time 30, withdrawn\n" in (folder / "c.txt").read_text()
    assert Ran(capfd, *ARGS, "--changes", "--merge").code == 2


def test_quiet_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert Ran(capfd, *ARGS, "-q").err == ""


def test_files_and_statistics(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plain = Ran(capfd, *ARGS).out
    late = ["--window", "10", "--late", "late.jsonl", "--stats", "stats.json"]
    for name in ("o.jsonl", "o.csv", "o.parquet", "o.txt"):
        assert Ran(capfd, *ARGS, "--out", name).out == ""
    assert (folder / "o.jsonl").read_text() == plain
    rows = pq.read_table(folder / "o.parquet").num_rows
    assert rows == len((folder / "o.csv").read_text().splitlines()) - 1 == 10
    assert (folder / "o.txt").read_text().startswith("query time 10\n")
    assert Ran(capfd, *ARGS, *late, "--out", "-", "--format", "csv").code == 0
    lost = map(json.loads, (folder / "late.jsonl").read_text().splitlines())
    assert [(r["query_time"], r["name"], r["time"]) for r in lost] == [
        (30, "release", 15),
        (35, "press", 21),
    ]
    stats = json.loads((folder / "stats.json").read_text())
    assert [w["query_time"] for w in stats["windows"]] == [10, 20, 30, 35]
    assert stats["totals"]["records"]["lost"] == 2
    assert sorted(os.listdir(folder)) == sorted(
        ["lamp.prolog", "s.csv", "o.jsonl", "o.csv", "o.parquet", "o.txt"]
        + ["late.jsonl", "stats.json"]
    )


def test_many_files_in_any_order(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole = Ran(capfd, *ARGS).out
    lines = STREAM.splitlines(keepends=True)
    (folder / "1.csv.gz").write_bytes(gzip.compress("".join(lines[3::-1]).encode()))
    (folder / "2.csv").write_text("".join(lines[:3:-1]))
    parts = ["--stream", "2.csv", "--stream", "1.csv.gz", "--start", "0"]
    ran = Ran(capfd, *ARGS[:3], *parts, "--window", "20", "--step", "10")
    assert ran.out == whole


def test_standard_input_and_progress(folder: Path) -> None:
    command = [sys.executable, "-c", "from rtec.cli import main; main()"]
    arguments = [*ARGS[:4], "-", *ARGS[5:], "--progress", "--start", "0"]
    done = subprocess.run([*command, *arguments], input=STREAM, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.count("\n") == 9
    assert "4 query times" in done.stderr


def test_defaults_of_the_toy(capfd: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capfd, "run", "--desc", "toy.prolog")
    assert ran.lines() == [
        "21 happy['chris']=true [[14, 22]]",
        "21 location['chris']=home [[22, None]]",
        "21 location['chris']=pub [[18, 22]]",
        "21 location['chris']=work [[10, 18]]",
        "21 rich['chris']=true [[14, 20]]",
    ]


def test_without_a_window_the_stream_is_one(capfd: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capfd, *ARGS[:5])
    assert {line.split()[0] for line in ran.lines()} == {"35"} and "1 query time" in ran.err


def test_unknown_names_and_gaps_are_warned_of(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "s.csv").write_text(STREAM + "pres|20|20|a\npres|21|21|a\nother|1|1\n")
    ran = Ran(capfd, *ARGS, "--window", "5")
    assert ran.code == 0
    assert "warning: the description does not use `pres`: 2 records left out" in ran.err
    assert "did you mean `press`?" in ran.err and "`other`: 1 record left out" in ran.err
    assert "warning: the step 10 is longer than the window 5" in ran.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"press|1", "s.csv:3:1: error: 2 fields only"),
        (b"press|1|1", "s.csv:3:1: error: `press` has 3 fields"),
        (b"press|1|now|a", "s.csv:3:1: error: the time of `press` is `now`, not an integer"),
        (b"power|9|8|7|true|a", "s.csv:3:1: error: `power` ends at 7, before its start 8"),
        (b"\x00\xff\xfe\x80", "s.csv:3:1: error: this is not text in UTF-8"),
    ],
)
def test_malformed_records(
    folder: Path, capfd: pytest.CaptureFixture[str], line: bytes, said: str
) -> None:
    lines = STREAM.encode().splitlines(keepends=True)
    (folder / "s.csv").write_bytes(b"".join([*lines[:2], line + b"\n", *lines[2:]]))
    before = sorted(os.listdir(folder))
    (folder / "o.jsonl").write_text("old")
    ran = Ran(capfd, *ARGS, "--out", "o.jsonl", "--stats", "st.json", "--late", "l.jsonl")
    assert ran.code == 1 and ran.err.startswith(said) and "Traceback" not in ran.err
    assert (folder / "o.jsonl").read_text() == "old"
    assert sorted(os.listdir(folder)) == sorted([*before, "o.jsonl"])
    skipped = Ran(capfd, *ARGS, "--on-error", "skip")
    assert skipped.code == 0 and len(skipped.lines()) == 9
    assert "warning: 1 record malformed and skipped" in skipped.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--stream", "none.csv"], "cannot read the stream none.csv: No such file"),
        (["--stream", "."], "it is a folder"),
        (["--window", "-5"], "the window is -5; it has to be at least 1"),
        (["--step", "0"], "the step is 0; it has to be at least 1"),
        (["--tick", "0"], "the tick is 0"),
        (["--start", "10", "--end", "5"], "the run ends at 5, before its start 10"),
        (["--out", "no/where.jsonl"], "cannot write no/where.jsonl: No such file"),
        (["--out", "."], "cannot write .: it is a folder"),
        (["--out", "s.csv"], "s.csv would replace what is read"),
        (["--late", "lamp.prolog"], "lamp.prolog would replace what is read"),
        (["--out", "o.jsonl", "--stats", "./o.jsonl"], "./o.jsonl would replace another output"),
        (["--stats", "no/where.json"], "cannot write no/where.json"),
        (["--late", "no/where.jsonl"], "cannot write no/where.jsonl"),
        (["--out", "-", "--format", "parquet"], "Parquet cannot be written to standard output"),
        (["--desc", "lmp.prolog"], "there is no description lmp.prolog"),
        (["--background", "none.prolog"], "none.prolog"),
    ],
)
def test_wrong_flags(
    folder: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    before = sorted(os.listdir(folder))
    given = ARGS if "--stream" not in arguments else ARGS[:3]
    ran = Ran(capfd, *given, *arguments)
    assert ran.code == 1 and ran.out == "" and said in ran.err
    assert ran.err.startswith(("error: ", "none.prolog")) and "Traceback" not in ran.err
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize(
    "arguments", [["--window", "x"], ["--format", "xml"], ["--nonsense"], ["--time-limit", "0"]]
)
def test_wrong_usage_is_code_2(capfd: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    ran = Ran(capfd, *ARGS, *arguments)
    assert ran.code == 2 and "Usage: " in ran.err


def test_no_stream(capfd: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capfd, *ARGS[:3])
    assert ran.code == 1 and "there is no stream to read" in ran.err and "lamp.toml" in ran.err


def test_a_run_without_records(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "lamp.prolog").write_text(RULES + "initially(on(hall)=true).\n")
    ran = Ran(capfd, *ARGS[:3], "--window", "10", "--start", "0", "--end", "20")
    assert ran.lines() == ["10 on['hall']=true [[0, None]]", "20 on['hall']=true [[0, None]]"]


def test_an_empty_stream_is_an_empty_run(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "s.csv").write_text("")
    ran = Ran(capfd, *ARGS)
    assert (ran.code, ran.out) == (0, "") and "0 query times, 0 records" in ran.err
