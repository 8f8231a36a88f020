"""`rtec report`: counts, the longest examples, and where the results are."""

from __future__ import annotations

from pathlib import Path

import pytest
from rtec.cli import execute


def test_a_run_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text(
        '{"query_time": 9, "event": "pulse", "args": ["a"], "times": [3, 5]}\n'
        '{"query_time": 9, "fluent": "on", "args": ["a"], "value": "true", '
        '"intervals": [[1, 3], [4, 8], [9, null]]}\n'
        '{"query_time": 9, "fluent": "on", "args": ["b"], "value": "true", "intervals": [[2, 3]]}\n'
    )
    assert execute(["report", str(results)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].strip() == "2 situations"
    rows = {cells[1]: cells[2:-1] for line in lines if len(cells := _cells(line)) > 4}
    assert rows["on"] == ["4", "2", "(a) from 4 to 8"]
    assert rows["pulse"] == ["2", "1", ""]
    assert lines[-1] == f"all intervals: {results}"


def test_no_such_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["report", str(tmp_path / "none.jsonl")]) == 1
    assert "none.jsonl" in capsys.readouterr().err


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("│")]
