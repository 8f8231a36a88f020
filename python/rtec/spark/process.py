"""The process of a worker, which Spark uses for one task after another."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from rtec import bridge
from rtec.runtime.garbage import rare_collections
from rtec.spark.archives import trust_archives
from rtec.spark.sockets import acknowledge_at_once


def settle() -> None:
    """Make this process ready for a task."""
    acknowledge_at_once()
    trust_archives()
    _keep_what_is_loaded()
    bridge.live_here()


@cache
def _keep_what_is_loaded() -> None:
    """Let nobody look for garbage in modules: PySpark does so after every task.

    Once, before the first task: what tasks leave behind may become garbage.
    """
    gc.freeze()


@contextmanager
def settled() -> Iterator[None]:
    """Be ready for a task, and rarely look for garbage while it is done."""
    settle()
    with rare_collections():
        yield
