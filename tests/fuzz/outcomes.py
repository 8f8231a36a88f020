"""A call of the command, and whether what it did is one of the things that it may do."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

# Bound at import: the command's own modules are loaded later.
from rtec.cli import execute

_HEAD = re.compile(r"(.*: )?(error|warning|note): .* \[[a-z0-9-]+\]")
_MORE = re.compile(r"\s+\S.*|\s*")
_SUMMARY = re.compile(
    r"[\d,]+ query times?, |records: |recognition time: |probabilities, "
    r"|.*d\.prolog: (no mistakes|\d+ (error|warning))"
)
OUT = "out.jsonl"


@dataclass(frozen=True)
class Outcome:
    """Exit code, what was said, and which files there are."""

    code: int
    said: str
    files: frozenset[str]
    out: bytes | None


def call(arguments: Sequence[str], files: Mapping[str, bytes]) -> Outcome:
    """Call the command in this process, with files in a folder of its own.

    `@name` in an argument is the path of a file.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, data in files.items():
            (folder / file).write_bytes(data)
        given = [str(folder / a[1:]) if a.startswith("@") else a for a in arguments]
        errors = io.StringIO()
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with redirect_stderr(errors), redirect_stdout(output):
            code = execute(given)
        made = frozenset(p.name for p in folder.iterdir()) - set(files)
        out = folder / OUT
        said = errors.getvalue()
        if arguments[0] == "check":  # what it finds is what it is asked for
            output.flush()
            said += output.buffer.getvalue().decode()  # type: ignore[attr-defined]
        return Outcome(code, said, made, out.read_bytes() if out.exists() else None)


def call_apart(arguments: Sequence[str], folder: Path) -> Outcome:
    """Call the command in a process of its own, in a folder that holds its files."""
    before = set(folder.iterdir())
    told = subprocess.run(
        [sys.executable, "-c", "from rtec.cli import main; main()", *arguments],
        cwd=folder, capture_output=True, text=True, errors="replace", timeout=120,
        env={**os.environ, "RTEC_CACHE": "off"},
    )  # fmt: skip
    made = frozenset(p.name for p in set(folder.iterdir()) - before)
    out = (folder / OUT).read_bytes() if OUT in made else None
    return Outcome(told.returncode, told.stderr, made, out)


def accept(outcome: Outcome) -> None:
    """Accept only: done, or one clear message and nothing half-written."""
    assert "Traceback" not in outcome.said, outcome.said
    assert outcome.code in (0, 1), (outcome.code, outcome.said)
    assert outcome.files <= {OUT}, outcome.files
    lines = outcome.said.split("\n")
    if outcome.code == 1:
        assert outcome.out is None, "something was written, although the command failed"
        assert any(": error: " in f": {line}" for line in lines), outcome.said
    for line in lines:
        known = _HEAD.fullmatch(line) or _MORE.fullmatch(line) or _SUMMARY.match(line)
        assert known, f"unexpected line {line!r} in:\n{outcome.said}"
