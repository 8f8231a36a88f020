"""Prob-EC on the thesis' examples, and on each construct by itself."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from rtec.compiler import compile_description
from rtec.compiler.program import Program
from rtec.errors import ConfigError, DescriptionError, EngineError, StreamError
from rtec.prob.probec import FluentSeries, ProbEC, probabilities
from rtec.prob.probec import state as probec_state
from rtec.runtime.records import Record

MOVING = """
initiatedAt(moving(P1, P2)=true, T) :-
    happensAt(walking(P1), T),
    happensAt(walking(P2), T),
    holdsAt(close(P1, P2)=true, T),
    holdsAt(similarOrientation(P1, P2)=true, T).

terminatedAt(moving(P1, P2)=true, T) :-
    happensAt(walking(P1), T),
    holdsAt(close(P1, P2)=false, T).

terminatedAt(moving(P1, P2)=true, T) :-
    happensAt(active(P1), T),
    happensAt(active(P2), T).
"""
PAIR = ("mike", "sarah")
needs_problog = pytest.mark.skipif(
    importlib.util.find_spec("problog") is None, reason="ProbLog is not installed"
)
Describe: TypeAlias = Callable[..., Program]


def walking(time: int, mike: float, sarah: float) -> list[Record]:
    """Both walk, close to each other and in the same direction, which is certain."""
    return [
        Record("walking", time, ("mike",), prob=mike),
        Record("walking", time, ("sarah",), prob=sarah),
        Record("close", time, PAIR, value="true"),
        Record("similarOrientation", time, PAIR, value="true"),
    ]


@pytest.fixture
def describe(tmp_path: Path) -> Describe:
    """Write a description down and compile it."""

    def written(text: str, background: str = "") -> Program:
        path, other = tmp_path / "rules.prolog", tmp_path / "background.prolog"
        path.write_text(text)
        other.write_text(background)
        return compile_description(path, [other] if background else [], cached=False)

    return written


def run(describe: Describe, text: str, records: list[Record], end: int = 10, background: str = "",
        **more: Any) -> FluentSeries:  # fmt: skip
    return probabilities(describe(text, background), records, 0, end, **more)


# -- section 5.2 ---------------------------------------------------------------------------


def test_example_23(describe: Describe) -> None:
    """P(init 1) = 0.322; at 2 nothing initiates, and a termination has probability 0.82."""
    stream = [
        *walking(1, 0.7, 0.46),
        Record("walking", 2, ("mike",), prob=0.82),
        Record("close", 2, PAIR, value="false"),
    ]
    moving = run(describe, MOVING, stream).get("moving", PAIR)
    assert moving.at(1) == 0.0
    assert moving.at(2) == pytest.approx(0.322)
    assert moving.at(3) == pytest.approx(0.322 * (1 - 0.82))
    assert moving.at(10) == moving.at(3)


def test_equation_5_9(describe: Describe) -> None:
    """Two initiations, at 1 and at 21, with probabilities 0.32 and 0.1."""
    stream = [*walking(1, 0.8, 0.4), *walking(21, 0.5, 0.2)]
    answer = run(describe, MOVING, stream, end=30)
    moving = answer.get("moving", PAIR)
    assert moving.times == (2, 22)
    assert moving.probs == pytest.approx((0.32, 0.388))
    assert answer.methods == {"moving/2": "closed form"}


def test_figure_5_1(describe: Describe) -> None:
    """It stays between 2 and 21, rises with each initiation, and falls with each termination."""
    stream = walking(1, 0.8, 0.4)
    for time in range(21, 41):
        stream += walking(time, 0.5, 0.2)
    for time in range(41, 60):
        stream.append(Record("walking", time, ("mike",), prob=0.3))
        stream.append(Record("close", time, PAIR, value="false"))
    moving = run(describe, MOVING, stream, end=60).get("moving", PAIR)
    curve = [moving.at(t) for t in range(61)]
    assert curve[:2] == [0.0, 0.0]
    assert len(set(curve[2:22])) == 1
    assert all(a < b for a, b in zip(curve[21:41], curve[22:42], strict=True))
    assert all(a > b for a, b in zip(curve[41:60], curve[42:61], strict=True))
    assert curve[41] == pytest.approx(1 - (1 - 0.32) * 0.9**20)
    assert curve[60] == pytest.approx(curve[41] * 0.7**19)


def test_rules_that_share_a_fact_are_exact(describe: Describe) -> None:
    """Walking both initiates and terminates: a product would count it twice."""
    stream = [
        Record("walking", 1, ("mike",), prob=0.5),
        Record("walking", 1, ("sarah",), prob=0.5),
        Record("close", 1, PAIR, value="true", prob=0.5),
        Record("close", 1, PAIR, value="false", prob=0.5),
        Record("similarOrientation", 1, PAIR, value="true"),
    ]
    answer = run(describe, MOVING, stream)
    # Both walk, close is true, and the termination, which also needs mike, does not fire.
    assert answer.get("moving", PAIR).at(2) == pytest.approx(0.5**3 * 0.5)
    # Once mike is taken for granted, the rest is independent.
    assert answer.methods == {"moving/2": "closed form"}


MAJORITY = """
initiatedAt(seen(X)=true, T) :- happensAt(camera(X, 1), T), happensAt(camera(X, 2), T).
initiatedAt(seen(X)=true, T) :- happensAt(camera(X, 2), T), happensAt(camera(X, 3), T).
initiatedAt(seen(X)=true, T) :- happensAt(camera(X, 1), T), happensAt(camera(X, 3), T).
"""
CAMERAS = [Record("camera", 1, ("x", i), prob=0.5) for i in (1, 2, 3)]


@needs_problog
def test_two_of_three(describe: Describe) -> None:
    """Every two rules share a camera, and no camera is in all of them: ProbLog is needed."""
    answer = run(describe, MAJORITY, CAMERAS)
    assert answer.get("seen", ("x",)).at(2) == pytest.approx(0.5)
    assert answer.methods == {"seen/1": "ProbLog"}


# -- constructs ----------------------------------------------------------------------------


def test_certain_records_give_what_the_engine_gives(describe: Describe) -> None:
    stream = [replace(record, prob=None) for record in walking(1, 0.5, 0.5)]
    answer = run(describe, MOVING, stream)
    assert answer.get("moving", PAIR).probs == (1.0,)
    assert answer.methods == {"moving/2": "certain"}


def test_equal_records_are_one_fact_that_is_more_likely(describe: Describe) -> None:
    text = "initiatedAt(f(X)=true, T) :- happensAt(e(X), T)."
    twice = [Record("e", 1, ("a",), prob=0.5), Record("e", 1, ("a",), prob=0.5)]
    assert run(describe, text, twice).get("f", ("a",)).at(2) == pytest.approx(0.75)


def test_values_break_each_other(describe: Describe) -> None:
    text = """
    initiatedAt(light=red, T) :- happensAt(stop, T).
    initiatedAt(light=green, T) :- happensAt(go, T).
    """
    stream = [Record("stop", 1, prob=0.6), Record("go", 3, prob=0.5), Record("go", 5),
              Record("stop", 5, prob=0.25)]  # fmt: skip
    answer = run(describe, text, stream)
    red, green = answer.get("light", value="red"), answer.get("light", value="green")
    assert (red.at(2), green.at(2)) == (0.6, 0.0)
    assert red.at(4) == pytest.approx(0.3)
    assert green.at(4) == pytest.approx(0.5)
    # Both are initiated at 5 with probability 0.25: then neither holds.
    assert (red.at(6), green.at(6)) == (0.0, pytest.approx(0.75))


def test_a_hierarchy_remembers_what_depends_on_what(describe: Describe) -> None:
    """The alarm is on exactly if the door is open: one cannot be likely without the other."""
    text = """
    initiatedAt(open(D)=true, T) :- happensAt(opened(D), T).
    terminatedAt(open(D)=true, T) :- happensAt(closed(D), T).
    initiatedAt(alarm(D)=true, T) :- happensAt(check(D), T), holdsAt(open(D)=true, T).
    holdsFor(false_alarm(D)=true, I) :-
        holdsFor(alarm(D)=true, I1), holdsFor(open(D)=true, I2),
        relative_complement_all(I1, [I2], I).
    """
    stream = [Record("opened", 1, ("d",), prob=0.3), Record("check", 2, ("d",)),
              Record("closed", 5, ("d",), prob=0.5)]  # fmt: skip
    answer = run(describe, text, stream)
    assert answer.get("alarm", ("d",)).at(4) == pytest.approx(0.3)
    assert answer.get("false_alarm", ("d",)).at(4) == 0.0
    assert answer.get("false_alarm", ("d",)).at(6) == pytest.approx(0.15)


def test_negation_of_an_uncertain_event(describe: Describe) -> None:
    text = "initiatedAt(quiet(X)=true, T) :- happensAt(tick(X), T), \\+ happensAt(noise(_, X), T)."
    stream = [Record("tick", 1, ("a",)), Record("noise", 1, ("x", "a"), prob=0.5),
              Record("noise", 1, ("y", "a"), prob=0.2)]  # fmt: skip
    assert run(describe, text, stream).get("quiet", ("a",)).at(2) == pytest.approx(0.4)


def test_background_knowledge_is_certain(describe: Describe) -> None:
    text = "initiatedAt(fast(V)=true, T) :- happensAt(speed(V, S), T), limit(V, L), S > L."
    stream = [Record("speed", 1, ("a", 12), prob=0.5), Record("speed", 1, ("b", 12), prob=0.5)]
    answer = run(describe, text, stream, background="limit(a, 10).\nlimit(b, 20).\n")
    assert [s.name for s in answer] == ["fast(a)=true"]


def test_counting_what_holds(describe: Describe) -> None:
    """At least two of three lights are on, each with probability one half."""
    text = """
    initiatedAt(on(X)=true, T) :- happensAt(switch(X), T).
    initiatedAt(bright=true, T) :-
        happensAt(look, T), findall(X, holdsAt(on(X)=true, T), L), length(L, N), N >= 2.
    initiatedAt(dim=true, T) :-
        happensAt(look, T), aggregate_all(count, holdsAt(on(_)=true, T), N), N < 2.
    """
    stream = [Record("switch", 1, (x,), prob=0.5) for x in "abc"] + [Record("look", 3)]
    answer = run(describe, text, stream)
    assert answer.get("bright").at(4) == pytest.approx(0.5)
    assert answer.get("dim").at(4) == pytest.approx(0.5)


def test_initially(describe: Describe) -> None:
    text = """
    initially(calm(_)=yes).
    initially(open(shop)=true).
    initiatedAt(calm(X)=no, T) :- happensAt(shout(X), T).
    terminatedAt(open(shop)=true, T) :- happensAt(close, T).
    initiatedAt(served(X)=true, T) :- happensAt(ask(X), T), holdsAt(calm(X)=yes, T).
    """
    stream = [Record("shout", 2, ("ann",), prob=0.4), Record("close", 3, prob=0.5),
              Record("ask", 5, ("ann",)), Record("ask", 5, ("bob",))]  # fmt: skip
    answer = run(describe, text, stream)
    assert answer.get("open", ("shop",)).probs == (1.0, 0.5)
    assert answer.get("calm", ("ann",), "yes").probs == pytest.approx((1.0, 0.6))
    assert answer.get("served", ("ann",)).at(6) == pytest.approx(0.6)
    assert answer.get("served", ("bob",)).at(6) == 1.0


def test_an_uncertain_interval_is_one_fact(describe: Describe) -> None:
    """Near from 2 to 8, or not at all: seen twice, it is no more likely than seen once."""
    text = """
    collectIntervals(near(_)=true).
    initiatedAt(met(X)=true, T) :- happensAt(look, T), holdsAt(near(X)=true, T).
    """
    stream = [Record("near", 2, ("a",), end=9, value="true", prob=0.5),
              Record("look", 3), Record("look", 6)]  # fmt: skip
    met = run(describe, text, stream).get("met", ("a",))
    assert (met.times, met.probs) == ((4,), pytest.approx((0.5,)))


def test_starts_of_input_fluents(describe: Describe) -> None:
    """A start at T needs a point at T+1 and none at T."""
    text = """
    buildFromPoints(walking(_)=true).
    initiatedAt(seen(P)=true, T) :- happensAt(start(walking(P)=true), T).
    """
    stream = [Record("walking", t, ("a",), value="true", prob=0.5) for t in (3, 4)]
    seen = run(describe, text, stream).get("seen", ("a",))
    assert (seen.at(3), seen.at(4)) == (0.5, 0.75)


# -- windows -------------------------------------------------------------------------------


def test_windows_carry_the_state(describe: Describe) -> None:
    program = describe(MOVING)
    stream = [*walking(1, 0.8, 0.4), *walking(21, 0.5, 0.2)]
    with ProbEC(program) as engine:
        first = engine.update(stream[:4], 10)
        second = engine.update([], 20)
        third = engine.update(stream[4:], 30)
    assert first.get("moving", PAIR).probs == pytest.approx((0.32,))
    assert (second.start, second.end) == (11, 20)
    assert second.get("moving", PAIR).at(11) == pytest.approx(0.32)
    assert third.get("moving", PAIR).at(22) == pytest.approx(0.388)


def test_late_records_and_retractions_count_inside_the_window(describe: Describe) -> None:
    text = "initiatedAt(f(X)=true, T) :- happensAt(e(X), T)."
    with ProbEC(describe(text), window=12) as engine:
        early, late = Record("e", 2, ("a",), prob=0.5), Record("e", 4, ("a",), 12, prob=0.5)
        assert engine.update([early, late], 8).get("f", ("a",)).at(8) == 0.5
        assert engine.query(12).get("f", ("a",)).at(8) == 0.75
        assert engine.update([replace(early, op="-", arrival=13)], 13).get("f", ("a",)).at(8) == 0.5
        assert engine.query(16).get("f", ("a",)).at(16) == 0.5


def test_memory_does_not_grow_with_the_stream(describe: Describe) -> None:
    """Instances that certainly hold no more are forgotten."""
    text = """
    initiatedAt(here(X)=true, T) :- happensAt(enter(X), T).
    terminatedAt(here(X)=true, T) :- happensAt(leave(X), T).
    """
    with ProbEC(describe(text)) as engine:
        for i in range(20):
            t = 10 * i
            engine.update([Record("enter", t + 1, (i,), prob=0.5), Record("leave", t + 8, (i,))],
                          t + 10)  # fmt: skip
        registry = engine._grounder.registry
        assert len(registry._fvps) <= 2
        assert len(engine._grounder.facts.nodes) <= 2
        assert not engine._tip.nodes and not engine._tip._users


# -- what is refused -----------------------------------------------------------------------


@pytest.mark.parametrize("prob", [-0.1, 1.5, math.nan, math.inf])
def test_bad_probabilities(describe: Describe, prob: float) -> None:
    with pytest.raises(StreamError, match="prob"):
        run(describe, MOVING, [Record("walking", 1, ("mike",), prob=prob)])


def test_a_nan_in_a_batch_is_refused_with_its_record() -> None:
    import numpy as np
    from rtec.prob.probec.facts import checked_probs
    from rtec.runtime.records import batches

    [batch] = batches([Record("e", 3, ("a",)), Record("e", 4, ("a",))])
    with pytest.raises(StreamError, match=r"missing or not a number.*`e` at time 4"):
        checked_probs(replace(batch, prob=np.array([0.5, math.nan])))
    with pytest.raises(StreamError, match="is 2, not a number from 0 to 1: `e` at time 3"):
        checked_probs(replace(batch, prob=np.array([2.0, 0.5])))


WITH_DELAY = """
initiatedAt(f(X)=true, T) :- happensAt(e(X), T).
fi(f(X)=true, f(X)=false, 5).
initiatedAt(g(X)=true, T) :- happensAt(e(X), T), holdsAt(f(X)=true, T).
initiatedAt(h(X)=true, T) :- happensAt(e(X), T).
"""


def test_what_has_no_probability_is_left_out_with_the_reason(describe: Describe) -> None:
    with ProbEC(describe(WITH_DELAY)) as engine:
        reasons = [str(problem) for problem in engine.left_out]
        assert [s.name for s in engine.update([Record("e", 1, ("a",), prob=0.5)], 5)] == [
            "h(a)=true"
        ]
    assert "rules.prolog:3:1: warning: `f/1` gets no probabilities: a delayed effect" in reasons[0]
    assert reasons[1].startswith("warning: `g/1` gets no probabilities: it depends on `f/1`")


def test_asking_for_it_is_an_error(describe: Describe) -> None:
    program = describe(WITH_DELAY)
    with pytest.raises(DescriptionError, match="`f/1` gets no probabilities: a delayed effect"):
        ProbEC(program, only={"g"})
    with pytest.raises(ConfigError, match="there is no fluent `x`"):
        ProbEC(program, only={"x"})
    with ProbEC(program, only={"h"}) as engine:
        assert engine.left_out == ()


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("initiatedAt(f=true, T) :- happensAt(e, T), S is T-2, holdsAt(g=true, S).",
         "a condition at another time-point"),
        ("initiatedAt(f=true, T) :- happensAt(e, T), once(holdsAt(h(X)=true, T)), X > 2.",
         "a choice of the first solution, which binds `X`"),
        ("initiatedAt(f=true, T) :- happensAt(e, T), late(T).\nlate(T) :- holdsAt(g=true, T).",
         "`late/1`, which asks for events or fluents itself,"),
        ("terminatedAt(h(_)=true, T) :- happensAt(e, T).\n"
         "initiatedAt(f=true, T) :- happensAt(d(X), T), \\+ terminatedAt(h(X)=true, T).",
         "a condition on a termination that stands for every instance"),
        ("holdsFor(f=true, I) :- holdsFor(g=true, J), intDurGreater(J, 3, I).",
         "a condition on whole intervals"),
        ("holdsFor(f=true, I) :- holdsFor(g=true, J), holdsFor(k=true, K), meets(J, K, source, I).",
         "a condition on whole intervals"),
    ],
)  # fmt: skip
def test_refused_constructs(describe: Describe, rule: str, reason: str) -> None:
    text = f"""
    initiatedAt(g=true, T) :- happensAt(e, T).
    initiatedAt(k=true, T) :- happensAt(e, T).
    initiatedAt(h(X)=true, T) :- happensAt(d(X), T).
    {rule}
    """
    with ProbEC(describe(text)) as engine:
        [problem] = engine.left_out
    assert reason in problem.message
    assert problem.place is not None


def test_lists_that_are_too_long(describe: Describe) -> None:
    text = """
    initiatedAt(many=true, T) :- happensAt(look, T), findall(X, happensAt(e(X), T), L), L \\= [].
    """
    stream = [Record("look", 1), *(Record("e", 1, (x,), prob=0.5) for x in range(9))]
    with pytest.raises(EngineError, match="more than 8 uncertain items"):
        run(describe, text, stream)
    assert run(describe, text, stream[:-1]).get("many").at(2) == pytest.approx(1 - 0.5**8)


@needs_problog
def test_too_much_that_depends_on_each_other(
    describe: Describe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fluents that are all touched by one event, and a rule that reads any two of them."""
    text = """
    initiatedAt(f(X)=true, T) :- happensAt(e(X), T), \\+ happensAt(all, T).
    initiatedAt(pair(X, Y)=true, T) :-
        happensAt(look, T), holdsAt(f(X)=true, T), holdsAt(f(Y)=true, T).
    """
    monkeypatch.setattr(probec_state, "MOST_COUPLED", 2)
    stream = [Record("e", 1, (x,), prob=0.5) for x in range(4)]
    stream += [Record("all", 1, prob=0.5), Record("look", 3)]
    with pytest.raises(EngineError, match=r"f\(3\)=true depends on 3 other uncertain conditions"):
        run(describe, text, stream)
    assert run(describe, text, stream[1:]).get("pair", (1, 2)).at(4) == pytest.approx(0.125)


def test_hooks_are_refused(describe: Describe) -> None:
    text = "initiatedAt(f=true, T) :- happensAt(e, T).\npreProcessing(_).\n"
    with pytest.raises(DescriptionError, match=r"rules.prolog:2:1: error: `preProcessing/1`"):
        run(describe, text, [])


def test_filters_may_be_skipped(describe: Describe) -> None:
    """How long something lasts is then left to the stage that finds intervals."""
    text = """
    initiatedAt(slow(V)=true, T) :- happensAt(slow_start(V), T).
    terminatedAt(slow(V)=true, T) :- happensAt(slow_end(V), T).
    holdsFor(loitering(V)=true, I) :-
        holdsFor(slow(V)=true, I1), least(L), longer(I1, L, I).
    """
    background = "least(5).\nlonger(I, _, I).\n"
    stream = [Record("slow_start", 1, ("a",), prob=0.5)]
    answer = run(describe, text, stream, background=background, skip_filters=True)
    assert answer.get("loitering", ("a",)).at(3) == 0.5
    answer = run(describe, text, stream, background=background)
    assert [s.fluent for s in answer] == ["slow"]


def test_settings_that_make_no_sense(describe: Describe) -> None:
    program = describe(MOVING)
    for wrong in ({"tick": 0}, {"window": 0}):
        with pytest.raises(ConfigError, match="has to be at least 1"):
            ProbEC(program, **wrong)
    with pytest.raises(ConfigError, match="the rules of .* are needed"):
        ProbEC(replace(program, description=None))
    with ProbEC(program, start=5) as engine:
        engine.query(8)
        with pytest.raises(ConfigError, match="query time 8 is not after the last one"):
            engine.query(8)
    with pytest.raises(ConfigError, match="the end 1 is before the start 3"):
        probabilities(program, [], 3, 1)


def test_problog_is_named_when_it_is_missing(
    describe: Describe, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    from rtec.prob.probec.circuits import compile_shape

    compile_shape.cache_clear()
    monkeypatch.setitem(sys.modules, "problog", None)
    with pytest.raises(ConfigError, match=r"ProbLog is needed(.|\n)*rtec\[prob\]"):
        run(describe, MAJORITY, CAMERAS)
    simple = "initiatedAt(f(X)=true, T) :- happensAt(camera(X, 1), T), happensAt(camera(X, 2), T)."
    assert run(describe, simple, CAMERAS).get("f", ("x",)).at(2) == 0.25
