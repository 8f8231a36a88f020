"""How alike two names are: slips of the finger, and names that are merely near.

A *slip* is what hands do without meaning it: two letters swapped, one doubled or left
out, the key beside the right one, another case, a missing underscore. Names that differ
in a digit (`sensor1`, `sensor2`) or in an ending that makes another word (`vote`,
`voted`) are never slips, since people choose such pairs on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

Likeness = Literal["slip", "near"]

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_ENDINGS = ("s", "d", "ed", "es", "ing", "er", "r", "n", "en", "y")
_SHORTEST = 4


def distance(one: str, other: str) -> int:
    """Count the edits between two words; a swap of neighbours is one edit.

    >>> distance("stoped", "stopped"), distance("gap_strat", "gap_start"), distance("a", "b")
    (1, 1, 1)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            least = min(row[j - 1] + 1, before[j] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                least = min(least, earlier[j - 2] + 1)
            row.append(least)
    return row[-1]


def likeness(one: str, other: str) -> Likeness | None:
    """Say how alike two different names are; None if they have little in common.

    >>> likeness("stoped", "stopped"), likeness("gapStart", "gap_start")
    ('slip', 'slip')
    >>> likeness("walking", "talking"), likeness("sensor1", "sensor2"), likeness("rich", "happy")
    ('near', None, None)
    """
    if one == other or min(len(one), len(other)) < _SHORTEST:
        return None
    if _bare(one) == _bare(other):
        return "slip"
    if _digits(one) != _digits(other):
        return None
    edits = distance(one, other)
    if edits == 1:
        return "slip" if _is_slip(one, other) else "near"
    longest = max(len(one), len(other))
    return "near" if edits == 2 and longest >= 8 else None


def closest(name: str, known: Iterable[str]) -> str | None:
    """Find the known name most like `name`, slips first; None if none is like it.

    >>> closest("targt", ["source", "target", "union"])
    'target'
    """
    alike = [
        (likeness(name, other) != "slip", distance(name, other), other)
        for other in known
        if likeness(name, other) is not None
    ]
    return min(alike)[2] if alike else None


def near_variable(name: str, others: Iterable[str]) -> str | None:
    """Find a variable that `name` may be a mistyping of; digits at the end set them apart.

    >>> near_variable("Vesel", ["Vessel", "T"]), near_variable("I1", ["I2"])
    ('Vessel', None)
    """
    for other in sorted(others):
        if other == name or _digits(name) != _digits(other):
            continue
        if name.lower() == other.lower():
            return other
        if min(len(name), len(other)) >= 3 and distance(name, other) == 1:
            return other
    return None


def _bare(name: str) -> str:
    return name.replace("_", "").lower()


def _digits(name: str) -> str:
    return "".join(ch for ch in name if ch.isdigit())


def _is_slip(one: str, other: str) -> bool:
    """Whether a single edit is one that fingers make."""
    short, long = sorted((one, other), key=len)
    if len(short) < len(long):
        if short == long[1:]:
            return False
        return not any(long == short + ending for ending in _ENDINGS)
    changed = [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(changed) == 2:
        return True
    position = changed[0]
    return position > 0 and _neighbours(one[position], other[position])


def _neighbours(a: str, b: str) -> bool:
    for row in _ROWS:
        if a in row and b in row and abs(row.index(a) - row.index(b)) == 1:
            return True
    return False
