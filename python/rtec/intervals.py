"""Interval algebra and Allen's relations on arrays: the engine's constructs, for DataFrames.

An interval `[start, end)` holds `start` and leaves `end` out. A list of maximal intervals is an
`Intervals`: two arrays of `int64`, sorted, with a gap between each two intervals, so that equal
sets of time-points are equal arrays. An interval that has not ended has the end `OPEN`, the
greatest `int64`; in Arrow and pandas it is null.

>>> stay = Intervals.of([(5, 12), (20, 25)])
>>> gap = Intervals.of([(2, 4), (12, None)])
>>> allen("meets", stay, gap, "target").to_list()
[(12, None)]
>>> union_all([stay, gap]).to_list()
[(2, 4), (5, None)]

Everything is vectorised; the cost is that of a binary search per interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rtec.errors import ConfigError, Problem
from rtec.model import Interval

Ints: TypeAlias = NDArray[np.int64]
Rows: TypeAlias = NDArray[np.bool_] | NDArray[np.intp]
Pairing: TypeAlias = "Callable[[Intervals, Intervals], tuple[Rows, Rows]]"

OPEN = 2**63 - 1
"""The end of an interval that has not ended: later than every time-point."""

_BEGINNING = -(2**63)


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """A list of maximal intervals: sorted, disjoint, not touching.

    Attributes:
        start: The first time-point of each.
        end: The first time-point after each; `OPEN` if it has not ended.
    """

    start: Ints
    end: Ints

    @classmethod
    def of(cls, pairs: Any) -> Intervals:
        """Take intervals in any of these forms, and check that they are maximal.

        A list of pairs, where an open end is None; an array with two columns, or a pair of arrays
        (starts and ends); an Arrow array of structs or an Arrow table with the columns `start` and
        `end`, or an Arrow array of lists of two; a pandas DataFrame with these columns. Use
        `maximal` for intervals that may overlap or are not sorted.

        Raises:
            ConfigError: They are not sorted, touch or overlap, or an end is not after its start.
        """
        found = _read(pairs)
        empty = np.flatnonzero(found.end <= found.start)
        if len(empty):
            start, end = found[int(empty[0])]
            raise _bad(f"the interval [{start}, {end}) holds no time-point", "make end > start")
        close = np.flatnonzero(found.start[1:] <= found.end[:-1])
        if len(close):
            first, second = found[int(close[0])], found[int(close[0]) + 1]
            raise _bad(
                f"the intervals {_shown(first)} and {_shown(second)} are out of order, touch or "
                "overlap",
                "rtec.intervals.maximal() sorts and merges them",
            )
        return found

    @classmethod
    def none(cls) -> Intervals:
        """Return the empty list."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64))

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, index: int) -> Interval:
        end = int(self.end[index])
        return int(self.start[index]), None if end == OPEN else end

    def __iter__(self) -> Iterator[Interval]:
        return iter(self.to_list())

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Intervals)
            and np.array_equal(self.start, other.start)
            and np.array_equal(self.end, other.end)
        )

    def take(self, rows: Rows) -> Intervals:
        """Keep some intervals: a mask, or numbers in ascending order."""
        return Intervals(self.start[rows], self.end[rows])

    def contains(self, time_points: Any) -> NDArray[np.bool_]:
        """Say of each time-point whether it lies in one of the intervals.

        >>> Intervals.of([(1, 4), (6, None)]).contains([0, 1, 3, 4, 100]).tolist()
        [False, True, True, False, True]
        """
        points = np.asarray(time_points, np.int64)
        if not len(self):
            return np.zeros(points.shape, np.bool_)
        at = np.searchsorted(self.start, points, "right") - 1
        inside: NDArray[np.bool_] = (at >= 0) & (points < self.end[np.maximum(at, 0)])
        return inside

    def to_list(self) -> list[Interval]:
        """List the intervals as pairs; an open end is None."""
        ends = [None if end == OPEN else end for end in self.end.tolist()]
        return list(zip(self.start.tolist(), ends, strict=True))

    def to_arrow(self) -> Any:
        """Make an Arrow table with the columns `start` and `end`; an open end is null."""
        import pyarrow as pa

        return pa.table(
            {"start": pa.array(self.start), "end": pa.array(self.end, mask=self.end == OPEN)}
        )


def maximal(pairs: Any) -> Intervals:
    """Sort and merge intervals that may overlap, touch or be in any order; drop empty ones.

    >>> maximal([(4, 6), (1, 3), (3, 5), (9, 9)]).to_list()
    [(1, 6)]
    """
    found = _read(pairs)
    return _merged(*_sorted(found.take(found.end > found.start)))


def union_all(lists: Iterable[Any]) -> Intervals:
    """Return the time-points of at least one list.

        [-----)
                [----)
           [---)
        [------)[----)    touching intervals become one

    >>> union_all([[(1, 5)], [(5, 8)], [(10, None)]]).to_list()
    [(1, 8), (10, None)]
    """
    each = [_given(one) for one in lists]
    if not each:
        return Intervals.none()
    if len(each) == 1:
        return each[0]
    start = np.concatenate([one.start for one in each])
    end = np.concatenate([one.end for one in each])
    return _merged(*_sorted(Intervals(start, end)))


def intersect_all(lists: Iterable[Any]) -> Intervals:
    """Return the time-points of all lists; of no lists at all, none.

    >>> intersect_all([[(1, 10)], [(4, 13)], [(7, None)]]).to_list()
    [(7, 10)]
    """
    each = [_given(one) for one in lists]
    if not each:
        return Intervals.none()
    common = each[0]
    for one in each[1:]:
        common = _intersection(common, one)
    return common


def relative_complement_all(intervals: Any, lists: Iterable[Any]) -> Intervals:
    """Return the time-points of `intervals` that are in none of the lists.

    >>> relative_complement_all([(1, 20)], [[(4, 6)], [(12, None)]]).to_list()
    [(1, 4), (6, 12)]
    """
    return _difference(_given(intervals), union_all(lists))


def allen(relation: str, source: Any, target: Any, mode: str) -> Intervals:
    """Return what the pairs of a source and a target interval in a relation come to.

    Args:
        relation: before, meets, starts, finishes, during, overlaps, equal, or an inverse: after,
            met_by, started_by, finished_by, contains, overlapped_by. An open end is infinite.
        source: Intervals, in any form that `Intervals.of` takes.
        target: The same.
        mode: What to make of the source intervals S and target intervals T that are in a pair:
            `source` is S, `target` T, `union` S and T, `intersect` what is in both, `complement`
            what is in S and not in T, `complement_inv` what is in T and not in S. The names lhs,
            rhs, intersection, relative_complement, relative_complement_inverse are known too.

    Raises:
        ConfigError: There is no such relation or mode, or a list is not of maximal intervals.

    >>> allen("overlaps", [(1, 5), (8, 9)], [(3, 7), (12, 14)], "intersect").to_list()
    [(3, 5)]
    """
    if relation not in RELATIONS:
        raise _unknown(relation, RELATIONS, "an Allen relation", "unknown-relation")
    if mode not in MODES:
        raise _unknown(mode, MODES, "an output mode", "unknown-mode")
    sources, targets = _given(source), _given(target)
    if not len(sources) or not len(targets):
        return Intervals.none()
    of_source, of_target = RELATIONS[relation](sources, targets)
    return MODES[mode](sources.take(of_source), targets.take(of_target))


# -- relations: which source and target intervals are in some pair -----------------------------


def _before(s: Intervals, t: Intervals) -> tuple[Rows, Rows]:
    # Ends and starts ascend: the last target and the first source decide.
    return s.end < t.start[-1], t.start > s.end[0]


def _meets(s: Intervals, t: Intervals) -> tuple[Rows, Rows]:
    return _pairs(*_equal_in(s.end, t.start))


def _starts(s: Intervals, t: Intervals) -> tuple[Rows, Rows]:
    i, j = _equal_in(s.start, t.start)
    return _pairs(i, j, s.end[i] < t.end[j])


def _finishes(s: Intervals, t: Intervals) -> tuple[Rows, Rows]:
    i, j = _equal_in(s.end, t.end)
    return _pairs(i, j, s.start[i] > t.start[j])


def _equal(s: Intervals, t: Intervals) -> tuple[Rows, Rows]:
    i, j = _equal_in(s.start, t.start)
    return _pairs(i, j, s.end[i] == t.end[j])


def _during(s: Intervals, t: Intervals) -> tuple[Rows, Rows]:
    # Only the last target that starts before a source interval can reach beyond it.
    i, j = _last_before(s.start, t.start)
    return _pairs(i, j, s.end[i] < t.end[j])


def _overlaps(s: Intervals, t: Intervals) -> tuple[Rows, Rows]:
    # Only the last target that starts before a source interval ends can reach beyond that end.
    i, j = _last_before(s.end, t.start)
    return _pairs(i, j, (s.start[i] < t.start[j]) & (s.end[i] < t.end[j]))


def _inverse(related: Pairing) -> Pairing:
    def inverse(s: Intervals, t: Intervals) -> tuple[Rows, Rows]:
        of_target, of_source = related(t, s)
        return of_source, of_target

    return inverse


def _equal_in(values: Ints, others: Ints) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Find equal values: their places in both arrays, which ascend."""
    at = np.minimum(np.searchsorted(others, values), len(others) - 1)
    i = np.flatnonzero(others[at] == values)
    return i, at[i]


def _last_before(values: Ints, others: Ints) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Find for each value the last of the others that is smaller, if there is one."""
    at = np.searchsorted(others, values, "left") - 1
    i = np.flatnonzero(at >= 0)
    return i, at[i]


def _pairs(
    i: NDArray[np.intp], j: NDArray[np.intp], holds: NDArray[np.bool_] | None = None
) -> tuple[Rows, Rows]:
    """Keep the pairs that hold; each interval once. Places ascend, so equal ones are neighbours."""
    if holds is not None:
        i, j = i[holds], j[holds]
    return i, j if len(j) < 2 else j[np.concatenate(([True], j[1:] != j[:-1]))]


RELATIONS: dict[str, Pairing] = {
    "before": _before,
    "meets": _meets,
    "starts": _starts,
    "finishes": _finishes,
    "during": _during,
    "overlaps": _overlaps,
    "equal": _equal,
    "after": _inverse(_before),
    "met_by": _inverse(_meets),
    "started_by": _inverse(_starts),
    "finished_by": _inverse(_finishes),
    "contains": _inverse(_during),
    "overlapped_by": _inverse(_overlaps),
}
"""The relations of Table 2.2 of the thesis by name, and their inverses."""


# -- operations on two lists -------------------------------------------------------------------


def _intersection(a: Intervals, b: Intervals) -> Intervals:
    """Cut each interval of `a` with those of `b` that it overlaps."""
    first = np.searchsorted(b.end, a.start, "right")
    count = np.maximum(np.searchsorted(b.start, a.end, "left") - first, 0)
    i = np.repeat(np.arange(len(a)), count)
    # The places first, first+1, ... of each interval, one behind the other.
    offset = np.arange(len(i)) - np.repeat(np.cumsum(count) - count, count)
    j = np.repeat(first, count) + offset
    return Intervals(np.maximum(a.start[i], b.start[j]), np.minimum(a.end[i], b.end[j]))


def _difference(a: Intervals, b: Intervals) -> Intervals:
    """Cut `a` with the gaps of `b`."""
    start = np.concatenate(([_BEGINNING], b.end))
    end = np.concatenate((b.start, [OPEN]))
    return _intersection(a, Intervals(start, end).take(start < end))


def _union(a: Intervals, b: Intervals) -> Intervals:
    return union_all([a, b])


MODES: dict[str, Callable[[Intervals, Intervals], Intervals]] = {
    "source": lambda s, t: s,
    "target": lambda s, t: t,
    "union": _union,
    "intersect": _intersection,
    "complement": _difference,
    "complement_inv": lambda s, t: _difference(t, s),
}
"""The output modes of Table 3.3 of the thesis by name, and other names for them."""
MODES |= {
    "lhs": MODES["source"],
    "rhs": MODES["target"],
    "intersection": MODES["intersect"],
    "relative_complement": MODES["complement"],
    "relative_complement_inverse": MODES["complement_inv"],
}


def _sorted(found: Intervals) -> tuple[Ints, Ints]:
    order = np.argsort(found.start, kind="stable")
    return found.start[order], found.end[order]


def _merged(start: Ints, end: Ints) -> Intervals:
    """Merge intervals that are sorted by their starts."""
    if not len(start):
        return Intervals.none()
    reach = np.maximum.accumulate(end)
    begins = np.flatnonzero(np.concatenate(([True], start[1:] > reach[:-1])))
    return Intervals(start[begins], reach[np.concatenate((begins[1:] - 1, [len(start) - 1]))])


# -- what callers may give ---------------------------------------------------------------------


def _given(intervals: Any) -> Intervals:
    return intervals if isinstance(intervals, Intervals) else Intervals.of(intervals)


def _read(pairs: Any) -> Intervals:
    """Put intervals of any known form into two arrays, unchecked."""
    if isinstance(pairs, Intervals):
        return pairs
    if hasattr(pairs, "columns") and hasattr(pairs, "iloc"):  # a pandas DataFrame
        return Intervals(_ints(pairs["start"].array), _ints(pairs["end"].array, OPEN))
    if hasattr(pairs, "column_names"):  # an Arrow table
        return Intervals(_arrow_ints(pairs["start"]), _arrow_ints(pairs["end"], OPEN))
    if hasattr(pairs, "cast") and hasattr(pairs, "null_count"):  # an Arrow array
        import pyarrow as pa
        import pyarrow.compute as pc

        if not pa.types.is_struct(pairs.type):
            return _read(pairs.to_pylist())
        starts, ends = pc.struct_field(pairs, "start"), pc.struct_field(pairs, "end")
        return Intervals(_arrow_ints(starts), _arrow_ints(ends, OPEN))
    if isinstance(pairs, tuple) and len(pairs) == 2 and isinstance(pairs[0], np.ndarray):
        start, end = _ints(pairs[0]), _ints(pairs[1], OPEN)
        if start.shape != end.shape or start.ndim != 1:
            raise _bad(f"there are {start.size} starts and {end.size} ends", "give one for each")
        return Intervals(start, end)
    if isinstance(pairs, np.ndarray) and pairs.ndim == 2 and pairs.shape[1] == 2:
        return Intervals(_ints(pairs[:, 0]), _ints(pairs[:, 1], OPEN))
    rows: Sequence[Any] = list(pairs)
    if any(not isinstance(row, tuple | list) or len(row) != 2 for row in rows):
        raise _bad("an interval is not a pair (start, end)", "an open end is None")
    return Intervals(_ints([row[0] for row in rows]), _ints([row[1] for row in rows], OPEN))


def _ints(values: Any, missing: int | None = None) -> Ints:
    """Make an array of integers; what is missing becomes `missing`."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
        return values.astype(np.int64)
    items = [_int(v, missing) for v in (values.tolist() if hasattr(values, "tolist") else values)]
    return np.array(items, np.int64)


def _int(value: Any, missing: int | None) -> int:
    # None, the NaN of floating point columns and the NA of pandas are all "no end".
    if missing is not None and (value is None or str(value) in ("nan", "<NA>")):
        return missing
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise _bad(f"{value!r} is not a time-point", "time-points are integers")
    return int(value)


def _arrow_ints(column: Any, missing: int | None = None) -> Ints:
    import pyarrow as pa

    if not pa.types.is_integer(column.type) and not pa.types.is_null(column.type):
        raise _bad(f"a column of {column.type} has no time-points", "time-points are integers")
    column = column.cast(pa.int64())
    if column.null_count:
        if missing is None:
            raise _bad("a start is null", "only ends may be")
        column = column.fill_null(missing)
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    found: Ints = column.to_numpy(zero_copy_only=False)
    return found


def _unknown(name: str, known: Iterable[str], what: str, slug: str) -> ConfigError:
    names = list(known)
    close = get_close_matches(str(name), names, 1)
    guess = f"did you mean `{close[0]}`? There" if close else "there"
    remedy = f"{guess} are {', '.join(names)}"
    return ConfigError(Problem(f"`{name}` is not {what}", slug, remedy=remedy))


def _bad(message: str, remedy: str) -> ConfigError:
    return ConfigError(Problem(message, "config", remedy=remedy))


def _shown(interval: Interval) -> str:
    start, end = interval
    return f"[{start}, {'open' if end is None else end})"
