"""What is wrong with the records of a run: it stops the run, or is counted and skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal, TypeAlias

from rtec.errors import Problem, StreamError

OnError: TypeAlias = Literal["stop", "skip"]

_NAMES_SHOWN = 20
_NAMES_COUNTED = 10_000


@dataclass(slots=True)
class Faults:
    """Malformed records and unknown names, as they are met.

    Attributes:
        on_error: Whether the first malformed record stops the run.
        skipped: How many malformed records were left out.
        first: The first of them.
        unknown: How many records had a name that the description does not use, by name.
        further_unknown: How many more had such a name, after too many different ones.
    """

    on_error: OnError = "stop"
    skipped: int = 0
    first: Problem | None = None
    unknown: Counter[str] = field(default_factory=Counter)
    further_unknown: int = 0

    def malformed(self, problems: Sequence[Problem]) -> None:
        """Take note of malformed records, in the order in which they were read.

        Raises:
            StreamError: Malformed records stop the run.
        """
        if not problems:
            return
        if self.on_error == "stop":
            raise StreamError(problems[0])
        self.first = self.first or problems[0]
        self.skipped += len(problems)

    def unknown_name(self, name: str, count: int) -> None:
        """Count records with a name that the description does not use."""
        if name in self.unknown or len(self.unknown) < _NAMES_COUNTED:
            self.unknown[name] += count
        else:
            self.further_unknown += count

    def warnings(self, known: Iterable[str] = ()) -> list[Problem]:
        """Say once per name and kind of fault what was left out; `known` are names in use."""
        result = []
        names = list(known)
        shown = self.unknown.most_common(_NAMES_SHOWN)
        for name, count in shown:
            close = get_close_matches(name, names, 1)
            remedy = f"did you mean `{close[0]}`?" if close else None
            message = f"the description does not use `{printable(name)}`: {records(count)} left out"
            result.append(Problem(message, "unknown-record", None, remedy, "warning"))
        rest = self.unknown.total() - sum(count for _, count in shown) + self.further_unknown
        if rest:
            message = f"{records(rest)} with yet other names left out"
            result.append(Problem(message, "unknown-record", None, None, "warning"))
        if self.skipped and self.first is not None:
            message = f"{records(self.skipped)} malformed and skipped; the first: "
            message += self.first.message
            place = self.first.place
            result.append(Problem(message, self.first.slug, place, None, "warning"))
        return result


def records(count: int) -> str:
    """Count records in words.

    >>> records(1), records(2500)
    ('1 record', '2,500 records')
    """
    return f"{count:,} record{'' if count == 1 else 's'}"


def printable(text: str, limit: int = 60) -> str:
    """Show text of unknown origin on one line, shortened.

    >>> len(printable("a" + chr(10) + "b")), printable("abcdef", 3)
    (4, 'abc...')
    """
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[: limit + 1])
    return shown if len(text) <= limit else shown[:limit] + "..."
