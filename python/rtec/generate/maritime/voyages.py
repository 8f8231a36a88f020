"""What each kind of vessel does, as endless programmes that extend the plans of a group.

A programme is a generator over the plans of the vessels that act together. It yields whenever
it has added something, and is resumed until all its plans reach far enough.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from rtec.generate.maritime.geography import (
    LANE,
    OPEN_SEA,
    PORTS,
    RESERVES,
    Box,
    Port,
    Spot,
)
from rtec.generate.maritime.plans import HOUR, Plan

Chance: TypeAlias = np.random.Generator
Programme: TypeAlias = Iterator[None]

MINUTE = 60.0
ALONGSIDE = 0.05
"""How far apart two vessels are that work together, in nautical miles."""


def near(spot: Spot, chance: Chance, spread: float) -> Spot:
    """Pick a place within `spread` of another, in each direction."""
    return (
        float(spot[0] + chance.uniform(-spread, spread)),
        float(spot[1] + chance.uniform(-spread, spread)),
    )


def beside(spot: Spot) -> Spot:
    """Give the place where a vessel lies that works with one at `spot`."""
    return spot[0] + ALONGSIDE, spot[1]


def berth(port: Port, chance: Chance) -> Spot:
    """Pick a place at the quay."""
    return near(port.quay, chance, 0.4)


def approach(port: Port) -> Spot:
    """Give the place where tugs meet ships, outside the port."""
    (x, y), (sx, sy) = port.quay, port.station
    share = 2.4 / math.dist(port.quay, port.station)
    return x + (sx - x) * share, y + (sy - y) * share


def put_to_sea(plan: Plan, port: Port, knots: float) -> None:
    """Leave the quay, faster with every mile."""
    (x, y), (sx, sy) = port.quay, port.station
    plan.go((x + (sx - x) * 0.1, y + (sy - y) * 0.1), min(5.5, knots))
    plan.go(approach(port), min(9.0, knots))
    plan.go(port.station, knots)


def along_lane(plan: Plan, to: Port, knots: float, chance: Chance) -> None:
    """Sail from one port's station along the lane to another's; westbound keeps north."""
    lane = LANE + (0.6 if to.station[0] < plan.spot[0] else -0.6) + chance.uniform(-0.3, 0.3)
    plan.go((plan.spot[0], lane), knots)
    plan.go((to.station[0], lane), knots * chance.uniform(0.95, 1.05))


def enter_port(plan: Plan, port: Port, knots: float, chance: Chance) -> None:
    """Come in from sea without help, slower with every mile."""
    plan.go(port.station, knots)
    plan.go(approach(port), min(knots, 11.0))
    place = berth(port, chance)
    plan.go(near(port.quay, chance, 0.9), min(knots, 7.0))
    plan.go(place, 3.5)


def harbour(
    pilot: Plan, tug: Plan, ships: list[Plan], home: Port, away: Port, chance: Chance
) -> Programme:
    """Trade between two ports; at home a pilot boards each ship and a tug brings it in.

    Ships are served one after the other; who has to wait does so at anchor in the roads.
    """
    quay = {"pilot": pilot.spot, "tug": tug.spot}
    inbound = list(range(len(ships)))
    while True:
        ship = ships[min(inbound, key=lambda i: ships[i].end)]
        knots = chance.uniform(11.5, 14.5)
        if chance.random() < 0.35 or ship.end + HOUR < pilot.end:
            ship.go(home.roads.spot(chance), knots * 0.8)
            ship.wait_until(max(ship.end + chance.uniform(0.8, 2.5) * HOUR, pilot.end + 900))
        ship.go((home.station[0], home.station[1] - 1.2), knots * 0.9)
        ride = math.dist(pilot.spot, home.station) / 17.0 * HOUR
        meeting = ship.end + 0.8 / 4.0 * HOUR
        ship.wait_until(pilot.end + ride + 300 - 0.8 / 4.0 * HOUR)
        meeting = max(meeting, ship.end + 0.8 / 4.0 * HOUR)
        place = (home.station[0], home.station[1] - 0.4)
        ship.reach(place, meeting)
        pilot.wait_until(meeting - ride)
        pilot.reach(beside(place), meeting)
        boarded = meeting + chance.uniform(11, 18) * MINUTE
        place = (place[0], place[1] + (boarded - meeting) / HOUR * 3.0)
        ship.reach(place, boarded)
        pilot.reach(beside(place), boarded)
        pilot.go(quay["pilot"], 17.0)
        yield
        ship.go(approach(home), 7.5)
        ride = math.dist(tug.spot, approach(home)) / 8.0 * HOUR
        tug.wait_until(ship.end - ride - 120)
        tug.go(beside(approach(home)), 8.0)
        ship.wait_until(tug.end)
        tug.wait_until(ship.end)
        place = berth(home, chance)
        for share in (0.5, 0.85, 1.0):  # a tow turns with the fairway
            x, y = approach(home)
            spot = x + (place[0] - x) * share, y + (place[1] - y) * share
            towed = ship.go(near(spot, chance, 0.02), chance.uniform(3.0, 3.9))
            tug.reach(beside(ship.spot), towed)
        tug.wait(3 * MINUTE)
        tug.go(quay["tug"], 5.0)
        yield
        ship.wait(chance.uniform(2.0, 6.0) * HOUR)
        put_to_sea(ship, home, knots)
        along_lane(ship, away, knots, chance)
        enter_port(ship, away, knots, chance)
        ship.wait(chance.uniform(2.0, 5.0) * HOUR)
        put_to_sea(ship, away, knots)
        along_lane(ship, home, knots, chance)
        yield


def ferry(plan: Plan, home: Port, away: Port, chance: Chance) -> Programme:
    """Go to and fro between two ports; a ferry that is late does not slow down in time."""
    here, there = home, away
    while True:
        knots = chance.uniform(17.0, 21.0)
        plan.wait(chance.uniform(18, 35) * MINUTE)
        put_to_sea(plan, here, knots)
        along_lane(plan, there, knots, chance)
        plan.go(there.station, knots)
        late = chance.random() < 0.3
        plan.go(approach(there), knots)
        plan.go(near(there.quay, chance, 0.9), knots * 0.9 if late else 9.0)
        plan.go(berth(there, chance), 4.0)
        here, there = there, here
        yield


def trawler(plan: Plan, home: Port, bank: Box, poacher: bool, chance: Chance) -> Programme:
    """Fish for some hours, land the catch, and start again; a poacher vanishes in a reserve."""
    reserve = min(RESERVES, key=lambda r: abs(r.west - bank.west))
    while True:
        plan.go(bank.spot(chance, 1.0), chance.uniform(8.0, 9.5))
        yield from trawl(plan, bank, chance.uniform(1.4, 4.0) * HOUR, chance)
        if poacher or chance.random() < 0.08:
            plan.go(reserve.spot(chance, 1.2), 8.5)
            plan.transmits = False
            yield from trawl(plan, reserve, chance.uniform(0.6, 1.5) * HOUR, chance)
            plan.transmits = True
            plan.go(bank.spot(chance, 1.0), 8.0)
            yield from trawl(plan, bank, chance.uniform(0.5, 1.5) * HOUR, chance)
        plan.go(home.station, chance.uniform(8.5, 9.5))
        enter_port(plan, home, 9.0, chance)
        plan.wait(20 * MINUTE)
        plan.transmits = chance.random() < 0.5  # many switch off in port
        plan.wait(chance.uniform(2.0, 7.0) * HOUR)
        plan.transmits = True
        plan.wait(10 * MINUTE)
        put_to_sea(plan, home, 9.0)
        yield


def trawl(plan: Plan, box: Box, seconds: float, chance: Chance) -> Programme:
    """Tow the net through an area, turning every few minutes."""
    until = plan.end + seconds
    bearing = chance.uniform(0, 2 * math.pi)
    while plan.end < until:
        knots = chance.uniform(2.8, 4.4)
        step = knots * chance.uniform(3, 8) / 60
        spot = plan.spot[0] + step * math.sin(bearing), plan.spot[1] + step * math.cos(bearing)
        inside = box.west + 0.4 < spot[0] < box.east - 0.4
        if inside and box.south + 0.4 < spot[1] < box.north - 0.4:
            plan.go(spot, knots)
            bearing += chance.choice((-1, 1)) * chance.uniform(0.35, 1.1)
        else:
            centre = (box.west + box.east) / 2, (box.south + box.north) / 2
            bearing = math.atan2(centre[0] - plan.spot[0], centre[1] - plan.spot[1])
            bearing += chance.uniform(-0.4, 0.4)
            plan.go(near(plan.spot, chance, 0.05), knots)
        yield


def rescue(plan: Plan, home: Port, chance: Chance) -> Programme:
    """Answer calls: dash out, search in growing squares, come home."""
    wait = chance.uniform(0.1, 0.4)
    while True:
        plan.wait(wait * HOUR)
        wait = chance.uniform(3.0, 9.0)
        put_to_sea(plan, home, 20.0)
        datum = OPEN_SEA.spot(chance, 3.0)
        plan.go(datum, chance.uniform(20.0, 24.0))
        until, leg, turn = plan.end + chance.uniform(1.2, 2.2) * HOUR, 0.4, 0
        while plan.end < until:
            x, y = plan.spot
            side = ((leg, 0.0), (0.0, leg), (-leg, 0.0), (0.0, -leg))[turn % 4]
            # Now and then they slow down to look at something.
            plan.go((x + side[0], y + side[1]), 4.0 if chance.random() < 0.2 else 9.0)
            turn += 1
            leg += 0.2 if turn % 2 == 0 else 0.0
            yield
        plan.go(home.station, 18.0)
        enter_port(plan, home, 18.0, chance)
        yield


def speedboat(plan: Plan, home: Port, chance: Chance) -> Programme:
    """Race along the coast and lie in a bay for a while."""
    while True:
        plan.wait(chance.uniform(5, 25) * MINUTE)
        bay = float(np.clip(plan.spot[0] + chance.uniform(-14, 14), 2.0, 78.0)), 39.0
        plan.go((plan.spot[0], 38.9), 6.0)
        plan.go(bay, chance.uniform(24.0, 33.0))
        plan.wait(chance.uniform(0.3, 1.5) * HOUR)
        plan.go((home.quay[0], 38.9), chance.uniform(24.0, 33.0))
        plan.go(berth(home, chance), 5.0)
        plan.wait(chance.uniform(0.3, 3.0) * HOUR)
        yield


def loiterer(plan: Plan, chance: Chance) -> Programme:
    """Hang about in the open sea, then somewhere else."""
    while True:
        until = plan.end + chance.uniform(1.2, 4.0) * HOUR
        while plan.end < until:
            plan.go(near(plan.spot, chance, 0.4), chance.uniform(0.9, 2.4))
            if chance.random() < 0.3:
                plan.wait(chance.uniform(3, 15) * MINUTE)
            yield
        plan.go(OPEN_SEA.spot(chance, 2.0), chance.uniform(9.0, 12.0))
        yield


def transfer(first: Plan, second: Plan, dark: bool, chance: Chance) -> Programme:
    """Meet in the open sea and lie side by side; every other time one goes dark meanwhile."""
    while True:
        place = OPEN_SEA.spot(chance, 2.0)
        for plan in (first, second):
            plan.go((place[0], place[1] - 1.0), chance.uniform(10.0, 12.5))
        met = max(first.end, second.end) + 900
        first.reach(place, met)
        second.reach(beside(place), met)
        bearing = chance.uniform(0, 2 * math.pi)
        for part in range(3):
            second.transmits = not (dark and part == 1)
            for _ in range(3):
                met += chance.uniform(5, 9) * MINUTE
                x, y = first.spot
                place = x + 0.18 * math.sin(bearing), y + 0.18 * math.cos(bearing)
                first.reach(place, met)
                second.reach(beside(place), met)
        second.transmits = True
        for plan in (first, second):
            plan.wait(90)
            plan.go(OPEN_SEA.spot(chance, 2.0), chance.uniform(10.0, 12.5))
            if chance.random() < 0.5:
                plan.go(OPEN_SEA.spot(chance, 2.0), chance.uniform(10.0, 12.5))
        dark = not dark
        yield


def breakdowns(plan: Plan, home: Port, away: Port, chance: Chance) -> Programme:
    """Trade like others, but with an engine that fails: the current carries it sideways."""
    here, there = home, away
    while True:
        knots = chance.uniform(10.0, 12.5)
        along_lane(plan, there, knots, chance)
        plan.offset = float(chance.choice((-1, 1)) * chance.uniform(50, 110))
        x, y = plan.spot
        hours = chance.uniform(0.5, 1.6)
        plan.go((x + 3.2 * hours, y - 1.4 * hours), 3.3)
        plan.offset = 0.0
        enter_port(plan, there, knots, chance)
        plan.wait(chance.uniform(3.0, 8.0) * HOUR)
        put_to_sea(plan, there, knots)
        here, there = there, here
        yield


def cruise(plan: Plan, chance: Chance) -> Programme:
    """Visit one port after the other."""
    port = PORTS[0]
    while True:
        others = [p for p in PORTS[:3] if p is not port]
        port = others[int(chance.integers(len(others)))]
        knots = chance.uniform(14.0, 17.0)
        along_lane(plan, port, knots, chance)
        enter_port(plan, port, knots, chance)
        plan.wait(chance.uniform(3.0, 7.0) * HOUR)
        put_to_sea(plan, port, knots)
        yield


def sailing(plan: Plan, home: Port, chance: Chance) -> Programme:
    """Tack about off the coast and drop the anchor in the roads."""
    while True:
        for _ in range(int(chance.integers(4, 12))):
            plan.go(near((home.station[0], 31.0), chance, 2.5), chance.uniform(4.5, 6.5))
        plan.go(home.roads.spot(chance), 5.5)
        plan.wait(chance.uniform(1.0, 5.0) * HOUR)
        yield
