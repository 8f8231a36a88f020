"""How messages show terms."""

from __future__ import annotations

from rtec.compiler.emit import term_text
from rtec.compiler.terms import Term

_LONGEST = 60


def pair_text(fluent: Term, value: Term) -> str:
    """Write a fluent with its value the way descriptions do."""
    return f"{term_text(fluent)}={term_text(value)}"


def short_text(goal: Term) -> str:
    """Write a goal, cut where it gets long."""
    text = term_text(goal)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
