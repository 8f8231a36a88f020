"""Summing up a file of recognitions."""

from __future__ import annotations

from pathlib import Path

import pytest
from rtec.errors import ConfigError
from rtec.runtime.report import read_report, summarise


def test_counts_and_longest() -> None:
    rows = [
        {"fluent": "gap", "args": ["v1"], "value": "far", "intervals": [[1, 5], [9, None]]},
        {"fluent": "gap", "args": ["v2"], "value": "far", "intervals": [[2, 30]]},
        {"event": "alarm", "args": ["v1"], "times": [3, 4]},
    ]
    gap, alarm = summarise(rows)
    assert (gap.name, len(gap.spans), len(gap.instances)) == ("gap=far", 3, 2)
    assert gap.longest() == ("v2", 2, 30)
    assert (alarm.name, alarm.times, alarm.longest()) == ("alarm", 2, None)


def test_a_later_report_of_an_interval_replaces_an_earlier_one() -> None:
    row = {"fluent": "f", "args": [], "value": "true"}
    (f,) = summarise([{**row, "intervals": [[1, None]]}, {**row, "intervals": [[1, 7]]}])
    assert f.longest() == ("", 1, 7)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("not json\n")
    with pytest.raises(ConfigError, match="does not hold recognitions"):
        read_report(path)
