"""The random descriptions, streams and runs, and what the reference says about them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from reference import Result, Windowing, parse, to_prolog
from reference.points import Timeline
from strategies import Case, RandomDescription, Run, cases, descriptions, windowings

# Drawing takes longer than what is tested, and a failure is clear without much shrinking.
few = settings(
    max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


CONSTRUCTS = {
    *("initiatedAt(", "terminatedAt(", "initiates(", "terminates(", "initially(", "fi(", "p(f"),
    *("happensAt(start(", "happensAt(end(", "\\+ happensAt(", "holdsAt(", "\\+ holdsAt("),
    *("not ", "findall(", "length(", " ; ", " -> ", " is ", " >= ", " \\= ", "special(", "linked("),
    *("union_all(", "intersect_all(", "relative_complement_all(", "complement_all("),
    *("intDurGreater(", "allen(", "\\=", "!", ",[])", "grounding("),
    *("collectIntervals(", "buildFromPoints(", "points("),
}


def test_every_construct_occurs() -> None:
    seen: set[str] = set()

    @settings(few, max_examples=200, phases=[Phase.generate])
    @given(
        descriptions(cycles=True, delays=True, allen=True, durations=True, groundings=True)
    )
    def collect(description: RandomDescription) -> None:
        seen.update(c for c in CONSTRUCTS if c in description.text)
        assert to_prolog(parse(description.text)) == description.text

    collect()
    assert CONSTRUCTS - seen == set()


@few
@given(windowings(gaps=True), windowings())
def test_runs_are_cut_into_query_times(loose: Run, run: Run) -> None:
    for r in (loose, run):
        times = r.query_times
        assert times[-1] == r.end and times == sorted(set(times))
        assert all((t - r.start) % r.tick == 0 for t in times)
        assert all(b - a <= r.step for a, b in zip([r.start, *times], times, strict=False))
    assert run.window >= run.step


@few
@given(cases(retractions=True, delays=True))
def test_streams_fit_their_description(case: Case) -> None:
    events = {e.name: len(e.types) for e in case.description.events}
    fluents = {f.name: f for f in case.description.fluents}
    for record in case.records:
        assert record.time in case.run.points and record.arrival >= record.time
        if record.is_event:
            assert len(record.args) == events[record.name]
        else:
            fluent = fluents[record.name]
            assert record.value in fluent.values and len(record.args) == len(fluent.types)
            assert (record.end is not None) == (fluent.layout == "intervals")
    said = {r.identity for r in case.records if r.op == "+"}
    assert all(r.identity in said for r in case.records if r.op == "-")


@few
@given(
    cases(
        most_delay=0,
        retractions=True,
        cycles=True,
        delays=True,
        allen=True,
        durations=True,
        groundings=True,
    )
)
def test_one_window_over_everything_is_the_whole_run(case: Case) -> None:
    length = case.run.end - case.run.start
    once = replace(case, run=replace(case.run, step=length, window=length))
    assert once.expected_windows() == {case.run.end: case.expected()}


def points_up_to(result: Result, run: Run, end: int, floor: int, q: int) -> set[object]:
    """What holds in (floor, q], and what happens in (floor, q), of a result up to `end`."""
    timeline = Timeline(run.start, end, run.tick)
    found: set[object] = set()
    for fvp, intervals in result.fluents.items():
        found |= {(fvp, t) for t in timeline.to_points(intervals) if floor < t <= q}
    for event, times in result.events.items():
        found |= {(event, t) for t in times if floor < t < q}
    return found


@few
@given(cases(most_delay=0, cycles=True, delays=True, open_initially=False))
def test_windows_show_what_the_whole_run_shows(case: Case) -> None:
    # Whatever looks at time-points only is the same in every window, if nothing is lost. What
    # happens at the query time itself may yet depend on whether a point is followed by another.
    run = case.run
    windowing = Windowing(run.start, run.tick, run.query_times, run.window)
    assert windowing.lost(case.records) == []
    expected = case.expected()
    for q, report in case.expected_windows().items():
        floor = windowing.floor(q)
        assert points_up_to(report, run, q, floor, q) == points_up_to(
            expected, run, run.end, floor, q
        )


@few
@given(cases(retractions=True, cycles=True), st.randoms())
def test_the_order_of_the_stream_says_nothing(case: Case, random: Random) -> None:
    shuffled = random.sample(case.records, len(case.records))
    assert replace(case, records=shuffled).expected() == case.expected()


@few
@given(cases(retractions=True, delays=True))
def test_late_records_are_known_once_everything_has_arrived(case: Case) -> None:
    # With a window over the whole run nothing is lost: the last report is the whole run, if
    # everything arrives before its end.
    run = case.run
    records = [replace(r, arrival=min(r.arrival, run.end)) for r in case.records]
    wide = replace(case, records=records, run=replace(run, window=run.end - run.start + run.tick))
    assert wide.expected_windows()[run.end] == wide.expected()
