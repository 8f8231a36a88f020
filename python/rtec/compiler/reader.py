"""Text to terms: SWI-Prolog's own reader, with positions and variable names."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rtec import bridge
from rtec.compiler.terms import Atom, Clause, Compound, Num, Span, Str, Term, Var
from rtec.errors import DescriptionError, Place, Problem

_DEEPEST = 5000
_BRACKET = re.compile(r"[][(){}]")


@dataclass(frozen=True)
class Source:
    """A file of a description: its text, and where its lines begin."""

    path: str
    text: str
    line_starts: tuple[int, ...] = field(repr=False)

    def place(self, start: int, end: int | None = None) -> Place:
        """Turn character offsets into a place with the line's text."""
        start = min(start, len(self.text))
        row = bisect_right(self.line_starts, start) - 1
        begin = self.line_starts[row]
        newline = self.text.find("\n", begin)
        line = self.text[begin : newline if newline >= 0 else len(self.text)].rstrip("\r")
        column = start - begin + 1
        end_column = column + 1 if end is None else column + max(1, end - start)
        return Place(self.path, row + 1, column, end_column, line)


def load_source(path: Path) -> Source:
    """Read a file as text.

    Raises:
        DescriptionError: If it is missing, unreadable, not text, or nested too deeply.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DescriptionError(
            Problem(f"cannot read {path}: {error.strerror}", "file", remedy="check the path")
        ) from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DescriptionError(
            Problem(f"{path} is not UTF-8 text (byte {error.start})", "file")
        ) from None
    if "\0" in text:
        raise DescriptionError(Problem(f"{path} is not text: it holds NUL bytes", "file"))
    source = make_source(str(path), text)
    check_depth(source)
    return source


def check_depth(source: Source) -> None:
    """Refuse brackets nested so deeply that SWI-Prolog's reader would not survive them."""
    if sum(map(source.text.count, "([{")) <= _DEEPEST:
        return
    depth = 0
    for match in _BRACKET.finditer(source.text):
        depth = depth + 1 if match.group() in "([{" else max(depth - 1, 0)
        if depth > _DEEPEST:
            place = source.place(match.start())
            raise DescriptionError(Problem("brackets are nested too deeply", "syntax", place))


def make_source(path: str, text: str) -> Source:
    """Wrap text that did not come from a file as well."""
    starts = [0]
    starts.extend(i + 1 for i, ch in enumerate(text) if ch == "\n")
    return Source(path, text, tuple(starts))


def read_clauses(source: Source) -> tuple[list[Clause], list[Problem]]:
    """Read all clauses; places where reading failed come back as problems."""
    rows, errors = bridge.call("bridge_read", source.text, source.path)
    problems = [
        Problem(
            f"syntax error: {' '.join(str(text).split())}",
            "syntax",
            source.place(_end_of_text(source.text, int(position))),
            "the clause is left out; mend it and check again",
        )
        for text, position in errors
    ]
    try:
        return [_clause(row, source.path) for row in rows], problems
    except RecursionError:
        deep = Problem(f"{source.path} has a term that is nested too deeply", "syntax")
        return [], [*problems, deep]


def _end_of_text(text: str, position: int) -> int:
    """Where the text before a position ends: a missing full stop is missed there."""
    before = text[:position].rstrip()
    return max(0, len(before) - 1) if text[len(before) : position].count("\n") else position


def _clause(row: list[Any], path: str) -> Clause:
    term_row, singletons, start, end = row
    term = _term(term_row, path)
    span = Span(path, start, end)
    if isinstance(term, Compound) and term.functor == ":-":
        if term.arity == 2:
            return Clause(term.args[0], term.args[1], span, tuple(singletons))
        return Clause(None, term.args[0], span, tuple(singletons))
    return Clause(term, Atom("true"), span, tuple(singletons))


def _term(row: list[Any], path: str) -> Term:
    kind, payload, start, end = row[:4]
    span = Span(path, start, end)
    if kind == "v":
        return Var(payload, span)
    if kind == "a":
        return Atom(str(payload), span)
    if kind == "n":
        return Num(payload, span)
    if kind == "s":
        return Str(payload, span)
    return Compound(payload, tuple(_term(arg, path) for arg in row[4]), span)
