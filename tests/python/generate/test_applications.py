from collections import Counter
from itertools import islice

import numpy as np
import pytest
from rtec.errors import ConfigError
from rtec.generate import APPLICATIONS, generate, make_facts

# Name of a record -> number of its fields, of each application.
FIELDS = {
    "activity": {
        **dict.fromkeys(["walking", "running", "active", "inactive", "abrupt", "orientation"], 5),
        "coord": 7,
        "appear": 4,
        "disappear": 4,
    },
    "maritime": {
        "velocity": 7,
        "proximity": 7,
        "entersArea": 5,
        "leavesArea": 5,
        **{
            f"{event}_{edge}": 4
            for event in ("gap", "stop", "slow_motion", "change_in_speed")
            for edge in ("start", "end")
        },
        "change_in_heading": 4,
    },
    "netbill": {
        "request_quote": 6,
        "present_quote": 7,
        "accept_quote": 6,
        "send_goods": 6,
        "send_payment": 6,
    },
    "transport": {
        "stop_enter": 7,
        "stop_leave": 7,
        **{
            f"{event}_{edge}": 6 if edge == "start" else 5
            for event in ("abrupt_acceleration", "abrupt_deceleration", "sharp_turn")
            for edge in ("start", "end")
        },
        "passenger_density_change": 6,
        "noise_level_change": 6,
        "internal_temperature_change": 6,
    },
    "voting": {"propose": 5, "second": 5, "vote": 6, "close_ballot": 5, "declare": 6},
}


def text(name: str, size: int, seed: int, **options: int) -> str:
    return b"".join(b.text() for b in generate(name, size, seed, **options)).decode()


@pytest.mark.parametrize("name", APPLICATIONS)
def test_a_seed_gives_one_stream(name: str) -> None:
    assert text(name, 3000, 5) == text(name, 3000, 5)
    assert text(name, 3000, 5) != text(name, 3000, 6)


@pytest.mark.parametrize("name", APPLICATIONS)
def test_a_longer_stream_begins_with_the_shorter(name: str) -> None:
    assert text(name, 5000, 1).startswith(text(name, 2000, 1))


@pytest.mark.parametrize("name", APPLICATIONS)
def test_every_kind_of_record_occurs_with_its_fields_in_order_of_arrival(name: str) -> None:
    rows = [line.split("|") for line in text(name, 40_000, 2).splitlines()]
    assert len(rows) == 40_000
    assert {(row[0], len(row)) for row in rows} == set(FIELDS[name].items())
    arrivals = np.array([int(row[1]) for row in rows])
    times = np.array([int(row[2]) for row in rows])
    assert (np.diff(arrivals) >= 0).all()
    assert times.min() >= 1
    assert (arrivals >= times).all()
    assert all(field for row in rows for field in row)


@pytest.mark.parametrize("name", APPLICATIONS)
def test_the_stated_rate_is_the_real_one(name: str) -> None:
    application = APPLICATIONS[name]
    entities = 40 if name == "maritime" else application.entities * 4
    blocks = list(generate(name, 120_000, 1, entities=entities))
    rate = 120_000 / int(blocks[-1].arrival[-1]) / entities
    assert abs(rate / application.rate - 1) < 0.15


def test_rate_stands_for_a_number_of_entities() -> None:
    by_rate = list(generate("voting", 100_000, 1, rate=1000))
    time = int(by_rate[-1].arrival[-1])
    assert 800 < 100_000 / time < 1200


def test_dishonest_agents_do_not_send_what_they_owe() -> None:
    seen = Counter(line.split("|")[0] for line in text("netbill", 50_000, 1).splitlines())
    assert 0.5 < seen["send_goods"] / seen["accept_quote"] < 0.98
    assert 0.5 < seen["send_payment"] / seen["accept_quote"] < 0.98


def test_blocks_of_an_endless_stream_follow_each_other() -> None:
    for application in APPLICATIONS.values():
        blocks = list(islice(application.stream(1, 2), 3))
        for earlier, later in zip(blocks, blocks[1:], strict=False):
            assert earlier.arrival[-1] <= later.arrival[0]


def test_facts_of_a_loop_start_with_every_combination() -> None:
    facts = make_facts("immune", 20, 7)
    levels: dict[str, tuple[int, ...]] = {}
    for line in facts.splitlines():
        if line.startswith("initial_level"):
            system, _, level = line.removeprefix("initial_level(").rstrip(").").split(", ")
            levels[system] = (*levels.get(system, ()), int(level))
    assert len(levels) == 20
    assert len(set(list(levels.values())[:18])) == 18
    assert facts == make_facts("immune", 20, 7) != make_facts("immune", 20, 8)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"name": "opera", "size": 5}, "no generator `opera`"),
        ({"name": "voting", "size": 0}, "at least one record"),
        ({"name": "voting", "size": 5, "entities": 0}, "at least one is needed"),
        ({"name": "voting", "size": 5, "rate": -1.0}, "above 0"),
        ({"name": "voting", "size": 5, "rate": 1.0, "entities": 3}, "not both"),
    ],
)
def test_senseless_numbers_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        list(generate(**options))  # type: ignore[arg-type]
