"""One Spark session for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pyspark")


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A small local session."""
    from rtec.spark.session import start_session

    session = start_session(
        "local[2]",
        spark__driver__memory="1g",
        spark__sql__shuffle__partitions="2",
        spark__ui__enabled="false",
        spark__sql__streaming__stateStore__providerClass=(
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
        ),
    )
    yield session
    session.stop()
