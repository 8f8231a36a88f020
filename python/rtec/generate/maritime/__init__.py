"""A fleet on a gulf: critical events of vessels, as a trajectory synopsis would report them.

Two hundred vessels make about 93,000 records a day. The fleet sails on for as long as records
are wanted; the more vessels, the shorter the time that a number of records covers.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from rtec.generate.blocks import Block, merged
from rtec.generate.maritime.critical import MINUTE, Synopsis
from rtec.generate.maritime.fleet import Fleet, vessel_id, vessel_type
from rtec.generate.maritime.geography import AREAS

VESSELS = 200
RATE = 0.0054
"""Records per vessel and time-point (a second)."""

STRETCH_MINUTES = 360


def stream(seed: int, vessels: int = VESSELS) -> Iterator[Block]:
    """Sail for ever."""
    fleet = Fleet(vessels, seed)
    synopsis = Synopsis(pa.array([str(vessel_id(i)) for i in range(vessels)]), seed)
    start = 0
    while True:
        end = start + STRETCH_MINUTES * MINUTE
        fleet.extend(end)
        yield merged(synopsis.watch(fleet.plans, start, STRETCH_MINUTES))
        fleet.forget_before(end - MINUTE)
        start = end


def vessel_facts(vessels: int) -> str:
    """Write the background file with the types of a fleet's vessels."""
    facts = [f"vesselType({vessel_id(i)}, {vessel_type(i)}).\n" for i in range(vessels)]
    return "% The type of each vessel of the generated fleet.\n\n" + "".join(facts)


def area_facts() -> str:
    """Write the background file with the areas of the gulf."""
    facts = [f"areaType({area.name}, {area.type}).\n" for area in AREAS]
    return "% The areas of the gulf and their types.\n\n" + "".join(facts)
