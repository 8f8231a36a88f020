"""What the synopsis says has to be consistent, vessel by vessel."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from rtec.generate import generate
from rtec.generate.maritime import AREAS, vessel_facts
from rtec.generate.maritime.critical import NEAR_MILES, near_pairs, pieces
from rtec.generate.maritime.fleet import ROSTER, Fleet, vessel_id

ROWS = [
    line.split("|")
    for block in generate("maritime", 60_000, 4, entities=60)
    for line in block.lines().to_pylist()
]


def of_each_vessel() -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = defaultdict(list)
    for row in ROWS:
        if row[0] != "proximity":
            found[row[3]].append(row)
    return found


def test_a_silent_vessel_reports_nothing() -> None:
    gaps = 0
    for rows in of_each_vessel().values():
        silent = False
        for row in rows:
            if row[0] == "gap_end":
                assert silent
                silent = False
            assert not silent, row
            if row[0] == "gap_start":
                silent = True
                gaps += 1
    assert gaps > 10


@pytest.mark.parametrize("kind", ["stop", "slow_motion", "change_in_speed"])
def test_starts_and_ends_take_turns(kind: str) -> None:
    for rows in of_each_vessel().values():
        on = False
        for name, *_ in rows:
            if name == "gap_start":
                on = False  # announced anew after the gap
            elif name == f"{kind}_start":
                assert not on
                on = True
            elif name == f"{kind}_end":
                assert on
                on = False


def test_areas_are_entered_before_they_are_left() -> None:
    names = {area.name for area in AREAS}
    for rows in of_each_vessel().values():
        inside: set[str] = set()
        for row in rows:
            if row[0] == "gap_start":
                inside.clear()
            elif row[0] == "entersArea":
                assert row[4] in names - inside
                inside.add(row[4])
            elif row[0] == "leavesArea":
                inside.remove(row[4])


def test_areas_of_one_type_do_not_overlap() -> None:
    x, y = (a.ravel() for a in np.meshgrid(np.arange(-5, 85, 0.25), np.arange(0, 45, 0.25)))
    for kind in {area.type for area in AREAS}:
        covered = sum(a.shape.covers(x, y).astype(int) for a in AREAS if a.type == kind)
        assert np.max(covered) == 1


def test_velocity_has_one_decimal_and_a_whole_heading() -> None:
    for row in ROWS:
        if row[0] == "velocity":
            _, _, _, _, speed, course, heading = row
            assert speed.count(".") == course.count(".") == 1
            assert 0 <= float(speed) < 60
            assert 0 <= float(course) < 360
            assert 0 <= int(heading) < 360 or int(heading) == 511


def test_proximity_comes_in_pieces_of_ordered_pairs() -> None:
    last: dict[tuple[str, str], int] = {}
    joined = 0
    for row in ROWS:
        if row[0] == "proximity":
            arrival, start, end = map(int, row[1:4])
            pair = row[5], row[6]
            assert row[4] == "true"
            assert int(pair[0]) < int(pair[1])
            assert start < end <= start + 600
            assert (start - 1) // 600 == (end - 2) // 600
            assert arrival == end - 1
            assert last.get(pair, 0) <= start
            joined += last.get(pair) == start
            last[pair] = end
    assert joined > 100


def test_near_pairs_are_those_found_by_comparing_all() -> None:
    chance = np.random.default_rng(1)
    x, y = chance.uniform(0, 2, (2, 30, 20))
    afloat = chance.random((30, 20)) < 0.9
    low, high, look = near_pairs(x, y, afloat)
    found = set(zip(low.tolist(), high.tolist(), look.tolist(), strict=True))
    expected = {
        (i, j, k)
        for k in range(20)
        for i in range(30)
        for j in range(i + 1, 30)
        if afloat[i, k] and afloat[j, k]
        if np.hypot(x[i, k] - x[j, k], y[i, k] - y[j, k]) <= NEAR_MILES
    }
    assert len(found) == len(low)
    assert found == expected


def test_pieces_join_consecutive_minutes_up_to_the_cut() -> None:
    minute = np.array([11, 8, 9, 10, 13])
    pair = np.zeros(5, np.int64), np.ones(5, np.int64)
    start, end, _ = pieces(*pair, minute, 2)
    assert list(zip(start.tolist(), end.tolist(), strict=True)) == [
        (481, 601),
        (601, 721),
        (781, 841),
    ]
    none = np.zeros(0, np.int64)
    assert [len(a) for a in pieces(none, none, none, 2)] == [0, 0, 0]


def test_a_fleet_has_the_types_of_its_roster() -> None:
    facts = vessel_facts(45).splitlines()[2:]
    assert len(facts) == 45
    assert facts[0] == f"vesselType({vessel_id(0)}, {ROSTER[0]})."
    assert facts[20].endswith(f", {ROSTER[0]}).")


def test_plans_move_at_plausible_speeds() -> None:
    fleet = Fleet(20, 3)
    fleet.extend(48 * 3600)
    times = np.arange(60.0, 48 * 3600, 60.0)
    for index, plan in enumerate(fleet.plans):
        track = plan.track(times)
        assert track.speed.max() < 36, ROSTER[index]
        assert track.x.min() > -5 and track.x.max() < 85
        moved = np.hypot(np.diff(track.x), np.diff(track.y)) * 60
        assert moved.max() < 36.1


def test_every_type_of_vessel_is_seen() -> None:
    seen = Counter(
        ROSTER[(int(row[3]) - vessel_id(0)) % 20] for row in ROWS if row[0] == "velocity"
    )
    assert set(seen) == set(ROSTER)
