"""Compiled programs on disk: found again, never wrong, never in the way."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from rtec.compiler import cache, compile_description
from rtec.compiler.program import Program

RULES = "initiatedAt(a(X)=true, T) :- happensAt(e(X), T), known(X).\n"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("RTEC_CACHE", raising=False)
    return tmp_path / "cache" / "rtec" / "programs"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A description and its background, which loads another file."""
    rules, background = tmp_path / "rules.prolog", tmp_path / "background.prolog"
    rules.write_text(RULES)
    background.write_text(":- ['nested.prolog'].\n")
    (tmp_path / "nested.prolog").write_text("known(a).\n")
    return rules, background


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.program"))


def forbid_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr("rtec.compiler.passes.examine", refuse)


def test_the_second_time_it_is_found(
    files: tuple[Path, Path], own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, background = files
    first = compile_description(rules, [background])
    assert len(entries(own_cache)) == 1
    forbid_compiling(monkeypatch)
    second = compile_description(rules, [background])
    assert second == first and second.graph == first.graph
    assert first.description is not None and second.description is not None
    assert second.description.rules == first.description.rules


def test_warnings_are_kept(tmp_path: Path, own_cache: Path) -> None:
    rules = tmp_path / "rules.prolog"
    rules.write_text("initiatedAt(a(X)=true, T) :- happensAt(e(X, Y), T).\n")
    first, second = compile_description(rules), compile_description(rules)
    assert [w.slug for w in first.warnings] == ["singleton"]
    assert second.warnings == first.warnings and len(entries(own_cache)) == 1


@pytest.mark.parametrize("changed", ["rules.prolog", "background.prolog", "nested.prolog"])
def test_a_changed_file_is_compiled_anew(
    changed: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    rules, background = files
    compile_description(rules, [background])
    with (tmp_path / changed).open("a") as file:
        file.write("unheard_of(1).\nknown(b) :- shell(b).\n" if changed[0] != "r" else "x(1).\n")
    if changed == "rules.prolog":
        assert "x(1)." in compile_description(rules, [background]).text
    else:
        with pytest.raises(Exception, match="refused-goal"):
            compile_description(rules, [background])


def test_where_the_files_are_matters(tmp_path: Path, own_cache: Path) -> None:
    """The program names the lines its rules came from, and its background files."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rules.prolog").write_text(RULES)
        (tmp_path / name / "background.prolog").write_text("known(a).\n")
    one, two = (
        compile_description(
            tmp_path / name / "rules.prolog", [tmp_path / name / "background.prolog"]
        )
        for name in ("one", "two")
    )
    assert one.background != two.background and len(entries(own_cache)) == 2


def test_trust_matters(tmp_path: Path) -> None:
    rules = tmp_path / "rules.prolog"
    rules.write_text("initiatedAt(a=true, T) :- happensAt(e, T), shell(ls).\n")
    assert compile_description(rules, trust=True).outputs == {"a"}
    with pytest.raises(Exception, match="refused-goal"):
        compile_description(rules)



@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"no pickle at all",
        pickle.dumps(("neither", "nor")),
        pickle.dumps((os.system, {})),
        pickle.dumps(17),
    ],
    ids=["empty", "garbage", "wrong types", "a function", "not a pair"],
)
def test_a_damaged_entry_is_ignored(
    damage: bytes, files: tuple[Path, Path], own_cache: Path
) -> None:
    rules, background = files
    good = compile_description(rules, [background])
    entry = entries(own_cache)[0]
    whole = entry.read_bytes()
    entry.write_bytes(damage)
    assert compile_description(rules, [background]) == good
    assert isinstance(cache.load(entry.stem), Program)
    entry.write_bytes(whole[: len(whole) // 2])
    assert compile_description(rules, [background]) == good


def test_an_entry_runs_nothing(own_cache: Path, tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.system, (f"touch {tmp_path / 'evil'}",)

    own_cache.mkdir(parents=True)
    (own_cache / "abc.program").write_bytes(pickle.dumps((Evil(), {})))
    assert cache.load("abc") is None
    assert not (tmp_path / "evil").exists()


def test_without_a_place_to_write(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "blocked").write_text("a file where a folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "blocked"))
    rules, background = files
    assert compile_description(rules, [background]) == compile_description(rules, [background])


def test_it_can_be_switched_off(
    files: tuple[Path, Path], own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RTEC_CACHE", "off")
    compile_description(*[files[0]], [files[1]])
    monkeypatch.delenv("RTEC_CACHE")
    compile_description(files[0], [files[1]], cached=False)
    assert not own_cache.exists()


def test_old_entries_go(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_ENTRIES", 3)
    for number in range(5):
        rules = tmp_path / f"rules{number}.prolog"
        rules.write_text(f"initiatedAt(a{number}=true, T) :- happensAt(e, T).\n")
        compile_description(rules)
    assert len(entries(own_cache)) == 3
    assert not list(own_cache.glob(".new-*"))


COMPILE = """
import sys
from pathlib import Path
from rtec.compiler import compile_description
print(compile_description(Path(sys.argv[1]), [Path(sys.argv[2])]).digest)
"""


def test_processes_share_it(files: tuple[Path, Path], own_cache: Path) -> None:
    command = [sys.executable, "-c", COMPILE, *map(str, files)]
    started = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    digests = {process.communicate(timeout=120)[0] for process in started}
    assert len(digests) == 1 and digests != {""}
    assert len(entries(own_cache)) == 1 and not list(own_cache.glob(".new-*"))
