"""`rtec check`, `rtec compile` and `rtec graph` from the command line."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rtec.cli import check, graph
from rtec.cli import compile as compile_
from rtec.errors import ConfigError, DescriptionError

needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="graphviz is not installed")

GOOD = """
initiatedAt(open(D)=true, T) :-
    happensAt(opens(D), T).

terminatedAt(open(D)=true, T) :-
    happensAt(closes(D), T).
"""
BAD = GOOD + "\ninitiatedAt(ajar(D)=true, T) :-\n    holdsAt(opne(D)=true, T).\n"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work where the files of the test are."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("good.prolog").write_text(GOOD)
    Path("bad.prolog").write_text(BAD)


def invoke(command: object, *arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments))  # type: ignore[arg-type]


def from_shell(*arguments: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from rtec.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=120
    )


class TestCheck:
    def test_a_good_description(self) -> None:
        result = invoke(check.command, "good.prolog")
        assert result.exit_code == 0
        assert result.output == (
            "good.prolog: no mistakes; 2 rules, 2 input events, 1 simple fluent, 1 level\n"
        )

    def test_errors_in_source_order_and_exit_code_1(self) -> None:
        result = from_shell("check", "bad.prolog")
        assert result.returncode == 1 and result.stderr == ""
        places = [line for line in result.stdout.splitlines() if ": error: " in line]
        assert [p.split(": ")[0] for p in places] == ["bad.prolog:9:5", "bad.prolog:9:13"]
        assert result.stdout.endswith("bad.prolog: 2 errors\n")

    def test_warnings_are_no_reason_to_fail(self) -> None:
        Path("odd.prolog").write_text(GOOD + "p(X) :- q(X, Y).\nq(1, 2).\n")
        result = invoke(check.command, "odd.prolog")
        assert result.exit_code == 0
        assert "[singleton]" in result.output and "1 warning; 2 rules" in result.output

    def test_trust(self) -> None:
        Path("shell.prolog").write_text(
            "initiatedAt(a=true, T) :- happensAt(e, T), shell(ls).\n"
        )
        assert invoke(check.command, "shell.prolog").exit_code == 1
        assert invoke(check.command, "shell.prolog", "--trust").exit_code == 0

    def test_declarations_and_background(self) -> None:
        Path("declared.prolog").write_text("inputEntity(opens(_)).\nevent(opens(_)).\n")
        result = invoke(check.command, "good.prolog", "--declarations", "declared.prolog")
        assert result.exit_code == 1 and "event `closes` is not declared" in result.output
        Path("facts.prolog").write_text("door(front.\n")
        result = invoke(check.command, "good.prolog", "--background", "facts.prolog")
        assert result.exit_code == 1 and "facts.prolog:1:" in result.output

    def test_the_stream_of_the_sidecar_counts(self) -> None:
        Path("people.prolog").write_text(
            "initiatedAt(talking(P)=true, T) :- happensAt(word(P), T), holdsAt(walking(P)=1, T).\n"
        )
        Path("people.toml").write_text('stream = ["people.csv", "not_there.csv"]\n')
        assert "1 warning" in invoke(check.command, "people.prolog").output
        Path("people.csv").write_text("word|1|1|a\nwalking|1|1|1|a\n")
        assert "no mistakes" in invoke(check.command, "people.prolog").output
        Path("people.csv").write_text("word|1|1|a\n")
        assert "1 error" in invoke(check.command, "people.prolog").output

    @pytest.mark.parametrize("name", ["nowhere.prolog", "cache"])
    def test_no_such_file(self, name: str) -> None:
        Path("cache").mkdir()
        result = from_shell("check", name)
        assert (result.returncode, result.stdout) == (1, "")
        assert "Traceback" not in result.stderr and "[no-description]" in result.stderr

    def test_a_bundled_description_by_name(self) -> None:
        assert "no mistakes" in invoke(check.command, "toy.prolog").output


class TestCompile:
    def test_to_a_file(self) -> None:
        assert invoke(compile_.command, "good.prolog", "-o", "out.pl").exit_code == 0
        text = Path("out.pl").read_text()
        assert "%   initiatedAt(open(D)=true, T) :-" in text
        assert invoke(compile_.command, "good.prolog").output == text
        assert sorted(p.name for p in Path().glob("*out*")) == ["out.pl"]

    def test_errors_leave_nothing(self) -> None:
        Path("out.pl").write_text("before")
        result = invoke(compile_.command, "bad.prolog", "-o", "out.pl")
        assert isinstance(result.exception, DescriptionError)
        assert len(result.exception.problems) == 2
        assert Path("out.pl").read_text() == "before"
        assert sorted(p.name for p in Path().glob("*out*")) == ["out.pl"]

    def test_warnings_go_to_standard_error(self) -> None:
        Path("odd.prolog").write_text(GOOD + "p(X) :- q(X, Y).\nq(1, 2).\n")
        result = from_shell("compile", "odd.prolog")
        assert result.returncode == 0
        assert "[singleton]" in result.stderr and "[singleton]" not in result.stdout

    def test_a_place_that_cannot_be_written(self) -> None:
        result = from_shell("compile", "good.prolog", "-o", "no/such/folder/out.pl")
        assert result.returncode == 1 and "cannot write" in result.stderr


class TestGraph:
    @pytest.mark.parametrize(
        ("name", "begins"),
        [
            ("g.dot", b"digraph"),
            ("g.mmd", b"---\ntitle: 'good.prolog'\n---\nflowchart LR"),
            pytest.param("g.svg", b"<?xml", marks=needs_dot),
            pytest.param("g.png", b"\x89PNG", marks=needs_dot),
        ],
    )
    def test_forms(self, name: str, begins: bytes) -> None:
        assert invoke(graph.command, "good.prolog", "-o", name).exit_code == 0
        assert Path(name).read_bytes().startswith(begins)

    def test_standard_output(self) -> None:
        assert invoke(graph.command, "good.prolog").output.startswith("digraph")
        output = invoke(graph.command, "good.prolog", "--format", "mmd").output
        assert "flowchart LR" in output

    def test_a_description_with_errors_is_drawn(self) -> None:
        assert "opne/1" in invoke(graph.command, "bad.prolog").output

    def test_what_cannot_be_read_is_not(self) -> None:
        Path("broken.prolog").write_text("initiatedAt(a=true, T :- b.\n")
        result = invoke(graph.command, "broken.prolog", "-o", "g.svg")
        assert isinstance(result.exception, DescriptionError)
        assert not Path("g.svg").exists()

    def test_an_unknown_form(self) -> None:
        result = invoke(graph.command, "good.prolog", "-o", "g.jpeg")
        assert isinstance(result.exception, ConfigError)
        assert result.exception.problems[0].slug == "unknown-format"

    def test_without_graphviz(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("shutil.which", lambda _: None)
        result = invoke(graph.command, "good.prolog", "-o", "g.svg")
        assert isinstance(result.exception, ConfigError)
        assert result.exception.problems[0].slug == "no-graphviz"
        assert not list(Path().glob("*g.svg*"))
