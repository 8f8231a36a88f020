"""Both stages over a stream: probabilities of fluents, and intervals in which they are high enough.

What `rtec run --prob` does. At each query time Prob-EC works out the probabilities of the window,
and oPIEC (see `stage_two`) answers with the intervals that end in it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from rtec.compiler.program import Program
from rtec.errors import ConfigError, Problem
from rtec.prob.durations import Durations
from rtec.prob.many import OpiecMany
from rtec.prob.pmis import Pmis
from rtec.prob.probec import FluentSeries, ProbEC
from rtec.prob.probec.engine import with_description
from rtec.prob.probec.series import order
from rtec.prob.scale import Threshold, as_fraction
from rtec.prob.sink import ProbInterval, to_table
from rtec.prob.stage_two import StageTwo
from rtec.runtime.buffer import Due
from rtec.runtime.run import LateFile, RunPlan, plan_run
from rtec.runtime.settings import RunSettings
from rtec.runtime.stats import WindowStats
from rtec.runtime.streams import read_stream
from rtec.runtime.windows import Window


@dataclass(frozen=True, slots=True)
class ProbSettings:
    """What may be asked of a run.

    Attributes:
        threshold: How likely a fluent has to be over an interval, on average.
        support_set: The most starts of intervals that are remembered of each series.
        durations: How long intervals usually last, in time-points; needs a bounded support set.
        only: The fluents to work out; None for all.
        seed: For random choices.
        skip_filters: Whether filters of whole intervals let everything pass.
        merge: Whether intervals are reported at the end only, when all of them are known.
        credible_only: Whether what overlaps a better interval is left out.
        time_limit: Seconds that the engine may take for one question; None for no limit.
    """

    threshold: Threshold = 0.5
    support_set: int | None = None
    durations: Durations | None = None
    only: Collection[str] | None = None
    seed: int = 0
    skip_filters: bool = False
    merge: bool = False
    credible_only: bool = False
    time_limit: float | None = None

    def __post_init__(self) -> None:
        as_fraction(self.threshold)
        if self.support_set is not None and self.support_set < 1:
            raise ConfigError(
                Problem(
                    f"the support set is {self.support_set}; it has to be at least 1",
                    "prob-bound",
                )
            )
        if self.durations is not None and self.support_set is None:
            raise ConfigError(
                Problem(
                    "durations only matter for a bounded support set",
                    "prob-durations",
                    remedy="give --support-set as well",
                )
            )


class ProbRun:
    """The two stages together, window by window."""

    def __init__(
        self,
        program: Program,
        settings: ProbSettings,
        *,
        start: int = 0,
        tick: int = 1,
        overlap: bool = True,
    ) -> None:
        """Prepare both stages.

        Args:
            program: A compiled description.
            settings: What is asked.
            start: The first time-point of the run.
            tick: The distance of consecutive time-points.
            overlap: Whether windows overlap, so that late records count.
        """
        self.settings = settings
        streams = OpiecMany(
            settings.threshold,
            bound=settings.support_set,
            durations=settings.durations,
            rng=settings.seed,
            tick=tick,
            gaps="hold",
            keep=settings.merge,
        )
        self._stage_two = StageTwo(streams, tick, overlap)
        self.engine = ProbEC(
            program,
            start=start,
            tick=tick,
            only=settings.only,
            skip_filters=settings.skip_filters,
            time_limit=settings.time_limit,
        )
        self._query_time: int | None = None

    @property
    def points(self) -> pa.Table:
        """How likely fluents are, as far as it became final at the last query time.

        The columns are `series`, `time` and `prob`; between two points of a series, the first one
        counts.
        """
        return self._stage_two.points

    def close(self) -> None:
        """Give the engine's memory back."""
        self.engine.close()

    def __enter__(self) -> ProbRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def advance(self, window: Window, due: Due) -> tuple[FluentSeries, list[ProbInterval]]:
        """Hand over what is due: the probabilities in the window, and the intervals that end."""
        answer = self.engine.advance(window, due)
        found = self._stage_two.take(answer)
        self._query_time = answer.end
        return answer, [] if self.settings.merge else self._report(found, answer.end)

    def finish(self) -> list[ProbInterval]:
        """Tell what is to be told at the end: with `merge`, everything."""
        found = self._stage_two.finish()
        if not self.settings.merge or self._query_time is None:
            return []
        return self._report(found, self._query_time)

    def _report(self, found: Pmis | None, query_time: int) -> list[ProbInterval]:
        """Name the series of intervals; sort them by that, and leave out what is not wanted."""
        if found is None or not len(found):
            return []
        table = found.to_arrow()
        if self.settings.credible_only:
            table = table.filter(table["credible"])
        rows = []
        for row in table.to_pylist():
            of = self._stage_two.series(row.pop("series"))
            rows.append((of, ProbInterval(query_time, of.fluent, of.args, of.value, **row)))
        rows.sort(key=lambda pair: order(pair[0]))
        return [interval for _, interval in rows]


def prob_run(program: Program, settings: ProbSettings, plan: RunPlan) -> ProbRun:
    """Prepare both stages for the windows of a plan."""
    windowing = plan.windowing
    overlap = windowing.size > windowing.step
    return ProbRun(program, settings, start=plan.start, tick=plan.tick, overlap=overlap)


def run_prob(
    run: ProbRun,
    plan: RunPlan,
    *,
    late: LateFile | None = None,
    on_step: Callable[[], None] | None = None,
) -> Iterator[list[ProbInterval]]:
    """Yield the intervals that are found at each query time of a plan, and those told at the end.

    The figures of each query time go to the plan's.
    """
    try:
        for window in plan.windows():
            with plan.stats.phase("hand_over"):
                due = plan.feed.buffer.take(window)
            if late is not None:
                late.write(window, due)
            began = time.perf_counter()
            with plan.stats.phase("recognise"):
                _, found = run.advance(window, due)
            taken = (time.perf_counter() - began) * 1000
            figures = WindowStats(window.query_time, due.records, len(found), taken)
            plan.stats.add_window(figures, due.counts)
            if on_step is not None:
                on_step()
            yield found
    finally:
        plan.feed.close()
    at_end = run.finish()
    plan.stats.recognitions += len(at_end)
    yield at_end


def intervals(
    program: Program | str | Path,
    stream: Any,
    settings: ProbSettings | None = None,
    *,
    window: int | None = None,
    step: int | None = None,
    start: int | None = None,
    end: int | None = None,
    tick: int = 1,
) -> pa.Table:
    """Find the intervals in which fluents are likely enough, as `rtec run --prob` does.

    Args:
        program: A compiled description, or the file of one without background.
        stream: A path, records, an Arrow table, a DataFrame, or several of these.
        settings: What is asked.
        window: How far back each query time looks, as in `rtec.run`.
        step: How far apart query times are.
        start: The start of the run.
        end: The last query time.
        tick: How far apart consecutive time-points are.

    Returns:
        A table with a row for each interval, see `rtec.prob.sink.SCHEMA`.

    Raises:
        ConfigError: A setting makes no sense, or ProbLog is needed and not installed.
        DescriptionError: No fluent, or none that is asked for, can be worked out.
        StreamError: A record is malformed.
    """
    program = with_description(program)
    opened = read_stream(stream, program.inputs)
    plan = plan_run(opened, RunSettings(window, step, start, end, tick))
    with prob_run(program, settings or ProbSettings(), plan) as run:
        return to_table([found for at in run_prob(run, plan) for found in at])


def methods_text(engine: ProbEC) -> str:
    """Say in a line or two how the probabilities of which fluents were worked out.

    For people, on standard error; `ProbEC.methods.counts()` has the numbers.
    """
    by_way: dict[str, list[str]] = {}
    for name, way in engine.ways().items():
        by_way.setdefault(way, []).append(name)
    ways = sorted(by_way.items())
    return "\n".join(f"probabilities, {way}: {', '.join(names)}" for way, names in ways)
