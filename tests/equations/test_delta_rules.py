"""The cases of the RTECinc paper, one by one: rules 3 and 4(a) to (d) over its rule (1).

    initiatedAt(f=v, T) :- happensAt(a, T), holdsAt(b=v, T),
                           not happensAt(c, T), not holdsAt(d=v, T).

At the first query times something is known of a, b, c and d; then one record comes late, or is
taken back. Every case is looked at by changes, and says what has to come out.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import rtec
from rtec import Record

RULES = """
initiatedAt(f(X)=true, T) :-
    happensAt(a(X), T),
    holdsAt(b(X)=true, T),
    not happensAt(c(X), T),
    not holdsAt(d(X)=true, T).
initiatedAt(f(X)=true, T) :-
    happensAt(again(X), T).
terminatedAt(f(X)=true, T) :-
    happensAt(stop(X), T).
initiatedAt(b(X)=true, T) :- happensAt(b_on(X), T).
terminatedAt(b(X)=true, T) :- happensAt(b_off(X), T).
initiatedAt(d(X)=true, T) :- happensAt(d_on(X), T).
terminatedAt(d(X)=true, T) :- happensAt(d_off(X), T).
initiatedAt(above(X)=true, T) :- happensAt(start(f(X)=true), T).
terminatedAt(above(X)=true, T) :- happensAt(end(f(X)=true), T).
"""

Said = list[tuple[str, int]]
Intervals = tuple[tuple[int, int | None], ...]

# name: (known at 20, late at 30, taken back at 30, f at 20, f at 30)
CASES: dict[str, tuple[Said, Said, Said, Intervals, Intervals]] = {
    # Rule 3: an initiation that is no more.
    "3(a) a is retracted": ([("b_on", 2), ("a", 5)], [], [("a", 5)], ((6, None),), ()),
    "3(b) b is cut": ([("b_on", 2), ("a", 5)], [("b_off", 4)], [], ((6, None),), ()),
    "3(c) c comes late": ([("b_on", 2), ("a", 5)], [("c", 5)], [], ((6, None),), ()),
    "3(d) d comes late": ([("b_on", 2), ("a", 5)], [("d_on", 3)], [], ((6, None),), ()),
    # Rule 4: an initiation that is new.
    "4(a) a comes late": ([("b_on", 2)], [("a", 5)], [], (), ((6, None),)),
    "4(b) b comes late": ([("a", 5)], [("b_on", 2)], [], (), ((6, None),)),
    "4(c) c is retracted": (
        [("b_on", 2), ("a", 5), ("c", 5)], [], [("c", 5)], (), ((6, None),),
    ),
    "4(d) d is retracted": (
        [("b_on", 2), ("a", 5), ("d_on", 3)], [], [("d_on", 3)], (), ((6, None),),
    ),
    # Section 6: a point with two derivations stays as long as one of them does.
    "two derivations": (
        [("b_on", 2), ("a", 5), ("again", 5)], [], [("a", 5)], ((6, None),), ((6, None),),
    ),
    "neither derivation": (
        [("b_on", 2), ("a", 5), ("again", 5)], [], [("a", 5), ("again", 5)], ((6, None),), (),
    ),
    # A termination that waited for its initiation (section 3).
    "late initiation": ([("stop", 9)], [("again", 5)], [], (), ((6, 10),)),
    "the one before": (
        [("again", 3), ("stop", 9), ("again", 12)], [("stop", 7)], [],
        ((4, 10), (13, None)), ((4, 8), (13, None)),
    ),
}  # fmt: skip


def _of(found: rtec.Recognitions, fluent: str) -> Intervals:
    """When the fluent holds of x; of others it may hold as well."""
    mine = {r.fluent: tuple(r.intervals) for r in found if r.args == ("x",)}  # type: ignore[union-attr]
    return mine.get(fluent, ())


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> rtec.Program:
    path: Path = tmp_path_factory.mktemp("delta") / "rule.prolog"
    path.write_text(RULES)
    return rtec.compile(path)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_case(program: rtec.Program, case: tuple[Said, Said, Said, Intervals, Intervals]) -> None:
    known, late, retracted, before, after = case
    with rtec.Session(program, window=50, incremental="always") as session:
        session.query(1)
        session.insert([Record(name, time, ("x",)) for name, time in known])
        session.insert([Record("again", 15, ("other",))])
        assert _of(session.query(20), "f") == before
        session.insert([Record(name, time, ("x",), arrival=25) for name, time in late])
        session.retract([Record(name, time, ("x",)) for name, time in retracted])
        found = session.query(30)
        assert session.mode == "changes"
        assert _of(found, "f") == after
        # What stands on f follows it: it starts and ends when f does.
        assert _of(found, "above") == after
