r"""Delayed effects in windows: the ten cases of Figure 3.2 of the thesis, and their borders.

`fi(f=on, f=off, 10)`: an initiation of `on` at T initiates `off` at T+10, unless `on` is broken
in between. In the cases (a) that is all; in the cases (b) `p(f=on)` lets a re-initiation postpone
it. In the drawings a letter `i` is an initiation of `on` and `t` a termination, `D` the delayed
initiation of `off` that takes effect and `x` one that is cancelled; `[---)` is where `on` holds,
and `|` a query time.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import Record as ReferenceRecord
from reference import evaluate_window, parse
from rtec.model import Interval
from rtec.runtime.records import Record

from equations.described import Held, answers, event, last_answer

RULES = {
    "a": """
initiatedAt(f=on, T) :- happensAt(up, T).
terminatedAt(f=on, T) :- happensAt(down, T).
fi(f=on, f=off, 10).
"""
}
RULES["b"] = RULES["a"] + "p(f=on).\n"


def stream(ups: list[int], downs: list[int]) -> list[Record]:
    return [event(t, "up") for t in ups] + [event(t, "down") for t in downs]


def held(on: list[Interval], off: list[Interval]) -> Held:
    found = {("f", (), "on"): on, ("f", (), "off"): off}
    return {fvp: intervals for fvp, intervals in found.items() if intervals}


@dataclass(frozen=True)
class Case:
    """Events of `up` and `down`, and what holds at the query times 20, 40 and 60."""

    ups: list[int]
    downs: list[int]
    at: dict[int, Held]


FIGURE_3_2 = {
    # 12 14 17 | 22 24 27          the initiations lie before the window (20,40], the
    #  i  i  i |                   effects inside it; of the attempts that are kept from
    #           |  D  x  x         the last query time, the first counts
    #   [------|--)
    "(a)(i)": Case(
        [12, 14, 17],
        [],
        {
            20: held([(13, None)], []),
            40: held([(13, 23)], [(23, None)]),
            60: held([], [(23, None)]),
        },
    ),
    #           |  x  x  D         the last counts, since it may be postponed
    #   [------|---------)
    "(b)(i)": Case(
        [12, 14, 17],
        [],
        {
            20: held([(13, None)], []),
            40: held([(13, 28)], [(28, None)]),
            60: held([], [(28, None)]),
        },
    ),
    # | 22 25 28   32 35 38 |      all inside the window, less than 10 apart
    # |  i  i  i    D  x  x |
    # |   [---------)       |
    "(a)(ii)": Case(
        [22, 25, 28],
        [],
        {20: {}, 40: held([(23, 33)], [(33, None)]), 60: held([], [(33, None)])},
    ),
    # |  i  i  i    x  x  D |      each initiation moves the effect
    # |   [---------------) |
    "(b)(ii)": Case(
        [22, 25, 28],
        [],
        {20: {}, 40: held([(23, 39)], [(39, None)]), 60: held([], [(39, None)])},
    ),
    # | 22 25   29   32 35  |      a termination before the first effect cancels both
    # |  i  i    t    x  x  |
    # |   [------)          |
    "(a)(iii)": Case([22, 25], [29], {20: {}, 40: held([(23, 30)], []), 60: {}}),
    "(b)(iii)": Case([22, 25], [29], {20: {}, 40: held([(23, 30)], []), 60: {}}),
    # | 22 25   32 33 35    |      a termination between the two effects: the first has
    # |  i  i    D  t  x    |      taken place,
    # |   [------)          |
    "(a)(iv)": Case(
        [22, 25],
        [33],
        {20: {}, 40: held([(23, 33)], [(33, None)]), 60: held([], [(33, None)])},
    ),
    # |  i  i    x  t  x    |      or, postponed to 35, it does not take place at all
    # |   [---------)       |
    "(b)(iv)": Case([22, 25], [33], {20: {}, 40: held([(23, 34)], []), 60: {}}),
    # 32 35 37 | 42 45 47          the effects fall behind the query time 40: for now `on`
    #  i  i  i |  D  x  x          is open, and the attempts are kept
    #   [------|--)
    "(a)(v)": Case(
        [32, 35, 37],
        [],
        {20: {}, 40: held([(33, None)], []), 60: held([(33, 43)], [(43, None)])},
    ),
    #  i  i  i |  x  x  D
    #   [------|--------)
    "(b)(v)": Case(
        [32, 35, 37],
        [],
        {20: {}, 40: held([(33, None)], []), 60: held([(33, 48)], [(48, None)])},
    ),
}


@pytest.mark.parametrize("name", FIGURE_3_2)
def test_figure_3_2(name: str) -> None:
    case = FIGURE_3_2[name]
    found = answers(RULES[name[1]], stream(case.ups, case.downs), [20, 40, 60], window=20)
    assert found == case.at


@pytest.mark.parametrize("name", FIGURE_3_2)
@pytest.mark.parametrize(
    ("window", "step"), [(60, 60), (60, 10), (20, 10), (20, 5), (10, 10), (7, 7), (7, 3), (1, 1)]
)
def test_figure_3_2_in_other_windows(name: str, window: int, step: int) -> None:
    """Attempts are kept between windows of any size and step."""
    case = FIGURE_3_2[name]
    found = last_answer(RULES[name[1]], stream(case.ups, case.downs), 60, window=window, step=step)
    whole = last_answer(RULES[name[1]], stream(case.ups, case.downs), 60, window=61, step=60)
    assert found == {
        fvp: kept
        for fvp, intervals in whole.items()
        if (kept := [(s, e) for s, e in intervals if e is None or e - 1 > 60 - window])
    }


# Example 19: the next window starts between two initiations of (b)(v), and a late event
# invalidates those inside it.
#
#   32 35 37 | 42 45 47       at 40 all three attempts are kept
#    i  i  i |
#        :             |      the window of 55 starts at 33, and down(34) has arrived:
#    [--t [--|---...          `on` ends, and begins anew with up(35)


def test_example_19_a_late_break_between_the_attempts() -> None:
    late = event(34, "down", arrival=45)
    records = [*stream([32, 35, 37], []), late]
    found = answers(RULES["b"], records, [40, 55], window=22)
    assert found[40] == held([(33, None)], [])
    assert found[55] == held([(33, 35), (36, 48)], [(48, None)])


def test_example_19_a_late_break_after_the_attempts() -> None:
    records = [*stream([32, 35, 37], []), event(39, "down", arrival=45)]
    found = answers(RULES["b"], records, [40, 55], window=22)
    assert found[55] == held([(33, 40)], [])


def test_a_late_initiation_postpones() -> None:
    records = [*stream([32], []), event(38, "up", arrival=45)]
    found = answers(RULES["b"], records, [40, 55], window=22)
    assert found[55] == held([(33, 49)], [(49, None)])


# Borders

BORDERS = {
    # 5       15
    # i,t     x            broken at T: cancelled
    "broken at T": ("a", [5], [5], held([], [])),
    # i       D,t          broken at T+R: too late to cancel
    #  [------)
    "broken at T+R": ("a", [5], [15], held([(6, 16)], [(16, None)])),
    # i       D,i          re-initiated at T+R: does not postpone, and of two values at once
    #  [------)            neither holds
    "postponed at T+R": ("b", [5, 15], [], held([(6, 16)], [])),
    # i      i             just before T+R it does
    #  [-----------)
    "postponed before T+R": ("b", [5, 14], [], held([(6, 25)], [(25, None)])),
    # i  t  i              a break begins the count anew, with and without p
    #  [--)  [------)
    "begun anew": ("a", [5, 10], [8], held([(6, 9), (11, 21)], [(21, None)])),
    # i       D  i         after the effect `on` may be initiated again
    #  [------)   [----->
    "after the effect": ("a", [5, 22], [], held([(6, 16), (23, None)], [(16, 23)])),
}


@pytest.mark.parametrize("name", BORDERS)
@pytest.mark.parametrize(("window", "step"), [(31, 30), (30, 6), (30, 5)])
def test_borders(name: str, window: int, step: int) -> None:
    variant, ups, downs, expected = BORDERS[name]
    found = last_answer(RULES[variant], stream(ups, downs), 30, window=window, step=step)
    assert found == expected


QUOTES = """
initiatedAt(quote(M,C,G)=true, T) :- happensAt(present_quote(M,C,G,_), T).
initiatedAt(quote(M,C,G)=false, T) :- happensAt(accept_quote(C,M,G), T).
fi(quote(M,C,G)=true, quote(M,C,G)=expiring, R) :- warning_after(R).
fi(quote(M,C,G)=expiring, quote(M,C,G)=false, 3).
warning_after(5).
"""


def quoted(records: list[Record], rules: str = QUOTES) -> dict[str, list[Interval]]:
    found = last_answer(rules, records, 20, window=20, step=4)
    return {str(value): intervals for (_, _, value), intervals in found.items()}


def test_example_6_expiring_quotes() -> None:
    presented = [event(2, "present_quote", "m", "c", "g", 10)]
    assert quoted(presented) == {"true": [(3, 8)], "expiring": [(8, 11)], "false": [(11, None)]}
    accepted = [*presented, event(4, "accept_quote", "c", "m", "g")]
    assert quoted(accepted) == {"true": [(3, 5)], "false": [(5, None)]}
    in_time = [*presented, event(9, "accept_quote", "c", "m", "g")]
    assert quoted(in_time) == {"true": [(3, 8)], "expiring": [(8, 10)], "false": [(10, None)]}


def test_example_7_prolonged_quotes() -> None:
    presented = [event(t, "present_quote", "m", "c", "g", 10) for t in (2, 6)]
    rules = QUOTES + "p(quote(_,_,_)=true).\n"
    assert quoted(presented, rules) == {
        "true": [(3, 12)],
        "expiring": [(12, 15)],
        "false": [(15, None)],
    }


def test_only_the_shortest_of_several_delays_takes_effect() -> None:
    rules = RULES["a"] + "fi(f=on, f=soon, 4).\n"
    found = last_answer(rules, stream([1], []), 30, window=31, step=10)
    assert found == {("f", (), "on"): [(2, 6)], ("f", (), "soon"): [(6, None)]}


times = st.lists(st.integers(0, 40), max_size=8, unique=True)


@given(
    variant=st.sampled_from("ab"),
    ups=times,
    downs=times,
    windows=st.tuples(st.integers(1, 41), st.integers(1, 41)),
    delays=st.lists(st.integers(0, 15), min_size=16, max_size=16),
)
def test_any_stream_in_any_windows(
    variant: str, ups: list[int], downs: list[int], windows: tuple[int, int], delays: list[int]
) -> None:
    """Rules (3.16) to (3.18) say what holds, whenever records arrive."""
    step, window = sorted(windows)
    query_times = [*range(step, 40, step), 40]
    records = [
        event(t, name, arrival=t + delay)
        for (t, name), delay in zip(
            [(t, "up") for t in ups] + [(t, "down") for t in downs], delays, strict=False
        )
    ]
    expected = evaluate_window(
        parse(RULES[variant]),
        [],
        [ReferenceRecord(r.name, r.arrival or 0, r.time, ()) for r in records],
        0,
        1,
        query_times,
        window,
    )
    found = answers(RULES[variant], records, query_times, window=window)
    assert found == {q: report.fluents for q, report in expected.items()}
