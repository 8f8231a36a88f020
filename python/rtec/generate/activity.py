"""Staged scenes in front of surveillance cameras, frame by frame, in the layout of CAVIAR.

In a scene, actors follow a script: they pass each other, walk together, meet, fight, or leave
an object behind. Every tracked actor has an activity, a position and an orientation in every
frame. Each camera shows one scene after the other; cameras see different places, which is why
their coordinates are far apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rtec.generate.blocks import Block, Ints, events, merged, points, select, split_at

FRAME = 40
"""Milliseconds from one frame to the next."""

CAMERAS = 1
RATE = 0.118
"""Records per camera and time-point (a millisecond)."""

WIDTH, HEIGHT = 384, 288
CAMERA_WIDTH = 1000
PAUSE_FRAMES = 30
ACTIVITIES = ("walking", "running", "active", "inactive", "abrupt")
_SPEEDS = {"walking": 1.6, "running": 4.5}
"""Pixels per frame."""

Chance: TypeAlias = np.random.Generator
Spot: TypeAlias = tuple[float, float]


@dataclass(slots=True)
class Actor:
    """Somebody, or something, in a scene: from its first frame on, frame by frame."""

    first: int
    spot: Spot
    looks: int = 0
    activity: list[int] = field(default_factory=list)
    x: list[NDArray[np.float64]] = field(default_factory=list)
    y: list[NDArray[np.float64]] = field(default_factory=list)
    orientation: list[int] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The frame after the last one so far."""
        return self.first + len(self.activity)

    def move(self, to: Spot, activity: str = "walking") -> None:
        """Go somewhere, looking that way."""
        dx, dy = to[0] - self.spot[0], to[1] - self.spot[1]
        frames = max(2, round(float(np.hypot(dx, dy)) / _SPEEDS[activity]))
        self.looks = round(float(np.degrees(np.arctan2(dy, dx))) / 45) * 45 % 360
        self._add(activity, np.linspace(0, dx, frames + 1)[1:], np.linspace(0, dy, frames + 1)[1:])

    def do(self, activity: str, frames: int) -> None:
        """Stay in place, doing something."""
        self._add(activity, np.zeros(frames), np.zeros(frames))

    def _add(self, activity: str, dx: NDArray[np.float64], dy: NDArray[np.float64]) -> None:
        self.x.append(self.spot[0] + dx)
        self.y.append(self.spot[1] + dy)
        self.spot = float(self.x[-1][-1]), float(self.y[-1][-1])
        self.activity += [ACTIVITIES.index(activity)] * len(dx)
        self.orientation += [self.looks] * len(dx)


Scene: TypeAlias = Callable[[Chance], list[Actor]]


def _spot(chance: Chance) -> Spot:
    return float(chance.uniform(80, WIDTH - 80)), float(chance.uniform(70, HEIGHT - 70))


def _off(spot: Spot, dx: float, dy: float = 0.0) -> Spot:
    return spot[0] + dx, spot[1] + dy


def passing(chance: Chance) -> list[Actor]:
    """Two people walk past each other at a distance."""
    y = chance.uniform(60, 120)
    one, other = Actor(0, (10.0, y)), Actor(12, (WIDTH - 10.0, y + 90))
    one.move((WIDTH - 10.0, y + 10))
    other.move((10.0, y + 80))
    return [one, other]


def together(chance: Chance) -> list[Actor]:
    """Two people walk side by side, one stops, they part."""
    y = chance.uniform(60, 200)
    one, other = Actor(0, (10.0, y)), Actor(0, (10.0, y + 18))
    goal = chance.uniform(180, 300)
    one.move((goal, y + 20))
    other.move((goal, y + 38))
    one.do("active", int(chance.integers(25, 60)))
    other.move((WIDTH - 10.0, y + 60))
    one.move((goal, 10.0))
    return [one, other]


def meeting(chance: Chance) -> list[Actor]:
    """Two people come from two sides, talk for a while and go their ways."""
    place = _spot(chance)
    one, other = Actor(0, _off(place, -70, -10)), Actor(0, _off(place, 75, 15))
    one.move(place)
    other.move(_off(place, chance.uniform(14, 22)))
    until = max(one.end, other.end) + int(chance.integers(80, 160))
    for actor, activity in ((one, "active"), (other, "inactive")):
        actor.do("active", 20)
        actor.do(activity, until - actor.end)
    one.move(_off(place, -60, 50))
    other.move(_off(place, 70, -50))
    return [one, other]


def fight(chance: Chance) -> list[Actor]:
    """Two people go at each other; one runs away, the other stays behind."""
    place = _spot(chance)
    one, other = Actor(0, _off(place, -60)), Actor(0, _off(place, 60, 20))
    one.move(place)
    other.move(_off(place, chance.uniform(8, 16)))
    until = max(one.end, other.end) + int(chance.integers(15, 30))
    one.do("active", until - one.end)
    other.do("active", until - other.end)
    for _ in range(3):
        frames = int(chance.integers(20, 40))
        one.do("abrupt", frames)
        other.do("abrupt" if chance.random() < 0.6 else "active", frames)
    one.move(_off(place, -70, -60), "running")
    other.do("inactive", int(chance.integers(60, 100)))
    return [one, other]


def forgotten_bag(chance: Chance) -> list[Actor]:
    """Somebody puts a bag down and leaves; later somebody else picks it up."""
    place = _spot(chance)
    one = Actor(0, _off(place, -80, 20))
    one.move(place)
    one.do("active", 20)
    bag = Actor(one.end, _off(place, chance.uniform(6, 12), 4))
    one.do("active", 15)
    one.move(_off(place, -70, -55))
    finder = Actor(one.end + int(chance.integers(20, 60)), _off(place, 80, 40))
    finder.move(_off(place, 20, 8))
    finder.do("active", 25)
    bag.do("inactive", finder.end - bag.first)
    finder.move(_off(place, 75, -40))
    return [one, bag, finder]


SCENES: tuple[Scene, ...] = (together, meeting, fight, forgotten_bag, passing)


def _record(actors: list[Actor], camera: int, start: int, chance: Chance) -> list[Block]:
    """Write down a scene that starts at a time."""
    prefix = "" if camera == 0 else f"cam{camera}_"
    ids = pa.array([f"{prefix}id{i}" for i in range(len(actors))])
    who = np.repeat(np.arange(len(actors)), [len(a.activity) for a in actors])
    frame = np.concatenate([a.first + np.arange(len(a.activity)) for a in actors])
    time = start + frame * FRAME
    x = np.concatenate([part for a in actors for part in a.x])
    y = np.concatenate([part for a in actors for part in a.y])
    activity = np.concatenate([a.activity for a in actors])
    # Trackers are off by a pixel now and then; what lies still does not tremble.
    moving = activity != ACTIVITIES.index("inactive")
    x = np.rint(x + np.where(moving, chance.normal(0, 0.5, len(x)), 0)).astype(np.int64)
    y = np.rint(y + np.where(moving, chance.normal(0, 0.5, len(y)), 0)).astype(np.int64)
    blocks = []
    for code, name in enumerate(ACTIVITIES):
        rows = np.flatnonzero(activity == code)
        blocks.append(points(name, time[rows], "true", select(ids, who[rows])))
    looks = np.concatenate([a.orientation for a in actors])
    blocks += [
        points("coord", time, "true", select(ids, who), x + camera * CAMERA_WIDTH, y),
        points("orientation", time, looks.tolist(), select(ids, who)),
    ]
    for name, frames in (
        ("appear", [a.first for a in actors]),
        ("disappear", [a.end - 1 for a in actors]),
    ):
        blocks.append(events(name, start + np.array(frames, np.int64) * FRAME, ids))
    return [block.take(np.argsort(block.arrival, kind="stable")) for block in blocks]


def stream(seed: int, cameras: int = CAMERAS) -> Iterator[Block]:
    """Stage scenes for ever; the first five show one of each kind."""
    chance = np.random.default_rng((seed, 0xCA))
    clocks: Ints = FRAME + np.arange(cameras) * 7 % 25 * FRAME
    staged = np.zeros(cameras, np.int64)
    pending: list[Block] = []
    while True:
        camera = int(np.argmin(clocks))
        number = int(staged[camera])
        index = number if number < len(SCENES) else int(chance.integers(len(SCENES)))
        actors = SCENES[index](chance)
        pending += _record(actors, camera, int(clocks[camera]), chance)
        staged[camera] += 1
        clocks[camera] += (max(a.end for a in actors) + PAUSE_FRAMES) * FRAME
        if len(pending) > 60:
            ready, rest = split_at(merged(pending), int(clocks.min()) - 1)
            pending = [rest]
            yield ready
