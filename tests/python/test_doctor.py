"""`rtec doctor`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import rtec.cli
from rtec import environment
from rtec.cli import doctor
from rtec.cli.doctor import Finding, State


def test_everything_that_runs_these_tests_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert rtec.cli.execute(["doctor"]) == 0
    shown = capsys.readouterr().out
    version = environment.version_text(environment.find_swipl().version)
    assert f"ok  SWI-Prolog  {version}, {environment.find_swipl().program}" in shown
    assert f"embeds {version}" in shown
    assert "rtec is ready" in shown


def test_a_missing_core_part_is_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment, "_candidates", lambda: iter([]))
    monkeypatch.setattr(environment, "find_swipl", environment.find_swipl.__wrapped__)
    assert rtec.cli.execute(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "!!  SWI-Prolog  rtec needs SWI-Prolog" in shown
    assert "apt install swi-prolog-core" in shown
    assert "rtec cannot run yet" in shown


def test_a_janus_that_cannot_load_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_TRY_JANUS", "raise ImportError('libswipl.so: gone')")
    found = doctor.look_at_janus()
    assert found.state is State.BROKEN
    assert "ImportError: libswipl.so: gone" in found.text
    assert found.remedy is not None
    assert "janus-swi" in found.remedy


def test_a_janus_that_crashes_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_TRY_JANUS", "import os; os.abort()")
    found = doctor.look_at_janus()
    assert found.state is State.BROKEN
    assert "ended with code" in found.text


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ('openjdk version "17.0.15" 2025-04-15', State.GOOD),
        ('openjdk version "21" 2023-09-19', State.GOOD),
        ('java version "1.8.0_202"', State.BROKEN),
        ('openjdk version "25.0.1" 2025-10-21', State.BROKEN),
        ("no version here", State.BROKEN),
    ],
)
def test_java_versions(
    said: str, state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho '{said}' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    found = doctor.look_at_java()
    assert found.state is state
    assert (found.remedy is None) == (state is State.GOOD)


def test_no_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert doctor.look_at_java().state is State.ABSENT


def test_a_half_installed_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {"pyspark": "4.1.1", "pandas": "2.3.3", "grpcio": "1.7", "zstandard": "0.23"}
    monkeypatch.setattr(doctor, "_version_of", versions.get)
    found = doctor.look_at_spark()
    assert (found.state, found.text) == (State.BROKEN, "pyspark 4.1.1, but not protobuf")
    assert found.remedy == "pip install 'rtec[spark]'"


def test_an_optional_part_that_is_missing_does_not_fail() -> None:
    findings = [
        Finding("core", State.GOOD, "1.0", core=True),
        Finding("toy", State.ABSENT, "is not installed", "install it"),
    ]
    assert doctor.core_works(findings)
    assert doctor.report(findings) == (
        "ok  core  1.0\n--  toy   is not installed\n          install it\n"
        "rtec is ready; without: toy"
    )


def test_a_process_that_hangs_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_command: object, **_options: object) -> None:
        raise subprocess.TimeoutExpired("python", 120)

    monkeypatch.setattr(subprocess, "run", hang)
    assert "does not answer" in doctor.look_at_janus().text
