"""Both stages over a stream: probabilities of fluents, and intervals in which they are high enough.

What `rtec run --prob` does, for callers with a plan of windows (`rtec.runtime.run.plan_run`). At
each query time Prob-EC works out the probabilities of the window; oPIEC takes those of the
time-points that are new, and answers with the intervals that end among them. The series of a
fluent begins where it may hold for the first time. Probabilities that late records change are
reported, but intervals that oPIEC has found are not taken back.
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
from rtec.prob.blocks import LONGEST_GAP
from rtec.prob.durations import Durations
from rtec.prob.many import OpiecMany
from rtec.prob.pmis import Pmis
from rtec.prob.probec import FluentSeries, ProbEC, Series
from rtec.prob.probec.engine import with_description
from rtec.prob.probec.series import order
from rtec.prob.scale import DECIMALS, Threshold, as_fraction
from rtec.prob.sink import SERIES_SCHEMA, ProbInterval, to_table
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
    """The two stages together, window by window.

    Attributes:
        points: What the first stage gave to the second at the last query time: `series`, `time`
            and `prob`; between two points of a series, the first one counts.
    """

    def __init__(
        self, program: Program, settings: ProbSettings, *, start: int = 0, tick: int = 1
    ) -> None:
        """Prepare both stages."""
        self.settings = settings
        self.tick = tick
        self._intervals = OpiecMany(
            settings.threshold,
            bound=settings.support_set,
            durations=settings.durations,
            rng=settings.seed,
            tick=tick,
            gaps="hold",
            keep=settings.merge,
        )
        self.engine = ProbEC(
            program,
            start=start,
            tick=tick,
            only=settings.only,
            skip_filters=settings.skip_filters,
            time_limit=settings.time_limit,
        )
        self._fed: int | None = None
        self._series: dict[tuple[object, ...], int] = {}
        self._names: list[Series] = []
        self.points = SERIES_SCHEMA.empty_table()

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
        found = self._find(answer)
        self._fed = answer.end
        return answer, [] if self.settings.merge else self._report(found, answer.end)

    def finish(self) -> list[ProbInterval]:
        """Tell what is to be told at the end: with `merge`, everything."""
        self.points = SERIES_SCHEMA.empty_table()
        if not self.settings.merge or self._fed is None:
            return []
        return self._report(self._intervals.intervals(), self._fed)

    def _find(self, answer: FluentSeries) -> Pmis | None:
        """Give the new part of all series to oPIEC."""
        after = answer.start - self.tick if self._fed is None else self._fed
        labels: list[int] = []
        times: list[int] = []
        probs: list[float] = []
        seen = set()
        for series in answer:
            known = series.identity in self._series
            label = self._series.setdefault(series.identity, len(self._names))
            if not known:
                self._names.append(series)
            seen.add(label)
            for at, prob in _new_points(series, after, answer.end, self.tick, known):
                labels.append(label)
                times.append(at)
                probs.append(round(prob, DECIMALS))
        first = after + self.tick
        for label in range(len(self._names)):
            if label not in seen and first <= answer.end:
                last = _last_point(first, answer.end, self.tick)
                for at in (*range(first, last, LONGEST_GAP * self.tick), last):
                    labels.append(label)
                    times.append(at)
                    probs.append(0.0)
        names = [self._names[label].name for label in labels]
        self.points = pa.table([names, times, probs], schema=SERIES_SCHEMA)
        if not labels:
            return None
        batch = {"series": pa.array(labels, pa.int64()), "time": times, "prob": probs}
        return self._intervals.update(batch)

    def _report(self, found: Pmis | None, query_time: int) -> list[ProbInterval]:
        """Name the series of intervals; sort them by that, and leave out what is not wanted."""
        if found is None or not len(found):
            return []
        table = found.to_arrow()
        if self.settings.credible_only:
            table = table.filter(table["credible"])
        rows = []
        for row in table.to_pylist():
            of = self._names[row.pop("series")]
            rows.append((of, ProbInterval(query_time, of.fluent, of.args, of.value, **row)))
        rows.sort(key=lambda pair: order(pair[0]))
        return [interval for _, interval in rows]


def _last_point(first: int, end: int, tick: int) -> int:
    return first + (end - first) // tick * tick


def _new_points(
    series: Series, after: int, end: int, tick: int, known: bool
) -> Iterator[tuple[int, float]]:
    """The points of a series after a time-point, with one at the beginning and one at the end."""
    first = after + tick
    if not known:
        # Before it may hold for the first time there is no series.
        later = [t for t, p in zip(series.times, series.probs, strict=True) if p > 0.0]
        first = max(first, later[0])
    if first > end:
        return
    last = _last_point(first, end, tick)
    # Points in between where there is no change for long: gaps in a stream have a limit.
    wanted = {*range(first, last, LONGEST_GAP * tick), last}
    wanted.update(t for t in series.times if first < t < last)
    for at in sorted(wanted):
        yield at, series.at(at)


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
    if at_end:
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
    with ProbRun(program, settings or ProbSettings(), start=plan.start, tick=tick) as run:
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
