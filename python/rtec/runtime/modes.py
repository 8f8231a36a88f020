"""What of the answers a run reports: all of them, what changed, or a sum at the end."""

from __future__ import annotations

from rtec.runtime.answers import Recognitions
from rtec.runtime.changes import Changes
from rtec.runtime.merge import Merged
from rtec.runtime.windows import Window


class Mode:
    """Everything that each query time shows.

    What a mode remembers is plain data, so that it can be pickled into a checkpoint.
    """

    def take(self, window: Window, answers: Recognitions) -> list[Recognitions]:
        """Take the answers of a query time; return what is to be reported of them."""
        return [answers]

    def finish(self) -> list[Recognitions]:
        """Return what is to be reported at the end."""
        return []


class OnlyChanges(Mode):
    """What became different since the query time before."""

    def __init__(self, tick: int) -> None:
        """Begin with nothing known."""
        self._changes = Changes(tick)

    def take(self, window: Window, answers: Recognitions) -> list[Recognitions]:
        """Return what is withdrawn, and what is added."""
        return self._changes.take(window, answers)


class OnceAtTheEnd(Mode):
    """Each fluent once, over the whole run."""

    def __init__(self, tick: int) -> None:
        """Begin with nothing known."""
        self._merged = Merged(tick)

    def take(self, window: Window, answers: Recognitions) -> list[Recognitions]:
        """Remember; there is nothing to report yet."""
        self._merged.add(window, answers)
        return []

    def finish(self) -> list[Recognitions]:
        """Return what is known of the whole run."""
        return [] if self._merged.query_time is None else [self._merged.result()]


def choose_mode(merge: bool, changes: bool, tick: int) -> Mode:
    """Make the mode that flags ask for."""
    return OnceAtTheEnd(tick) if merge else OnlyChanges(tick) if changes else Mode()
