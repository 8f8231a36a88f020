"""Allen's relations over interval lists: every pair tried (thesis, Tables 2.2 and 3.3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from .points import Interval, Points, Timeline, intersection, union

Ends: TypeAlias = tuple[float, float]
Relation: TypeAlias = Callable[[Ends, Ends], bool]

_BASE: dict[str, Relation] = {
    "before": lambda i, j: i[1] < j[0],
    "meets": lambda i, j: i[1] == j[0],
    "starts": lambda i, j: i[0] == j[0] and i[1] < j[1],
    "finishes": lambda i, j: i[0] > j[0] and i[1] == j[1],
    "during": lambda i, j: i[0] > j[0] and i[1] < j[1],
    "overlaps": lambda i, j: i[0] < j[0] < i[1] < j[1],
    "equal": lambda i, j: i == j,
}

_INVERSE = {
    "after": "before",
    "met_by": "meets",
    "started_by": "starts",
    "finished_by": "finishes",
    "contains": "during",
    "overlapped_by": "overlaps",
}

_MODE_NAMES = {
    "lhs": "source",
    "rhs": "target",
    "intersection": "intersect",
    "relative_complement": "complement",
    "relative_complement_inverse": "complement_inv",
}

RELATIONS = (*_BASE, *_INVERSE)
MODES = ("source", "target", "union", "intersect", "complement", "complement_inv")
MODE_SPELLINGS = (*MODES, *_MODE_NAMES)


def holds_between(relation: str, i: Interval, j: Interval) -> bool:
    """Whether `i relation j`; an open end is infinite.

    >>> holds_between("meets", (1, 4), (4, 6)), holds_between("met_by", (4, 6), (1, 4))
    (True, True)
    >>> holds_between("finishes", (4, None), (1, None))
    True
    """
    if relation in _INVERSE:
        return holds_between(_INVERSE[relation], j, i)
    return _BASE[relation](_ends(i), _ends(j))


def _ends(interval: Interval) -> Ends:
    start, end = interval
    return start, math.inf if end is None else end


def allen(
    timeline: Timeline, relation: str, source: Points, target: Points, mode: str
) -> Points:
    """What `allen(relation, source, target, mode, I)` gives for I."""
    sources, targets = timeline.to_intervals(source), timeline.to_intervals(target)
    pairs = [(i, j) for i in sources for j in targets if holds_between(relation, i, j)]
    paired_source = timeline.to_points(i for i, _ in pairs)
    paired_target = timeline.to_points(j for _, j in pairs)
    match _MODE_NAMES.get(mode, mode):
        case "source":
            return paired_source
        case "target":
            return paired_target
        case "union":
            return union([paired_source, paired_target])
        case "intersect":
            return intersection([paired_source, paired_target])
        case "complement":
            return paired_source - paired_target
        case "complement_inv":
            return paired_target - paired_source
    raise ValueError(f"unknown output mode {mode}")
