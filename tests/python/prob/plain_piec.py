"""The definitions and algorithms of the thesis, word for word, in plain Python with fractions.

Nothing here is shared with rtec. Time-points are positions in a list, from 1.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hypothesis import strategies as st

Interval = tuple[int, int]
Element = tuple[int, Fraction]

tenths = st.integers(0, 10).map(lambda n: Fraction(n, 10))
low_tenths = st.sampled_from([0, 0, 0, 1, 2, 3, 4, 5, 9, 10]).map(lambda n: Fraction(n, 10))
thresholds = st.sampled_from(["0.5", "0.1", "0.3", "0.7", "1", "0", "1/3", "0.45"])


def series(longest: int = 30) -> st.SearchStrategy[list[Fraction]]:
    return st.lists(tenths, max_size=longest) | st.lists(low_tenths, max_size=longest)


def floats(values: list[Fraction]) -> list[float]:
    return [float(value) for value in values]


def probability(values: list[Fraction], interval: Interval) -> Fraction:
    """Definition 20."""
    start, end = interval
    return sum(values[start - 1 : end], Fraction(0)) / (end - start + 1)


def all_pmis(values: list[Fraction], threshold: Fraction) -> list[Interval]:
    """Definition 21, by trying all intervals."""
    n = len(values)
    likely = []
    for s in range(1, n + 1):
        total, longest = Fraction(0), None
        for e in range(s, n + 1):
            total += values[e - 1]
            if total >= threshold * (e - s + 1):
                longest = (s, e)
        if longest:
            likely.append(longest)
    return [
        (s, e)
        for s, e in likely
        if not any(s2 <= s and e <= e2 and (s, e) != (s2, e2) for s2, e2 in likely)
    ]


def credible(values: list[Fraction], pmis: list[Interval]) -> set[Interval]:
    """The most probable first; what overlaps a chosen one is out."""
    chosen: set[Interval] = set()
    best = sorted(pmis, key=lambda i: (-probability(values, i), i[0] - i[1], i[0]))
    for s, e in best:
        if not any(s <= e2 and s2 <= e for s2, e2 in chosen):
            chosen.add((s, e))
    return chosen


def batches(values: list[Fraction], sizes: list[int]) -> list[list[Fraction]]:
    """Cut a list into parts of the given sizes, over and over."""
    parts, i, k = [], 0, 0
    while i < len(values):
        parts.append(values[i : i + sizes[k % len(sizes)]])
        i += sizes[k % len(sizes)]
        k += 1
    return parts


class PlainOpiec:
    """Algorithms 10 and 11; `maintain` is given S and the last time-point (section 6.2)."""

    def __init__(
        self,
        threshold: Fraction,
        maintain: Callable[[list[Element], int], list[Element]] = lambda s, now: s,
    ) -> None:
        self.threshold = threshold
        self.maintain = maintain
        self.support_set: list[Element] = []
        self.min_prev_prefix: Fraction | None = None
        self.prefix_before = Fraction(0)
        self.seen = 0
        self.known: list[Interval] = []

    def update(self, batch: list[Fraction]) -> list[Interval]:
        i, j = self.seen + 1, self.seen + len(batch)
        prefix = {i - 1: self.prefix_before}
        for t in range(i, j + 1):
            prefix[t] = prefix[t - 1] + batch[t - i] - self.threshold
        dp = {t: max(prefix[u] for u in range(t, j + 1)) for t in range(i, j + 1)}
        found = self.interval_computation(i, j, prefix, dp)
        for t in range(i, j + 1):  # Algorithm 10
            if self.min_prev_prefix is None or prefix[t - 1] < self.min_prev_prefix:
                self.support_set.append((t, prefix[t - 1]))
                self.min_prev_prefix = prefix[t - 1]
        self.support_set = self.maintain(self.support_set, j)
        self.prefix_before = prefix[j]
        self.seen = j
        self.known = [
            (s, e) for s, e in self.known if not any(s2 <= s and e <= e2 for s2, e2 in found)
        ] + found
        return found

    def interval_computation(
        self, i: int, j: int, prefix: dict[int, Fraction], dp: dict[int, Fraction]
    ) -> list[Interval]:
        """Algorithm 11, line by line."""
        support_set = self.support_set
        intervals: list[Interval] = []
        s, e, pt, flag = i, i, 1, False
        while s <= j and e <= j:
            if pt <= len(support_set):
                dprange = dp[e] - support_set[pt - 1][1]
                if dprange >= 0:
                    flag, e = True, e + 1
                else:
                    if flag:
                        intervals.append((support_set[pt - 1][0], e - 1))
                    flag, pt = False, pt + 1
            else:
                dprange = dp[e] - prefix[s - 1]
                if dprange >= 0:
                    flag, e = True, e + 1
                else:
                    if s < e and flag:
                        intervals.append((s, e - 1))
                    flag, s = False, s + 1
        if flag and pt <= len(support_set):
            intervals.append((support_set[pt - 1][0], e - 1))
        elif flag:
            intervals.append((s, e - 1))
        return intervals


def shortest_score_ranges(bound: int) -> Callable[[list[Element], int], list[Element]]:
    """Section 6.2.1: remove the elements of S with the shortest score ranges."""

    def maintain(elements: list[Element], now: int) -> list[Element]:
        excess = len(elements) - bound
        if excess <= 0:
            return elements
        ranges = [
            (elements[k - 1][1] - elements[k][1], k) if k else (None, 0)
            for k in range(len(elements))
        ]
        finite = sorted((size, k) for size, k in ranges if size is not None)
        removed = {k for _, k in finite[:excess]}
        return [element for k, element in enumerate(elements) if k not in removed]

    return maintain
