"""Random runs: a start, an end, a tick, and how windows move over them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st
from reference.windows import query_times


@dataclass(frozen=True)
class Run:
    """The settings of a run."""

    start: int
    end: int
    tick: int
    window: int
    step: int

    @property
    def points(self) -> range:
        """All time-points of the run."""
        return range(self.start, self.end + 1, self.tick)

    @property
    def query_times(self) -> list[int]:
        """When reports are due."""
        return query_times(self.start, self.end, self.step)


@st.composite
def windowings(
    draw: st.DrawFn,
    *,
    most_points: int = 30,
    most_queries: int = 8,
    ticks: tuple[int, ...] = (1, 1, 1, 5),
    gaps: bool = False,
) -> Run:
    """Make the settings of a run.

    Args:
        draw: Given by hypothesis.
        most_points: How many ticks the run lasts at most.
        most_queries: How many query times there are at most.
        ticks: The ticks to choose from.
        gaps: Whether the step may be longer than the window.
    """
    tick = draw(st.sampled_from(ticks))
    start = draw(st.sampled_from([0, 7, 100])) * tick
    length = draw(st.integers(min(5, most_points), most_points))
    step = draw(st.integers(-(-length // most_queries), length))
    window = draw(st.integers(1 if gaps else step, length + 5))
    return Run(start, start + length * tick, tick, window * tick, step * tick)
