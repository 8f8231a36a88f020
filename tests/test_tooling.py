"""The command line as a whole, the wheel, and the set-up of a checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import types
import zipfile
from pathlib import Path

import click
import pytest
import rtec.cli
from rtec import environment
from rtec.errors import ConfigError, DescriptionError, Place, Problem

RTEC = [sys.executable, "-c", "from rtec.cli import main; main()"]


def python(code: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **options
    )


class TestCommandLine:
    def test_help_lists_the_commands(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert rtec.cli.execute(["--help"]) == 0
        assert re.search(r"^  doctor +Say what", capsys.readouterr().out, re.MULTILINE)

    def test_help_loads_nothing_heavy(self) -> None:
        seen = python(
            "import sys; from rtec.cli import execute; execute(['--help']);"
            "print(*sys.modules, sep='\\n', file=sys.stderr)"
        )
        heavy = {"janus_swi", "pyarrow", "numpy", "pandas", "rich", "pyspark"}
        assert not heavy & set(seen.stderr.split())
        assert "rtec.cli" in seen.stderr.split()

    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert rtec.cli.execute(["--version"]) == 0
        assert re.fullmatch(r"rtec \d+\.\d+\.\d+\S*\n", capsys.readouterr().out)

    def test_every_command_that_exists_can_be_loaded(self) -> None:
        context = click.Context(rtec.cli.cli)
        names = rtec.cli.cli.list_commands(context)
        assert "doctor" in names
        for name in names:
            assert rtec.cli.cli.get_command(context, name) is not None

    @pytest.mark.parametrize("arguments", [["nonsense"], ["--nonsense"], ["doctor", "extra"]])
    def test_wrong_usage_is_2(
        self, arguments: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert rtec.cli.execute(arguments) == 2
        assert "Usage: rtec" in capsys.readouterr().err

    def test_a_user_error_is_1_and_its_text(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        problem = Problem("no such thing", "a-slug", Place("f.prolog", 3, 5), "do this")
        assert run_with(DescriptionError(problem), monkeypatch) == 1
        shown = capsys.readouterr()
        assert shown.err == (
            "f.prolog:3:5: error: no such thing [a-slug]\n   do this\n"
        )
        assert shown.out == ""

    def test_a_mistake_of_ours_keeps_its_traceback(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(ZeroDivisionError):
            run_with(ZeroDivisionError(), monkeypatch)

    def test_an_interrupt_is_130(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert run_with(KeyboardInterrupt(), monkeypatch) == 130

    def test_a_reader_that_leaves_is_quiet(self) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        ended = subprocess.run(
            [*RTEC, "--help"], stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60
        )
        os.close(writing)
        assert ended.stderr == ""
        assert ended.returncode == rtec.cli.READER_GONE


def run_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command that raises `error` in the place of `rtec doctor`."""

    @click.command()
    def command() -> None:
        raise error

    stand_in = types.ModuleType("rtec.cli.doctor")
    stand_in.command = command  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "rtec.cli.doctor", stand_in)
    return rtec.cli.execute(["doctor"])


@pytest.fixture(scope="session")
def unpacked_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel installs."""
    root = Path(__file__).resolve().parent.parent
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = folder.glob("rtec-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


class TestWheel:
    @pytest.mark.parametrize("name", ["prolog", "descriptions", "data"])
    def test_carries_every_tracked_file(self, unpacked_wheel: Path, root: Path, name: str) -> None:
        listed = subprocess.run(
            ["git", "ls-files", name], cwd=root, capture_output=True, text=True, check=True
        )
        carried = unpacked_wheel / "rtec"
        there = [file for file in listed.stdout.splitlines() if (root / file).is_file()]
        assert [file for file in there if not (carried / file).is_file()] == []

    def test_carries_nothing_made_on_the_way(self, unpacked_wheel: Path) -> None:
        names = {path.suffix for path in unpacked_wheel.rglob("*") if path.is_file()}
        assert not names & {".pyc", ".qlf"}
        assert (unpacked_wheel / "rtec" / "py.typed").is_file()

    def test_finds_its_own_folders(self, unpacked_wheel: Path, tmp_path: Path) -> None:
        seen = python(
            f"import sys; sys.path.insert(0, {str(unpacked_wheel)!r})\n"
            "from rtec import environment as e\n"
            "assert e.checkout_folder() is None\n"
            "print(e.prolog_folder(), e.descriptions_folder(), e.data_folder(), sep='\\n')",
            cwd=tmp_path,
        )
        package = unpacked_wheel.resolve() / "rtec"
        expected = [str(package / name) for name in ("prolog", "descriptions", "data")]
        assert seen.stdout.splitlines() == expected, seen.stderr


def test_the_page_of_commands_is_what_their_help_says(root: Path, tmp_path: Path) -> None:
    written = tmp_path / "cli.md"
    subprocess.run(
        [sys.executable, root / ".ci" / "cli_page.py", written], check=True, timeout=120
    )
    stored = (root / "docs" / "cli.md").read_text(encoding="utf-8")
    assert written.read_text(encoding="utf-8") == stored, "`make docs` writes the page anew"


class TestSetUp:
    def test_make_alone_lists_every_target_for_people(self, root: Path) -> None:
        listed = subprocess.run(
            ["make"], cwd=root, capture_output=True, text=True, check=True, timeout=60
        ).stdout
        for target in "install run check test test-deep golden docs bench".split():
            assert re.search(rf"^  make {target} +\S", listed, re.MULTILINE), target

    def test_a_second_time_does_nothing(self, root: Path) -> None:
        stamp = root / ".venv" / ".set-up-core"
        if not stamp.is_file():
            pytest.skip("this Python environment was not made by the set-up")
        again = [root / ".ci" / "setup.sh", "core"]
        subprocess.run(again, check=True, capture_output=True, timeout=600)
        before = stamp.stat().st_mtime_ns
        second = subprocess.run(again, check=True, capture_output=True, text=True, timeout=60)
        assert (second.stdout, second.stderr) == ("", "")
        assert stamp.stat().st_mtime_ns == before

    def test_scripts_are_well_formed(self, root: Path) -> None:
        for script in ("setup.sh", "swipl.sh", "check-prolog", "run"):
            path = root / ".ci" / script
            assert os.access(path, os.X_OK), script
            subprocess.run(["bash", "-n", path], check=True, timeout=60)

    def test_an_old_swipl_is_refused_with_a_remedy(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        old = fake_swipl(tmp_path, 90004)
        monkeypatch.setattr(environment, "_candidates", lambda: iter([str(old)]))
        with pytest.raises(ConfigError, match=r"found only 9\.0\.4 at .*swipl \[no-swi-prolog\]"):
            environment.find_swipl.__wrapped__()

    def test_no_swipl_is_refused(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        not_prolog = tmp_path / "swipl"
        not_prolog.write_text("#!/bin/sh\necho hello\n")
        not_prolog.chmod(0o755)
        names = ["/nonexistent/swipl", str(not_prolog)]
        monkeypatch.setattr(environment, "_candidates", lambda: iter(names))
        with pytest.raises(ConfigError, match="found none"):
            environment.find_swipl.__wrapped__()

    def test_the_first_good_swipl_is_taken(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "old").mkdir()
        (tmp_path / "new").mkdir()
        names = [fake_swipl(tmp_path / "old", 90004), fake_swipl(tmp_path / "new", 100001)]
        monkeypatch.setattr(environment, "_candidates", lambda: map(str, names))
        found = environment.find_swipl.__wrapped__()
        assert found == environment.Swipl(names[1], Path("/some/home"), (10, 0, 1))

    def test_a_home_that_is_set_is_kept(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SWI_HOME_DIR", str(tmp_path))
        assert environment.prepare_swipl() == tmp_path
        monkeypatch.setenv("SWI_HOME_DIR", str(tmp_path / "gone"))
        with pytest.raises(ConfigError, match="not a folder"):
            environment.prepare_swipl()


def fake_swipl(folder: Path, version: int) -> Path:
    """A program that answers as a SWI-Prolog of that version would."""
    program = folder / "swipl"
    lines = ["#!/bin/sh", "echo 'PLBASE=\"/some/home\";'", f"echo 'PLVERSION=\"{version}\";'"]
    program.write_text("\n".join(lines) + "\n")
    program.chmod(0o755)
    return program
