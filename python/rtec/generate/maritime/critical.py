"""From tracks to critical events: what a trajectory synopsis reports about each vessel.

Vessels are looked at once a minute, each at its own second of the minute. An event is emitted
where something changes between two looks: a stop, low speed, a change of speed or heading, the
border of an area, the loss of the signal. Nothing is emitted about a vessel that does not
transmit; when it transmits again, its state is announced anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rtec.generate.blocks import Block, Ints, Texts, events, intervals
from rtec.generate.maritime.geography import AREAS, Bools, Floats
from rtec.generate.maritime.plans import Plan, Track

MINUTE = 60
STOP_KNOTS = 0.5
SLOW_KNOTS = 5.0
SPEED_CHANGE = 0.25
TURN_DEGREES = 15.0
NEAR_MILES = 0.25
PIECE_MINUTES = 10
"""Proximity is reported in pieces of at most this length, each when it is over."""

NO_HEADING = 511
"""What AIS sends where there is no compass."""

_TENTHS = pa.array([f"{i // 10}.{i % 10}" for i in range(3600)])
_HEADINGS = pa.array([str(i) for i in range(NO_HEADING + 1)])
_AREA_NAMES = pa.array([area.name for area in AREAS])


Seen = TypeVar("Seen", np.bool_, np.float64)


@dataclass(slots=True)
class Looks:
    """All vessels (rows) at each look (columns)."""

    x: Floats
    y: Floats
    speed: Floats
    course: Floats
    heading: Floats
    transmits: Bools

    @classmethod
    def of(cls, tracks: Sequence[Track]) -> Looks:
        """Stack the tracks of the vessels."""
        return cls(
            np.stack([t.x for t in tracks]),
            np.stack([t.y for t in tracks]),
            np.stack([t.speed for t in tracks]),
            np.stack([t.course for t in tracks]),
            np.stack([t.heading for t in tracks]),
            np.stack([t.transmits for t in tracks]),
        )


@dataclass(frozen=True, slots=True)
class Status:
    """What one look says of each vessel, to be compared with the next."""

    transmits: Bools
    stopped: Bools
    slow: Bools
    changing: Bools
    within: Bools
    speed: Floats
    course: Floats


class Synopsis:
    """Watches a fleet, stretch by stretch."""

    def __init__(self, ids: Texts, seed: int) -> None:
        """Watch the vessels with these identifiers."""
        self._ids = ids
        count = len(ids)
        chance = np.random.default_rng((seed, 0xA15))
        self._second = chance.integers(1, MINUTE - 1, count)
        self._pace = chance.integers(3, 6, count)
        self._no_compass = chance.random(count) < 0.06
        self._chance = chance
        self._last: Status | None = None

    def watch(self, plans: Sequence[Plan], start: int, minutes: int) -> list[Block]:
        """Report on the minutes from `start` on; plans reach to their end."""
        grid = np.arange(start, start + minutes * MINUTE, MINUTE)
        times = grid[None, :] + self._second[:, None]
        tracks = [plan.track(row) for plan, row in zip(plans, times.astype(float), strict=True)]
        looks = self._measured(Looks.of(tracks))
        blocks = self._changes(looks, times)
        blocks.append(self._proximity(plans, grid))
        return blocks

    def _measured(self, looks: Looks) -> Looks:
        """Add the errors of instruments."""
        shape = looks.speed.shape
        idle = looks.speed < STOP_KNOTS
        drawn = self._chance.standard_normal((3, *shape))
        looks.speed = np.where(
            idle, np.abs(drawn[0]) * 0.08, np.maximum(0.0, looks.speed * (1 + 0.02 * drawn[0]))
        )
        # At rest, GPS makes the course jump and the bow swings slowly.
        looks.course = np.where(idle, drawn[1] * 180, looks.course + drawn[1]) % 360
        looks.heading = (looks.heading + 1.5 * drawn[2]) % 360
        return looks

    def _changes(self, looks: Looks, times: Ints) -> list[Block]:
        on = looks.transmits
        stopped = on & (looks.speed < STOP_KNOTS)
        slow = on & ~stopped & (looks.speed < SLOW_KNOTS)
        within = np.stack([area.shape.covers(looks.x, looks.y) for area in AREAS]) & on
        count = len(on)
        nothing = np.zeros(count, np.bool_)
        last = self._last or Status(
            on[:, 0],
            nothing,
            nothing,
            nothing,
            np.zeros((len(AREAS), count), np.bool_),
            looks.speed[:, 0],
            looks.course[:, 0],
        )
        was_on = _shift(on, last.transmits)
        before = _shift(looks.speed, last.speed)
        both = on & was_on
        changing = both & (np.abs(looks.speed - before) > SPEED_CHANGE * np.maximum(before, 2.0))
        turn = np.abs(looks.course - _shift(looks.course, last.course))
        turned = both & (np.minimum(turn, 360 - turn) > TURN_DEGREES)
        turned &= (looks.speed > 1.0) & (before > 1.0)
        was = {
            "stop": _shift(stopped, last.stopped),
            "slow_motion": _shift(slow, last.slow),
            "change_in_speed": _shift(changing, last.changing),
        }
        was_within = _shift(within, last.within)

        blocks = [
            self._events("gap_end", on & ~was_on, times),
            *self._crossings("entersArea", within & ~was_within, times),
            *self._crossings("leavesArea", was_within & ~within & on, times),
            # At the look itself: then the area still counts for what begins now.
            self._events("gap_start", was_on & ~on, times),
        ]
        # A second later, so that the areas entered at this look already count.
        later = times + 1
        critical = turned | changing | (on & ~was_on)
        for kind, now in (("stop", stopped), ("slow_motion", slow), ("change_in_speed", changing)):
            starts, ends = now & ~was[kind], was[kind] & ~now & on
            blocks += [
                self._events(f"{kind}_start", starts, later),
                self._events(f"{kind}_end", ends, later),
            ]
            critical |= starts | ends
        blocks.append(self._events("change_in_heading", turned, later))
        minute = times // MINUTE
        due = np.where(stopped, minute % 15 == 0, minute % self._pace[:, None] == 0)
        blocks.append(self._velocity(looks, on & (critical | due), later))
        self._last = Status(
            on[:, -1],
            stopped[:, -1],
            slow[:, -1],
            changing[:, -1],
            within[:, :, -1],
            looks.speed[:, -1],
            looks.course[:, -1],
        )
        return blocks

    def _events(self, name: str, where: Bools, times: Ints) -> Block:
        vessel, look = np.nonzero(where)
        return _sorted(events(name, times[vessel, look], self._ids.take(pa.array(vessel))))

    def _crossings(self, name: str, where: Bools, times: Ints) -> list[Block]:
        area, vessel, look = np.nonzero(where)
        at = times[vessel, look]
        ids, names = self._ids.take(pa.array(vessel)), _AREA_NAMES.take(pa.array(area))
        return [_sorted(events(name, at, ids, names))]

    def _velocity(self, looks: Looks, where: Bools, times: Ints) -> Block:
        vessel, look = np.nonzero(where)
        speed = np.rint(looks.speed[vessel, look] * 10).astype(np.int64)
        course = np.rint(looks.course[vessel, look] * 10).astype(np.int64) % 3600
        heading = np.rint(looks.heading[vessel, look]).astype(np.int64) % 360
        heading[self._no_compass[vessel]] = NO_HEADING
        return _sorted(
            events(
                "velocity",
                times[vessel, look],
                self._ids.take(pa.array(vessel)),
                _TENTHS.take(pa.array(speed)),
                _TENTHS.take(pa.array(course)),
                _HEADINGS.take(pa.array(heading)),
            )
        )

    def _proximity(self, plans: Sequence[Plan], grid: Ints) -> Block:
        """Report pairs that are close at each minute; a silent vessel's position is reckoned."""
        looks = Looks.of([plan.track(grid.astype(float)) for plan in plans])
        berthed = np.zeros(looks.x.shape, np.bool_)
        for area in AREAS:
            if area.type == "nearPorts":
                berthed |= area.shape.covers(looks.x, looks.y)
        berthed &= looks.speed < STOP_KNOTS
        first, second, minute = near_pairs(looks.x, looks.y, ~berthed)
        start, end, rows = pieces(first, second, minute + int(grid[0]) // MINUTE, len(plans))
        ids = self._ids
        block = intervals(
            "proximity",
            start,
            end,
            "true",
            ids.take(pa.array(first[rows])),
            ids.take(pa.array(second[rows])),
        )
        return _sorted(block)


def near_pairs(x: Floats, y: Floats, afloat: Bools) -> tuple[Ints, Ints, Ints]:
    """Find who is near whom at each look: lower row, higher row, column.

    The vessels of a look are sorted from west to east; each is compared with the next ones,
    as long as any of those is near enough in this direction.
    """
    look, vessel = np.nonzero(afloat.T)
    xs, ys = x[vessel, look], y[vessel, look]
    order = np.lexsort((xs, look))
    look, vessel, xs, ys = look[order], vessel[order], xs[order], ys[order]
    found: list[tuple[Ints, Ints, Ints]] = []
    candidates = np.arange(len(xs) - 1)
    step = 1
    while len(candidates):
        others = candidates + step
        close = (look[candidates] == look[others]) & (xs[others] - xs[candidates] <= NEAR_MILES)
        candidates, others = candidates[close], others[close]
        near = np.hypot(xs[others] - xs[candidates], ys[others] - ys[candidates]) <= NEAR_MILES
        a, b = vessel[candidates[near]], vessel[others[near]]
        found.append((np.minimum(a, b), np.maximum(a, b), look[candidates[near]]))
        step += 1
        candidates = candidates[candidates + step < len(xs)]
    if not found:
        none = np.zeros(0, np.int64)
        return none, none, none
    low, high, at = (np.concatenate(part) for part in zip(*found, strict=True))
    return low, high, at


def pieces(first: Ints, second: Ints, minute: Ints, vessels: int) -> tuple[Ints, Ints, Ints]:
    """Join consecutive minutes of a pair to intervals, cut every ten minutes.

    Minute m stands for the seconds [60m+1, 60m+61), so that all cuts lie one second after a
    full ten minutes: a piece is over when that time is reached. Returned are starts, ends and,
    for each piece, a row of the pair.
    """
    pair = first * vessels + second
    order = np.lexsort((minute, pair))
    pair, minute = pair[order], minute[order]
    same = (pair[1:] == pair[:-1]) & (minute[1:] == minute[:-1] + 1)
    same &= minute[1:] // PIECE_MINUTES == minute[:-1] // PIECE_MINUTES
    opens = np.flatnonzero(np.concatenate([np.ones(min(1, len(pair)), np.bool_), ~same]))
    closes = np.append(opens[1:] - 1, len(pair) - 1) if len(pair) else opens
    return (
        minute[opens] * MINUTE + 1,
        (minute[closes] + 1) * MINUTE + 1,
        order[opens],
    )


def _shift(now: NDArray[Seen], last: NDArray[Seen]) -> NDArray[Seen]:
    """Give what was seen one look earlier."""
    return np.concatenate([last[..., None], now[..., :-1]], axis=-1)


def _sorted(block: Block) -> Block:
    return block.take(np.argsort(block.arrival, kind="stable"))
