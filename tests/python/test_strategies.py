"""The random descriptions, streams and runs, and what the reference says about them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from reference import Result, Windowing, evaluate, evaluate_window, parse, to_prolog
from reference.evaluator import EventName, FluentName
from reference.points import Timeline
from strategies import RandomDescription, Run, descriptions, streams, windowings

everything = {
    "cycles": True,
    "delays": True,
    "allen": True,
    "durations": True,
    "groundings": True,
}

# Drawing takes longer than what is tested, and a failure is clear without much shrinking.
few = settings(
    max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


def whole(description: RandomDescription, run: Run, records: list[object]) -> Result:
    return evaluate(
        description.clauses,
        description.background,
        records,  # type: ignore[arg-type]
        run.start,
        run.end,
        run.tick,
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

    @settings(few, max_examples=250, phases=[Phase.generate])
    @given(descriptions(**everything))
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
@given(st.data())
def test_streams_fit_their_description(data: st.DataObject) -> None:
    run = data.draw(windowings())
    description = data.draw(descriptions(tick=run.tick, delays=True))
    records = data.draw(streams(description, run, retractions=True))
    events = {e.name: len(e.types) for e in description.events}
    fluents = {f.name: f for f in description.fluents}
    for record in records:
        assert record.time in run.points and record.arrival >= record.time
        if record.is_event:
            assert len(record.args) == events[record.name]
        else:
            fluent = fluents[record.name]
            assert record.value in fluent.values and len(record.args) == len(fluent.types)
            assert (record.end is not None) == (fluent.layout == "intervals")
    said = {r.identity for r in records if r.op == "+"}
    assert all(r.identity in said for r in records if r.op == "-")


@few
@given(st.data())
def test_one_window_over_everything_is_the_whole_run(data: st.DataObject) -> None:
    run = data.draw(windowings())
    description = data.draw(descriptions(tick=run.tick, **everything))
    records = data.draw(streams(description, run, most_delay=0, retractions=True))
    expected = whole(description, run, list(records))
    reports = evaluate_window(
        description.clauses,
        description.background,
        records,
        run.start,
        run.tick,
        [run.end],
        run.end - run.start,
    )
    assert reports == {run.end: expected}


def points_up_to(result: Result, run: Run, end: int, floor: int, q: int) -> set[object]:
    """What holds in (floor, q], and what happens in (floor, q), of a result up to `end`."""
    timeline = Timeline(run.start, end, run.tick)
    found: set[tuple[FluentName | EventName, int]] = set()
    for fvp, intervals in result.fluents.items():
        found |= {(fvp, t) for t in timeline.to_points(intervals) if floor < t <= q}
    for event, times in result.events.items():
        found |= {(event, t) for t in times if floor < t < q}
    return set(found)


@few
@given(st.data())
def test_windows_show_what_the_whole_run_shows(data: st.DataObject) -> None:
    # Whatever looks at time-points only is the same in every window, if nothing is lost. What
    # happens at the query time itself may yet depend on whether a point is followed by another.
    run = data.draw(windowings())
    description = data.draw(
        descriptions(tick=run.tick, cycles=True, delays=True, open_initially=False)
    )
    records = data.draw(streams(description, run))
    records = [replace(r, arrival=r.time) for r in records]
    windowing = Windowing(run.start, run.tick, run.query_times, run.window)
    assert windowing.lost(records) == []
    expected = whole(description, run, list(records))
    reports = evaluate_window(
        description.clauses,
        description.background,
        records,
        run.start,
        run.tick,
        run.query_times,
        run.window,
    )
    for q, report in reports.items():
        floor = windowing.floor(q)
        assert points_up_to(report, run, q, floor, q) == points_up_to(
            expected, run, run.end, floor, q
        )


@few
@given(st.data())
def test_the_order_of_the_stream_says_nothing(data: st.DataObject) -> None:
    run = data.draw(windowings())
    description = data.draw(descriptions(tick=run.tick, cycles=True))
    records = data.draw(streams(description, run, retractions=True))
    shuffled = data.draw(st.permutations(records))
    assert whole(description, run, list(records)) == whole(description, run, list(shuffled))
