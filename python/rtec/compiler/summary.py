"""What an examination comes to, in one line."""

from __future__ import annotations

from rtec.compiler.examination import Examination


def summary(found: Examination) -> str:
    """Count the mistakes; without any, say what the description holds."""
    counted = [
        count(len(found.errors), "error"),
        count(len(found.warnings), "warning"),
    ]
    wrong = ", ".join(c for c in counted if not c.startswith("0 "))
    if found.errors:
        return wrong
    return f"{wrong or 'no mistakes'}; {_contents(found)}"


def _contents(found: Examination) -> str:
    entities = found.case.entities
    parts = [
        count(len(found.case.rules), "rule"),
        count(len(entities.input_events), "input event"),
        count(len(entities.input_fluents), "input fluent"),
        count(len(entities.simple), "simple fluent"),
        count(len(entities.static), "static fluent"),
        count(len(entities.output_events), "output event"),
        count(max(found.case.graph.levels.values(), default=0), "level"),
        count(sum(note.slug == "cycle" for note in found.notes), "cycle"),
    ]
    return ", ".join(p for p in parts if not p.startswith("0 "))


def count(number: int, noun: str) -> str:
    """Write a number of things.

    >>> count(1, "rule"), count(3, "rule")
    ('1 rule', '3 rules')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
