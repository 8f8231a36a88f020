"""Compare what a command says with what a page shows.

A line `...` stands for any number of lines, and `…` for any text within a line.
"""

from __future__ import annotations

import re


def pattern(shown: str) -> re.Pattern[str]:
    """Make the pattern that a page's output stands for.

    >>> bool(pattern("a\\n...\\nin … s\\n").fullmatch("a\\nb\\nc\\nin 2 s\\n"))
    True
    >>> bool(pattern("[22, ...\\n").fullmatch("[22, 30)\\n"))
    False
    """
    parts = []
    for line in shown.splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(part) for part in line.rstrip().split("…")) + r" *\n")
    return re.compile("".join(parts))


def said(text: str) -> str:
    """Make what a command said comparable: the last line ends as all others do."""
    return text if not text or text.endswith("\n") else f"{text}\n"
