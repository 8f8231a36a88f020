"""One call of `rtec run`: everything is opened, the stream goes through, everything is closed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rtec.cli.live_options import LiveOptions
from rtec.cli.options import Chosen
from rtec.errors import Problem
from rtec.runtime.answers import Recognitions
from rtec.runtime.faults import Faults, OnError
from rtec.runtime.following import Follow
from rtec.runtime.interrupt import Interrupt
from rtec.runtime.modes import choose_mode
from rtec.runtime.outputs import Output
from rtec.runtime.progress import Progress
from rtec.runtime.run import LateFile, RunPlan, plan_run, resume_run, run_windows
from rtec.runtime.settings import Policy
from rtec.runtime.sinks import Format, Sink, open_sink, sink_format
from rtec.runtime.stats import Stats
from rtec.runtime.streams import read_stream

if TYPE_CHECKING:
    from rtec.compiler import Program
    from rtec.runtime.recovery import Recovery, RunState
    from rtec.runtime.session import Session


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a job writes."""

    sink: Sink
    late: LateFile | None
    stats: Output | None


@dataclass(frozen=True, slots=True)
class Job:
    """The settings of a call, made up."""

    chosen: Chosen
    live: LiveOptions
    trust: bool
    on_error: OnError
    merge: bool
    changes: bool
    incremental: Policy
    out: str | None
    form: Format | None
    late: str | None
    stats: str | None
    time_limit: float | None
    quiet: bool
    progress: bool

    def run(self) -> None:
        """Do it, from the beginning or from a checkpoint.

        Raises:
            click.exceptions.Exit: The run was stopped before its end.
        """
        plan: RunPlan | None = None
        with Interrupt() as interrupt, ExitStack() as stack:
            program = recovery = None
            if self.live.checkpoint is not None:
                program = self._compile()
                recovery = self._recover(stack, program)
            figures = Stats() if recovery is None else recovery.stats()
            figures.keep_windows = self.stats is not None
            with ExitStack() as written:
                # All that is written is opened before anything is read.
                outputs = self._open_outputs(written, recovery)
                if recovery is None or not recovery.finished:
                    program = program or self._compile()
                    plan = self._recognise(program, outputs, figures, interrupt, recovery)
                if outputs.stats is not None:
                    outputs.stats.write(figures.to_json())
            if recovery is not None and not (plan and plan.stopped):
                recovery.checkpoints.clear()
        if not self.quiet:
            click.echo(figures.summary(), err=True)
        if plan is not None and plan.stopped:
            self._say_stopped(plan)
            raise click.exceptions.Exit(128 + interrupt.signal)

    def _compile(self) -> Program:
        from rtec.compiler import compile_description

        program = compile_description(
            self.chosen.description, self.chosen.background, trust=self.trust
        )
        self._warn(*program.warnings)
        return program

    def _recover(self, stack: ExitStack, program: Program) -> Recovery:
        """Open the folder of checkpoints, and read what is in it."""
        from rtec.runtime.checkpoint import Checkpoints
        from rtec.runtime.recovery import Recovery, identity

        assert self.live.checkpoint is not None
        settings, live = self.chosen.settings, self.live
        same = identity(
            program,
            self.chosen.streams,
            follow=list(live.follow),
            window=settings.window,
            step=settings.step,
            start=settings.start,
            end=settings.end,
            tick=settings.tick,
            lateness=live.lateness,
            clock=live.clock,
            clock_rate=live.clock_rate,
            clock_origin=live.clock_origin,
            memory=live.memory,
            on_error=self.on_error,
            merge=self.merge,
            changes=self.changes,
            out=_absolute(self.out),
            format=sink_format(self.out or "-", self.form),
            late=_absolute(self.late),
        )
        folder = Path(self.live.checkpoint)
        checkpoints = stack.enter_context(Checkpoints(folder, same, self._notice))
        return Recovery(checkpoints, live.checkpoint_every)

    def _open_outputs(self, stack: ExitStack, recovery: Recovery | None) -> Outputs:
        if recovery is None:
            sink = stack.enter_context(open_sink(self.out, self.form, self.changes))
            late = LateFile(stack.enter_context(Output(self.late))) if self.late else None
            stats = stack.enter_context(Output(self.stats)) if self.stats else None
            return Outputs(sink, late, stats)
        sink = recovery.open_sink(self.out, self.form, self.changes)
        late = LateFile(stack.enter_context(recovery.open(self.late))) if self.late else None
        stats = stack.enter_context(recovery.open_anew(self.stats)) if self.stats else None
        return Outputs(stack.enter_context(sink), late, stats)

    def _recognise(
        self,
        program: Program,
        outputs: Outputs,
        figures: Stats,
        interrupt: Interrupt,
        recovery: Recovery | None,
    ) -> RunPlan:
        faults = Faults(self.on_error)
        state = None if recovery is None else recovery.state
        pace = self.live.pace(interrupt)
        origins = [*self.chosen.streams, *map(Follow, self.live.follow)]
        with figures.phase("read"):
            live = self.live.live_settings(self._notice)
            stream = read_stream(origins, program.inputs, faults, live)
        if state is None:
            plan = plan_run(stream, self.chosen.settings, figures, pace)
            mode = choose_mode(self.merge, self.changes, plan.tick)
        else:
            plan = resume_run(stream, self.chosen.settings, state.plan, figures, pace)
            mode = state.mode
        if recovery is not None:
            recovery.restore_faults(faults)
        self._warn(plan.windowing.warning())
        with self._session(program, plan, state) as session, Progress(plan, self.progress) as bar:

            def after_step() -> None:
                if recovery is not None:
                    recovery.step(session, plan, mode, faults)
                elif stream.live:
                    outputs.sink.output.handle.flush()

            def write(answers: Iterable[Recognitions]) -> None:
                for each in answers:
                    with figures.phase("write"):
                        outputs.sink.write(each)

            by_changes = 0

            def on_step() -> None:
                nonlocal by_changes
                bar.update()
                if self.incremental != "never":
                    by_changes += session.mode == "changes"
                    figures.notes["by_changes"] = by_changes

            write(run_windows(session, plan, mode, outputs.late, on_step, after_step))
            if recovery is not None and plan.stopped:
                recovery.stop(session, plan, mode, faults)
            write(mode.finish())
            if recovery is not None and not plan.stopped:
                recovery.finish(plan, mode, faults)
        self._warn(*faults.warnings(program.inputs))
        if plan.feed.likely:
            self._warn(_PROBABILITIES)
        return plan

    @contextmanager
    def _session(
        self, program: Program, plan: RunPlan, state: RunState | None
    ) -> Iterator[Session]:
        from rtec.runtime.session import Session

        if state is not None:
            session = Session.restore(
                program, state.engine, time_limit=self.time_limit, incremental=self.incremental
            )
        else:
            session = Session(
                program,
                window=plan.windowing.size,
                start=plan.start,
                tick=plan.tick,
                time_limit=self.time_limit,
                memory=self.live.memory,
                incremental=self.incremental,
            )
        try:
            yield session
        except KeyboardInterrupt:
            raise  # to close it, one would have to wait for the engine
        except BaseException:
            session.close()
            raise
        session.close()

    def _say_stopped(self, plan: RunPlan) -> None:
        at = plan.query_time
        where = "before the first query time" if at is None else f"after query time {at}"
        again = "; the same command goes on from there" if self.live.checkpoint else ""
        self._notice(f"stopped {where}{again}")

    def _warn(self, *problems: Problem | None) -> None:
        for problem in problems:
            if problem is not None:
                click.echo(str(problem), err=True)

    def _notice(self, text: str) -> None:
        click.echo(f"notice: {text}", err=True)


_PROBABILITIES = Problem(
    "records carry probabilities; here all of them counted as certain",
    "unused-prob",
    remedy="run with --prob",
    severity="warning",
)


def _absolute(path: str | None) -> str | None:
    return None if path is None else os.path.abspath(path)
