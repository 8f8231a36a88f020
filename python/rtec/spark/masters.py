"""Where Spark runs."""

from __future__ import annotations

import re


def runs_here(master: str) -> bool:
    """Whether all workers are processes of this machine, started by the driver.

    >>> runs_here("local[2]"), runs_here("local-cluster[2,1,1024]"), runs_here("yarn")
    (True, False, False)
    """
    return re.match(r"local(\[|$)", master) is not None
