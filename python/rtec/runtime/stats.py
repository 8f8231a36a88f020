"""The figures of a run: time per phase, recognition time per query time, what became of records."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from rtec.runtime.buffer import Counts

Phase: TypeAlias = Literal["read", "hand_over", "recognise", "collect", "write"]
PHASES: tuple[Phase, ...] = get_args(Phase)


@dataclass(slots=True)
class WindowStats:
    """One query time: new records, recognitions, and how long recognition took."""

    query_time: int
    records: int
    recognitions: int
    recognise_ms: float


@dataclass(slots=True)
class Stats:
    """Figures that are added up while a run goes on.

    Attributes:
        keep_windows: Whether to keep the figures of each query time, not only their sums.
        notes: What else there is to say of the whole run.
    """

    keep_windows: bool = False
    windows: list[WindowStats] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    query_times: int = 0
    records: int = 0
    recognitions: int = 0
    recognise_ms: float = 0.0
    worst_ms: float = 0.0
    worst_at: int | None = None
    wall: dict[Phase, float] = field(default_factory=lambda: dict.fromkeys(PHASES, 0.0))
    cpu: dict[Phase, float] = field(default_factory=lambda: dict.fromkeys(PHASES, 0.0))
    started: float = field(default_factory=time.perf_counter)
    notes: dict[str, Any] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: Phase) -> Iterator[None]:
        """Count the time that a block of code takes."""
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.add(name, time.perf_counter() - wall, time.process_time() - cpu)

    def add(self, name: Phase, wall: float, cpu: float) -> None:
        """Count seconds of a phase."""
        self.wall[name] += wall
        self.cpu[name] += cpu

    def add_window(self, window: WindowStats, counts: Counts) -> None:
        """Count one query time."""
        self.query_times += 1
        self.records += window.records
        self.recognitions += window.recognitions
        self.recognise_ms += window.recognise_ms
        if self.worst_at is None or window.recognise_ms > self.worst_ms:
            self.worst_ms, self.worst_at = window.recognise_ms, window.query_time
        self.counts.add(counts)
        if self.keep_windows:
            self.windows.append(window)

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self.started

    def to_json(self) -> str:
        """Write everything as JSON, with the figures of each query time if they were kept."""
        totals: dict[str, Any] = {
            "query_times": self.query_times,
            "recognitions": self.recognitions,
            "wall_seconds": {**_rounded(self.wall), "total": round(self.elapsed, 6)},
            "cpu_seconds": {**_rounded(self.cpu), "total": round(time.process_time(), 6)},
            "records": asdict(self.counts),
            "peak_rss_mb": round(peak_rss_mb(), 1),
            **self.notes,
        }
        windows = [asdict(w) for w in self.windows]
        for window in windows:
            window["recognise_ms"] = round(window["recognise_ms"], 4)
        return json.dumps({"windows": windows, "totals": totals}, indent=1) + "\n"

    def summary(self) -> str:
        """Say in a few lines how the run went."""
        counts = self.counts
        mean = self.recognise_ms / self.query_times if self.query_times else 0.0
        records = counts.on_time + counts.late + counts.lost
        lines = [
            f"{_count(self.query_times, 'query time')}, {_count(records, 'record')}, "
            f"{_count(self.recognitions, 'recognition')} in {self.elapsed:.2f} s",
            f"records: {counts.on_time:,} on time, {counts.late:,} late but used, "
            f"{counts.lost:,} lost, {counts.retracted:,} retracted",
        ]
        if self.worst_at is not None:
            lines.append(
                f"recognition time: mean {mean:.2f} ms, worst {self.worst_ms:.2f} ms "
                f"(query time {self.worst_at})"
            )
        if "by_changes" in self.notes:
            lines.append(
                f"by changes at {self.notes['by_changes']:,} of "
                f"{_count(self.query_times, 'query time')}, from scratch at the others"
            )
        return "\n".join(lines)


def peak_rss_mb() -> float:
    """Return the largest resident memory of this process so far, in megabytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def rss_mb() -> float:
    """Return the resident memory of this process now, in megabytes; the peak if nobody says."""
    try:
        with open("/proc/self/statm", encoding="ascii") as handle:
            pages = int(handle.read().split()[1])
    except OSError:
        return peak_rss_mb()
    return pages * resource.getpagesize() / (1 << 20)


def _rounded(seconds: dict[Phase, float]) -> dict[str, float]:
    return {name: round(value, 6) for name, value in seconds.items()}


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
