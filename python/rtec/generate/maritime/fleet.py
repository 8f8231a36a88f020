"""The fleet: which vessels there are, of which type, and who acts with whom.

Vessels come in squadrons of twenty, each with every kind of vessel, so that a small fleet has
all that a big one has. The type of a vessel depends on its number alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rtec.generate.maritime import voyages
from rtec.generate.maritime.geography import BANKS, OPEN_SEA, PORTS
from rtec.generate.maritime.plans import Plan
from rtec.generate.maritime.voyages import Chance, Programme, berth

ROSTER = (
    "pilotVessel",
    "tug",
    "cargo",
    "tanker",
    "cargo",
    "passenger",
    "fishing",
    "fishing",
    "sar",
    "highSpeedCraft",
    "cargo",
    "tanker",
    "cargo",
    "other",
    "fishing",
    "passenger",
    "tanker",
    "cargo",
    "fishing",
    "pleasureCraft",
)
"""The types of the vessels of a squadron, in the order of their numbers."""

FIRST_ID = 200001


def vessel_id(index: int) -> int:
    """Number a vessel as streams and background files do."""
    return FIRST_ID + index


def vessel_type(index: int) -> str:
    """Give the type of a vessel."""
    return ROSTER[index % len(ROSTER)]


@dataclass(slots=True)
class Group:
    """Vessels that act together, and the programme that they follow."""

    plans: list[Plan]
    programme: Programme

    def extend(self, time: float) -> None:
        """Follow the programme until every plan reaches beyond a time."""
        while min(plan.end for plan in self.plans) <= time:
            next(self.programme)


def squadron(number: int, start: float, chance: Chance) -> tuple[list[Plan], list[Group]]:
    """Set out one squadron: the plans in the order of the roster, and their groups."""
    home, away = PORTS[number % 3], PORTS[(number + 1) % 3]
    bank = BANKS[number % 2]

    def moored() -> Plan:
        return Plan(start, berth(home, chance))

    towards = 1 if home.station[0] < 40 else -1

    def at_sea(distance: float) -> Plan:
        x = float(np.clip(home.station[0] + towards * distance, 2.0, 78.0))
        return Plan(start, (x, float(29.5 + chance.uniform(-1, 1))))

    pilot, tug, ferry, speedboat, sar = (moored() for _ in range(5))
    # The first ship is due in half an hour, the others one after the other.
    ships = [at_sea(6.0 + 13.0 * i) for i in range(5)]
    for ship in ships:
        ship.go((home.station[0] + towards * 2.0, 29.5), 12.0)
    trawlers = [Plan(start, bank.spot(chance, 1.5)) for _ in range(3)] + [moored()]
    loiterer, first, second = (Plan(start, OPEN_SEA.spot(chance, 3.0)) for _ in range(3))
    failing, cruiser = at_sea(4.0), at_sea(9.0)
    yacht = Plan(start, (home.station[0], 31.0))
    plans = [
        pilot,
        tug,
        ships[0],
        ships[1],
        ships[2],
        ferry,
        trawlers[0],
        trawlers[1],
        sar,
        speedboat,
        first,
        second,
        failing,
        loiterer,
        trawlers[2],
        cruiser,
        ships[3],
        ships[4],
        trawlers[3],
        yacht,
    ]
    v = voyages
    groups = [
        Group([pilot, tug, *ships], v.harbour(pilot, tug, ships, home, away, chance)),
        Group([ferry], v.ferry(ferry, home, away, chance)),
        *(Group([t], v.trawler(t, home, bank, i == 0, chance)) for i, t in enumerate(trawlers)),
        Group([sar], v.rescue(sar, home, chance)),
        Group([speedboat], v.speedboat(speedboat, home, chance)),
        Group([first, second], v.transfer(first, second, number % 2 == 1, chance)),
        Group([failing], v.breakdowns(failing, home, away, chance)),
        Group([loiterer], v.loiterer(loiterer, chance)),
        Group([cruiser], v.cruise(cruiser, chance)),
        Group([yacht], v.sailing(yacht, home, chance)),
    ]
    return plans, groups


class Fleet:
    """Some vessels under way; plans are extended as far as they are asked for."""

    def __init__(self, vessels: int, seed: int, start: float = 0.0) -> None:
        """Set out a fleet of a given number of vessels."""
        self.plans: list[Plan] = []
        self._groups: list[Group] = []
        squadrons = -(-vessels // len(ROSTER))
        for number in range(squadrons):
            chance = np.random.default_rng((seed, number))
            plans, groups = squadron(number, start, chance)
            self.plans += plans
            self._groups += groups
        del self.plans[vessels:]

    def extend(self, time: float) -> None:
        """Let every plan reach beyond a time."""
        for group in self._groups:
            group.extend(time)

    def forget_before(self, time: float) -> None:
        """Drop what is over in all plans."""
        for plan in self.plans:
            plan.forget_before(time)
