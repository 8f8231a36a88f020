"""A Spark session for the command line and for tests."""

from __future__ import annotations

import os
import sys
from typing import Any

from rtec.environment import prepare_swipl
from rtec.errors import ConfigError, Problem
from rtec.spark.masters import runs_here

BATCH = {"spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseParallelGC"}
"""Settings for batches where Spark runs on this machine.

Java moves a few hundred blocks there, and is done before its second compiler, or a collector that
works beside it, has paid off: both work on the cores that the workers need.
`spark.driver.extraJavaOptions` comes after this, so whoever wants that compiler says
`-XX:TieredStopAtLevel=4` there.
"""


def start_session(master: str | None = None, *, batch: bool = False, **settings: str) -> Any:
    """Start Spark, or take the session that runs already.

    Args:
        master: Where it runs, such as `local[2]`; by default what `spark-submit` says, or all
            cores of this machine.
        batch: Whether it is for batches alone.
        settings: Settings of Spark, with `__` for the dots.

    Raises:
        ConfigError: PySpark or Java is missing.
    """
    try:
        from pyspark.errors import PySparkRuntimeError
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise ConfigError(
            Problem(
                f"PySpark cannot be imported: {error}",
                "no-spark",
                remedy="`pip install 'rtec[spark]'` installs it",
            )
        ) from None
    # Workers on this machine need the same Python, and find SWI-Prolog without a search.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    prepare_swipl()
    builder = SparkSession.builder.appName("rtec")
    if master is not None:
        builder = builder.master(master)
    given = {
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",
        "spark.sql.execution.arrow.maxBytesPerBatch": str(8 << 20),
        **(BATCH if batch and runs_here(master or "local") else {}),
        **{name.replace("__", "."): value for name, value in settings.items()},
    }
    for name, value in given.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    except PySparkRuntimeError as error:
        raise ConfigError(
            Problem(
                f"Spark cannot be started: {' '.join(str(error).split())}",
                "no-java",
                remedy="Spark needs Java 17 or 21 (Debian: `apt install openjdk-17-jre-headless`)",
            )
        ) from None
    # What goes wrong in a task is raised here as well, once instead of once for each attempt.
    session.sparkContext.setLogLevel("FATAL")
    return session
