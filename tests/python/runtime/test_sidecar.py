"""Descriptions by name, and the defaults beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from rtec.cli.options import choose
from rtec.errors import ConfigError
from rtec.runtime.sidecar import Sidecar, bundled_descriptions, find_description, read_sidecar


@pytest.fixture
def description(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine" / "mine.prolog"
    path.parent.mkdir()
    path.write_text("initially(a=b).\n")
    return path


def sidecar(description: Path, text: str) -> Sidecar:
    description.with_suffix(".toml").write_text(text)
    return read_sidecar(description)


def test_a_path_comes_first(description: Path, tmp_path: Path) -> None:
    assert find_description(str(description)) == description
    assert find_description("mine/mine.prolog") == Path("mine/mine.prolog")
    assert find_description("mine") == Path("mine/mine.prolog")
    (tmp_path / "toy.prolog").write_text("initially(a=b).\n")
    assert find_description("toy.prolog") == Path("toy.prolog")


def test_bundled_descriptions_are_found_by_name(description: Path, root: Path) -> None:
    toy = (root / "descriptions" / "toy" / "toy.prolog").resolve()
    assert find_description("toy.prolog").resolve() == toy
    assert find_description("toy").resolve() == toy
    assert find_description("toy/manual/toy_rules.prolog").name == "toy_rules.prolog"
    assert "toy" in bundled_descriptions()


def test_what_is_not_there(description: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no description toi\.prolog(.|\n)*`toy\.prolog`"):
        find_description("toi.prolog")
    with pytest.raises(ConfigError, match="bundled: .*toy"):
        find_description("/nowhere/zzzz.prolog")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="is not a file"):
        find_description("empty")


def test_every_setting(description: Path) -> None:
    text = """
background = ["a.prolog", "../b.prolog"]
stream = "s.csv"
window = 20
step = 10
tick = 2
start = -5
end = 100
"""
    folder = description.parent
    assert sidecar(description, text) == Sidecar(
        (folder / "a.prolog", folder / "../b.prolog"), (folder / "s.csv",), 20, 10, 2, -5, 100
    )


def test_no_sidecar(description: Path) -> None:
    assert read_sidecar(description) == Sidecar()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("windw = 5", r"mine\.toml:1:1: error: `windw` is no setting.*\n.*\n.*\n.*`window`\?"),
        ("\n  zzz = 5", r"mine\.toml:2:3: (.|\n)*known: background, stream"),
        ('window = "5"', "`window` has to be an integer"),
        ("window = 5.0", "`window` has to be an integer"),
        ("window = true", "`window` has to be an integer"),
        ("stream = [1]", "`stream` has to be a list of file names"),
        ("window =", "is not TOML"),
        ("[run]\nwindow = 5", "`run` is no setting"),
    ],
)
def test_sidecars_that_are_wrong(description: Path, text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        sidecar(description, text)
    description.with_suffix(".toml").write_bytes(b"window = 5 # \xff")
    with pytest.raises(ConfigError, match="not text"):
        read_sidecar(description)


def test_flags_come_before_the_sidecar(description: Path) -> None:
    sidecar(description, "background = ['a']\nwindow = 20\nstep = 10\ntick = 2\nstart = 7\nend = 9")
    chosen = choose("mine", ("b",), ("s.csv",), step=5, end=50)
    assert chosen.background == (Path("b"),) and chosen.streams == ("s.csv",)
    settings = chosen.settings
    assert (settings.window, settings.step, settings.tick) == (20, 5, 2)
    assert (settings.start, settings.end) == (7, 50)


def test_start_and_end_belong_to_the_stream_of_the_sidecar(description: Path) -> None:
    sidecar(description, "stream = ['own.csv']\nwindow = 20\nstart = 7\nend = 90")
    chosen = choose("mine")
    assert chosen.streams == (str(Path("mine/own.csv")),)
    assert (chosen.settings.start, chosen.settings.end) == (7, 90)
    chosen = choose("mine", stream=("other.csv",))
    assert (chosen.settings.window, chosen.settings.start, chosen.settings.end) == (20, None, None)
