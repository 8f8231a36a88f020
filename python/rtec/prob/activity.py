"""Instantaneous probabilities of activities of two people, from noisy records in CAVIAR's layout.

A small stand-in for Prob-EC where only series to find intervals in are wanted: conditions count as
independent, and inertia is the recurrence of section 5.2. An initiation adds to the probability,
a termination takes its share away:

    P(t + 1) = (P(t) + (1 - P(t)) * initiated(t)) * (1 - terminated(t))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rtec.prob.noise import Line
from rtec.prob.scale import FloatArray, IntArray

EVENTS = ("walking", "running", "active", "inactive", "abrupt", "appear", "disappear")
CONTEXT = ("coord", "orientation")
ACTIVITIES = ("moving", "meeting", "fighting")
CLOSE = {"moving": 34.0, "meeting": 25.0, "fighting": 24.0}
"""How many pixels two people may be apart."""

_ALIKE = 45.0


@dataclass(frozen=True, slots=True)
class Frames:
    """What is known of each person in each frame.

    Attributes:
        times: The time-points of the frames.
        people: The names of the people.
        events: For each event, its probability by frame and person.
        position: The coordinates by frame and person.
        facing: The orientation by frame and person, in degrees.
        located: How likely position and orientation are right; 0 where there are none.
    """

    times: IntArray
    people: Sequence[str]
    events: dict[str, FloatArray]
    position: FloatArray
    facing: FloatArray
    located: FloatArray


def frames_of(lines: Sequence[Line], tick: int) -> Frames:
    """Arrange records by frame and person."""
    wanted = {*EVENTS, *CONTEXT}
    rows = [line for line in lines if line.name in wanted]
    stamps = np.array([int(line.fields[2]) for line in rows], dtype=np.int64)
    first = int(stamps.min()) if len(rows) else 0
    count = (int(stamps.max()) - first) // tick + 1 if len(rows) else 0
    # A value field comes before the person in points of fluents, and not in plain events.
    names = [line.fields[4 if len(line.fields) > 4 else 3] for line in rows]
    people = sorted(set(names))
    index = {name: i for i, name in enumerate(people)}
    shape = (count, len(people))
    events = {name: np.zeros(shape) for name in EVENTS}
    position = np.full((*shape, 2), np.nan)
    facing, coord, looks = np.full(shape, np.nan), np.zeros(shape), np.zeros(shape)
    for line, stamp, name in zip(rows, stamps.tolist(), names, strict=True):
        at = (stamp - first) // tick, index[name]
        prob = 1.0 if line.prob is None else line.prob
        if line.name == "coord":
            position[at] = float(line.fields[5]), float(line.fields[6])
            coord[at] = prob
        elif line.name == "orientation":
            facing[at] = float(line.fields[3])
            looks[at] = prob
        else:
            events[line.name][at] = prob
    times = first + np.arange(count) * tick
    return Frames(times, people, events, position, facing, coord * np.maximum(looks, 1e-9))


def probabilities(frames: Frames, activity: str, decimals: int = 4) -> dict[str, FloatArray]:
    """Compute how likely an activity of each two people is in each frame.

    Pairs that never show any sign of it are left out.
    """
    series = {}
    for a, b in combinations(range(len(frames.people)), 2):
        initiated, terminated = _changes(frames, activity, a, b)
        if initiated.max(initial=0.0) > 0.0:
            name = f"{activity}({frames.people[a]},{frames.people[b]})"
            series[name] = inertia(initiated, terminated).round(decimals)
    return series


def inertia(initiated: FloatArray, terminated: FloatArray) -> FloatArray:
    """Carry a probability from each time-point to the next.

    >>> inertia(np.array([0.32, 0, 0.1, 0]), np.zeros(4)).round(3).tolist()
    [0.0, 0.32, 0.32, 0.388]
    """
    stays = ((1.0 - initiated) * (1.0 - terminated)).tolist()
    begins = (initiated * (1.0 - terminated)).tolist()
    held, result = 0.0, []
    for keep, start in zip(stays, begins, strict=True):
        result.append(held)
        held = held * keep + start
    return np.array(result)


def _changes(frames: Frames, activity: str, a: int, b: int) -> tuple[FloatArray, FloatArray]:
    """Compute how likely an activity is initiated and terminated in each frame."""
    events, located = frames.events, frames.located
    placed = located[:, a] * located[:, b]
    apart = np.hypot(*(frames.position[:, a] - frames.position[:, b]).T)
    near = placed * (apart <= CLOSE[activity])
    far = placed * (apart > CLOSE[activity])

    def either(*names: str) -> FloatArray:
        """How likely one of two people does one of these."""
        none: FloatArray = np.ones(len(apart))
        for name in names:
            none = none * (1.0 - events[name][:, a]) * (1.0 - events[name][:, b])
        return 1.0 - none

    def does(person: int, *names: str) -> FloatArray:
        none: FloatArray = np.ones(len(apart))
        for name in names:
            none = none * (1.0 - events[name][:, person])
        return 1.0 - none

    if activity == "moving":
        turn = np.abs(frames.facing[:, a] - frames.facing[:, b]) % 360.0
        alike = np.minimum(turn, 360.0 - turn) <= _ALIKE
        initiated = does(a, "walking") * does(b, "walking") * near * alike
        ends = [far * either("walking"), either("running", "abrupt", "disappear")]
        ends.append(does(a, "active", "inactive") * does(b, "active", "inactive"))
    elif activity == "meeting":
        calm = does(a, "active", "inactive") * does(b, "active", "inactive")
        initiated = calm * near
        ends = [far * either("walking"), either("running", "abrupt", "disappear")]
    else:
        rough = either("abrupt")
        initiated = rough * (1.0 - does(a, "inactive")) * (1.0 - does(b, "inactive")) * near
        ends = [far * either("walking"), either("running", "disappear")]
        ends.append(does(a, "inactive") * does(b, "inactive"))
    stays: FloatArray = np.ones(len(apart))
    for end in ends:
        stays = stays * (1.0 - end)
    return np.nan_to_num(initiated), np.nan_to_num(1.0 - stays)
