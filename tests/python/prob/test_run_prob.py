"""`rtec run --prob`: both stages on the command line, in every format, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from rtec.cli import execute
from rtec.compiler import compile_description
from rtec.prob import piec
from rtec.prob.probec import probabilities
from rtec.runtime.records import Record

Capture = pytest.CaptureFixture[str]

RULES = """\
initiatedAt(working(X)=true, T) :- happensAt(start(X), T).
terminatedAt(working(X)=true, T) :- happensAt(stop(X), T).
initiatedAt(paired(X, Y)=true, T) :-
    happensAt(meet(X, Y), T), holdsAt(working(X)=true, T), holdsAt(working(Y)=true, T).
terminatedAt(paired(X, Y)=true, T) :- happensAt(stop(X), T), near(X, Y).
holdsFor(idle(X)=true, I) :- holdsFor(working(X)=true, I1), complement_all([I1], I), near(X, _).
"""
STREAM = """\
0.9::start|1|1|ann
0.5::start|2|2|bob
meet|3|3|ann|bob
0.6::start|5|5|bob
0.7::meet|6|6|ann|bob
0.2::stop|8|8|ann
0.9::stop|12|12|ann
stop|14|14|bob
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "work.prolog").write_text(RULES)
    (tmp_path / "pairs.prolog").write_text("near(ann, bob).\n")
    (tmp_path / "stream.csv").write_text(STREAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


ARGUMENTS = ["run", "--desc", "work.prolog", "--background", "pairs.prolog", "--prob"]


def answer(capsys: Capture, *more: str, stream: str = "stream.csv") -> str:
    code = execute([*ARGUMENTS, "--stream", stream, *more])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    return shown.out


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def flat(text: str) -> list[tuple[Any, ...]]:
    return [
        (row["query_time"], row["fluent"], *row["args"], i["start"], i["end"], i["credible"])
        for row in rows(text)
        for i in row["intervals"]
    ]


def test_answers_are_those_of_the_two_stages_apart(files: Path, capsys: Capture) -> None:
    records = [Record(*_fields(line)) for line in STREAM.splitlines()]
    program = compile_description(Path("work.prolog"), [Path("pairs.prolog")], cached=False)
    series = probabilities(program, records, 0, 14)
    assert series.get("paired", ("ann", "bob")).at(5) == pytest.approx(0.9 * 0.5)
    expected = {}
    for each in series:
        if each.fluent != "idle":
            times = list(range(each.times[0], 15))
            found = piec([each.at(t) for t in times], 0.4, times=times)
            expected[each.fluent, each.args] = [
                (row["start"], row["end"], pytest.approx(row["prob"]), row["credible"])
                for row in found.to_arrow().to_pylist()
            ]
    options = ["--threshold", "0.4", "--merge", "--fluent", "working", "--fluent", "paired"]
    for step in ("3", "5", "14"):
        told = rows(answer(capsys, *options, "--step", step, "--start", "0"))
        assert {
            (row["fluent"], tuple(row["args"])): [
                (i["start"], i["end"], i["prob"], i["credible"]) for i in row["intervals"]
            ]
            for row in told
        } == {key: found for key, found in expected.items() if found}
        assert {row["query_time"] for row in told} == {14}


def _fields(line: str) -> tuple[Any, ...]:
    prob, _, rest = line.rpartition("::")
    name, arrival, time, *args = rest.split("|")
    return name, int(time), args, int(arrival), None, None, "+", float(prob or 1)


def test_what_is_new_at_each_query_time(files: Path, capsys: Capture) -> None:
    found = flat(answer(capsys, "--step", "5", "--fluent", "working"))
    assert found == [
        (5, "working", "ann", 2, 5, True),
        (5, "working", "bob", 3, 5, True),
        (10, "working", "ann", 2, 10, True),
        (10, "working", "bob", 3, 10, True),
        (14, "working", "ann", 2, 14, True),
        (14, "working", "bob", 3, 14, True),
    ]


def test_certain_fluents_have_the_intervals_of_an_ordinary_run(
    files: Path, capsys: Capture
) -> None:
    certain = "".join(line.rpartition("::")[2] + "\n" for line in STREAM.splitlines())
    Path("certain.csv").write_text(certain)
    likely = flat(answer(capsys, "--threshold", "1", "--merge", stream="certain.csv"))
    arguments = [a for a in ARGUMENTS if a != "--prob"]
    assert execute([*arguments, "--stream", "certain.csv", "--merge"]) == 0
    plain = rows(capsys.readouterr().out)
    assert sorted((f, *rest) for _, f, *rest, _ in likely) == sorted(
        (row["fluent"], *row["args"], start, 14 if end is None else min(end - 1, 14))
        for row in plain
        for start, end in row["intervals"]
        if start <= 14
    )


def test_an_ordinary_run_says_that_it_uses_no_probabilities(files: Path, capsys: Capture) -> None:
    arguments = [a for a in ARGUMENTS if a != "--prob"]
    assert execute([*arguments, "--stream", "stream.csv"]) == 0
    assert "warning: records carry probabilities; here all" in capsys.readouterr().err


def test_streams_of_other_formats_say_the_same(files: Path, capsys: Capture) -> None:
    wanted = answer(capsys, "--step", "5")
    items = []
    for line in STREAM.splitlines():
        name, time, args, arrival, *_, prob = _fields(line)
        items.append({"name": name, "time": time, "arrival": arrival, "args": args, "prob": prob})
    Path("s.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    for item in items:
        item["prob"] = None if item["prob"] == 1 else item["prob"]
    pyarrow.parquet.write_table(pa.Table.from_pylist(items), "s.parquet")
    assert answer(capsys, "--step", "5", stream="s.jsonl") == wanted
    assert answer(capsys, "--step", "5", stream="s.parquet") == wanted


def test_formats(files: Path, capsys: Capture) -> None:
    told = rows(answer(capsys, "--step", "7"))
    plain = [
        (r["query_time"], r["fluent"], json.dumps(r["args"]), r["value"], *i.values())
        for r in told
        for i in r["intervals"]
    ]
    answer(capsys, "--step", "7", "--out", "o.csv")
    answer(capsys, "--step", "7", "--out", "o.parquet")
    for table in (pyarrow.csv.read_csv("o.csv"), pyarrow.parquet.read_table("o.parquet")):
        assert table.column_names == [
            "query_time", "fluent", "args", "value", "start", "end", "prob", "credible",
        ]  # fmt: skip
        values = [tuple(row.values()) for row in table.to_pylist()]
        assert [(*v[:3], str(v[3]).lower(), *v[4:]) for v in values] == plain
    shown = answer(capsys, "--step", "7", "--format", "table").splitlines()
    assert shown[0] == "query time 7"
    assert "  working(ann) = true       [2, 7] 0.9000" in shown


@pytest.mark.parametrize("name", ["probs.csv", "probs.parquet"])
def test_series_for_the_second_stage(files: Path, capsys: Capture, name: str) -> None:
    """What the first stage says can be written, and the second run on it by itself."""
    told = rows(answer(capsys, "--step", "3", "--merge", "--series", name))
    assert execute(["opiec", "--input", name, "--gaps", "hold"]) == 0
    apart = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    found = sorted((r["series"], r["start"], r["end"], r["credible"]) for r in apart)
    assert found == sorted(
        (f"{r['fluent']}({','.join(r['args'])})=true", i["start"], i["end"], i["credible"])
        for r in told
        for i in r["intervals"]
    )


def test_only_credible_ones(files: Path, capsys: Capture) -> None:
    found = flat(answer(capsys, "--step", "7", "--credible-only"))
    assert found == [row for row in flat(answer(capsys, "--step", "7")) if row[-1]]


def test_bounded_support_sets(files: Path, capsys: Capture) -> None:
    wanted = answer(capsys, "--step", "1", "--threshold", "0.6")
    enough = ["--step", "1", "--threshold", "0.6", "--support-set", "50"]
    assert answer(capsys, *enough) == wanted
    assert answer(capsys, *enough, "--durations", "4,2", "--seed", "3") == wanted
    few = ["--step", "1", "--threshold", "0.6", "--support-set", "1", "--durations", "3,1"]
    assert answer(capsys, *few) == answer(capsys, *few)


def test_figures_methods_and_late_records(files: Path, capsys: Capture) -> None:
    Path("stream.csv").write_text(STREAM + "0.5::start|30|2|cyd\n")
    more = ["--step", "7", "--stats", "s.json", "--late", "late.jsonl"]
    assert execute([*ARGUMENTS, "--stream", "stream.csv", *more]) == 0
    shown = capsys.readouterr()
    assert "probabilities, closed form: idle/1, paired/2, working/1" in shown.err
    totals = json.loads(Path("s.json").read_text())["totals"]
    assert totals["recognitions"] == len(flat(shown.out))
    assert set(totals["methods"]) <= {"working/1", "paired/2", "idle/1"}
    assert totals["records"]["lost"] == 1
    lost = json.loads(Path("late.jsonl").read_text())
    assert (lost["name"], lost["prob"]) == ("start", 0.5)


def test_fluents_without_probabilities_are_told(files: Path, capsys: Capture) -> None:
    Path("work.prolog").write_text(RULES + "fi(working(X)=true, working(X)=tired, 5).\n")
    code = execute([*ARGUMENTS, "--stream", "stream.csv"])
    shown = capsys.readouterr()
    assert code == 1 and "prob-unsupported" in shown.err and shown.out == ""
    more = "initiatedAt(seen(X)=true, T) :- happensAt(start(X), T).\n"
    Path("work.prolog").write_text(Path("work.prolog").read_text() + more)
    assert execute([*ARGUMENTS, "--stream", "stream.csv"]) == 0
    shown = capsys.readouterr()
    assert "warning: `working/1` gets no probabilities: a delayed effect" in shown.err
    assert {row["fluent"] for row in rows(shown.out)} == {"seen"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1.2::start|3|3|ann", "stream.csv:9:1: error: the prob of `start` is `1.2`"),
        ("-0.1::start|3|3|ann", "stream.csv:9:1: error: the prob of `start` is `-0.1`"),
        ("nan::start|3|3|ann", "stream.csv:9:1: error: the prob of `start` is `nan`"),
        ("0.5::start|3|x|ann", "stream.csv:9:1: error: the time of `start` is `x`"),
    ],
)
def test_bad_records_are_located_and_nothing_is_written(
    files: Path, capsys: Capture, line: str, reason: str
) -> None:
    Path("stream.csv").write_text(f"{STREAM}{line}\n")
    before = sorted(files.iterdir())
    for out in ([], ["--out", "o.csv"], ["--out", "o.parquet", "--series", "p.csv"]):
        assert execute([*ARGUMENTS, "--stream", "stream.csv", *out]) == 1
        shown = capsys.readouterr()
        assert reason in shown.err and "Traceback" not in shown.err
        assert shown.out == ""
        assert sorted(files.iterdir()) == before
    assert execute([*ARGUMENTS, "--stream", "stream.csv", "--on-error", "skip"]) == 0
    assert "1 record malformed and skipped" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (["--threshold", "1.5"], "threshold is 1.5"),
        (["--threshold", "half"], "threshold"),
        (["--threshold", "nan"], "threshold"),
        (["--support-set", "0"], "the support set is 0; it has to be at least 1"),
        (["--durations", "4,2"], "give --support-set as well"),
        (["--durations", "4", "--support-set", "5"], "--durations is `4`, not two numbers"),
        (["--durations", "-4,2", "--support-set", "5"], "mean duration is -4"),
        (["--fluent", "nap"], "there is no fluent `nap`"),
        (["--out", "missing/o.csv"], "cannot write missing/o.csv"),
        (["--format", "parquet"], "Parquet cannot be written to standard output"),
    ],
)
def test_settings_that_make_no_sense(
    files: Path, capsys: Capture, settings: list[str], reason: str
) -> None:
    assert execute([*ARGUMENTS, "--stream", "stream.csv", *settings]) == 1
    shown = capsys.readouterr()
    assert reason in shown.err and shown.out == ""
    assert shown.err.count("error:") == 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--threshold", "0.5"], "--threshold needs --prob"),
        (["--support-set", "5"], "--support-set needs --prob"),
        (["--fluent", "f"], "--fluent needs --prob"),
        (["--prob", "--changes"], "--prob and --changes exclude each other"),
        (["--prob", "--checkpoint", "c"], "--prob and --checkpoint exclude each other"),
    ],
)
def test_wrong_usage(files: Path, capsys: Capture, options: list[str], reason: str) -> None:
    arguments = [a for a in ARGUMENTS if a != "--prob"]
    assert execute([*arguments, "--stream", "stream.csv", *options]) == 2
    assert reason in capsys.readouterr().err
