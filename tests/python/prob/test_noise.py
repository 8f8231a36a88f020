"""Noise: what becomes uncertain, by how much, and what is added."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from rtec.cli import execute
from rtec.errors import ConfigError, StreamError
from rtec.prob.noise import Line, Noise, parse_lines, smooth, strong

EVENTS = ("walking", "active", "running")
CONTEXT = ("coord",)

Capture = pytest.CaptureFixture[str]


def scene(frames: int = 400) -> list[Line]:
    lines = []
    for t in range(0, 40 * frames, 40):
        for who in ("ann", "bob"):
            name = "walking" if t % 3 else "active"
            lines.append(Line((name, str(t), str(t), "true", who)))
            lines.append(Line(("coord", str(t), str(t), "true", who, "3", "4")))
    return [*lines, Line(("running", "5", "5", "true", "ann"))]


def test_smooth_noise_is_about_events_only() -> None:
    before = scene()
    after = smooth(before, EVENTS, Noise((0.3, 0.3)), np.random.default_rng(0))
    assert [line.fields for line in after] == [line.fields for line in before]
    assert all((line.prob is None) == (line.name == "coord") for line in after)
    probs = [line.prob for line in after if line.prob is not None]
    assert all(0 <= prob <= 1 for prob in probs)
    # Less is lost than the mean says, since nothing can lose more than all.
    assert 0.68 < np.mean(probs) < 0.74
    assert len(set(probs)) > 100


def test_the_mean_may_vary() -> None:
    after = smooth(scene(), EVENTS, Noise((0.0, 0.6)), np.random.default_rng(0))
    probs = [line.prob for line in after if line.prob is not None]
    third = len(probs) // 3
    assert np.mean(probs[:third]) > np.mean(probs[third : 2 * third]) > np.mean(probs[2 * third :])
    assert probs[0] == 1.0


def test_strong_noise_is_about_context_too_and_adds_events() -> None:
    before = scene()
    rng = np.random.default_rng(0)
    after = strong(before, EVENTS, CONTEXT, Noise((0.3, 0.3)), 0.25, rng)
    assert all(line.prob is not None for line in after)
    there = {line.fields for line in before}
    added = [line for line in after if line.fields not in there]
    events = sum(line.name in EVENTS for line in before)
    assert len(added) == round(0.25 * events)
    assert len(after) == len(before) + len(added)
    assert {line.name for line in added} == set(EVENTS)
    assert all(line.fields[2:] in {b.fields[2:] for b in before} for line in added)
    kept = [line.fields for line in after if line.fields in there]
    assert kept == [line.fields for line in before]


def test_nothing_is_added_where_there_is_only_one_event() -> None:
    lines = [Line(("walking", "1", "1", "ann"))]
    assert len(strong(lines, EVENTS, (), Noise(), 5.0, np.random.default_rng(0))) == 1


def test_the_same_seed_gives_the_same_noise() -> None:
    first, second = (
        strong(scene(), EVENTS, CONTEXT, Noise(), 0.1, np.random.default_rng(3)) for _ in range(2)
    )
    assert first == second


def test_settings_that_make_no_sense() -> None:
    with pytest.raises(ConfigError, match="mean noise is 0.5 to 1.5"):
        Noise((0.5, 1.5))
    with pytest.raises(ConfigError, match="shape is 0"):
        Noise(shape=0)
    with pytest.raises(ConfigError, match="spurious events is -1"):
        strong([], EVENTS, (), Noise(), -1, np.random.default_rng(0))


def test_lines_are_parsed() -> None:
    assert parse_lines(["a|1|2|x|\r\n", "\n", "b|-1|0\n"], "f") == [
        Line(("a", "1", "2", "x")),
        Line(("b", "-1", "0")),
    ]
    with pytest.raises(StreamError, match="f:2:1: error: a record has a name"):
        parse_lines(["a|1|2", "a|x|2"], "f")


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    path = tmp_path / "stream.csv.gz"
    text = "".join(f"{line}\n" for line in scene(20))
    path.write_bytes(gzip.compress(text.encode()))
    return path


def test_text_with_probabilities(stream: Path, capsys: Capture) -> None:
    assert execute(["noise", "--stream", str(stream), "--context", "coord"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 81
    for line in lines:
        prob, mark, rest = line.rpartition("::")
        assert (mark == "") == rest.startswith("coord|")
        assert mark == "" or 0 <= float(prob) <= 1


def test_records_for_a_description(stream: Path, tmp_path: Path, capsys: Capture) -> None:
    description = tmp_path / "d.prolog"
    description.write_text(
        "points(walking(_)=_).\npoints(active(_)=_).\npoints(running(_)=_).\n"
        "points(coord(_,_,_)=_).\n"
        "initiatedAt(seen(P)=true, T) :- happensAt(start(walking(P)=true), T),\n"
        "    \\+ holdsAt(active(P)=true, T), \\+ holdsAt(running(P)=true, T),\n"
        "    holdsAt(coord(P,_,_)=true, T).\n"
    )
    options = ["--stream", str(stream), "--context", "coord", "--kind", "strong"]
    options += ["--desc", str(description)]
    for name in ("noisy.jsonl", "noisy.parquet"):
        code = execute(["noise", *options, "--out", str(tmp_path / name)])
        assert code == 0, capsys.readouterr().err
    rows = [json.loads(line) for line in (tmp_path / "noisy.jsonl").read_text().splitlines()]
    first = rows[1]
    assert {**first, "prob": 0} == {
        "name": "coord",
        "arrival": 0,
        "time": 0,
        "value": "true",
        "args": ["ann", 3, 4],
        "prob": 0,
    }
    table = pyarrow.parquet.read_table(tmp_path / "noisy.parquet").to_pylist()
    assert [row["prob"] for row in table] == [row["prob"] for row in rows]
    assert table[1]["args"] == ["ann", "3", "4"]


def test_mistakes(stream: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "x.jsonl"
    for arguments, message in (
        (["--out", str(out)], "name the description that reads the stream with --desc"),
        (["--mean", "a"], "--mean is `a`, not one number or two"),
        (["--mean", "0.1,0.2,0.3"], "not one number or two"),
        (["--mean", "2"], "mean noise is 2"),
        (["--kind", "strong", "--spurious", "inf"], "share of spurious events is inf"),
        (["--shape", "nan"], "shape is nan"),
        (["--stream", "nothing.csv"], "cannot read nothing.csv"),
    ):
        assert execute(["noise", "--stream", str(stream), *arguments]) == 1
        shown = capsys.readouterr()
        assert message in shown.err
        assert shown.out == ""
    assert not out.exists()


def test_what_is_uncertain_already_becomes_less_likely() -> None:
    lines = parse_lines(["0.5::walking|1|1|ann", "0.5::coord|1|1|ann|3|4", "walking|2|2|ann"], "s")
    assert [line.prob for line in lines] == [0.5, 0.5, None]
    after = smooth(lines, EVENTS, Noise((0.3, 0.3)), np.random.default_rng(0))
    fresh = smooth(
        [Line(line.fields) for line in lines], EVENTS, Noise((0.3, 0.3)), np.random.default_rng(0)
    )
    assert after[0].prob == pytest.approx(0.5 * (fresh[0].prob or 0), abs=1e-3)
    assert after[1].prob == 0.5
    assert after[2] == fresh[2]


@pytest.mark.parametrize("prob", ["1.5", "-1", "nan", ""])
def test_probabilities_that_are_none(prob: str) -> None:
    with pytest.raises(StreamError, match=r"^s:2:1: error: the prob of `walking` is") as caught:
        parse_lines(["walking|1|1|ann", f"{prob}::walking|2|2|ann"], "s")
    assert caught.value.problems[0].slug == "record-prob"


def test_what_takes_a_record_back_stays_certain(tmp_path: Path, capsys: Capture) -> None:
    stream = tmp_path / "s.csv"
    stream.write_text("walking|1|1|ann\n-walking|2|1|ann\n")
    assert execute(["noise", "--stream", str(stream), "--out", "-"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert "::walking" in first and second == "-walking|2|1|ann"


@pytest.fixture
def at_sea(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stations.csv").write_text("name,lon,lat\nbrest,-4.5,48.4\nnice,7.3,43.7\n")
    (tmp_path / "s.csv").write_text(
        "gap_start|1|1|v1\n"
        "coord|2|2|v1|-4.5|48.4\n"
        "coord|2|2|v2|-4.5|48.4899322\n"
        "coord|9|9|v1|-4.5|48.4899322\n"
        "stop_start|5|5|v1\n"
        "0.5::stop_start|9|9|v1\n"
        "proximity|5|5|8|true|v1|v2\n"
        "weather|5|5|storm\n"
        "-stop_start|9|5|v1\n"
    )
    return tmp_path


def test_noise_by_distance(at_sea: Path, capsys: Capture) -> None:
    """Ten kilometres from the nearest station, half is lost; of two vessels the farther counts."""
    arguments = ["noise", "--stream", "s.csv", "--kind", "distance", "--stations", "stations.csv"]
    assert execute(arguments) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1::gap_start|1|1|v1",
        "1::coord|2|2|v1|-4.5|48.4",
        "0.5::coord|2|2|v2|-4.5|48.4899322",
        "0.5::coord|9|9|v1|-4.5|48.4899322",
        "1::stop_start|5|5|v1",
        "0.25::stop_start|9|9|v1",
        "0.5::proximity|5|5|8|true|v1|v2",
        "weather|5|5|storm",
        "-stop_start|9|5|v1",
    ]
    assert execute([*arguments, "--half", "5000"]) == 0
    assert "0.333::coord|9|9|v1|-4.5|48.4899322" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ([], "name a file of stations with --stations"),
        (["--stations", "none.csv"], "cannot read none.csv"),
        (["--stations", "s.csv"], "s.csv:1:1: error: column `lon` is missing"),
        (["--stations", "wrong.csv"], "wrong.csv:3:1: error: `x,48` is no longitude and latitude"),
        (["--stations", "empty.csv"], "there is no station"),
        (["--stations", "stations.csv", "--half", "0"], "it has to be above 0"),
        (["--stations", "stations.csv", "--positions", "where"], "there is no record `where`"),
        (["--stations", "stations.csv", "--positions", "weather"], "does not end in what is there"),
    ],
)
def test_mistakes_in_noise_by_distance(
    at_sea: Path, capsys: Capture, more: list[str], reason: str
) -> None:
    (at_sea / "wrong.csv").write_text("lon,lat\n1,2\nx,48\n")
    (at_sea / "empty.csv").write_text("lon,lat\n")
    arguments = ["noise", "--stream", "s.csv", "--kind", "distance", "--out", "o.csv", *more]
    assert execute(arguments) == 1
    assert reason in capsys.readouterr().err
    assert not (at_sea / "o.csv").exists()
