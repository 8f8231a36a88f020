"""Instances with so many intervals that they are asked for in pieces: engine = reference.

The streams of the other equations are too short for that. Here two rooms are switched on and off,
and painted, all the time, and rules of every kind ask what holds.
"""

from __future__ import annotations

import random

import pytest
from reference import Record, Result, evaluate_window, parse, query_times
from rtec.runtime.session import Session

from equations.described import program_of
from equations.engine import as_result, differences, engine_records

RULES = """
initiatedAt(on(X)=true, T) :- happensAt(go(X), T).
terminatedAt(on(X)=true, T) :- happensAt(stop(X), T).
initiatedAt(paint(X)=C, T) :- happensAt(painted(X,C), T).

holdsFor(glow(X)=true, I) :-
    holdsFor(on(X)=true, I1),
    holdsFor(paint(X)=red, I2),
    intersect_all([I1,I2], I).

initiatedAt(warm(X)=true, T) :- happensAt(look(X,_), T), holdsAt(on(X)=true, T).
terminatedAt(warm(X)=true, T) :- happensAt(look(X,_), T), not holdsAt(on(X)=true, T).
fi(warm(X)=true, warm(X)=hot, 5).

happensAt(match(X,C), T) :- happensAt(look(X,C), T), holdsAt(paint(X)=C, T).
happensAt(found(X,N), T) :-
    happensAt(look(X,_), T),
    findall(C, (member(C, [red,blue,green]), not holdsAt(paint(X)=C, T)), Others),
    length(Others, N).
happensAt(other(X,Y), T) :-
    happensAt(look(X,_), T), holdsAt(glow(X)=true, T), holdsAt(on(Y)=true, T), X \\== Y.

initiatedAt(calm(X)=true, T) :-
    happensAt(look(X,red), T), holdsAt(glow(X)=true, T), not holdsAt(upset(X)=true, T).
terminatedAt(calm(X)=true, T) :- happensAt(stop(X), T), holdsAt(upset(X)=true, T).
initiatedAt(upset(X)=true, T) :-
    happensAt(look(X,blue), T), holdsAt(calm(X)=true, T), holdsAt(on(X)=true, T).
terminatedAt(upset(X)=true, T) :- happensAt(look(X,green), T), not holdsAt(paint(X)=green, T).
"""
END = 240


def records_of(seed: int, most_delay: int) -> list[Record]:
    """Things happen in each room at most time-points; some of it is known late."""
    drawn = random.Random(seed)
    found = []
    for room in ("hall", "attic"):
        for time in range(1, END + 1):
            happened = [
                (0.9, "stop" if time % 2 else "go", (room,)),
                (1.0, "painted", (room, drawn.choice(["red", "red", "blue", "green"]))),
                (0.5, "look", (room, drawn.choice(["red", "blue", "green"]))),
            ]
            for likely, name, args in happened:
                if drawn.random() < likely:
                    late = drawn.randint(0, most_delay) if drawn.random() < 0.2 else 0
                    found.append(Record(name, time + late, time, args))
    return found


def answers(records: list[Record], step: int, window: int, **how: bool | str) -> dict[int, Result]:
    """What the engine says at each query time, restarted from a snapshot now and then."""
    restart = how.pop("restart", False)
    program = program_of(RULES)
    session = Session(program, window=window, start=0, **how)  # type: ignore[arg-type]
    session.insert(engine_records(records))
    found = {}
    for number, q in enumerate(query_times(0, END, step)):
        found[q] = as_result(session.query(q))
        if restart and number % 3 == 2:
            snapshot = session.snapshot()
            session.close()
            session = Session.restore(program, snapshot)
    session.close()
    return found


@pytest.mark.parametrize(("step", "window", "most_delay"), [(END, END, 0), (40, 160, 60)])
def test_long_lists(step: int, window: int, most_delay: int) -> None:
    """One window over everything, and overlapping ones with late records."""
    records = records_of(step, most_delay)
    times = query_times(0, END, step)
    expected = evaluate_window(parse(RULES), [], records, 0, 1, times, window)
    for asked in (("on", ("hall",), "true"), ("paint", ("hall",), "red")):
        assert len(expected[END].fluents[asked]) > 34
    for how in ({}, {"incremental": "always"}, {"restart": True}):
        found = answers(records, step, window, **how)
        for q in times:
            assert differences(found[q], expected[q]) == {}
