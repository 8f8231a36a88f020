"""How often Python looks for garbage in cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def few_collections(*, is_repeated: bool = False) -> Iterator[None]:
    """Look rarely: records and answers have no cycles, and are many.

    `is_repeated`: this process will do so again, after others have looked for garbage. They need
    not look at what was there before.
    """
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(200_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        if not is_repeated:
            gc.unfreeze()
