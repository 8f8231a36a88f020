"""Spark with 1, 2 and 7 partitions = a local run, for every bundled description."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from rtec.spark.batch import recognise
from rtec.spark.files import read_frame
from rtec.spark.metrics import Metrics
from rtec.spark.worker import LINE

from spark.local import NAMES, Bundled, Row, bundled, collected

SPLIT = {"toy", "transport", "maritime", "netbill", "voting", "activity"}


@cache
def described(name: str) -> Bundled:
    return bundled(name)


@cache
def expected(name: str) -> list[Row]:
    return described(name).local()


def opened(spark: Any, case: Bundled) -> tuple[Any, Any]:
    if case.chosen.streams:
        return read_frame(spark, case.chosen.streams)
    return spark.createDataFrame([], f"{LINE} string"), "lines"


@pytest.mark.parametrize("partitions", [1, 2, 7])
@pytest.mark.parametrize("name", NAMES)
def test_as_local(spark: Any, name: str, partitions: int) -> None:
    case = described(name)
    frame, form = opened(spark, case)
    metrics = Metrics(spark.sparkContext)
    found = recognise(
        frame, case.program, form=form, partitions=partitions, metrics=metrics, **case.settings
    )
    assert expected(name)
    assert collected(found) == expected(name)
    assert len(metrics.partitions) == (partitions if name in SPLIT else 1)
    assert metrics.figures["recognitions"] > 0


def test_merged(spark: Any) -> None:
    case = described("maritime")
    frame, form = opened(spark, case)
    found = recognise(
        frame, case.program, form=form, partitions=3, merge=True, **case.settings
    )
    assert collected(found) == case.local(merge=True)


def test_start_and_end_from_the_stream(spark: Any) -> None:
    case = described("transport")
    frame, form = opened(spark, case)
    own = {**case.settings, "start": None, "end": None}
    found = recognise(frame, case.program, form=form, partitions=2, **own)
    assert collected(found) == case.local(start=None, end=None)


def test_one_window(spark: Any) -> None:
    case = described("toy")
    frame, form = opened(spark, case)
    found = recognise(frame, case.program, form=form, partitions=2)
    own = dict.fromkeys(("window", "step", "start", "end"))
    assert collected(found) == case.local(**own)
