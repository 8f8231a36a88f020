"""The fenced blocks of a Markdown page, in order, with where each stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<language>\S*)[ \t]*(?P<title>.*?)[ \t]*$")
_HEADING = re.compile(r"^#+ +(.*?) *$")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block.

    Attributes:
        page: The name of its page.
        line: The number of its first line of text.
        heading: The last heading before it.
        language: The first word after the fence.
        title: The rest of that line: the name of the file that the block shows.
        text: What stands between the fences.
    """

    page: str
    line: int
    heading: str
    language: str
    title: str
    text: str

    @property
    def place(self) -> str:
        """Where to look when its test fails."""
        return f"{self.page}:{self.line}"


def blocks(path: Path) -> list[Block]:
    """Read the blocks of a page."""
    return list(_blocks(path.name, path.read_text(encoding="utf-8")))


def _blocks(page: str, text: str) -> Iterator[Block]:
    heading = ""
    opened: tuple[str, int, str, str] | None = None
    inside: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if opened is not None:
            fence, first, language, title = opened
            if line == fence:
                shown = "".join(f"{each}\n" for each in inside)
                yield Block(page, first, heading, language, title, shown)
                opened, inside = None, []
            else:
                inside.append(line)
        elif found := _FENCE.match(line):
            opened = (found["fence"], number + 1, found["language"], found["title"])
        elif found := _HEADING.match(line):
            heading = found[1]
    assert opened is None, f"{page}: the block of line {opened and opened[1]} does not end"
