"""Names of objects: one text for each, whether it comes from a record or from an answer.

Equal terms have equal names; that different terms may share one (the number 7 and the atom
'7', compounds with one functor, all fractions) only means that they go to the same partition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rtec.model import Scalar
from rtec.runtime.records import read_field
from rtec.spark.positions import Path

FUNCTOR = r"^'?([^'(\[\\]*)"
"""Finds the functor in the text of a compound; Spark uses the same expression."""
_EXACT = frozenset((int, str))
FLOAT = "float"
"""The name of all fractions, which Java and Python do not write in the same way."""
_TOKEN = re.compile(r"'(?:[^'\\]|''|\\.)*'|\"(?:[^\"\\]|\"\"|\\.)*\"|[()\[\]{},]", re.DOTALL)


def object_name(item: Scalar) -> str:
    """Name an argument.

    >>> [object_name(i) for i in (7, "007", 2.50, "tug", "f(a, b)", "f(a,b)")]
    ['7', '7', 'float', 'tug', 'f()', 'f()']
    """
    if isinstance(item, str):
        if item[-1:] in (")", "]"):
            found = re.match(FUNCTOR, item)
            return f"{found.group(1) if found else ''}()"
        item = read_field(item)
    if isinstance(item, float):
        return FLOAT
    text = str(item)
    return "0" if text == "-0" else text


def are_exact(items: Iterable[Any]) -> bool:
    """Whether objects are the same if and only if they are equal in Python, as 7 and 7.0 are not.

    >>> are_exact([7, "tug"]), are_exact([7, 7.0])
    (True, False)
    """
    return set(map(type, items)) <= _EXACT


def key_argument(args: Sequence[Scalar], path: Path) -> Scalar | None:
    """Find an argument by its path; None if there is none.

    >>> key_argument(["voter", "vote(12,'it''s, so')"], (1, 0))
    12
    """
    if path[0] >= len(args):
        return None
    item = args[path[0]]
    for i in path[1:]:
        parts = _arguments(item) if isinstance(item, str) else []
        if i >= len(parts):
            return None
        item = read_field(_unquoted(parts[i]))
    return item


def _arguments(text: str) -> list[str]:
    """Split the text of a compound into the texts of its arguments."""
    parts: list[str] = []
    depth, start = 0, 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in ("(", "[", "{"):
            depth += 1
            if depth == 1:
                start = match.end()
        elif token in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                parts.append(text[start : match.start()].strip())
        elif token == "," and depth == 1:
            parts.append(text[start : match.start()].strip())
            start = match.end()
    return parts


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'").replace("\\'", "'").replace("\\\\", "\\")
    return text
