"""Noise for streams, in the ways of the thesis (section 7.1).

- *Smooth* noise gives events a probability: one less a value drawn from a Gamma distribution,
  whose mean says how noisy the stream is. The mean may change in the course of the stream.
- *Strong* noise does so for contextual information too (positions, orientations), and adds
  spurious events that did not happen.

Records are lines of fields, as in a stream's text: name, arrival, time, and the rest.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from rtec.errors import ConfigError, Place, Problem, StreamError
from rtec.prob.scale import FloatArray
from rtec.runtime.records import read_field


@dataclass(frozen=True, slots=True)
class Line:
    """A record of a stream, with the probability that it is true.

    Attributes:
        fields: Name, arrival, time and the others, as text.
        prob: The probability; nothing if the record is certain.
    """

    fields: tuple[str, ...]
    prob: float | None = None

    @property
    def name(self) -> str:
        """The event or the fluent."""
        return self.fields[0]

    def __str__(self) -> str:
        text = "|".join(self.fields)
        return text if self.prob is None else f"{self.prob:g}::{text}"


@dataclass(frozen=True, slots=True)
class Noise:
    """How noisy a stream becomes.

    Attributes:
        mean: How much of its probability a record loses on average, from 0 to 1: at the start of
            the stream and at its end, and in between in proportion.
        shape: The shape of the Gamma distribution; the higher, the closer values are to the mean.
        decimals: Decimal places of the probabilities.
    """

    mean: tuple[float, float] = (0.25, 0.25)
    shape: float = 2.0
    decimals: int = 3

    def __post_init__(self) -> None:
        if not all(0 <= mean <= 1 for mean in self.mean):
            raise ConfigError(
                Problem(
                    f"mean noise is {_shown(self.mean)}; it has to be from 0 to 1", "noise-mean"
                )
            )
        if not self.shape > 0:
            raise ConfigError(
                Problem(f"shape is {self.shape}; it has to be above 0", "noise-shape")
            )

    def draw(self, progress: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Draw probabilities for records at a given progress of the stream, from 0 to 1."""
        low, high = self.mean
        mean = low + (high - low) * progress
        lost = rng.gamma(self.shape, 1.0, len(mean)) * (mean / self.shape)
        kept: FloatArray = np.clip(1.0 - lost, 0.0, 1.0)
        return kept.round(self.decimals)


def smooth(
    lines: Sequence[Line], events: Collection[str], noise: Noise, rng: np.random.Generator
) -> list[Line]:
    """Give each record of these events a probability; the other records stay as they are.

    A record that has one already becomes less likely by the same share.

    >>> lines = [Line(("walking", "5", "5", "ann")), Line(("coord", "5", "5", "ann", "3", "4"))]
    >>> for line in smooth(lines, {"walking"}, Noise((0.0, 0.0)), np.random.default_rng(1)):
    ...     print(line)
    1::walking|5|5|ann
    coord|5|5|ann|3|4
    """
    noisy = [i for i, line in enumerate(lines) if line.name in events]
    return _with_probabilities(lines, noisy, noise, rng)


def strong(
    lines: Sequence[Line],
    events: Collection[str],
    context: Collection[str],
    noise: Noise,
    spurious: float,
    rng: np.random.Generator,
) -> list[Line]:
    """Give events and context probabilities, and add events that did not happen.

    Args:
        lines: The records of a stream.
        events: Names of events.
        context: Names of contextual information.
        noise: How noisy it becomes.
        spurious: How many events to add, as a share of those that are there.
        rng: Where random numbers come from.

    Returns:
        The records, each spurious one after the record that it was made from: at the same time
        and of the same entity, but another event, drawn uniformly.
    """
    if not 0 <= spurious < math.inf:
        raise ConfigError(
            Problem(f"the share of spurious events is {spurious}; it is at least 0", "noise-share")
        )
    wanted = set(events) | set(context)
    more = _spurious(lines, events, spurious, rng)
    spread: list[Line] = []
    for i, line in enumerate(lines):
        spread += [line, *more.get(i, ())]
    noisy = [i for i, line in enumerate(spread) if line.name in wanted]
    return _with_probabilities(spread, noisy, noise, rng)


def parse_lines(texts: Iterable[str], path: str) -> list[Line]:
    """Split the lines of a stream into fields, with the probabilities that some begin with.

    Raises:
        StreamError: A line has no name, arrival and time, or its probability is none.
    """
    lines = []
    for number, text in enumerate(texts, 1):
        text = text.rstrip("\r\n").removesuffix("|")
        if not text:
            continue
        name, *rest = text.split("|")
        before, colons, name_alone = name.partition("::")
        fields = (name_alone if colons else name, *rest)
        prob = read_field(before) if colons else 1
        if isinstance(prob, str) or not 0 <= prob <= 1:
            raise StreamError(
                Problem(
                    f"the prob of `{fields[0]}` is `{before}`, not a number from 0 to 1",
                    "record-prob",
                    Place(path, number, 1, len(before) + 1, text),
                )
            )
        if len(fields) < 3 or not _is_integer(fields[1]) or not _is_integer(fields[2]):
            raise StreamError(
                Problem(
                    "a record has a name, an arrival and a time",
                    "record-fields",
                    Place(path, number, 1, text=text),
                    remedy="as in `walking|680|680|id0`",
                )
            )
        lines.append(Line(fields, float(prob) if colons else None))
    return lines


def _is_integer(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _with_probabilities(
    lines: Sequence[Line], noisy: Sequence[int], noise: Noise, rng: np.random.Generator
) -> list[Line]:
    result = list(lines)
    if not noisy:
        return result
    times = np.array([int(lines[i].fields[2]) for i in noisy], dtype=np.float64)
    first, last = times.min(), times.max()
    progress = (times - first) / max(last - first, 1.0)
    for i, prob in zip(noisy, noise.draw(progress, rng).tolist(), strict=True):
        before = lines[i].prob
        kept = prob if before is None else round(prob * before, noise.decimals)
        result[i] = Line(lines[i].fields, kept)
    return result


def _spurious(
    lines: Sequence[Line], events: Collection[str], share: float, rng: np.random.Generator
) -> dict[int, list[Line]]:
    """Make events from others: another name for the fields of a record drawn uniformly."""
    present = {line.fields for line in lines}
    bases = [i for i, line in enumerate(lines) if line.name in events]
    shapes: dict[int, list[str]] = {}
    for i in bases:
        names = shapes.setdefault(len(lines[i].fields), [])
        if lines[i].name not in names:
            names.append(lines[i].name)
    made: dict[int, list[Line]] = {}
    wanted = round(share * len(bases))
    if not any(len(names) > 1 for names in shapes.values()):
        return made
    count = 0
    # Where nearly all that could be added is there already, give up after a while.
    for _ in range(20 * wanted):
        if count == wanted:
            break
        base = bases[int(rng.integers(len(bases)))]
        names = shapes[len(lines[base].fields)]
        fields = (names[int(rng.integers(len(names)))], *lines[base].fields[1:])
        if fields not in present:
            present.add(fields)
            made.setdefault(base, []).append(Line(fields))
            count += 1
    return made


def _shown(mean: tuple[float, float]) -> str:
    low, high = mean
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
