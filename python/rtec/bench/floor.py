"""The floor: the least that reasoning over a window can cost (prolog/rtec/floor.pl).

One pass of Prolog over the records of the window, and a list of the answers. How many times more
recognition takes says what an engine adds, whatever machine it runs on.
"""

from __future__ import annotations

from dataclasses import dataclass

from rtec import bridge
from rtec.bench.report import median
from rtec.environment import prolog_folder
from rtec.runtime.session import Session


@dataclass(frozen=True, slots=True)
class Floor:
    """What the floor of one query time comes to.

    Attributes:
        seconds: CPU time.
        records: Records in the window.
        answers: Fluent-value pairs, and occurrences of output events.
    """

    seconds: float
    records: int
    answers: int


def measure_floor(session: Session, times: int = 3) -> Floor:
    """Measure the floor of a session's last query time; the median of some times."""
    load_prolog("floor")
    rows = [bridge.call("floor_of", session._module) for _ in range(times)]
    return Floor(median(row[0] for row in rows), int(rows[0][1]), int(rows[0][2]))


def load_prolog(name: str) -> None:
    """Load a file of the Prolog half that only benchmarks need, so that `rtec.bridge` sees it."""
    bridge.command("use_module", str(prolog_folder() / "rtec" / f"{name}.pl"))
