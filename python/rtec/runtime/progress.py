"""A bar on a terminal: query time, records per second, time left."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any

from rtec.runtime.run import RunPlan

_INTERVAL = 0.1  # seconds between two changes of the bar


class Progress:
    """Shows how far a run is; used in a `with`."""

    def __init__(self, plan: RunPlan, shown: bool) -> None:
        """Show nothing yet, or nothing at all."""
        self._plan = plan
        self._shown = shown
        self._bar: Any = None
        self._task: Any = None
        self._next = 0.0
        self._began = time.monotonic()

    def update(self) -> None:
        """Move the bar, if it has not just been moved."""
        if self._bar is None or time.monotonic() < self._next:
            return
        now = time.monotonic()
        self._next = now + _INTERVAL
        stats = self._plan.stats
        rate = stats.records / max(now - self._began, 1e-9)
        self._bar.update(
            self._task,
            completed=min(self._plan.done, 1.0),
            description=f"query time {self._plan.query_time}",
            rate=f"{rate:,.0f} records/s",
        )

    def __enter__(self) -> Progress:
        if self._shown:
            from rich import progress
            from rich.console import Console

            self._bar = progress.Progress(
                progress.TextColumn("{task.description}"),
                progress.BarColumn(),
                progress.TaskProgressColumn(),
                progress.TextColumn("{task.fields[rate]}"),
                progress.TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task("starting", total=1.0, rate="")
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
