"""Which object goes to which partition.

Objects that records bring together form groups. Groups are dealt out by weight, the heaviest
first, each to the partition that has least so far; so a few busy objects do not end up together.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence


def groups(names: Iterable[str], together: Iterable[Sequence[str]]) -> dict[str, str]:
    """Find for each object the one that its group is named after.

    >>> groups(["a", "b", "c", "d"], [["a", "b"], ["c", "b"]])
    {'a': 'a', 'b': 'a', 'c': 'a', 'd': 'd'}
    """
    parent = {name: name for name in names}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for met in together:
        first = root(met[0])
        for other in met[1:]:
            second = root(other)
            first, second = min(first, second), max(first, second)
            parent[second] = first
    return {name: root(name) for name in parent}


def deal(weights: Mapping[str, int], group: Mapping[str, str], partitions: int) -> dict[str, int]:
    """Give each object a partition, whole groups to one.

    >>> deal({"a": 5, "b": 1, "c": 4, "d": 3}, {"a": "a", "b": "a", "c": "c", "d": "d"}, 2)
    {'a': 0, 'b': 0, 'c': 1, 'd': 1}
    """
    totals: dict[str, int] = {}
    for name, weight in weights.items():
        totals[group[name]] = totals.get(group[name], 0) + weight
    heap = [(0, number) for number in range(partitions)]
    placed: dict[str, int] = {}
    for name in sorted(totals, key=lambda n: (-totals[n], n)):
        load, number = heapq.heappop(heap)
        placed[name] = number
        heapq.heappush(heap, (load + totals[name], number))
    return {name: placed[group[name]] for name in weights}
