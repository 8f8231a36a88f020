"""Runs the Prolog tests: each tests/prolog/test_X.pl is one case here."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from rtec import environment
from rtec.native import VARIABLE, find_native

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "tests" / "prolog").glob("test_*.pl"))


def run_plunit(file: Path, *, native: bool = True) -> tuple[bool, str]:
    """Run the tests of one file; tell whether all passed without a warning, and the output.

    `rtec(X)` names the file X of the Prolog half, as in `:- use_module(rtec(intervals))`.
    """
    swipl = environment.find_swipl()
    library = find_native(swipl.home).library if native else None
    ended = subprocess.run(
        [
            swipl.program,
            *("-f", "none", "--no-packs"),
            *("-p", f"rtec={ROOT / 'prolog' / 'rtec'}"),
            *("--on-warning=status", "--on-error=status"),
            *("-g", "run_tests", "-t", "halt"),
            file,
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=600,
        cwd=ROOT,
        env={**os.environ, VARIABLE: str(library or "off")},
    )
    some_ran = re.search(r"\btests? passed\b", ended.stdout) is not None
    return ended.returncode == 0 and some_ran, ended.stdout


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_prolog_file(file: Path) -> None:
    passed, output = run_plunit(file)
    assert passed, output


@pytest.mark.parametrize("name", ["simple_fluents", "static_fluents", "cycles", "query", "records"])
def test_without_native(name: str) -> None:
    passed, output = run_plunit(ROOT / "tests" / "prolog" / f"test_{name}.pl", native=False)
    assert passed, output


PASSING = "test(sum, X == 3) :- X is 1+2.\n"


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ("test(sum, X == 4) :- X is 1+2.\n", "sum"),
        ("test(raises) :- atom_length(_, _).\n", "raises"),
        ("test(leaves_choice) :- member(_, [a, b]).\n", "choicepoint"),
        (PASSING + "unused(X).\n", "Singleton"),
        (PASSING + "broken(.\n", "Syntax error"),
        (PASSING + ":- use_module(rtec(no_such_file)).\n", "no_such_file"),
        ("", ""),
    ],
    ids=["fails", "raises", "choice point", "warning", "syntax error", "missing file", "no tests"],
)
def test_trouble_is_not_overlooked(tmp_path: Path, tests: str, said: str) -> None:
    passed, output = run_plunit(prolog_file(tmp_path, tests))
    assert not passed
    assert said in output


def test_a_good_file_passes(tmp_path: Path) -> None:
    passed, output = run_plunit(prolog_file(tmp_path, PASSING))
    assert passed, output


def prolog_file(folder: Path, tests: str) -> Path:
    """Write a Prolog file with one unit."""
    file = folder / "test_it.pl"
    file.write_text(
        f":- use_module(library(plunit)).\n:- begin_tests(t).\n{tests}:- end_tests(t).\n"
    )
    return file
