"""What benchmarks print and write; never how long anything takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rtec.bench.report import Column, Report, median, ms, ratio, table
from rtec.cli import execute
from rtec.errors import ConfigError

COLUMNS = [Column("name", "case"), Column("n", "number", "{:,}"), Column("r", "ratio", "{:.2f}")]
ROWS = [{"name": "a long name", "n": 12000, "r": 1.5}, {"name": "b", "n": 7, "r": None}]


def test_a_table_aligns_numbers_right_and_texts_left() -> None:
    assert table("Title", COLUMNS, ROWS).splitlines() == [
        "Title",
        "  case         number  ratio",
        "  a long name  12,000   1.50",
        "  b                 7",
    ]


def test_a_report_says_and_keeps(tmp_path: Path) -> None:
    said: list[str] = []
    report = Report("core", said.append)
    report.add("part", "Title", COLUMNS, ROWS)
    report.write(str(tmp_path / "out.json"))
    written = json.loads((tmp_path / "out.json").read_text())
    assert written["benchmark"] == "core"
    assert written["part"] == ROWS
    assert {"python", "swi_prolog", "cores"} <= written["machine"].keys()
    assert said[0].startswith("Title")


def test_a_report_need_not_be_written(tmp_path: Path) -> None:
    Report("core").write(None)
    with pytest.raises(ConfigError, match="cannot write"):
        Report("core").write(str(tmp_path / "missing" / "out.json"))


def test_small_helpers() -> None:
    assert median([3, 1, 2]) == 2
    assert median([]) == 0
    assert ratio(6, 3) == 2
    assert ratio(6, 0) is None
    assert ms(0.0012345) == 1.234


def test_the_group_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["bench", "--help"]) == 0
    shown = capsys.readouterr().out
    for name in ("core", "cycles", "delays", "allen", "apps", "prob"):
        assert f"  {name} " in shown


def test_an_unknown_benchmark_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["bench", "everything"]) == 2
    assert "everything" in capsys.readouterr().err
