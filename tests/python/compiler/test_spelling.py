"""Slips of the finger, and names that are alike on purpose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rtec.compiler.spelling import closest, distance, likeness, near_variable

WORDS = st.text("abcde_", max_size=8)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("withinAera", "withinArea", "slip"),  # swapped
        ("stoped", "stopped", "slip"),  # left out
        ("stoppped", "stopped", "slip"),  # doubled
        ("proximiry", "proximity", "slip"),  # the key beside
        ("gapStart", "gap_start", "slip"),
        ("vote", "voted", "near"),
        ("train", "rain", "near"),
        ("walking", "talking", "near"),
        ("sensor1", "sensor2", None),
        ("sensor1", "sensor", None),
        ("abrupt_acceleration", "abrupt_deceleration", "near"),
        ("on", "no", None),
        ("stopped", "stopped", None),
    ],
)
def test_likeness(one: str, other: str, expected: str | None) -> None:
    assert likeness(one, other) == expected
    assert likeness(other, one) == expected


@given(WORDS, WORDS, WORDS)
def test_distance_is_a_distance(a: str, b: str, c: str) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, b) <= max(len(a), len(b))
    assert abs(len(a) - len(b)) <= distance(a, b)


@given(WORDS, st.integers(0, 6))
def test_a_swap_is_one_edit(word: str, position: int) -> None:
    swapped = word[:position] + word[position : position + 2][::-1] + word[position + 2 :]
    assert distance(word, swapped) <= 1


def test_slips_come_first() -> None:
    assert closest("target", ["targets", "tarhet"]) == "tarhet"
    assert closest("target", ["source"]) is None


def test_variables_with_numbers_are_different() -> None:
    assert near_variable("I1", ["I2", "I"]) is None
    assert near_variable("vessel", ["Vessel"]) == "Vessel"
    assert near_variable("T", ["U"]) is None
