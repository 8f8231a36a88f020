"""Runs that end at every kind of moment, and go on from a checkpoint: the outputs are the same."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from lamps import WINDOWS, deep, write_case
from rtec.cli import execute
from rtec.runtime.checkpoint import LATEST
from rtec.runtime.recovery import Recovery

RUN = ["run", "-q", "--desc", "lamps.prolog", "--stream", "s.csv", *WINDOWS]
CHECKPOINT = ["--checkpoint", "ck"]


class Crash(BaseException):
    """The process is gone."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_case(tmp_path, seed=3, count=60)
    return tmp_path


def outputs(folder: Path) -> dict[str, bytes]:
    names = [p for p in folder.iterdir() if p.is_file() and not p.name.startswith((".", "s.", "l"))]
    return {p.name: p.read_bytes() for p in names}


def in_one_go(folder: Path, *arguments: str) -> dict[str, bytes]:
    assert execute([*RUN, *arguments]) == 0
    made = outputs(folder)
    assert made and all(made.values())
    for name in made:
        (folder / name).unlink()
    return made


@contextmanager
def crashing(patch: pytest.MonkeyPatch, call: int) -> Iterator[Callable[[], int]]:
    """Let the process be gone at a call that changes what is on disk, and at all that follow."""
    count = 0

    def counted(real: Any) -> Any:
        def work(*args: Any, **options: Any) -> Any:
            nonlocal count
            count += 1
            if count >= call:
                raise Crash
            return real(*args, **options)

        return work

    with patch.context() as context:
        for name in ("replace", "fsync"):
            context.setattr(os, name, counted(getattr(os, name)))
        context.setattr(Path, "unlink", counted(Path.unlink))
        yield lambda: count


FORMS = [
    ["--out", "o.jsonl", "--late", "o.late"],
    ["--out", "o.csv", "--changes", "--checkpoint-every", "2"],
    ["--out", "o.parquet"],
    ["--out", "o.txt", "--merge"],
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[1])
def test_a_crash_at_any_call(
    folder: Path, monkeypatch: pytest.MonkeyPatch, form: list[str]
) -> None:
    expected = in_one_go(folder, *[a for a in form if a not in ("--checkpoint-every", "2")])
    with crashing(monkeypatch, 10**9) as calls:
        assert execute([*RUN, *form, *CHECKPOINT]) == 0
        total = calls()
    assert outputs(folder) == expected
    some = random.Random(1).sample(range(1, total), 2)
    places = range(1, total + 1) if deep() else [*some, *range(total - 5, total + 1)]
    for place in places:
        for path in folder.glob("*o.*"):
            path.unlink()
        with crashing(monkeypatch, place), pytest.raises(Crash):
            execute([*RUN, *form, *CHECKPOINT])
        assert execute([*RUN, *form, *CHECKPOINT]) == 0, place
        assert outputs(folder) == expected, place
        assert not list(folder.glob(".*")), place


def test_many_crashes_in_a_row(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form = FORMS[0]
    expected = in_one_go(folder, *form)
    crashes = 0
    while crashes < 100:
        with crashing(monkeypatch, 30):
            try:
                execute([*RUN, *form, *CHECKPOINT])
                break
            except Crash:
                crashes += 1
    assert 1 < crashes < 100
    assert outputs(folder) == expected


def crash_after(steps: int, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    """Run, and be gone after some query times."""
    real = Recovery.step
    count = 0

    def step(self: Recovery, *args: Any) -> None:
        nonlocal count
        real(self, *args)
        count += 1
        if count == steps:
            raise Crash

    with monkeypatch.context() as context:
        context.setattr(Recovery, "step", step)
        with pytest.raises(Crash):
            execute([*RUN, *arguments, *CHECKPOINT])


def test_a_damaged_checkpoint(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    expected = in_one_go(folder, "--out", "o.jsonl")
    crash_after(4, monkeypatch, "--out", "o.jsonl")
    latest = folder / "ck" / LATEST
    latest.write_bytes(latest.read_bytes()[:-5] + b"12345")
    assert execute([*RUN, "--out", "o.jsonl", *CHECKPOINT]) == 0
    said = capfd.readouterr().err
    assert "latest.checkpoint is damaged: the checksum is wrong" in said
    assert "going on from the checkpoint before it" in said
    assert outputs(folder) == expected


def test_the_figures_are_those_of_the_whole_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    args = ["--out", "o.jsonl", "--stats", "o.json"]
    loud = [a for a in RUN if a != "-q"]
    assert execute([*loud, *args]) == 0
    whole = capfd.readouterr().err.splitlines()
    crash_after(5, monkeypatch, *args)
    capfd.readouterr()
    assert execute([*loud, *args, *CHECKPOINT]) == 0
    after = capfd.readouterr().err.splitlines()
    assert [line.split(" in ")[0] for line in after[:2]] == [
        line.split(" in ")[0] for line in whole[:2]
    ]


def change_rules(folder: Path) -> list[str]:
    text = (folder / "lamps.prolog").read_text().replace("25", "30")
    (folder / "lamps.prolog").write_text(text)
    return ["what the description says is not the same"]


def change_stream(folder: Path) -> list[str]:
    with open(folder / "s.csv", "a") as handle:
        handle.write("press|999|999|a\n")
    return ["the content of s.csv is not the same"]


def change_nothing(_: Path) -> list[str]:
    return ["--window was 30 and is 40", "--late was not given and is", "--changes was False"]


@pytest.mark.parametrize(
    ("change", "more"),
    [
        (change_rules, []),
        (change_stream, []),
        (change_nothing, ["--window", "40", "--late", "o.late", "--changes"]),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    change: Callable[[Path], list[str]],
    more: list[str],
) -> None:
    crash_after(2, monkeypatch, "--out", "o.jsonl")
    capfd.readouterr()
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != "lock"}
    messages = change(folder)
    before |= {p: p.read_bytes() for p in (folder / "s.csv", folder / "lamps.prolog")}
    assert execute([*RUN, "--out", "o.jsonl", *more, *CHECKPOINT]) == 1
    said = capfd.readouterr().err
    assert all(message in said for message in [*messages, "belongs to another run"]), said
    assert {p: p.read_bytes() for p in before} == before


def test_another_version_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    crash_after(2, monkeypatch, "--out", "o.jsonl")
    monkeypatch.setattr("importlib.metadata.version", lambda _: "99.0")
    assert execute([*RUN, "--out", "o.jsonl", *CHECKPOINT]) == 1
    assert "and is 99.0" in capfd.readouterr().err


def test_an_output_that_is_gone(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    crash_after(3, monkeypatch, "--out", "o.jsonl")
    (folder / ".o.jsonl.rtec-part").unlink()
    assert execute([*RUN, "--out", "o.jsonl", *CHECKPOINT]) == 1
    assert "has 0 bytes; when the checkpoint was written it had" in capfd.readouterr().err


@pytest.mark.parametrize("out", [[], ["--out", "-"], ["--out", "/dev/null"]])
def test_what_cannot_be_cut_back(
    out: list[str], folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert execute([*RUN, *out, *CHECKPOINT]) == 1
    assert "cannot be cut back" in capfd.readouterr().err


def test_parquet_streams_are_resumed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source that is read in blocks of rows, of which some were read before."""
    import pyarrow as pa

    rows = [line.split("|") for line in (folder / "s.csv").read_text().splitlines()]
    events = [r for r in rows if len(r) == 4 and not r[0].startswith("-")]
    table = pa.table(
        {
            "name": [r[0] for r in events],
            "arrival": [int(r[1]) for r in events],
            "time": [int(r[2]) for r in events],
            "args": [[r[3]] for r in events],
        }
    )
    pq.write_table(table, folder / "s.parquet", row_group_size=7)
    args = ["--stream", "s.parquet", "--out", "o.jsonl"]
    expected = in_one_go(folder, *args)
    crash_after(6, monkeypatch, *args)
    assert execute([*RUN, *args, *CHECKPOINT]) == 0
    assert outputs(folder) == expected
