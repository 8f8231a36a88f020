"""Who has pairs where: what is known of an object goes to the parts in which it has pairs.

A pair belongs to one part of the second stage. Parts of the first stage need not know of pairs,
only of the *members* among their objects: an object, and a part in which it has some pair.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import Any, TypeAlias

from rtec.spark.objects import are_exact
from rtec.spark.split import PairPlaces, Places

Member: TypeAlias = tuple[Any, int]
"""An object, and a part of the second stage in which it has a pair."""


def members(columns: Sequence[Sequence[Any]], places: PairPlaces) -> list[Member]:
    """The members of pairs whose objects stand in columns, each once.

    >>> members([["tug", "tug"], ["ferry", "ferry"]], PairPlaces(1))
    [('tug', 0), ('ferry', 0)]
    """
    parts = places.of(columns).tolist()
    found = chain.from_iterable(zip(column, parts, strict=True) for column in columns)
    if all(map(are_exact, columns)):
        return list(dict.fromkeys(found))
    return list({member_key(member): member for member in found}.values())


def member_key(member: Member) -> Hashable:
    """What a member is remembered by: 7 and 7.0 differ, and the term f(a) and the atom 'f(a)'.

    >>> member_key((7, 0)) == member_key((7.0, 0))
    False
    """
    item, part = member
    return member if type(item) is str or type(item) is int else (item, type(item), part)


def by_part(met: Sequence[Member], places: Places) -> dict[int, list[Member]]:
    """For each part of the first stage the members that are its own."""
    found: dict[int, list[Member]] = {}
    for member, part in zip(met, places.of([item for item, _ in met]), strict=True):
        found.setdefault(part, []).append(member)
    return found


class Told:
    """Which members parts were told of, and in which slot: they remember them from there on."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._since: dict[Hashable, int] = {}

    def new(self, slot: int, met: Sequence[Member]) -> list[Member]:
        """Keep the members that nobody was told of in this slot, or before.

        >>> told = Told()
        >>> [told.new(slot, [("tug", 1)]) for slot in (5, 6, 4)]
        [[('tug', 1)], [], [('tug', 1)]]
        """
        is_exact = are_exact([item for item, _ in met])
        keys: Sequence[Hashable] = met if is_exact else list(map(member_key, met))
        since, never = self._since, slot + 1
        new = {k: m for k, m in zip(keys, met, strict=True) if slot < since.get(k, never)}
        since.update(dict.fromkeys(new, slot))
        return list(new.values())
