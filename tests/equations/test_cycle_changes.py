"""One cycle with every way in which its members can read each other, over many streams.

Random cycles (test_incremental.py) hardly ever have all of them, nor streams long enough for a
change to go round more than once. From scratch equals the reference elsewhere; here, by changes
equals from scratch.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from rtec import Program, Record, Session, compile

from equations.engine import as_result, differences

RULES = """
initiatedAt(light(X)=on, T) :- happensAt(push(X), T), not holdsAt(locked(X)=true, T).
initiatedAt(light(X)=off, T) :- happensAt(pull(X), T), holdsAt(light(X)=on, T).
fi(light(X)=on, light(X)=dim, R) :- patience(X, R).
fi(light(X)=dim, light(X)=off, 3).
p(light(_)=on).

happensAt(alarm(X), T) :- happensAt(push(X), T), holdsAt(light(X)=dim, T).

initiatedAt(mode(X)=waiting, T) :- happensAt(start(light(X)=dim), T).
initiatedAt(mode(X)=busy, T) :- happensAt(end(light(X)=dim), T), not happensAt(alarm(X), T).
terminatedAt(mode(X)=_, T) :- happensAt(alarm(X), T).

initiatedAt(locked(X)=true, T) :- initiatedAt(light(X)=off, T), holdsAt(mode(X)=busy, T).
initiatedAt(locked(Y)=true, T) :- happensAt(alarm(X), T), next(X, Y).
terminatedAt(locked(X)=true, T) :- happensAt(pull(X), T), holdsAt(locked(X)=true, T).
terminatedAt(locked(_)=true, T) :- happensAt(reset, T).

initiatedAt(blink(X)=low, T) :- happensAt(push(X), T), not holdsAt(locked(X)=true, T).
terminatedAt(locked(X)=true, T) :- happensAt(push(X), T), holdsAt(blink(X)=high, T).
fi(blink(X)=low, blink(X)=high, 3).
fi(blink(X)=high, blink(X)=low, 2).
p(blink(_)=low).
p(blink(_)=high).

initiatedAt(above(X)=true, T) :- happensAt(start(locked(X)=true), T).
terminatedAt(above(X)=true, T) :- happensAt(push(X), T), not holdsAt(mode(X)=busy, T).
"""

BACKGROUND = """
patience(a, 4). patience(b, 6). patience(c, 2). patience(d, 9).
next(a, b). next(b, c). next(c, a). next(d, a).
"""

END, STEP, WINDOW = 120, 10, 40


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder: Path = tmp_path_factory.mktemp("cycle")
    (folder / "rules.prolog").write_text(RULES)
    (folder / "background.prolog").write_text(BACKGROUND)
    return compile(folder / "rules.prolog", background=[folder / "background.prolog"])


def test_has_delta_rules(program: Program) -> None:
    assert "rtec_delta(cycle(" in program.deltas


@pytest.mark.parametrize("seed", range(25))
def test_equal_scratch(program: Program, seed: int) -> None:
    chance = random.Random(seed)
    plain = Session(program, window=WINDOW)
    by_changes = Session(program, window=WINDOW, incremental="always")
    records, retracted = _stream(chance)
    for session in (plain, by_changes):
        session.insert(records)
        session.retract(retracted)
    for q in range(STEP, END + 1, STEP):
        expected, found = as_result(plain.query(q)), as_result(by_changes.query(q))
        assert differences(found, expected) == {}, q
        if q == END // 2 and seed % 5 == 0:
            snapshot = by_changes.snapshot()
            by_changes.close()
            by_changes = Session.restore(program, snapshot, incremental="always")
    assert by_changes.mode == "changes"
    plain.close()
    by_changes.close()


def _stream(chance: random.Random) -> tuple[list[Record], list[Record]]:
    """Records of which a fifth come late, and a tenth are taken back."""
    records, retracted = [], []
    for _ in range(chance.choice([40, 120])):
        name = chance.choice(["push"] * 6 + ["pull"] * 3 + ["reset"])
        time = chance.randint(1, END)
        late = chance.randint(0, 25) if chance.random() < 0.2 else 0
        args = () if name == "reset" else (chance.choice("abcd"),)
        records.append(Record(name, time, args, arrival=time + late))
        if chance.random() < 0.1:
            back = time + late + chance.randint(0, 20)
            retracted.append(Record(name, time, args, arrival=back))
    return records, retracted
