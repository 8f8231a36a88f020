"""Figures that the partitions of a job add up, through an accumulator of Spark."""

from __future__ import annotations

from typing import Any

from pyspark import AccumulatorParam, SparkContext

from rtec.errors import Problem
from rtec.runtime.faults import Faults


class _Sum(AccumulatorParam[dict[str, Any]]):
    """Adds dictionaries of numbers."""

    def zero(self, value: dict[str, Any]) -> dict[str, Any]:
        """Begin with nothing."""
        return {}

    def addInPlace(self, value1: dict[str, Any], value2: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        """Add one to the other."""
        for name, number in value2.items():
            value1[name] = value1.get(name, 0) + number
        return value1


class Metrics:
    """Figures of a job. A task that Spark runs twice counts twice."""

    def __init__(self, context: SparkContext) -> None:
        """Begin with nothing."""
        self.accumulator = context.accumulator({}, _Sum())

    @property
    def figures(self) -> dict[str, Any]:
        """What was added so far."""
        return {k: v for k, v in self.accumulator.value.items() if ":" not in k}

    @property
    def partitions(self) -> dict[int, int]:
        """Records of each partition."""
        found = self.accumulator.value.items()
        return {int(k[10:]): v for k, v in sorted(found) if k.startswith("partition:")}

    @property
    def peak_mb(self) -> float:
        """The most memory that a worker of a batch had."""
        found = self.accumulator.value.items()
        return float(max((v for k, v in found if k.startswith("peak:")), default=0.0))

    def warnings(self, known: Any) -> list[Problem]:
        """Say which records were left out."""
        faults = Faults("skip")
        for name, number in self.accumulator.value.items():
            if name.startswith("unknown:"):
                faults.unknown_name(name[8:], number)
        return faults.warnings(known)

    def live_summary(self) -> str:
        """Say in two lines how a live query went; what waits for its query time is not in it."""
        found = {"on_time": 0, "late": 0, "lost": 0, "malformed": 0, "recognise_ms": 0.0,
                 **self.figures}  # fmt: skip
        return (
            f"{found['on_time'] + found['late']:,} records used, {found['late']:,} of them late; "
            f"{found['lost']:,} too late, {found['malformed']:,} malformed\n"
            f"recognition time: {found['recognise_ms']:,.0f} ms, all buckets together"
        )

    def summary(self) -> str:
        """Say in a few lines how the job went."""
        found = {"records": 0, "recognitions": 0, "on_time": 0, "late": 0, "lost": 0,
                 "retracted": 0, "malformed": 0, "recognise_ms": 0.0, "partitions": 0,
                 **self.figures}  # fmt: skip
        return (
            f"{found['records']:,} records, {found['recognitions']:,} recognitions in "
            f"{found['partitions']} partitions\n"
            f"records: {found['on_time']:,} on time, {found['late']:,} late but used, "
            f"{found['lost']:,} lost, {found['retracted']:,} retracted, "
            f"{found['malformed']:,} malformed\n"
            f"recognition time: {found['recognise_ms']:,.0f} ms, all partitions together"
        )
