"""How often Python looks for garbage in cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def rare_collections() -> Iterator[None]:
    """Look rarely: records and answers have no cycles, and are many."""
    thresholds = gc.get_threshold()
    gc.set_threshold(200_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


@contextmanager
def few_collections() -> Iterator[None]:
    """Look rarely, and not at what is there already."""
    gc.freeze()
    try:
        with rare_collections():
            yield
    finally:
        gc.unfreeze()
