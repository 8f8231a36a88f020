"""The worked examples of the papers, through the engine.

The thesis (T) and the manual (M) are named with the section, table or figure. Every example is
run over one window and, where its events lie apart, in small windows as well: the answers are
the same.
"""

from __future__ import annotations

import pytest
from rtec.model import Interval
from rtec.runtime.records import Record

from equations.described import Held, answers, event, interval, last_answer

WINDOWS = [(40, 40), (40, 4), (40, 1)]
"""Window and step: all at once, and overlapping windows that still see everything."""


def in_small_windows(rules: str, records: list[Record], end: int, step: int) -> Held:
    """Put together what windows without overlap say, each about its own time-points."""
    together: dict[object, list[Interval]] = {}
    for q in range(step, end + 1, step):
        last = answers(rules, records, [*range(step, q, step), q], window=step)[q]
        for fvp, found in last.items():
            kept = [i for i in together.get(fvp, []) if i[0] < found[0][0]]
            together[fvp] = [*kept, *found]
    return together  # type: ignore[return-value]


# T, Tables 3.1 and 3.2: rules (3.3) to (3.6), events (3.10) and (3.12)

STATUS = """
initially(status(_)=proposed).
initiatedAt(status(M)=proposed, T) :- happensAt(propose(_P,M), T), holdsAt(status(M)=null, T).
initiatedAt(status(M)=voting, T) :- happensAt(second(_S,M), T), holdsAt(status(M)=proposed, T).
initiatedAt(status(M)=voted, T) :- happensAt(close_ballot(_C,M), T), holdsAt(status(M)=voting, T).
initiatedAt(status(M)=null, T) :- happensAt(declare(_C,M,_R), T), holdsAt(status(M)=voted, T).
"""

T1, T2, T3, T4, T5 = 3, 6, 9, 12, 15
MEETING = [
    event(T1, "second", "ag_s", "m"),
    event(T2, "close_ballot", "ag_c", "m"),
    event(T3, "declare", "ag_c", "m", "not_carried"),
    event(T4, "propose", "ag_p", "m"),
    event(T5, "propose", "ag_p", "m"),
]
STAGES: Held = {
    ("status", ("m",), "proposed"): [(0, T1 + 1), (T4 + 1, None)],
    ("status", ("m",), "voting"): [(T1 + 1, T2 + 1)],
    ("status", ("m",), "voted"): [(T2 + 1, T3 + 1)],
    ("status", ("m",), "null"): [(T3 + 1, T4 + 1)],
}


@pytest.mark.parametrize(("window", "step"), WINDOWS)
def test_tables_3_1_and_3_2(window: int, step: int) -> None:
    """`status(m)=proposed` holds from the start up to t1, and after t4; t5 changes nothing."""
    assert last_answer(STATUS, MEETING, 20, window=window, step=step) == STAGES


def test_tables_3_1_and_3_2_with_the_initial_value_from_the_window_before() -> None:
    """Formula (3.11): in the window (20,40] the motion is proposed from its start on."""
    rules = STATUS.replace("initially(status(_)=proposed)", "initially(status(_)=null)")
    later = [Record(r.name, r.time + 20, r.args) for r in MEETING if r.name != "propose"] + [
        event(t + 20, "propose", "ag_p", "m") for t in (T4, T5)
    ]
    proposed = event(17, "propose", "ag_p", "m")
    found = answers(rules, [proposed, *later], [20, 40], window=20)
    assert found[20] == {
        ("status", ("m",), "null"): [(0, 18)],
        ("status", ("m",), "proposed"): [(18, None)],
    }
    assert found[40] == {
        ("status", ("m",), "proposed"): [(18, 20 + T1 + 1), (20 + T4 + 1, None)],
        ("status", ("m",), "voting"): [(20 + T1 + 1, 20 + T2 + 1)],
        ("status", ("m",), "voted"): [(20 + T2 + 1, 20 + T3 + 1)],
        ("status", ("m",), "null"): [(20 + T3 + 1, 20 + T4 + 1)],
    }


# M, section 1.2, and the rewriting of section 2.1.2

TOY = """
initiatedAt(rich(X)=true, T) :- happensAt(win_lottery(X), T).
terminatedAt(rich(X)=true, T) :- happensAt(lose_wallet(X), T).
initiatedAt(location(X)=Y, T) :- happensAt(go_to(X,Y), T).
"""
HAPPY = """
holdsFor(happy(X)=true, I) :-
    holdsFor(rich(X)=true, I1), holdsFor(location(X)=pub, I2), union_all([I1,I2], I).
"""
REWRITTEN = """
initiatedAt(happy(X)=true, T) :- initiatedAt(rich(X)=true, T).
initiatedAt(happy(X)=true, T) :- initiatedAt(location(X)=pub, T).
terminatedAt(happy(X)=true, T) :- terminatedAt(rich(X)=true, T), \\+ holdsAt(location(X)=pub, T).
terminatedAt(happy(X)=true, T) :- terminatedAt(location(X)=pub, T), \\+ holdsAt(rich(X)=true, T).
"""
STORY = [
    event(9, "go_to", "chris", "work"),
    event(13, "win_lottery", "chris"),
    event(17, "go_to", "chris", "pub"),
    event(19, "lose_wallet", "chris"),
    event(21, "go_to", "chris", "home"),
]
DAY: Held = {
    ("location", ("chris",), "home"): [(22, None)],
    ("location", ("chris",), "pub"): [(18, 22)],
    ("location", ("chris",), "work"): [(10, 18)],
    ("rich", ("chris",), "true"): [(14, 20)],
    ("happy", ("chris",), "true"): [(14, 22)],
}


@pytest.mark.parametrize("happy", [HAPPY, REWRITTEN], ids=["static", "simple"])
@pytest.mark.parametrize(("window", "step"), [(21, 21), *WINDOWS])
def test_the_story_of_the_manual(happy: str, window: int, step: int) -> None:
    assert last_answer(TOY + happy, STORY, 21, window=window, step=step) == DAY


@pytest.mark.parametrize("happy", [HAPPY, REWRITTEN], ids=["static", "simple"])
@pytest.mark.parametrize("step", [1, 3, 7])
def test_the_story_in_small_windows(happy: str, step: int) -> None:
    assert in_small_windows(TOY + happy, STORY, 21, step) == DAY


# M, section 3, makeIntervals; T, section 2.2: the first termination after the first initiation

SWITCH = """
initiatedAt(f=true, T) :- happensAt(on, T).
terminatedAt(f=true, T) :- happensAt(off, T).
"""


@pytest.mark.parametrize(
    ("ons", "offs", "expected"),
    [([10, 20], [25, 30], (11, 26)), ([50, 65], [75, 86], (51, 76))],
    ids=["manual", "thesis"],
)
@pytest.mark.parametrize("step", [100, 13])
def test_initiations_and_terminations(
    ons: list[int], offs: list[int], expected: Interval, step: int
) -> None:
    records = [event(t, "on") for t in ons] + [event(t, "off") for t in offs]
    found = last_answer(SWITCH, records, 100, window=101, step=step)
    assert found == {("f", (), "true"): [expected]}


# T, Example 20: rules (3.19) and (3.20), Figure 3.4

DISAPPEARED = """
holdsFor(disappearedInArea(Vl,AreaType)=true, I) :-
    holdsFor(withinArea(Vl,AreaType)=true, S),
    holdsFor(gap(Vl)=farFromPorts, T),
    allen(meets, S, T, target, I).
collectIntervals(withinArea(_,_)=true).
collectIntervals(gap(_)=farFromPorts).
"""

#   S        [------)        [----)
#   T   [--)        [-----)
AT_SEA = [
    interval("withinArea", 5, 12, "true", "v", "natura"),
    interval("withinArea", 20, 25, "true", "v", "natura"),
    interval("gap", 2, 4, "farFromPorts", "v"),
    interval("gap", 12, 18, "farFromPorts", "v"),
]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("source", [(5, 12)]),
        ("target", [(12, 18)]),
        ("union", [(5, 18)]),
        ("intersect", []),
        ("complement", [(5, 12)]),
        ("complement_inv", [(12, 18)]),
    ],
)
@pytest.mark.parametrize(("window", "step"), WINDOWS)
def test_figure_3_4_a(mode: str, expected: list[Interval], window: int, step: int) -> None:
    rules = DISAPPEARED.replace("target", mode)
    found = last_answer(rules, AT_SEA, 30, window=window, step=step)
    assert found.get(("disappearedInArea", ("v", "natura"), "true"), []) == expected


# T, Example 22 and Figure 3.5: the stay in the area has left the second window, the gap reaches
# into it, and with it their relation.
#
#   S        [------)   :
#   T               [---:-----)
#                  q81  :    q82


def test_figure_3_5() -> None:
    at_sea = [AT_SEA[0], interval("gap", 12, 26, "farFromPorts", "v")]
    found = answers(DISAPPEARED, at_sea, [16, 32], window=16)
    key = ("disappearedInArea", ("v", "natura"), "true")
    assert found[16][key] == [(12, None)]
    assert found[32][key] == [(12, 26)]


RENDEZ_VOUS = """
holdsFor(suspiciousRendezVous(Vl1,Vl2)=true, I) :-
    holdsFor(gap(Vl1)=farFromPorts, Ig1),
    holdsFor(gap(Vl2)=farFromPorts, Ig2),
    holdsFor(proximity(Vl1,Vl2)=true, T),
    union_all([Ig1,Ig2], S),
    allen(during, S, T, target, I).
collectIntervals(gap(_)=farFromPorts).
collectIntervals(proximity(_,_)=true).
"""


@pytest.mark.parametrize(("window", "step"), WINDOWS)
def test_figure_3_4_b(window: int, step: int) -> None:
    """Of the gaps only the union of two lies inside a time of proximity."""
    #   gap v    [--)      [--)
    #   gap w                [---)
    #   near            [----------)   [--)
    records = [
        interval("gap", 1, 4, "farFromPorts", "v"),
        interval("gap", 10, 13, "farFromPorts", "v"),
        interval("gap", 12, 16, "farFromPorts", "w"),
        interval("proximity", 8, 20, "true", "v", "w"),
        interval("proximity", 25, 28, "true", "v", "w"),
    ]
    found = last_answer(RENDEZ_VOUS, records, 30, window=window, step=step)
    assert found == {("suspiciousRendezVous", ("v", "w"), "true"): [(8, 20)]}
