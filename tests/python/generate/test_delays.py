from collections import Counter

import numpy as np
import pytest
from rtec.errors import ConfigError
from rtec.generate import generate
from rtec.generate.delays import Delays

SIZE = 20_000


def records(**options: object) -> list[tuple[str, int, str]]:
    blocks = list(generate("transport", SIZE, 3, entities=50, **options))  # type: ignore[arg-type]
    return [
        (name, arrival, fields)
        for block in blocks
        for name, arrival, fields in zip(
            block.name.to_pylist(), block.arrival.tolist(), block.fields.to_pylist(), strict=True
        )
    ]


PLAIN = records()


@pytest.mark.parametrize("share", [0.05, 0.4, 0.8])
def test_a_share_of_the_records_is_late_and_nothing_else_changes(share: float) -> None:
    late = records(delays=Delays(share, scale=300.0))
    assert Counter((n, f) for n, _, f in late) == Counter((n, f) for n, _, f in PLAIN)
    arrivals = np.array([a for _, a, _ in late])
    assert (np.diff(arrivals) >= 0).all()
    delay = arrivals - np.array([int(f.split("|")[0]) for _, _, f in late])
    assert (delay >= 0).all()
    assert abs((delay > 0).mean() - share) < 0.02
    # The mean of a Gamma distribution is shape times scale.
    assert abs(delay[delay > 0].mean() / 600 - 1) < 0.1


def test_retractions_follow_what_they_take_back() -> None:
    known: Counter[tuple[str, str]] = Counter()
    retractions = 0
    for name, _, fields in records(retract=0.1):
        if name.startswith("-"):
            retractions += 1
            known[name[1:], fields] -= 1
            assert known[name[1:], fields] >= 0
        else:
            known[name, fields] += 1
    assert abs(retractions / SIZE - 0.1) < 0.01


def test_retracted_records_stand_beside_the_plain_ones() -> None:
    assert [r for r in records(retract=0.1) if not r[0].startswith("-")] == PLAIN


def test_delays_and_retractions_go_together() -> None:
    both = records(delays=Delays(0.3, scale=100.0), retract=0.05)
    arrivals = np.array([a for _, a, _ in both])
    assert (np.diff(arrivals) >= 0).all()
    assert len(both) > SIZE


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_lies_between_0_and_1(share: float) -> None:
    with pytest.raises(ConfigError, match="between 0 and 1"):
        Delays(share)
    with pytest.raises(ConfigError, match="between 0 and 1"):
        records(retract=share)
