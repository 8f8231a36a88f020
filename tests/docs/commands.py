"""Run the commands of `console` blocks, each as it stands there.

A line that starts with `$ ` is a command (it goes on after a `\\`), and the lines after it are
what it says on standard output; or on standard output, then on standard error. It has to end with
exit code 0, unless it shows an error. After `rtec repl`, a line that starts with `?- ` is a
question at its prompt.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rtec.cli import execute

from docs.blocks import Block
from docs.shown import pattern, said

_SHELL = re.compile(r"[|<>;&*$]")
_PLAIN = {"cat", "head", "tail", "ls", "wc", "echo", "printf", "gzip", "zcat", "mkdir"}


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Yield each command with the output shown for it."""
    command, output = "", []
    lines = iter(block.text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            if command:
                yield command, "".join(output)
            command, output = line[2:], []
            while command.endswith("\\"):
                command = f"{command[:-1].rstrip()} {next(lines).strip()}"
        else:
            assert command, f"{block.place}: a console block starts with a command"
            output.append(f"{line}\n")
    if command:
        yield command, "".join(output)


def run_commands(block: Block, capfd: pytest.CaptureFixture[str]) -> int:
    """Run the commands of a block in the current folder; return how many there are."""
    count = 0
    for command, shown in commands(block):
        if command.startswith("rtec repl "):
            shown, code, out, err = _ask(command, shown)
        else:
            code, out, err = _run(command, capfd)
        expected = pattern(shown)
        texts = [said(out), said(out) + said(err)]
        assert any(expected.fullmatch(text) for text in texts), (
            f"{block.place}: `{command}` shows\n{shown}\nand says\n{said(out)}{said(err)}"
        )
        assert (code != 0) == bool(re.search(r"\berrors?\b", shown)), (
            f"{block.place}: `{command}` ends with exit code {code}\n{err}"
        )
        count += 1
    return count


def _ask(command: str, shown: str) -> tuple[str, int, str, str]:
    """Ask the questions of a prompt, which says on standard error what it is."""
    lines = [line for line in shown.splitlines() if line]
    questions = [line[3:] for line in lines if line.startswith("?- ")]
    answers = [line for line in lines if not line.startswith("?- ")]
    code, out, err = _shell(command, "".join(f"{each}\n" for each in questions))
    said_first = "".join(f"{line}\n" for line in f"{err}\n{out}".splitlines() if line)
    return "".join(f"{each}\n" for each in answers), code, said_first, ""


def _run(command: str, capfd: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    words = shlex.split(command)
    if words[0] == "rtec" and not _SHELL.search(command):
        capfd.readouterr()
        code = execute(words[1:])
        text = capfd.readouterr()
        return code, text.out, text.err
    assert words[0] in _PLAIN | {"rtec"}, f"`{words[0]}` is no command to run in a test"
    return _shell(command, None)


def _shell(command: str, given: str | None) -> tuple[int, str, str]:
    paths = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    ran = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "PATH": os.pathsep.join(paths)},
        input=given,
        stdin=subprocess.DEVNULL if given is None else None,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return ran.returncode, ran.stdout, ran.stderr
