"""Buses and trams on their lines, with what their sensors report between stops.

A round is the way from one stop to the next. A driver has a style, a line its traffic, and a
vehicle its heating; all of them drift slowly, so that situations last for a while.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from rtec.generate.blocks import Block, Ints
from rtec.generate.rounds import Layout, Rows, rounds, some

VEHICLES = 12
RATE = 0.028
"""Records per vehicle and time-point (a second)."""

STOPS = 40
_WHEN = pa.array(["early", "scheduled", "late"])
_LEVELS = pa.array(["low", "normal", "high"])
_WARMTH = pa.array(["very_cold", "cold", "normal", "warm", "very_warm"])
_ABRUPT = pa.array(["abrupt", "very_abrupt"])
_SHARP = pa.array(["sharp", "very_sharp"])


class Lines:
    """Plays the way from stop to stop of every vehicle."""

    def __init__(self, vehicles: int, seed: int) -> None:
        """Put vehicles on their lines."""
        self._chance = chance = np.random.default_rng((seed, 0xB05))
        tram = np.arange(vehicles) % 3 == 0
        ids = pa.array([f"{'tram' if t else 'bus'}_{i + 1}" for i, t in enumerate(tram)])
        types = pa.array(["bus", "tram"])
        stops = pa.array([f"stop_{i + 1}" for i in range(STOPS)])
        self._tram = tram.astype(np.int64)
        self.layout: Layout = {
            "stop_enter": (ids, types, stops, _WHEN),
            "stop_leave": (ids, types, stops, _WHEN),
            "abrupt_acceleration_start": (ids, types, _ABRUPT),
            "abrupt_acceleration_end": (ids, types),
            "abrupt_deceleration_start": (ids, types, _ABRUPT),
            "abrupt_deceleration_end": (ids, types),
            "sharp_turn_start": (ids, types, _SHARP),
            "sharp_turn_end": (ids, types),
            "passenger_density_change": (ids, types, _LEVELS),
            "noise_level_change": (ids, types, _LEVELS),
            "internal_temperature_change": (ids, types, _WARMTH),
        }
        self._stop = chance.integers(0, STOPS, vehicles)
        self._delay = chance.normal(0, 60, vehicles)
        self._roughness = chance.beta(2, 6, vehicles)
        self._level = {
            "density": np.ones(vehicles, np.int64),
            "noise": np.ones(vehicles, np.int64),
            "warmth": np.full(vehicles, 2, np.int64),
        }
        self.clocks = 1 + chance.integers(0, 120, vehicles)

    def play(self, vehicle: Ints, start: Ints) -> tuple[list[Rows], Ints]:
        """Take each vehicle from a stop to the next."""
        chance = self._chance
        count = len(vehicle)
        always = np.ones(count, np.bool_)
        kind, stop = self._tram[vehicle], self._stop[vehicle]
        wait = chance.integers(10, 41, count)
        ride = chance.integers(60, 181, count)
        end = start + wait + ride

        delay = self._delay[vehicle]
        entered = np.digitize(delay, (-60, 120))
        left = np.digitize(delay + chance.normal(0, 20, count), (-60, 120))
        rows = [
            some("stop_enter", always, start, vehicle, kind, stop, entered),
            some("stop_leave", always, start + wait, vehicle, kind, stop, left),
        ]
        # Traffic makes late, drivers catch up.
        self._delay[vehicle] = 0.9 * delay + chance.normal(4, 45, count)
        self._stop[vehicle] = (self._stop[vehicle] + 1) % STOPS

        rough = self._roughness[vehicle]
        for name, earliest, share in (
            ("abrupt_acceleration", wait, 1.0),
            ("sharp_turn", wait + ride // 3, 1.2),
            ("abrupt_deceleration", wait + ride * 3 // 4, 1.0),
        ):
            does = chance.random(count) < rough * share
            begins = start + earliest + chance.integers(1, 10, count)
            ends = begins + chance.integers(2, 9, count)
            degree = (chance.random(count) < 0.25).astype(np.int64)
            rows.append(some(f"{name}_start", does, begins, vehicle, kind, degree))
            rows.append(some(f"{name}_end", does, ends, vehicle, kind))

        for name, key, texts, likely in (
            ("passenger_density_change", "density", _LEVELS, 0.22),
            ("noise_level_change", "noise", _LEVELS, 0.18),
            ("internal_temperature_change", "warmth", _WARMTH, 0.10),
        ):
            level = self._level[key]
            middle = (len(texts) - 1) // 2
            old = level[vehicle]
            # Half of the changes lead back to the middle.
            move = np.where(
                (old != middle) & (chance.random(count) < 0.5),
                np.sign(middle - old),
                chance.choice((-1, 1), count),
            )
            new = np.clip(old + move, 0, len(texts) - 1)
            changes = (chance.random(count) < likely) & (new != old)
            level[vehicle] = np.where(changes, new, old)
            when = start + chance.integers(1, 50, count)
            rows.append(some(name, changes, when, vehicle, kind, new))
        return rows, end


def stream(seed: int, vehicles: int = VEHICLES) -> Iterator[Block]:
    """Drive for ever."""
    lines = Lines(vehicles, seed)
    return rounds(lines.play, lines.layout, lines.clocks, RATE * vehicles)
