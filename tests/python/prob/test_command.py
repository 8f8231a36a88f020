"""`rtec opiec` on files: answers, formats, pictures, and mistakes in the input."""

from __future__ import annotations

import csv
import gzip
import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from rtec.cli import execute

TABLE_5_2 = [0, 0.5, 0.7, 0.9, 0.4, 0.1, 0, 0, 0.5, 1]
FOUND = [
    {"series": None, "start": 1, "end": 5, "prob": 0.5, "credible": False},
    {"series": None, "start": 2, "end": 6, "prob": 0.52, "credible": True},
    {"series": None, "start": 8, "end": 10, "prob": 0.5, "credible": True},
]

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def table_5_2(tmp_path: Path) -> Path:
    path = tmp_path / "probs.csv"
    path.write_text("time,prob\n" + "".join(f"{t},{p}\n" for t, p in enumerate(TABLE_5_2, 1)))
    return path


def answer(capsys: Capture, *arguments: object) -> str:
    code = execute(["opiec", *map(str, arguments)])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    return shown.out


def refusal(capsys: Capture, *arguments: object) -> str:
    code = execute(["opiec", *map(str, arguments)])
    shown = capsys.readouterr()
    assert code == 1
    assert shown.out == ""
    assert "Traceback" not in shown.err
    return shown.err


def test_json_lines_on_standard_output(table_5_2: Path, capsys: Capture) -> None:
    out = answer(capsys, "--input", table_5_2, "--threshold", "0.5")
    assert [json.loads(line) for line in out.splitlines()] == FOUND


@pytest.mark.parametrize("batch", [1, 3, 4, 100])
def test_batches_give_the_same(table_5_2: Path, batch: int, capsys: Capture) -> None:
    out = answer(capsys, "--input", table_5_2, "--batch", batch)
    assert [json.loads(line) for line in out.splitlines()] == FOUND


def test_a_bound_may_lose_intervals(table_5_2: Path, capsys: Capture) -> None:
    out = answer(capsys, "--input", table_5_2, "--batch", 4, "--bound", 2)
    found = [(row["start"], row["end"]) for row in map(json.loads, out.splitlines())]
    assert found == [(1, 5), (2, 6), (9, 10)]


def test_durations_save_them(table_5_2: Path, capsys: Capture) -> None:
    arguments = ["--input", table_5_2, "--batch", 4, "--bound", 2, "--durations", "4.3,0"]
    out = answer(capsys, *arguments)
    found = [(row["start"], row["end"]) for row in map(json.loads, out.splitlines())]
    assert found == [(1, 5), (2, 6), (8, 10)]


def test_durations_may_be_learned(table_5_2: Path, capsys: Capture) -> None:
    code = execute(["opiec", "--input", str(table_5_2), "--bound", "2", "--train", str(table_5_2)])
    assert code == 0
    assert "durations: mean 4.33333, deviation 0.942809" in capsys.readouterr().err


def test_formats(table_5_2: Path, tmp_path: Path, capsys: Capture) -> None:
    for name in ("out.jsonl", "out.csv", "out.parquet", "out.txt"):
        assert answer(capsys, "--input", table_5_2, "--out", tmp_path / name) == ""
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert rows == FOUND
    assert pa.parquet.read_table(tmp_path / "out.parquet").to_pylist() == FOUND
    listed = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert [(row["start"], row["end"], row["credible"]) for row in listed] == [
        ("1", "5", "false"),
        ("2", "6", "true"),
        ("8", "10", "true"),
    ]
    assert (tmp_path / "out.txt").read_text() == (
        "series  start  end    prob  credible\n"
        "            1    5  0.5000  no\n"
        "            2    6  0.5200  yes\n"
        "            8   10  0.5000  yes\n"
    )


def test_only_credible_ones(table_5_2: Path, capsys: Capture) -> None:
    out = answer(capsys, "--input", table_5_2, "--credible-only", "--format", "csv")
    assert len(out.splitlines()) == 3


def test_parquet_and_gzip_input(tmp_path: Path, capsys: Capture) -> None:
    times = list(range(1, 11))
    table = pa.table({"time": times, "prob": TABLE_5_2})
    pa.parquet.write_table(table, tmp_path / "p.parquet")
    single = table.set_column(1, "prob", table["prob"].cast(pa.float32()))
    pa.parquet.write_table(single, tmp_path / "single.parquet")
    packed = "time,prob\n" + "".join(f"{t},{p}\n" for t, p in enumerate(TABLE_5_2, 1))
    (tmp_path / "p.csv.gz").write_bytes(gzip.compress(packed.encode()))
    for name in ("p.parquet", "single.parquet", "p.csv.gz"):
        out = answer(capsys, "--input", tmp_path / name)
        assert [json.loads(line) for line in out.splitlines()] == FOUND


def test_several_series(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "many.csv"
    path.write_text('prob,series,time\n1,"f(a,b)",5\n0.2,007,1\n0,"f(a,b)",6\n0.9,007,2\n')
    rows = [json.loads(line) for line in answer(capsys, "--input", path).splitlines()]
    assert [(row["series"], row["start"], row["end"]) for row in rows] == [
        ("f(a,b)", 5, 6),
        ("007", 1, 2),
    ]


def test_gaps_and_ticks(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "p.csv"
    path.write_text("time,prob\n0,0.9\n40,0.9\n160,0.9\n")
    for gaps, expected in {
        "zero": [(0, 80), (160, 160)],
        "hold": [(0, 160)],
        "split": [(0, 40), (160, 160)],
    }.items():
        out = answer(capsys, "--input", path, "--tick", 40, "--gaps", gaps, "--threshold", ".6")
        rows = list(map(json.loads, out.splitlines()))
        assert [(row["start"], row["end"]) for row in rows] == expected


def test_a_byte_order_mark_does_no_harm(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "p.csv"
    path.write_text("time,prob\r\n1,0.5\r\n", encoding="utf-8-sig")
    assert json.loads(answer(capsys, "--input", path))["end"] == 1


def test_an_empty_input_has_an_empty_answer(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "p.csv"
    path.write_text("series,time,prob\n")
    assert answer(capsys, "--input", path) == ""
    assert answer(capsys, "--input", path, "--batch", 1) == ""


def test_rounding_is_told(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "p.csv"
    path.write_text("time,prob\n1,0.30000000000000004\n")
    assert execute(["opiec", "--input", str(path), "--threshold", "0.3"]) == 0
    shown = capsys.readouterr()
    assert "note: probabilities are rounded to 9 decimals" in shown.err
    assert json.loads(shown.out)["prob"] == 0.3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time,prob\n1,0.5\n2,1.5\n", "p.csv:3:3: error: row 2, column `prob`: 1.5 is not a prob"),
        ("time,prob\n1,nan\n", "p.csv:2:3: error: row 1, column `prob`: the value is missing or"),
        ("time,prob\n1,\n", "p.csv:2:3: error: row 1, column `prob`: the value is missing or"),
        ("time,prob\n1,x\n", "p.csv:2:3: error: row 1, column `prob`: `x` is not a number"),
        ("time,prob\n1.5,0\n", "p.csv:2:1: error: row 1, column `time`: `1.5` is not a whole nu"),
        ("time,prob\n,0\n", "p.csv:2:1: error: row 1, column `time`: the time-point is missing"),
        ("time,prob\n2,0\n\n1,0\n", "p.csv:4:1: error: row 2, column `time`: time-point 1 comes"),
        ("time,prob\n2,0\n2,0\n", "p.csv:3:1: error: row 2, column `time`: time-point 2 is there"),
        ("series,time,prob\n,2,0\n", "p.csv:2:1: error: row 1, column `series`: the series is mi"),
        ("time,prob\n2,0\n3\n", "p.csv:3:1: error: row 2 has 1 fields, the header has 2"),
        ("time,prop\n2,0\n", "p.csv:1:6: error: column `prop` is not known; did you mean `prob`?"),
        ("time,prob,prob\n2,0,0\n", "p.csv:1:11: error: column `prob` is there twice"),
        ("prob\n0\n", "p.csv:1:1: error: column `time` is missing"),
        ("", "p.csv is empty"),
        ('series,time,prob\n"f(a,b)",1,2\n', "p.csv:2:12: error: row 1, column `prob`: 2.0 is not"),
        ('series,time,prob\n"a\nb",1,0\nc,1,-1\n', "p.csv:4:5: error: row 2, column `prob`: -1"),
        ("time,prob\n 1,0.5\n1e3,0.5\n", "column `time`: `1e3` is not a whole number"),
    ],
)
def test_bad_rows_are_located_and_nothing_is_written(
    text: str, message: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "p.csv").write_text(text)
    out, plot = tmp_path / "out.jsonl", tmp_path / "out.svg"
    arguments = ["--input", tmp_path / "p.csv", "--out", out, "--plot", plot]
    assert message in refusal(capsys, *arguments)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.csv"]


def test_an_unknown_column_is_shown(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "p.csv"
    path.write_text("series,time,extra,prob\na,1,x,0.5\n")
    said = refusal(capsys, "--input", path).splitlines()
    assert said[0] == f"{path}:1:13: error: column `extra` is not known [prob-columns]"
    assert said[2] == "      |             ^^^^^"


def test_the_line_of_a_bad_row_is_shown(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "p.csv"
    path.write_text("series,time,prob\nann,1,0.5\nann,2,1.25\n")
    shown = refusal(capsys, "--input", path).splitlines()
    assert shown[1:] == ["    3 | ann,2,1.25", "      |       ^^^^"]


def test_bad_rows_of_parquet_are_named(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "p.parquet"
    pa.parquet.write_table(pa.table({"time": [1, 2], "prob": [0.5, None]}), path)
    assert "p.parquet: row 2, column `prob`: the value is miss" in refusal(capsys, "--input", path)
    pa.parquet.write_table(pa.table({"time": [1, None], "prob": [0.5, 1]}), path)
    assert "row 2, column `time`: the time-point is missing" in refusal(capsys, "--input", path)
    pa.parquet.write_table(pa.table({"time": [1], "prob": ["x"]}), path)
    assert "column `prob` holds string, not numbers" in refusal(capsys, "--input", path)
    path.write_bytes(b"PAR1 and then nothing")
    assert "is not a Parquet file" in refusal(capsys, "--input", path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--threshold", "1.1"], "threshold is 1.1; it has to be between 0 and 1"),
        (["--threshold", "high"], "threshold is high; it has to be between 0 and 1"),
        (["--bound", "0"], "bound is 0; the support set needs room for at least 1"),
        (["--batch", "0"], "batch is 0; it has to be at least 1"),
        (["--durations", "4,1"], "there is no bound"),
        (["--bound", "2", "--durations", "4"], "--durations is `4`, not two numbers"),
        (["--bound", "2", "--durations", "-4,1"], "mean duration is -4"),
        (["--tick", "0"], "tick is 0; it has to be at least 1"),
        (["--decimals", "20"], "decimals is 20; it has to be between 0 and 15"),
        (["--format", "parquet"], "Parquet cannot be written to standard output"),
        (["--plot", "p.svg", "--plot-series", "x"], "there is no series `x` to draw"),
        (["--out", "no/such/folder/out.csv"], "cannot write no/such/folder/out.csv"),
    ],
)
def test_settings_that_make_no_sense(
    arguments: list[str],
    message: str,
    table_5_2: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(table_5_2.parent)
    assert message in refusal(capsys, "--input", table_5_2, *arguments)
    assert sorted(path.name for path in table_5_2.parent.iterdir()) == ["probs.csv"]


def test_a_negative_seed_is_wrong_usage(table_5_2: Path) -> None:
    assert execute(["opiec", "--input", str(table_5_2), "--seed", "-1"]) == 2


def test_a_missing_file(tmp_path: Path, capsys: Capture) -> None:
    assert "there is no file" in refusal(capsys, "--input", tmp_path / "none.csv")


def shapes(path: Path, kind: str) -> list[ElementTree.Element]:
    root = ElementTree.parse(path).getroot()
    return [shape for shape in root.iter() if shape.get("class") == kind]


def test_the_picture_shows_curve_threshold_and_intervals(
    table_5_2: Path, tmp_path: Path, capsys: Capture
) -> None:
    plot = tmp_path / "p.svg"
    answer(capsys, "--input", table_5_2, "--plot", plot, "--batch", 4)
    assert len(shapes(plot, "curve")) == 1
    assert len(shapes(plot, "threshold")) == 1
    # One of each in the legend.
    assert len(shapes(plot, "credible")) == 1 + 2
    assert len(shapes(plot, "other")) == 1 + 1
    assert len(shapes(plot, "points")) == 1 + 2
    # [2, 6] goes on at 5 and 6, [8, 10] begins at 8: below the threshold.
    assert len(shapes(plot, "missed")) == 1 + 2
    assert len(shapes(plot, "kept")) == 1 + 4


def test_pictures_of_many_and_of_long_series_stay_small(tmp_path: Path, capsys: Capture) -> None:
    path, plot = tmp_path / "p.csv", tmp_path / "p.svg"
    rows = [f"s{k},{t},{(t * 7 + k) % 11 / 10:.1f}" for k in range(15) for t in range(3000)]
    path.write_text("series,time,prob\n" + "\n".join(rows) + "\n")
    answer(capsys, "--input", path, "--plot", plot, "--out", tmp_path / "out.jsonl")
    assert len(shapes(plot, "curve")) == 12
    assert "3 more series are not drawn" in plot.read_text()
    assert plot.stat().st_size < 2_000_000
    answer(capsys, "--input", path, "--plot", plot, "--plot-series", "s14", "--out", "-")
    assert len(shapes(plot, "curve")) == 1


def test_a_picture_of_nothing(tmp_path: Path, capsys: Capture) -> None:
    path, plot = tmp_path / "p.csv", tmp_path / "p.svg"
    path.write_text("time,prob\n")
    answer(capsys, "--input", path, "--plot", plot)
    ElementTree.parse(plot)


def test_names_are_escaped_in_pictures(tmp_path: Path, capsys: Capture) -> None:
    path, plot = tmp_path / "p.csv", tmp_path / "p.svg"
    path.write_text("series,time,prob\na<b&c,1,0.5\n")
    answer(capsys, "--input", path, "--plot", plot, "--gaps", "split")
    assert "a<b&c" in [shape.text for shape in shapes(plot, "title")]
