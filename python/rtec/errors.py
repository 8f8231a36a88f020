"""Errors that users meet, each with fields first and text made from them.

Every error is plain data, so it survives pickling by Spark and threads.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a user's file something is: 1-based line and column."""

    path: str
    line: int
    column: int = 1
    end_column: int | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: what is wrong, a slug with a section in docs/errors.md, a way out."""

    message: str
    slug: str
    place: Place | None = None
    remedy: str | None = None
    severity: str = "error"

    def __str__(self) -> str:
        place = self.place
        where = f"{place.path}:{place.line}:{place.column}: " if place else ""
        lines = [f"{where}{self.severity}: {self.message} [{self.slug}]"]
        if place and place.text is not None:
            text = place.text.expandtabs(1)
            width = max(1, (place.end_column or place.column + 1) - place.column)
            width = max(1, min(width, len(text) - place.column + 1))
            lines.append(f"{place.line:>5} | {text}")
            lines.append(f"      | {' ' * (place.column - 1)}{'^' * width}")
        if self.remedy:
            lines.append(f"   {self.remedy}")
        return "\n".join(lines)


class RtecError(Exception):
    """Anything that is wrong with what the user gave; its text is one message."""

    def __init__(self, *problems: Problem | str) -> None:
        """Take problems, or plain text for an error without a place."""
        self.problems = tuple(
            Problem(p, self.default_slug) if isinstance(p, str) else p for p in problems
        )
        super().__init__(*self.problems)

    default_slug = "error"

    def __str__(self) -> str:
        return "\n".join(str(p) for p in self.problems)


class DescriptionError(RtecError):
    """The event description, its declarations or its background is wrong."""

    default_slug = "description"


class StreamError(RtecError):
    """A record of a stream, or a stream as a whole, cannot be used."""

    default_slug = "stream"


class ConfigError(RtecError):
    """A setting or a flag has a value that makes no sense."""

    default_slug = "config"


class EngineError(RtecError):
    """Evaluation went wrong: an exception in a user's predicate, a time limit."""

    default_slug = "engine"
