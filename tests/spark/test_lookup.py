"""What is looked up for a column is what is found for each of its numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from rtec.runtime.records import GREATEST, LEAST, Record, batches
from rtec.spark.lookup import looked_up
from rtec.spark.meetings import Told, member_key
from rtec.spark.routing import Routes
from rtec.spark.split import PairPlaces, part_of, part_of_pair

NUMBERS = st.one_of(st.integers(-50, 50), st.integers(LEAST, GREATEST))
ITEMS = st.sampled_from([7, 7.0, "7", "tug", 8, -1])


@given(st.lists(NUMBERS))
@example([LEAST, GREATEST, LEAST])
@example([0, 4095])
@example([0, 4096])
def test_each_number_is_asked_for_once(numbers: list[int]) -> None:
    asked: list[int] = []

    def find(items: list[int]) -> list[int]:
        asked.extend(items)
        return [item % 1000 - 7 for item in items]

    found = looked_up(np.array(numbers, np.int64), find)
    assert found.tolist() == [number % 1000 - 7 for number in numbers]
    assert sorted(asked) == sorted(set(numbers))


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1), st.integers(2, 5))
def test_objects_and_pairs_of_numbers_go_where_their_names_go(
    pairs: list[tuple[int, int]], parts: int
) -> None:
    [batch] = batches(Record("meets", 1, pair) for pair in pairs)
    routes = Routes(parts, {("event", "meets", 2): ((0,), (1,))})
    rows, found = routes.parts_of(batch, routes.places())
    assert rows.tolist() == list(range(len(pairs)))
    assert found.tolist() == [part_of(str(pair[0]), parts) for pair in pairs]
    of_pairs = PairPlaces(parts).of(batch.args).tolist()
    assert of_pairs == [part_of_pair(map(str, pair), parts) for pair in pairs]


@given(st.lists(st.tuples(st.integers(0, 3), st.lists(st.tuples(ITEMS, st.integers(0, 1))))))
def test_members_are_told_of_where_nobody_was_told_before(
    told: list[tuple[int, list[tuple[object, int]]]],
) -> None:
    since: dict[object, int] = {}
    one = Told()
    for slot, met in told:
        new = [m for m in met if slot < since.get(member_key(m), 9)]
        since.update({member_key(m): slot for m in new})
        assert {member_key(m) for m in one.new(slot, met)} == {member_key(m) for m in new}
