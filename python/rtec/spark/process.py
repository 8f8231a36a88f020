"""The process of a worker, which Spark uses for one task after another."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from rtec import bridge
from rtec.runtime.garbage import few_collections
from rtec.spark.archives import trust_archives
from rtec.spark.sockets import acknowledge_at_once


def settle() -> None:
    """Make this process ready for a task."""
    acknowledge_at_once()
    trust_archives()
    gc.freeze()  # PySpark looks for garbage after every task; what is loaded stays
    bridge.live_here()


@contextmanager
def settled() -> Iterator[None]:
    """Be ready for a task, and rarely look for garbage while it is done."""
    settle()
    with few_collections(is_repeated=True):
        yield
