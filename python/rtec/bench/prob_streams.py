"""Noisy streams of records, and the probabilities that Prob-EC works out of them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from rtec.errors import ConfigError, Problem
from rtec.prob.noise import Line, Noise, parse_lines, smooth, strong
from rtec.prob.probec import FluentSeries, probabilities
from rtec.prob.scale import FloatArray
from rtec.runtime.records import Record, read_field

Kind: TypeAlias = Literal["smooth", "strong"]

ACTIVITIES = ("moving", "meeting", "fighting")
DESCRIPTION = Path(__file__).with_name("activities.prolog")
NOISY = ("walking", "running", "active", "inactive", "abrupt")
CONTEXT = ("coord", "orientation")
FRAME = 40
MEAN_NOISE = 0.3
SPURIOUS = 0.2
FEWEST_SCENES = 20


def records_of(caviar: Path | None, seed: int, count: int) -> list[Line]:
    """Read CAVIAR's records or, without its folder, generate about so many of that kind."""
    return list(_generated(seed, count) if caviar is None else _caviar(caviar))


def noisy(lines: Sequence[Line], kind: Kind, seed: int) -> list[Line]:
    """Add noise of a kind."""
    noise, rng = Noise((MEAN_NOISE, MEAN_NOISE)), np.random.default_rng(seed)
    if kind == "smooth":
        return smooth(lines, NOISY, noise, rng)
    return strong(lines, NOISY, CONTEXT, noise, SPURIOUS, rng)


def stage_one(lines: Sequence[Line], activities: Sequence[str]) -> FluentSeries:
    """Work out how likely activities are in each frame."""
    records = [
        Record(line.name, int(line.fields[2]), _args(line), prob=line.prob) for line in lines
    ]
    return probabilities(DESCRIPTION, records, tick=FRAME, only=activities)


def series_of(answer: FluentSeries, activity: str) -> list[FloatArray]:
    """The series of an activity, one for each two people, over all frames."""
    dense = answer.dense()
    return [dense[one.name] for one in answer if one.fluent == activity]


def scenes_of(lines: Sequence[Line], start: int) -> list[int]:
    """Number the frames from which on nobody is seen who was seen just before.

    CAVIAR's videos follow each other without a gap; each begins with such a frame. Where somebody
    is seen all the time, as in generated streams, stretches of the same length do for scenes.
    """
    seen: dict[int, set[str]] = {}
    for line in lines:
        if line.name == "coord":
            seen.setdefault(int(line.fields[2]), set()).add(line.fields[4])
    times = sorted(seen)
    found = [
        (time - start) // FRAME
        for time in times
        if seen[time].isdisjoint(seen.get(time - FRAME, ()))
    ]
    if len(found) < FEWEST_SCENES and len(times) >= FEWEST_SCENES:
        first, last = (times[0] - start) // FRAME, (times[-1] - start) // FRAME
        found = [first + k * (last - first) // FEWEST_SCENES for k in range(FEWEST_SCENES)]
    return found


def caviar_folder() -> Path | None:
    """Find the CAVIAR records where they may lie, beside the checkout."""
    folder = Path.cwd().resolve().parent / "shared" / "data" / "caviar"
    return folder if folder.is_dir() else None


def _args(line: Line) -> list[str | int | float]:
    return [read_field(field) for field in line.fields[3:]]


def _caviar(folder: Path) -> Iterator[Line]:
    for name in ("movement", "appearance"):
        path = folder / f"{name}.csv.gz"
        if not path.is_file():
            raise ConfigError(Problem(f"there is no file {path}", "no-such-file"))
        with gzip.open(path, "rt", encoding="utf-8") as text:
            yield from parse_lines(text, str(path))


def _generated(seed: int, count: int) -> Iterator[Line]:
    from rtec.generate import generate

    for block in generate("activity", count, seed, entities=8):
        yield from parse_lines(block.text().decode().splitlines(), "<generated>")
