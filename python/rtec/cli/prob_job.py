"""One call of `rtec run --prob`: both stages over a stream, window by window."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

import click

from rtec.cli.live_options import LiveOptions
from rtec.cli.options import Chosen
from rtec.cli.prob_options import ProbOptions, read_durations
from rtec.compiler import compile_description
from rtec.errors import Problem
from rtec.prob.pipeline import ProbSettings, methods_text, prob_run, run_prob
from rtec.prob.sink import ProbSink, SeriesSink
from rtec.runtime.faults import Faults, OnError
from rtec.runtime.following import Follow
from rtec.runtime.interrupt import Interrupt
from rtec.runtime.outputs import Output
from rtec.runtime.progress import Progress
from rtec.runtime.run import LateFile, RunPlan, plan_run
from rtec.runtime.sinks import Format
from rtec.runtime.stats import Stats
from rtec.runtime.streams import read_stream


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a job writes."""

    sink: ProbSink
    late: LateFile | None
    series: SeriesSink | None


@dataclass(frozen=True, slots=True)
class ProbJob:
    """The settings of a call, made up."""

    chosen: Chosen
    live: LiveOptions
    prob: ProbOptions
    trust: bool
    on_error: OnError
    merge: bool
    out: str | None
    form: Format | None
    late: str | None
    stats: str | None
    time_limit: float | None
    quiet: bool
    progress: bool

    def run(self) -> None:
        """Do it.

        Raises:
            click.exceptions.Exit: The run was stopped before its end.
        """
        settings = self._settings()
        figures = Stats(keep_windows=self.stats is not None)
        with Interrupt() as interrupt:
            with ExitStack() as written:
                # All that is written is opened before anything is read.
                sink = written.enter_context(ProbSink(self.out, self.form))
                late = LateFile(written.enter_context(Output(self.late))) if self.late else None
                stats = written.enter_context(Output(self.stats)) if self.stats else None
                series = self.prob.series and written.enter_context(SeriesSink(self.prob.series))
                outputs = Outputs(sink, late, series or None)
                plan, methods = self._recognise(settings, outputs, figures, interrupt)
                if stats is not None:
                    stats.write(figures.to_json())
        if not self.quiet:
            click.echo(figures.summary(), err=True)
            click.echo(methods, err=True)
        if plan.stopped:
            at = plan.query_time
            where = "before the first query time" if at is None else f"after query time {at}"
            click.echo(f"notice: stopped {where}", err=True)
            raise click.exceptions.Exit(128 + interrupt.signal)

    def _settings(self) -> ProbSettings:
        given = self.prob
        return ProbSettings(
            "0.5" if given.threshold is None else given.threshold,
            given.support_set,
            None if given.durations is None else read_durations(given.durations),
            given.only or None,
            given.seed or 0,
            given.skip_filters,
            self.merge,
            given.credible_only,
            self.time_limit,
        )

    def _recognise(
        self,
        settings: ProbSettings,
        outputs: Outputs,
        figures: Stats,
        interrupt: Interrupt,
    ) -> tuple[RunPlan, str]:
        """Let the stream go through both stages; say how the probabilities were worked out."""
        program = compile_description(
            self.chosen.description, self.chosen.background, trust=self.trust
        )
        _warn(*program.warnings)
        faults = Faults(self.on_error)
        origins = [*self.chosen.streams, *map(Follow, self.live.follow)]
        with figures.phase("read"):
            live = self.live.live_settings(lambda text: click.echo(f"notice: {text}", err=True))
            stream = read_stream(origins, program.inputs, faults, live)
        plan = plan_run(stream, self.chosen.settings, figures, self.live.pace(interrupt))
        _warn(plan.windowing.warning())
        with (
            prob_run(program, settings, plan) as run,
            Progress(plan, self.progress) as bar,
        ):
            _warn(*run.engine.left_out)
            for found in run_prob(run, plan, late=outputs.late, on_step=bar.update):
                with figures.phase("write"):
                    outputs.sink.write(found)
                    if outputs.series is not None:
                        outputs.series.write(run.points)
                    if stream.live:
                        outputs.sink.output.handle.flush()
            figures.notes["methods"] = run.engine.methods.counts()
            methods = methods_text(run.engine)
        _warn(*faults.warnings(program.inputs))
        return plan, methods


def _warn(*problems: Problem | None) -> None:
    for problem in problems:
        if problem is not None:
            click.echo(str(problem), err=True)
