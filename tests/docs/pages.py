"""Run a page of the documentation: what it shows is what happens.

The blocks of a page are taken in order, in one folder:

- `prolog` and `stream` write a file, named after the language (`prolog stream.csv`) or, without a
  name, `example.prolog` and `example.csv`; `toml` and `jsonl` need a name.
- `console` runs its commands (see `docs.commands`).
- `output` is what `rtec run` makes of `example.prolog` and `example.csv`, as a table;
  after a `python` block, it is what that has printed.
- `python` is run; with prompts (`>>>`) as a doctest. All blocks share their names.

Blocks of other languages, and those without one, are only shown.
"""

from __future__ import annotations

import contextlib
import doctest
import io
from pathlib import Path
from typing import Any

import pytest
from rtec.cli import execute

from docs.blocks import Block, blocks
from docs.commands import run_commands
from docs.shown import pattern

RULES, STREAM = "example.prolog", "example.csv"
START = "0"
_FILES = {"prolog": RULES, "stream": STREAM, "toml": "", "jsonl": ""}
_RUN = {*_FILES, "console", "output", "python"}
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def sections(path: Path) -> list[Any]:
    """List the sections of a page that show something, as cases of a test, each with its blocks."""
    found: dict[str, list[Block]] = {}
    for block in blocks(path):
        if block.language in _RUN:
            found.setdefault(block.heading, []).append(block)
    return [pytest.param(heading, each, id=heading) for heading, each in found.items()]


class Page:
    """The state of a page: the names of its Python blocks, and how much was run."""

    def __init__(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        """Begin in a folder, which has to be the current one."""
        self.folder = folder
        self.capfd = capfd
        self.names: dict[str, Any] = {}
        self.count = 0
        self._printed: str | None = None

    def run(self, blocks: list[Block]) -> None:
        """Run blocks in order."""
        for block in blocks:
            if block.language in _FILES:
                name = block.title or _FILES[block.language]
                assert name, f"{block.place}: the block needs the name of a file"
                (self.folder / name).write_text(block.text, encoding="utf-8")
            elif block.language == "console":
                self.count += run_commands(block, self.capfd)
            elif block.language == "python":
                self._python(block)
            elif block.language == "output":
                self._output(block)
                self.count += 1

    def _python(self, block: Block) -> None:
        if ">>>" in block.text:
            test = doctest.DocTestParser().get_doctest(
                block.text, self.names, block.place, block.page, block.line
            )
            runner = doctest.DocTestRunner(optionflags=_FLAGS, verbose=False)
            report = io.StringIO()
            runner.run(test, out=report.write, clear_globs=False)
            self.names.update(test.globs)
            assert runner.failures == 0, report.getvalue()
            self.count += len(test.examples)
            return
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, block.place, "exec"), self.names)
        self._printed = printed.getvalue()
        self.count += 1

    def _output(self, block: Block) -> None:
        shown, self._printed = self._printed, None
        if shown is None:
            shown = self._table()
        assert pattern(block.text).fullmatch(shown), (
            f"{block.place} shows\n{block.text}\nand there is\n{shown}"
        )

    def _table(self) -> str:
        self.capfd.readouterr()
        arguments = ["--desc", RULES, "--stream", STREAM, "--start", START]
        code = execute(["run", *arguments, "--format", "table", "--quiet"])
        text = self.capfd.readouterr()
        assert code == 0, text.err
        assert not text.err, text.err
        return text.out
