"""A description, a stream and a run together, with what the reference expects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from reference import Record, Result, evaluate, evaluate_window, to_lines

from .descriptions import RandomDescription, descriptions
from .streams import streams
from .windowings import Run, windowings


@dataclass(frozen=True)
class Case:
    """Everything that a comparison with the reference needs."""

    description: RandomDescription
    records: list[Record]
    run: Run

    @property
    def stream_text(self) -> str:
        """The records as pipe-separated lines."""
        return to_lines(self.records)

    def expected(self) -> Result:
        """What the whole run shows, everything known."""
        clauses, background = self.description.clauses, self.description.background
        run = self.run
        return evaluate(clauses, background, self.records, run.start, run.end, run.tick)

    def expected_windows(self) -> dict[int, Result]:
        """What each query time reports."""
        return evaluate_window(
            self.description.clauses,
            self.description.background,
            self.records,
            self.run.start,
            self.run.tick,
            self.run.query_times,
            self.run.window,
        )

    def __repr__(self) -> str:
        return f"Case({self.run},\n{self.description!r},\n{self.stream_text})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Let hypothesis show a failing case as text."""
        printer.text(repr(self))


@st.composite
def cases(
    draw: st.DrawFn,
    /,
    *,
    most_delay: int = 10,
    retractions: bool = False,
    gaps: bool = False,
    ticks: tuple[int, ...] = (1, 1, 1, 5),
    **features: bool,
) -> Case:
    """Make a case; `features` are those of `descriptions`, the rest of `streams` and `windowings`.

    The stream comes last, so that shrinking a description does not disturb the run.
    """
    run = draw(windowings(gaps=gaps, ticks=ticks))
    description = draw(descriptions(tick=run.tick, **features))
    records = draw(
        streams(description, run, most_delay=most_delay, retractions=retractions)
    )
    return Case(description, records, run)
