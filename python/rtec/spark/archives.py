"""Archives on Python's path, whose contents are not listed anew for every task.

Before each task PySpark lets Python forget what it knows of its path, since files may have been
added to the job. For an archive, such as the one that PySpark itself comes in, Python then reads
the whole table of contents again, which takes longer than most tasks of a micro-batch.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from zipimport import zipimporter


def trust_archives() -> None:
    """Let Python read archives again only if they have changed."""
    for finder in list(sys.path_importer_cache.values()):
        if isinstance(finder, zipimporter) and "invalidate_caches" not in vars(finder):
            vars(finder)["invalidate_caches"] = _if_changed(finder)


def _if_changed(finder: zipimporter) -> Callable[[], None]:
    read_again = finder.invalidate_caches
    known = _state(finder.archive)

    def invalidate_caches() -> None:
        nonlocal known
        now = _state(finder.archive)
        if now != known:
            read_again()
            known = now

    return invalidate_caches


def _state(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
