"""Lists of maximal intervals for tests: random ones, the slow way of working with them, Prolog's.

The slow way tries every pair of intervals, and makes sets of time-points of lists. Time-points
are 0 to `LAST`; the one after it stands for everything later.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from hypothesis import strategies as st
from reference.allen import RELATIONS, holds_between
from reference.points import Points, Timeline, intersection, union
from rtec import bridge
from rtec.model import Interval

IntervalList: TypeAlias = list[Interval]

LAST = 24
TIMELINE = Timeline(0, LAST, 1)

interval_lists: st.SearchStrategy[IntervalList] = st.frozensets(
    st.integers(0, LAST + 1), max_size=LAST + 2
).map(TIMELINE.to_intervals)
"""Any list whatever of maximal intervals on the timeline."""


@st.composite
def related_lists(draw: st.DrawFn) -> tuple[IntervalList, IntervalList]:
    """Two lists that have ends in common more often than by chance."""
    borders = draw(st.lists(st.integers(0, LAST), min_size=2, max_size=10, unique=True))
    return draw(_list_on(sorted(borders))), draw(_list_on(sorted(borders)))


@st.composite
def _list_on(draw: st.DrawFn, borders: list[int]) -> IntervalList:
    """A list whose intervals start and end at some of the borders."""
    chosen = [b for b in borders if draw(st.integers(0, 3))]
    pairs: IntervalList = list(zip(chosen[::2], chosen[1::2], strict=False))
    if len(chosen) % 2:
        pairs.append((chosen[-1], None))
    return pairs


def points(intervals: IntervalList) -> Points:
    return TIMELINE.to_points(intervals)


def quadratic(source: IntervalList, target: IntervalList) -> dict[tuple[str, str], IntervalList]:
    """Try every pair: what each relation in each mode comes to, with all names of modes."""
    found = {}
    for relation in RELATIONS:
        pairs = [(i, j) for i in source for j in target if holds_between(relation, i, j)]
        s, t = points([i for i, _ in pairs]), points([j for _, j in pairs])
        modes = {
            ("source", "lhs"): s,
            ("target", "rhs"): t,
            ("union",): s | t,
            ("intersect", "intersection"): s & t,
            ("complement", "relative_complement"): s - t,
            ("complement_inv", "relative_complement_inverse"): t - s,
        }
        for names, one in modes.items():
            intervals = TIMELINE.to_intervals(one)
            found.update({(relation, name): intervals for name in names})
    return found


def pointwise(operation: str, lists: Sequence[IntervalList]) -> IntervalList:
    """Work on sets of time-points."""
    sets = [points(one) for one in lists]
    match operation:
        case "union_all":
            found = union(sets)
        case "intersect_all":
            found = intersection(sets)
        case _:
            found = sets[0] - union(sets[1:])
    return TIMELINE.to_intervals(found)


def ask_allen(
    names: Sequence[tuple[str, str]], source: IntervalList, target: IntervalList
) -> list[IntervalList]:
    """Let Prolog answer for pairs of a relation and a mode, all at once."""
    return _ask("allen_batch", [(r, m, _flat(source), _flat(target)) for r, m in names])


def ask_algebra(questions: Sequence[tuple[str, Sequence[IntervalList]]]) -> list[IntervalList]:
    """Let Prolog answer, all at once."""
    return _ask("algebra_batch", [(o, [_flat(one) for one in lists]) for o, lists in questions])


def _ask(predicate: str, questions: list[object]) -> list[IntervalList]:
    bridge.command("use_module", str(Path(__file__).parent / "prolog" / "batches.pl"))
    return [_pairs(flat) for flat in bridge.call(predicate, questions)]


def _flat(intervals: IntervalList) -> list[int | str]:
    return [x for s, e in intervals for x in (s, "inf" if e is None else e)]


def _pairs(flat: list[int | str]) -> IntervalList:
    ends = [None if e == "inf" else int(e) for e in flat[1::2]]
    return list(zip(map(int, flat[::2]), ends, strict=True))
