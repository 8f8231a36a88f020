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


def test_credible_intervals_replace_what_they_overlap() -> None:
    def row(*found: tuple[int, int, bool]) -> dict[str, object]:
        spans = [{"start": s, "end": e, "prob": 0.5, "credible": c} for s, e, c in found]
        return {"fluent": "f", "args": ["x"], "value": "true", "intervals": spans}

    (f,) = summarise(
        [row((1, 4, True), (6, 9, True)), row((7, 12, True), (8, 13, False)), row((20, 21, True))]
    )
    assert f.spans == {("x", 1): 4, ("x", 7): 12, ("x", 20): 21}


@pytest.mark.parametrize(
    "text",
    ["not json\n", '{"fluent": "f", "args": [], "value": 1, "intervals": [[1, 2, 3]]}\n', "[]\n"],
)
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(ConfigError, match="does not hold recognitions"):
        read_report(path)
