"""`rtec repl`: run a stream, then ask about it at SWI-Prolog's own prompt.

Here the description is compiled and the stream is cut into windows; what is due at each query
time is written into a folder. `prolog/rtec/repl.pl` runs it in the process of the prompt, so
that the person has the engine itself at hand.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn, TextIO

import click

from rtec.cli.options import Chosen, choose, description_options, stream_options
from rtec.compiler.emit import atom_text, number_text
from rtec.compiler.program import Program
from rtec.environment import find_swipl, prolog_folder
from rtec.errors import ConfigError, Problem
from rtec.model import Scalar
from rtec.native import prepare_native
from rtec.runtime.border import reach
from rtec.runtime.faults import Faults, OnError
from rtec.runtime.records import Column, RecordBatch, TermText
from rtec.runtime.run import plan_run
from rtec.runtime.streams import read_stream

_LOADERS = {"event": "happens", "interval": "interval", "point": "point"}


@click.command("repl")
@description_options
@stream_options
def command(
    desc: str,
    background: tuple[str, ...],
    trust: bool,
    stream: tuple[str, ...],
    window: int | None,
    step: int | None,
    start: int | None,
    end: int | None,
    tick: int | None,
    on_error: OnError,
) -> None:
    """Run a stream, then ask questions at a Prolog prompt.

    holdsFor(F=V, I), holdsAt(F=V, T) and happensAt(E, T) answer over the whole run. insert/1
    takes further records, query/1 reasons again, and `help.` lists what there is. Without a
    stream, the prompt begins with nothing.
    """
    chosen = choose(desc, background, stream, window, step, start, end, tick)
    if "-" in chosen.streams:
        raise ConfigError(
            Problem(
                "the prompt reads standard input, so the stream cannot come from there",
                "no-stream",
                remedy="write the stream to a file, and give that with --stream",
            )
        )
    swipl = find_swipl()
    prepare_native(swipl.home)
    folder = Path(tempfile.mkdtemp(prefix="rtec-repl-"))
    try:
        prepare(chosen, folder, trust, on_error)
        _become(prompt_command(swipl.program, folder))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def prompt_command(swipl: Path, folder: Path) -> list[str]:
    """Return the command that runs a prepared folder, removes it, and prompts."""
    engine = prolog_folder() / "rtec"
    goal = f"rtec_repl:start({atom_text(str(folder))})"
    options = ["--quiet", "--no-packs", "-f", "none", "-p", f"rtec={engine}"]
    return [str(swipl), *options, "-g", goal, str(engine / "repl.pl")]


def _become(arguments: list[str]) -> NoReturn:
    """Replace this process, so that the prompt has the terminal to itself."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(arguments[0], arguments)


def prepare(chosen: Chosen, folder: Path, trust: bool = False, on_error: OnError = "stop") -> None:
    """Compile a description and cut its stream, into files of a folder.

    Raises:
        RtecError: As for `rtec run`.
    """
    from rtec.compiler import compile_description

    program = compile_description(chosen.description, chosen.background, trust=trust)
    _warn(program.warnings)
    settings = chosen.settings
    # Without a stream, what holds initially may still bring about the rest.
    runs = chosen.streams or (settings.start is not None and settings.end is not None)
    (folder / "program.pl").write_text(program.text, encoding="utf-8")
    with (folder / "run.pl").open("w", encoding="utf-8") as out:
        if runs:
            faults = Faults(on_error)
            _write_run(chosen, program, faults, out)
            _warn(faults.warnings(program.inputs))
        else:
            _write_head(program, settings.start or 0, settings.tick, settings.window, out)


def _write_run(chosen: Chosen, program: Program, faults: Faults, out: TextIO) -> None:
    settings = chosen.settings
    stream = read_stream(list(chosen.streams), program.inputs, faults)
    plan = plan_run(stream, settings)
    warning = plan.windowing.warning()
    _warn([] if warning is None else [warning])
    size = None if settings.windowing() is None else plan.windowing.size
    _write_head(program, plan.start, plan.tick, size, out)
    for window in plan.windows():
        due = plan.feed.buffer.take(window)
        changes = [*_changes("load", [*due.insert, *due.rest]), *_changes("unload", due.retract)]
        start = window.start - reach(program.inputs, plan.tick)
        out.write(f"advance({start}, {window.query_time}, [{', '.join(changes)}]).\n")


def _write_head(program: Program, start: int, tick: int, size: int | None, out: TextIO) -> None:
    background = ", ".join(atom_text(os.path.abspath(file)) for file in program.background)
    length = "inf" if size is None else size
    out.write(f"run({atom_text(program.name)}, [{background}], {start}, {tick}, {length}).\n")


def _changes(verb: str, batches: Iterable[RecordBatch]) -> Iterator[str]:
    """Write batches as the bridge takes them: loader, columns, and which may hold terms."""
    for batch in batches:
        columns = [_column(column) for column in batch.fields()]
        loader = atom_text(f"{verb}_{_LOADERS[batch.kind]}_{batch.name}")
        texts = ", ".join(text for text, _ in columns)
        flags = ", ".join(str(int(has_terms)) for _, has_terms in columns)
        yield f"-({loader}, [{texts}], [{flags}])"


def _column(column: Column) -> tuple[str, bool]:
    cells = column.tolist()
    has_terms = any(isinstance(cell, TermText) for cell in cells)
    return f"[{', '.join(map(_cell, cells))}]", has_terms


def _cell(cell: Scalar) -> str:
    if isinstance(cell, TermText):
        return f"-({atom_text(cell)})"
    if cell == "[]":  # the text, not the empty list
        return "'[]'"
    return atom_text(cell) if isinstance(cell, str) else number_text(cell)


def _warn(problems: Iterable[Problem]) -> None:
    for problem in problems:
        click.echo(str(problem), err=True)
