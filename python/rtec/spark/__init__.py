"""Recognition on Spark: the stream is split by entity, and every partition runs the engine.

plan        what a description can be split by, found in its rules
recognise   a DataFrame of records in, a DataFrame of recognitions out
runner      the plain function for one's own `mapInArrow` and `mapPartitions`
stream      the same over a streaming DataFrame, continuously
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rtec.spark.batch import recognise
    from rtec.spark.live import stream
    from rtec.spark.package import runner
    from rtec.spark.plan import PartitionPlan, plan

__all__ = ["PartitionPlan", "plan", "recognise", "runner", "stream"]

_HOME = {
    "recognise": "rtec.spark.batch",
    "stream": "rtec.spark.live",
    "runner": "rtec.spark.package",
    "PartitionPlan": "rtec.spark.plan",
    "plan": "rtec.spark.plan",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
