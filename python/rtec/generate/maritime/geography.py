"""The gulf that the fleet sails on: ports, coast and areas of interest.

Positions are in nautical miles, x to the east and y to the north. The mainland's coast runs
along the north, with three ports; a small island with a fourth lies in the south-east.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]
Spot: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Circle:
    """The points at most `radius` from a centre."""

    x: float
    y: float
    radius: float

    def covers(self, x: Floats, y: Floats) -> Bools:
        """Tell which points lie inside."""
        inside: Bools = (x - self.x) ** 2 + (y - self.y) ** 2 <= self.radius**2
        return inside


@dataclass(frozen=True, slots=True)
class Box:
    """The points from west to east and from south to north."""

    west: float
    south: float
    east: float
    north: float

    def covers(self, x: Floats, y: Floats) -> Bools:
        """Tell which points lie inside."""
        inside: Bools = (x >= self.west) & (x <= self.east) & (y >= self.south) & (y <= self.north)
        return inside

    def spot(self, chance: np.random.Generator, margin: float = 0.3) -> Spot:
        """Pick a point inside, away from the border."""
        x = chance.uniform(self.west + margin, self.east - margin)
        return float(x), float(chance.uniform(self.south + margin, self.north - margin))


@dataclass(frozen=True, slots=True)
class Area:
    """A named area; what counts for the rules is its type."""

    name: str
    type: str
    shape: Circle | Box


@dataclass(frozen=True, slots=True)
class Port:
    """A port: its quay, the point where pilots board, and the roads where ships wait."""

    name: str
    quay: Spot
    station: Spot
    roads: Box


PORTS = (
    Port("brava", (12.0, 39.4), (13.0, 33.0), Box(15.0, 34.0, 18.0, 36.0)),
    Port("costa", (34.0, 39.4), (33.0, 33.0), Box(36.0, 34.0, 39.0, 36.0)),
    Port("dorada", (57.0, 39.4), (56.0, 33.0), Box(51.0, 34.0, 54.0, 36.0)),
    Port("isla", (62.0, 16.0), (62.0, 21.0), Box(64.0, 18.5, 67.0, 20.5)),
)

BANKS = (Box(4.0, 12.0, 20.0, 24.0), Box(34.0, 3.0, 50.0, 14.0))
"""Where trawlers fish."""

RESERVES = (Box(15.0, 17.0, 20.0, 23.0), Box(44.0, 5.0, 49.0, 11.0))
"""Where nobody may; each lies on the edge of a bank."""

OPEN_SEA = Box(24.0, 18.0, 54.0, 29.0)
"""Far from ports and coast, and outside all areas."""

LANE = 29.5
"""The y of the shipping lane along the coast."""

AREAS = (
    *(Area(f"port_{p.name}", "nearPorts", Circle(*p.quay, 1.5)) for p in PORTS),
    Area("mainland_coast", "nearCoast", Box(-5.0, 38.4, 85.0, 45.0)),
    Area("island_coast", "nearCoast", Circle(62.0, 13.5, 4.0)),
    *(Area(f"roads_{p.name}", "anchorage", p.roads) for p in PORTS),
    *(Area(f"bank_{i}", "fishing", bank) for i, bank in enumerate(BANKS, 1)),
    *(Area(f"reserve_{i}", "natura", reserve) for i, reserve in enumerate(RESERVES, 1)),
)
"""Areas of one type do not overlap, so that leaving one means being in none of them."""
