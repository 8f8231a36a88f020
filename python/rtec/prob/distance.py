"""Noise that grows with distance: signals from far away are less reliable (thesis, section 7.1).

A record of something that is `x` metres from the nearest station keeps the probability

    1 - x / (x + c)

where `c` is the distance at which it is a half. The thesis takes 10,000 m for smooth noise of
vessels' signals, and 5,000 m for strong noise.
"""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rtec.errors import ConfigError, Place, Problem, StreamError
from rtec.prob.noise import Line
from rtec.prob.scale import FloatArray

_EARTH = 6_371_000.0


@dataclass(frozen=True, slots=True)
class Stations:
    """Where signals are received.

    Attributes:
        places: Longitude and latitude of each, in degrees.
        half: The distance in metres at which a signal is as likely wrong as right.
        decimals: Decimal places of the probabilities.
    """

    places: FloatArray
    half: float = 10_000.0
    decimals: int = 3

    def __post_init__(self) -> None:
        if not self.half > 0:
            raise ConfigError(
                Problem(f"the distance is {self.half:g} m; it has to be above 0", "noise-distance")
            )
        if len(self.places) == 0:
            raise ConfigError(Problem("there is no station", "noise-distance"))

    def prob(self, places: FloatArray) -> FloatArray:
        """How likely signals from some places are right.

        >>> Stations(np.array([[0.0, 0.0]])).prob(np.array([[0.0, 0.0], [0.0, 0.0899322]])).tolist()
        [1.0, 0.5]
        """
        nearest = np.full(len(places), np.inf)
        for station in self.places:
            nearest = np.minimum(nearest, _metres(places, station))
        kept: FloatArray = 1.0 - nearest / (nearest + self.half)
        return kept.round(self.decimals)


@dataclass(slots=True)
class _Track:
    """Where something was when, and how likely signals from there are right."""

    times: list[int] = field(default_factory=list)
    probs: list[float] = field(default_factory=list)

    def at(self, time: int) -> float:
        """What the last position up to a time-point says; before the first one, what that says."""
        return self.probs[max(bisect_right(self.times, time) - 1, 0)]


def by_distance(lines: Sequence[Line], positions: str, stations: Stations) -> list[Line]:
    """Give each record the probability that the position of what it is about says.

    Args:
        lines: The records of a stream.
        positions: The name of records that end in what is there, its longitude and its latitude.
        stations: Where signals are received.

    Of a record about several things, the one that is farthest away counts; records about nothing
    with a position stay as they are.

    Raises:
        StreamError: A position is none, or there are none.
    """
    tracks = _tracks(lines, positions, stations)
    result = []
    for line in lines:
        time = int(line.fields[2])
        found = [tracks[item].at(time) for item in line.fields[3:] if item in tracks]
        if not found or line.name.startswith("-"):
            result.append(line)
            continue
        prob = min(found) if line.prob is None else min(found) * line.prob
        result.append(replace(line, prob=round(prob, stations.decimals)))
    return result


def read_stations(lines: Iterable[str], path: str) -> FloatArray:
    """Read the places of stations: CSV with the columns lon and lat.

    >>> read_stations(["lon,lat,name", "-4.5,48.4,Brest"], "stations.csv").tolist()
    [[-4.5, 48.4]]

    Raises:
        StreamError: A column is missing, or a value is not a coordinate.
    """
    rows = csv.DictReader(lines)
    missing = [name for name in ("lon", "lat") if name not in (rows.fieldnames or ())]
    if missing:
        message = f"column `{missing[0]}` is missing; stations have the columns lon and lat"
        raise StreamError(Problem(message, "noise-distance", Place(path, 1)))
    places = []
    for row in rows:
        place = _place(row["lon"], row["lat"])
        if place is None:
            message = f"`{row['lon']},{row['lat']}` is no longitude and latitude in degrees"
            raise StreamError(Problem(message, "noise-distance", Place(path, rows.line_num)))
        places.append(place)
    return np.array(places, dtype=np.float64).reshape(-1, 2)


def _tracks(lines: Sequence[Line], positions: str, stations: Stations) -> dict[str, _Track]:
    found: list[tuple[int, str, tuple[float, float]]] = []
    for line in lines:
        if line.name != positions:
            continue
        place = _place(*line.fields[-2:]) if len(line.fields) > 5 else None
        if place is None:
            shown = "|".join(line.fields)
            message = f"`{shown}` does not end in what is there, its longitude and its latitude"
            raise StreamError(Problem(message, "noise-distance"))
        found.append((int(line.fields[2]), line.fields[-3], place))
    if not found:
        raise StreamError(
            Problem(
                f"there is no record `{positions}` to take positions from",
                "noise-distance",
                remedy="name the records that have positions with --positions",
            )
        )
    found.sort(key=lambda item: item[0])
    probs = stations.prob(np.array([place for *_, place in found])).tolist()
    tracks: dict[str, _Track] = {}
    for (time, who, _), prob in zip(found, probs, strict=True):
        track = tracks.setdefault(who, _Track())
        track.times.append(time)
        track.probs.append(prob)
    return tracks


def _place(lon: str | None, lat: str | None) -> tuple[float, float] | None:
    try:
        place = float(lon or ""), float(lat or "")
    except ValueError:
        return None
    return place if abs(place[0]) <= 180 and abs(place[1]) <= 90 else None


def _metres(places: FloatArray, station: FloatArray) -> FloatArray:
    """Distances along great circles (haversine formula)."""
    lon, lat = np.radians(places).T
    lon0, lat0 = np.radians(station)
    half: FloatArray = (
        np.sin((lat - lat0) / 2) ** 2 + np.cos(lat) * np.cos(lat0) * np.sin((lon - lon0) / 2) ** 2
    )
    metres: FloatArray = 2 * _EARTH * np.arcsin(np.sqrt(half))
    return metres
